// Time in buckets, as reads ask for it: which intervals there are, and the expression that cuts rows by them.
import { isTimeZone } from '@keelson/sdk/zoned-time'
import type { Document } from 'mongodb'
import { type BucketParams, INTERVALS, type Interval, QueryError } from './types.ts'

/** A day of 25 hours, as clocks change. */
const LONGEST_OF_MINUTES = 25 * 3_600_000

/** @throws QueryError naming the parameter. */
export function checkBuckets(
  { interval, timeZone }: BucketParams,
  range?: { readonly from: Date; readonly to: Date }
): void {
  if (interval !== undefined && !INTERVALS.includes(interval)) {
    throw new QueryError(`interval must be one of ${INTERVALS.join(', ')}`)
  }
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    throw new QueryError('timeZone must be UTC or an IANA name such as Europe/Berlin')
  }
  if (interval !== 'minute' || range === undefined) return
  if (range.to.getTime() - range.from.getTime() > LONGEST_OF_MINUTES) {
    throw new QueryError('interval minute is for ranges up to a day')
  }
}

/** The start of the bucket of a row. Minutes and hours are those of UTC in every zone. */
export function bucketOfRow(interval: Interval, timeZone = 'UTC'): Document {
  const isOfZone = timeZone !== 'UTC' && interval !== 'minute' && interval !== 'hour'
  return {
    $dateTrunc: {
      date: '$occurredAt',
      unit: interval,
      ...(interval === 'week' && { startOfWeek: 'monday' }),
      ...(isOfZone && { timezone: timeZone })
    }
  }
}
