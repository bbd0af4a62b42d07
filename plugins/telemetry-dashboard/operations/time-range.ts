// The time range of a request, or the refusal of an invalid one.
import { type RangeText, readTimeRange, type TimeRange } from '@keelson/telemetry'
import { accepted, type Parsed, refused } from './parsed.ts'

const INVALID = refused('invalid time range')

/** The range of a request; `to` defaults to now, `from` to seven days before `to`. */
export function readRange(given: RangeText, now: Date): Parsed<TimeRange> {
  const range = readTimeRange(given, now)
  return range === undefined ? INVALID : accepted(range)
}

/** As `readRange`, but undefined when neither end was given. */
export function readOptionalRange(given: RangeText, now: Date): Parsed<TimeRange | undefined> {
  const isGiven = given.from !== undefined || given.to !== undefined
  return isGiven ? readRange(given, now) : accepted(undefined)
}
