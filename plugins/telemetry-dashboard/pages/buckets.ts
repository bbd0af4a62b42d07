// Time in buckets: which interval suits a range, where buckets start, and the previous period under it.
import { nextStart, startOf, type TimeUnit } from '@keelson/sdk/zoned-time'
import type { Span } from '@keelson/ui'

export type Interval = TimeUnit

export const INTERVALS: readonly Interval[] = ['minute', 'hour', 'day', 'week', 'month']

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Roughly, for choosing and for the chart's gaps. */
export const INTERVAL_MS: Readonly<Record<Interval, number>> = {
  minute: MINUTE,
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

/** Buckets that one answer may hold: a month of hours, or a day of minutes. */
const MOST_BUCKETS = 744
const MOST_MINUTES = 1442

export interface Bucket {
  readonly at: string
  readonly value: number
}

const mostOf = (interval: Interval): number => (interval === 'minute' ? MOST_MINUTES : MOST_BUCKETS)

/** Whether a range has at most as many buckets as one answer holds, and more than one. */
export const fits = (interval: Interval, { from, to }: Span): boolean =>
  (to - from) / INTERVAL_MS[interval] < mostOf(interval) - 1

/** The asked interval when it fits, else the one that suits the length. */
export function chooseInterval(span: Span, asked: string | null): Interval {
  const wanted = INTERVALS.find((interval) => interval === asked)
  if (wanted !== undefined && fits(wanted, span)) return wanted
  const days = (span.to - span.from) / DAY
  if (days <= 0.25) return 'minute'
  if (days <= 3) return 'hour'
  if (days <= 120) return 'day'
  return days <= 750 ? 'week' : 'month'
}

/** Starts of all buckets that a range touches, the first one's included, in a time zone. */
export function bucketStarts(span: Span, interval: Interval, timeZone = 'UTC'): number[] {
  const starts: number[] = []
  let at = startOf(span.from, interval, timeZone)
  while (at < span.to && starts.length < mostOf(interval)) {
    starts.push(at)
    at = nextStart(at, interval, timeZone)
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
 * The previous period bucket by bucket under the current one, so that months of different lengths still line
 * up. `earlier` are the starts of its buckets.
 */
export function ghostValues<M extends number | null>(
  buckets: readonly Bucket[],
  earlier: readonly number[],
  count: number,
  missing: M
): (number | M)[] {
  const values = fillBuckets(buckets, earlier, missing)
  return Array.from({ length: count }, (_, at) => values[at] ?? missing)
}

/** How many buckets at the start hold only a part of their time, because the range starts inside them. */
export const partialBuckets = ([first]: readonly number[], { from }: Span): 0 | 1 =>
  first !== undefined && first < from ? 1 : 0

export const total = (values: readonly (number | null)[]): number =>
  values.reduce<number>((sum, value) => sum + (value ?? 0), 0)

/** By which fraction a figure changed; null when there was nothing before. */
export const change = (now: number, before: number): number | null =>
  before === 0 ? null : (now - before) / before
