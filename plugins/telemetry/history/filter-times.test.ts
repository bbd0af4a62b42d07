// The times of a filter hold every row that fits it.
import { test } from 'tap'
import { timesOf } from './filter-times.ts'

const at = (time: number) => new Date(time)

test('times of a filter are those of its range, and of all ranges of which one must fit', (t) => {
  t.same(timesOf({ occurredAt: { $gte: at(3), $lt: at(9) } }), { from: 3, to: 9 })
  t.same(timesOf({ occurredAt: { $gt: at(3), $lte: at(9) } }), { from: 3, to: 10 })
  const ranges = [
    [5, 6],
    [2, 3],
    [8, 9]
  ].map(([from = 0, to = 0]) => ({ occurredAt: { $gte: at(from), $lt: at(to) } }))
  t.same(timesOf({ $or: ranges }), { from: 2, to: 9 })
  t.end()
})

test('times without a bound have none', (t) => {
  t.same(timesOf({}), {})
  t.same(timesOf({ $or: [] }), {})
  t.same(timesOf({ occurredAt: { $lt: at(9) } }), { from: undefined, to: 9 })
  const open = { $or: [{ occurredAt: { $gte: at(5), $lt: at(6) } }, { name: 'a' }] }
  t.same(timesOf(open), { from: undefined, to: undefined })
  t.end()
})
