// Intervals of time in SQL: the start of the one that a row is in. Pure.
import { momentAt } from '@keelson/sdk/zoned-time'
import type { Document } from 'mongodb'
import { DAY_MS, HOUR_MS } from '../rollups/bucket.ts'
import type { TimeBounds } from './filter-times.ts'
import { dateOutput, type Output } from './output.ts'
import { NotInColumns, type Statement } from './statement.ts'
import { type OffsetSpan, offsetsOf } from './zone-offsets.ts'

const WEEK_MS = 7 * DAY_MS
const LENGTHS: Readonly<Record<string, number>> = {
  minute: 60_000,
  hour: HOUR_MS,
  day: DAY_MS,
  week: WEEK_MS
}
/** 1970-01-01 was a Thursday. */
const WEEK_SHIFT = 3 * DAY_MS
const UNITS: ReadonlySet<unknown> = new Set([...Object.keys(LENGTHS), 'month'])
const AT = '"occurredAt"'
/** No `Date` has more milliseconds. */
const MOST_MS = 8_640_000_000_000_000

/**
 * Its start as milliseconds; in a zone as its clocks show it, which the zone's own rules turn into a moment. `within`:
 * no row is outside.
 */
export function bucketOf(
  { date, unit, timezone }: Document,
  statement: Statement,
  within: TimeBounds = {}
): Output {
  if (date !== '$occurredAt' || !UNITS.has(unit)) throw new NotInColumns('such a bucket')
  if (timezone === undefined) return startsOf(AT, unit)
  const spans =
    within.from === undefined || within.to === undefined
      ? undefined
      : offsetsOf(within.from, within.to, timezone)
  const starts =
    spans === undefined
      ? dateOutput(`epoch_ms(date_trunc('${unit}', ${zonedBy(timezone, statement)}))`)
      : startsOf(wallBy(spans, statement), unit)
  return { ...starts, read: (cell) => new Date(momentAt(cell as number, timezone)) }
}

/** What clocks show, told by the library of zones for each row: for ranges whose offsets are not known. */
const zonedBy = (timezone: string, statement: Statement): string =>
  `timezone(${statement.text(timezone)}, make_timestamp_ms(${AT})::TIMESTAMPTZ)`

/** What clocks show: an addition for each row. */
function wallBy(spans: readonly OffsetSpan[], statement: Statement): string {
  const [last, ...earlier] = [...spans].reverse()
  const ahead = (span: OffsetSpan | undefined) => statement.whole(span?.ahead ?? 0)
  if (earlier.length === 0) return `(${AT} + ${ahead(last)})`
  const cases = earlier
    .reverse()
    .map((span) => `WHEN ${AT} < ${statement.whole(span.until)} THEN ${ahead(span)}`)
  return `(${AT} + CASE ${cases.join(' ')} ELSE ${ahead(last)} END)`
}

function startsOf(time: string, unit: string): Output {
  const length = LENGTHS[unit]
  return length === undefined
    ? dateOutput(`epoch_ms(date_trunc('month', make_timestamp_ms(${time})))`)
    : equalBuckets(time, length, unit === 'week' ? WEEK_SHIFT : 0)
}

/** Rows are grouped by the number of the interval, which takes one division a row, before 1970 too. */
function equalBuckets(time: string, length: number, shift: number): Output {
  const before = Math.ceil(MOST_MS / length) * length + shift
  return {
    ...dateOutput(`(${time} + ${before}) // ${length}`),
    shown: (column) => `(${column} * ${length} - ${before})::DOUBLE`
  }
}

/** The hour that a row is in. */
export const HOUR_OF_ROW: Output = equalBuckets(AT, HOUR_MS, 0)

/** The millisecond of a row. */
export const TIME_OF_ROW: Output = dateOutput(AT)
