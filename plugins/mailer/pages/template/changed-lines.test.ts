// Fields that differ, as lines.
import { test } from 'tap'
import { changedLines } from './changed-lines.ts'

test('a value that differs is its old and its new line', async (t) => {
  t.same(changedLines({ field: 'subject', before: 'Hi', after: 'Hello' }), [
    { kind: 'removed', text: 'Hi' },
    { kind: 'added', text: 'Hello' }
  ])
  t.same(changedLines({ field: 'tracking', after: { opens: true } }), [
    { kind: 'added', text: '{"opens":true}' }
  ])
})

test('a long text is its lines that differ, after their place', async (t) => {
  const hunks = [{ newStart: 12, lines: [' <p>', '-Old', '+New', ' </p>'] }]
  t.same(changedLines({ field: 'mjml', hunks }), [
    { kind: 'place', text: '@@ 12' },
    { kind: 'same', text: '<p>' },
    { kind: 'removed', text: 'Old' },
    { kind: 'added', text: 'New' },
    { kind: 'same', text: '</p>' }
  ])
})
