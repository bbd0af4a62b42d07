// What differs between two states of a document.
import fc from 'fast-check'
import { test } from 'tap'
import { changesBetween } from './changes-between.ts'

test('short values are shown whole, also those that are new or gone', async (t) => {
  const before = { subject: 'One', replyTo: null, tags: 'old', same: [1] }
  const after = { subject: 'Two', replyTo: 'a@example.test', name: 'New', same: [1] }
  t.strictSame(changesBetween(before, after), [
    { field: 'subject', before: 'One', after: 'Two' },
    { field: 'replyTo', before: null, after: 'a@example.test' },
    { field: 'tags', before: 'old' },
    { field: 'name', after: 'New' }
  ])
})

test('texts and structures are compared by lines', async (t) => {
  const [text] = changesBetween({ html: 'a\nb\nc' }, { html: 'a\nB\nc' })
  t.strictSame(text?.hunks?.[0]?.lines, [' a', '-b', '+B', ' c'])
  const [steps] = changesBetween({ steps: [] }, { steps: [{ type: 'exit' }] })
  t.match(steps?.hunks?.[0]?.lines, ['-[]', '+[', '+  {', '+    "type": "exit"', '+  }', '+]'])
})

test('states that have little in common are named, and not compared', async (t) => {
  const lines = (word: string) => Array.from({ length: 5_000 }, (_, at) => word + at).join('\n')
  t.strictSame(changesBetween({ html: lines('a') }, { html: lines('b') }), [
    { field: 'html', isTooLarge: true }
  ])
})

test('equal documents have no changes, and others name each field that differs', async () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue()),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue()),
      (before, after) => {
        const fields = new Set(changesBetween(before, after).map(({ field }) => field))
        return (
          changesBetween(before, before).length === 0 &&
          Object.keys(after).every((name) => name in before || fields.has(name)) &&
          Object.keys(before).every((name) => name in after || fields.has(name))
        )
      }
    )
  )
})
