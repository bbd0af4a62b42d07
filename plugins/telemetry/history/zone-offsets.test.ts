// Offsets of a zone are what its clocks show, at each moment of a range.
import { wallTime } from '@keelson/sdk/zoned-time'
import fc from 'fast-check'
import { test } from 'tap'
import { offsetsOf } from './zone-offsets.ts'

const DAY = 86_400_000
const ZONES = [
  'UTC',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Europe/Berlin',
  'America/Los_Angeles',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'America/Caracas',
  'Pacific/Apia',
  'Asia/Pyongyang'
]
const moment = fc.integer({ min: Date.UTC(1975, 0, 1), max: Date.UTC(2040, 0, 1) })

test('every moment of a range is ahead of UTC by the offset of its span', (t) => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      moment,
      fc.integer({ min: 1, max: 1_000 * DAY }),
      fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { maxLength: 40 }),
      (zone, from, length, places) => {
        const spans = offsetsOf(from, from + length, zone) ?? []
        const edges = spans.flatMap(({ until }) => [until - 1, until]).slice(0, -1)
        const some = places.map((place) => from + Math.floor(place * length))
        return [from, ...some, ...edges].every(
          (at) => spans.find(({ until }) => at < until)?.ahead === wallTime(at, zone) - at
        )
      }
    ),
    { numRuns: 100 }
  )
  t.end()
})

test('spans follow each other with other offsets, and the last one ends the range', (t) => {
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), moment, fc.nat(1_000 * DAY), (zone, from, length) => {
      const spans = offsetsOf(from, from + length + 1, zone) ?? []
      return (
        spans.at(-1)?.until === from + length + 1 &&
        spans.every(({ until, ahead }, at) => {
          const next = spans[at + 1]
          return next === undefined || (next.until > until && next.ahead !== ahead)
        })
      )
    }),
    { numRuns: 100 }
  )
  t.end()
})

test('a range of more than 4,000 days is not looked through', (t) => {
  t.same(offsetsOf(0, 4_000 * DAY, 'Asia/Kolkata')?.at(-1)?.ahead, 5.5 * 3_600_000)
  t.equal(offsetsOf(0, 4_001 * DAY, 'Asia/Kolkata'), undefined)
  t.end()
})
