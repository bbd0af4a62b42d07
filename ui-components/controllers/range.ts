// A range of time: a length that ends now, or two moments. Pure.
import { momentAt, wallTime } from '@keelson/sdk/zoned-time'
import type { Format } from '../format.ts'
import type { MessageValues } from '../locales/catalog.ts'

/** `{range: '7d'}` ends now; `{from, to}` are ISO dates. */
export type Range = { readonly range: string } | { readonly from: string; readonly to: string }

/** The ranges that the picker offers by default. */
export const DEFAULT_RANGES: readonly string[] = ['1h', '24h', '7d', '30d', '90d']

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds of `15m`, `24h`, `7d`; undefined for anything else. */
export function rangeLength(range: string): number | undefined {
  const match = /^([1-9]\d{0,3})([mhd])$/.exec(range)
  if (match === null) return undefined
  const unit = UNITS[match[2] ?? '']
  return unit === undefined ? undefined : Number(match[1]) * unit
}

/** The two moments of a range. An unknown name counts as 24 hours. */
export function rangeBounds(range: Range, now: Date): { readonly from: Date; readonly to: Date } {
  if ('from' in range) return { from: new Date(range.from), to: new Date(range.to) }
  const length = rangeLength(range.range) ?? 24 * 3_600_000
  return { from: new Date(now.getTime() - length), to: now }
}

/** A range in words: `last 7 days`, or both moments. */
export function rangeText(
  range: Range,
  format: Format,
  t: (key: string, values?: MessageValues) => string
): string {
  if ('from' in range) return `${format.dateTime(range.from)} – ${format.dateTime(range.to)}`
  const match = /^(\d+)([hd])$/.exec(range.range)
  if (match === null) return range.range
  return t(`range.last.${match[2]}`, { count: Number(match[1]) })
}

/** Reads `range`, or `from` and `to`, out of an address; undefined when both are missing or invalid. */
export function readRange(params: URLSearchParams): Range | undefined {
  const from = params.get('from')
  const to = params.get('to')
  if (from !== null && to !== null && Date.parse(from) < Date.parse(to)) return { from, to }
  const range = params.get('range')
  return range !== null && rangeLength(range) !== undefined ? { range } : undefined
}

/** A range as parameters of an address; null removes. */
export function rangeParams(
  range: Range
): Readonly<Record<'range' | 'from' | 'to', string | null>> {
  if ('from' in range) return { range: null, from: range.from, to: range.to }
  return { range: range.range, from: null, to: null }
}

/** The range of the custom form, in the time zone, or the key of the message that says what is wrong. */
export function customRange(
  from: string,
  to: string,
  timeZone: string
): Range | 'range.missing' | 'range.order' {
  const start = momentAt(Date.parse(`${from}Z`), timeZone)
  const end = momentAt(Date.parse(`${to}Z`), timeZone)
  if (Number.isNaN(start) || Number.isNaN(end)) return 'range.missing'
  if (start >= end) return 'range.order'
  return { from: new Date(start).toISOString(), to: new Date(end).toISOString() }
}

/** A moment as `datetime-local` fields want it: what clocks of the time zone show, to the minute. */
export const localField = (at: Date, timeZone: string): string =>
  new Date(wallTime(at.getTime(), timeZone)).toISOString().slice(0, 16)
