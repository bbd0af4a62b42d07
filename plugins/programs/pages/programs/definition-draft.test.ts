// How what is typed and what the server has become one text.
import { test } from 'tap'
import { meaningOf, rowOf } from './definition-draft.ts'

const program = (draft: unknown) =>
  ({ draft, definition: null, revision: 3 }) as Parameters<typeof rowOf>[0]

test('a definition is shown with one property a line', async (t) => {
  t.same(rowOf(program({ a: 1 })), { fields: { text: '{\n  "a": 1\n}' }, revision: 3 })
})

test('a typed text that says the same keeps its spaces', async (t) => {
  t.equal(rowOf(program({ a: 1 }), '{"a":  1}').fields.text, '{"a":  1}')
})

test('a typed text that says something else gives way to what the server has', async (t) => {
  t.equal(rowOf(program({ a: 1 }), '{"a":2}').fields.text, '{\n  "a": 1\n}')
  t.equal(rowOf(program({ a: 1 }), '{"a":').fields.text, '{\n  "a": 1\n}')
})

test('a text that is not JSON has no meaning', async (t) => {
  t.equal(meaningOf('{'), undefined)
  t.equal(meaningOf('{ "a": [1, 2] }'), '{"a":[1,2]}')
})
