// The time range of a request, or the refusal of an invalid one. Pure.
import { type RangeText, readTimeRange, type TimeRange } from '@keelson/telemetry'
import { type Invalid, invalid } from '../refusals.ts'

export const INVALID_RANGE = 'invalid time range'

/** The range of a request; `to` defaults to now, `from` to seven days before `to`. */
export const readRange = (given: RangeText, now: Date): TimeRange | Invalid =>
  readTimeRange(given, now) ?? invalid(INVALID_RANGE)

/** As `readRange`, but empty when neither end was given. */
export function readOptionalRange(given: RangeText, now: Date): Partial<TimeRange> | Invalid {
  const isGiven = given.from !== undefined || given.to !== undefined
  return isGiven ? readRange(given, now) : {}
}
