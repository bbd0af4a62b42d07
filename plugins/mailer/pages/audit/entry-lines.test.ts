import { test } from 'tap'
import { diffLines } from '../../ledger/diff-lines.ts'
import { jsonLines } from './entry-lines.ts'

test('the order of keys is not a difference', async (t) => {
  const [before, after] = [
    { a: 1, b: { d: [1], c: 2 } },
    { b: { c: 2, d: [1] }, a: 1 }
  ]
  t.ok(diffLines(jsonLines(before), jsonLines(after)).every(({ kind }) => kind === 'same'))
})

test('a value that is missing has no lines', async (t) => {
  t.same(jsonLines(undefined), [])
  t.same(jsonLines(null), [])
  t.same(
    diffLines(jsonLines(undefined), jsonLines({ a: 1 })).map(({ kind }) => kind),
    ['added', 'added', 'added']
  )
})
