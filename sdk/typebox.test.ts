// The bundle of TypeBox.
import { readFileSync } from 'node:fs'
import { test } from 'tap'
import { Compile, Type, Value } from './typebox.ts'

const bundle = readFileSync(new URL('./typebox.js', import.meta.url), 'utf8')

test('it loads no other file', async (t) => {
  t.notMatch(bundle, /^(import|export) .*from/m)
  t.match(bundle, /^export \{/m)
})

test('it carries the license of TypeBox', async (t) => {
  t.match(bundle.slice(0, 2000), /MIT License[\s\S]*Copyright[\s\S]*TypeBox/i)
})

test('it makes, compiles and checks schemas', async (t) => {
  const schema = Type.Object({ name: Type.String({ minLength: 1 }) })
  t.ok(Compile(schema).Check({ name: 'a' }))
  t.notOk(Value.Check(schema, { name: '' }))
})

test('it is ASCII, which a process keeps in half the memory', async (t) => {
  t.notMatch(bundle, /[^\0-\x7f]/)
  t.match(bundle, '\\u30fb')
})
