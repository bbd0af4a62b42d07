// Each contract between plugins is defined by its owner; others may name it by its id, never by another one.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'tap'

const DEFINED = /define(?:Capability|ExtensionPoint)(?:<[^(]*>)?\(\s*'([^']+)'/g
const OWNED = /^(?:sdk|plugins\/.*)\/contracts(?:\.ts$|\/)/

const sources = execFileSync('git', ['ls-files', 'sdk', 'kernel', 'plugins'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => /\.ts$/.test(path) && !/\.test\.|\/test\/|\/testing\//.test(path))
const found = sources.flatMap((path) => {
  const text = readFileSync(path, 'utf8').replaceAll(/^ \*.*$/gm, '')
  return [...text.matchAll(DEFINED)].map(([, id = '']) => ({ path, id }))
})
const owned = found.filter(({ path }) => OWNED.test(path))

test('an id is defined once, in the contracts of its owner', (t) => {
  const ids = owned.map(({ id }) => id)
  t.ok(ids.length > 15, `${ids.length} contracts`)
  t.same(
    ids.filter((id, at) => ids.indexOf(id) !== at),
    []
  )
  t.end()
})

test('what is named elsewhere by its id is a contract of some owner', (t) => {
  const ids = new Set(owned.map(({ id }) => id))
  const others = found.filter(({ path, id }) => !OWNED.test(path) && !ids.has(id))
  t.same(others, [])
  t.end()
})
