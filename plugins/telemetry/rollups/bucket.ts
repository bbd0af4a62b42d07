// UTC intervals: where a bucket starts and where the next one does. Weeks start on Monday.
import { BUCKETS, type Bucket } from '../contracts/telemetry-registry.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
// 1970-01-01 was a Thursday: Monday is three days before it.
const MONDAY_SHIFT = 3 * DAY_MS
const WEEK_MS = 7 * DAY_MS

/** Start of the bucket that holds a time. */
export function bucketStart(at: number, bucket: Bucket): number {
  switch (bucket) {
    case 'hour':
      return Math.floor(at / HOUR_MS) * HOUR_MS
    case 'day':
      return Math.floor(at / DAY_MS) * DAY_MS
    case 'week':
      return Math.floor((at + MONDAY_SHIFT) / WEEK_MS) * WEEK_MS - MONDAY_SHIFT
    case 'month': {
      const date = new Date(at)
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
    }
  }
}

/** Start of the bucket after the one that starts at `start`. */
export function nextBucket(start: number, bucket: Bucket): number {
  switch (bucket) {
    case 'hour':
      return start + HOUR_MS
    case 'day':
      return start + DAY_MS
    case 'week':
      return start + WEEK_MS
    case 'month': {
      const date = new Date(start)
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
    }
  }
}

/** The coarser of two intervals. */
export function coarser(a: Bucket, b: Bucket): Bucket {
  return BUCKETS.indexOf(a) >= BUCKETS.indexOf(b) ? a : b
}
