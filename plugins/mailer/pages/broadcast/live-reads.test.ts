// What a page that watches a broadcast reads in each turn.
import { test } from 'tap'
import { nextRead } from './live-reads.ts'

test('the list follows changed figures, and links and hours are read once a minute', async (t) => {
  const moving = { hasChanged: false, isActive: true }
  const reads = Array.from({ length: 24 }, (_, turn) => nextRead({ ...moving, turn }))
  t.same(
    reads.flatMap((read, turn) => (read === 'report' ? [turn] : [])),
    [11, 23]
  )
  t.ok(reads.every((read) => read === 'row' || read === 'report'))
  t.equal(nextRead({ ...moving, turn: 11, hasChanged: true }), 'list')
  t.equal(nextRead({ turn: 11, hasChanged: true, isActive: false }), 'list', 'for the last time')
  t.equal(nextRead({ turn: 11, hasChanged: false, isActive: false }), 'none')
})
