// Filters: reading what is typed, suggesting, changing the list.
import fc from 'fast-check'
import { test } from 'tap'
import { type FilterField, matching, readTyped, withFilter } from './filter.ts'

const FIELDS: readonly FilterField[] = [
  { id: 'name', label: 'name' },
  { id: 'attrs.plan', label: 'Plan', negatable: true },
  { id: 'tag', label: 'tag', multiple: true }
]

test('a field before a colon or an equals sign is understood, by label or id', async (t) => {
  t.match(readTyped('plan:pro', FIELDS), { field: { id: 'attrs.plan' }, not: false, text: 'pro' })
  t.match(readTyped('attrs.plan = pro', FIELDS), { field: { id: 'attrs.plan' }, text: 'pro' })
  t.match(readTyped('name:a:b', FIELDS), { field: { id: 'name' }, text: 'a:b' })
})

test('a minus or an exclamation mark means not, where a field allows it', async (t) => {
  t.match(readTyped('-plan:pro', FIELDS), { not: true, text: 'pro' })
  t.match(readTyped('plan!=pro', FIELDS), { not: true, text: 'pro' })
  t.match(readTyped('-name:x', FIELDS), { not: false })
})

test('anything else is text', async (t) => {
  t.same(readTyped('nope:pro', FIELDS), { field: undefined, not: false, text: 'nope:pro' })
  const kept = fc.check(fc.property(fc.string(), (text) => readTyped(text, []).text === text))
  t.equal(kept.failed, false)
})

test('suggestions that begin with the text come first', async (t) => {
  t.same(matching(['app.error', 'error.app', 'x'], 'ERR'), ['error.app', 'app.error'])
  t.same(matching(['a', 'b', 'c'], '', 2), ['a', 'b'])
})

test('a new value takes the place of the old one of its field', async (t) => {
  const filters = [
    { field: 'name', value: 'a' },
    { field: 'attrs.plan', value: 'pro' }
  ]
  t.same(withFilter(filters, { field: 'name', value: 'b' }, FIELDS[0], undefined), [
    { field: 'name', value: 'b' },
    { field: 'attrs.plan', value: 'pro' }
  ])
  t.same(withFilter(filters, { field: 'tag', value: 'x' }, FIELDS[2], undefined).length, 3)
})

test('a field that may stand several times keeps other values and no doubles', async (t) => {
  const filters = [{ field: 'tag', value: 'a' }]
  t.same(withFilter(filters, { field: 'tag', value: 'b' }, FIELDS[2], undefined), [
    { field: 'tag', value: 'a' },
    { field: 'tag', value: 'b' }
  ])
  t.same(withFilter(filters, { field: 'tag', value: 'a' }, FIELDS[2], undefined), filters)
})

test('a filter that was changed stays where it was, even with another field', async (t) => {
  const filters = [
    { field: 'tag', value: 'a' },
    { field: 'name', value: 'n' },
    { field: 'tag', value: 'c' }
  ]
  t.same(withFilter(filters, { field: 'tag', value: 'b' }, FIELDS[2], 0)[0], {
    field: 'tag',
    value: 'b'
  })
  t.same(withFilter(filters, { field: 'name', value: 'x' }, FIELDS[0], 0), [
    { field: 'name', value: 'x' },
    { field: 'tag', value: 'c' }
  ])
})
