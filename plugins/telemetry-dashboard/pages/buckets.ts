// Time in buckets: which interval suits a range, where buckets start, and the previous period under it.
import type { Span } from '@keelson/ui'

export type Interval = 'hour' | 'day' | 'week' | 'month'

export const INTERVALS: readonly Interval[] = ['hour', 'day', 'week', 'month']

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Roughly, for choosing and for the chart's gaps. */
export const INTERVAL_MS: Readonly<Record<Interval, number>> = {
  hour: HOUR,
  day: DAY,
  week: 7 * DAY,
  month: 30 * DAY
}

/**
 * Whether documents of a bucket can tell a range: a bucket that the range cuts is counted whole or not at
 * all, so that there must be some between the ends.
 */
export const holdsBuckets = ({ from, to }: Span, bucket: Interval): boolean =>
  to - from >= 2 * INTERVAL_MS[bucket]

/** Buckets that one answer may hold. */
const MOST_BUCKETS = 744

export interface Bucket {
  readonly at: string
  readonly value: number
}

/** Whether a range has at most as many buckets as one answer holds, and more than one. */
export const fits = (interval: Interval, { from, to }: Span): boolean =>
  (to - from) / INTERVAL_MS[interval] < MOST_BUCKETS - 1

/** The asked interval when it fits, else the one that suits the length. */
export function chooseInterval(span: Span, asked: string | null): Interval {
  const wanted = INTERVALS.find((interval) => interval === asked)
  if (wanted !== undefined && fits(wanted, span)) return wanted
  const days = (span.to - span.from) / DAY
  if (days <= 3) return 'hour'
  if (days <= 120) return 'day'
  return days <= 750 ? 'week' : 'month'
}

/** Start of the UTC hour, day, Monday week or month that holds `at`. */
export function bucketStart(at: number, interval: Interval): number {
  if (interval === 'hour') return Math.floor(at / HOUR) * HOUR
  const day = Math.floor(at / DAY) * DAY
  if (interval === 'day') return day
  if (interval === 'week') return day - ((new Date(day).getUTCDay() + 6) % 7) * DAY
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}

function nextStart(at: number, interval: Interval): number {
  if (interval !== 'month') return at + INTERVAL_MS[interval]
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

/** Starts of all buckets that a range touches, the first one's included. */
export function bucketStarts(span: Span, interval: Interval): number[] {
  const starts: number[] = []
  let at = bucketStart(span.from, interval)
  while (at < span.to && starts.length < MOST_BUCKETS) {
    starts.push(at)
    at = nextStart(at, interval)
  }
  return starts
}

/** One value per start; a bucket that was left out is `missing`. */
export function fillBuckets<M extends number | null>(
  buckets: readonly Bucket[],
  starts: readonly number[],
  missing: M
): (number | M)[] {
  const values = new Map(buckets.map(({ at, value }) => [Date.parse(at), value]))
  return starts.map((start) => values.get(start) ?? missing)
}

/** The range of the same length that ends where this one starts. */
export const previousSpan = ({ from, to }: Span): Span => ({ from: from - (to - from), to: from })

/**
 * The previous period bucket by bucket under the current one, so that months of different lengths
 * still line up.
 */
export function ghostValues(
  buckets: readonly Bucket[],
  span: Span,
  interval: Interval,
  count: number
): number[] {
  const starts = bucketStarts(previousSpan(span), interval)
  const values = fillBuckets(buckets, starts, 0)
  return Array.from({ length: count }, (_, at) => values[at] ?? 0)
}

/**
 * How many buckets at the start are not drawn: a first one that the range cuts off would look like a
 * fall.
 */
export function cutBuckets(starts: readonly number[], span: Span): 0 | 1 {
  const [first = span.from] = starts
  return first < span.from && starts.length > 3 ? 1 : 0
}

export const total = (values: readonly (number | null)[]): number =>
  values.reduce<number>((sum, value) => sum + (value ?? 0), 0)

/** By which fraction a figure changed; null when there was nothing before. */
export const change = (now: number, before: number): number | null =>
  before === 0 ? null : (now - before) / before
