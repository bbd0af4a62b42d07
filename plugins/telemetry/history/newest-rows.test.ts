// Where the newest rows up to a limit end.
import fc from 'fast-check'
import { test } from 'tap'
import { HOUR_MS } from '../rollups/bucket.ts'
import { cutOf, hourCutOf, rowsToLookAt, rowsToLookAtFirst, startOfNewest } from './newest-rows.ts'

const counted = (times: readonly number[]): ReadonlyMap<number, number> => {
  const counts = new Map<number, number>()
  for (const time of times) counts.set(time, (counts.get(time) ?? 0) + 1)
  return counts
}

test('a cut takes as many rows as the limit, and none that is older than one it leaves out', (t) => {
  const time = fc.integer({ min: -20, max: 20 }).map((n) => n * (HOUR_MS / 8) + (n % 3))
  fc.assert(
    fc.property(
      fc.array(time, { maxLength: 60 }),
      fc.integer({ min: 1, max: 70 }),
      (times, limit) => {
        const hourOf = (at: number) => Math.floor(at / HOUR_MS) * HOUR_MS
        const hourCut = hourCutOf(counted(times.map(hourOf)), limit)
        if (hourCut === undefined) return times.length <= limit
        const within = times.filter((at) => hourOf(at) === hourCut.hour)
        const { from, tied, oldest } = cutOf(counted(within), hourCut)
        const expected = [...times].sort((a, b) => b - a).slice(0, limit)
        const whole = times.filter((at) => at >= from)
        const taken = [...whole, ...Array<number>(tied?.rest ?? 0).fill(tied?.at ?? 0)]
        const isOldest = oldest === undefined || oldest === expected.at(-1)
        return isOldest && JSON.stringify(taken.sort((a, b) => b - a)) === JSON.stringify(expected)
      }
    )
  )
  t.end()
})

const segment = (from: number, to: number, rows: number) => ({
  from: new Date(from * HOUR_MS),
  to: new Date(to * HOUR_MS),
  rows
})

test('the newest rows are looked for where segments have about so many', (t) => {
  const segments = [segment(0, 100, 1000), segment(100, 200, 1000), segment(50, 150, 1000)]
  t.equal(startOfNewest(segments, 3000), undefined, 'there are no more')
  const start = (startOfNewest(segments, 1000) ?? 0) / HOUR_MS
  t.ok(start > 120 && start < 130, `hour ${start}`)
  t.equal(start % 1, 0)
  t.end()
})

test('more rows are looked at until all are', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), fc.nat(100), (limit, percent) => {
      let looked = rowsToLookAtFirst(limit, percent === 100)
      let turns = 0
      for (; looked < 1e9; turns++) looked = rowsToLookAt(limit, looked, (looked * percent) / 100)
      return turns <= 40
    })
  )
  t.equal(rowsToLookAtFirst(60, true), 75)
  t.equal(rowsToLookAtFirst(60, false), 250)
  t.equal(rowsToLookAt(100, 125, 25), 625, 'one row of five fits')
  t.end()
})
