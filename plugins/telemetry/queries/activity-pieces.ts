// Cuts a range into what the system's days and hours hold, and the parts that only raw rows can tell. Pure.
import { nextStart, startOf } from '@keelson/sdk/zoned-time'
import { DAY_MS } from '../rollups/bucket.ts'
import { HOURLY_DAYS } from '../rollups/system.ts'
import type { BucketParams } from './types.ts'

export interface Piece {
  readonly source: 'raw' | 'hourly' | 'daily'
  readonly from: number
  readonly to: number
}

const ceilTo = (at: number, unit: 'hour' | 'day') => {
  const start = startOf(at, unit)
  return start === at ? at : nextStart(start, unit)
}

/**
 * The pieces of `[from, to)`, ascending. A range that ends now or later takes the hour that is still
 * running whole: nothing lies behind now.
 */
export function cutRange(
  from: number,
  to: number,
  buckets: BucketParams,
  now: number
): readonly Piece[] {
  const firstHour = ceilTo(from, 'hour')
  const lastHour = to >= now ? ceilTo(to, 'hour') : startOf(to, 'hour')
  if (buckets.interval === 'minute' || firstHour >= lastHour) return [{ source: 'raw', from, to }]
  const pieces: Piece[] = []
  if (from < firstHour) pieces.push({ source: 'raw', from, to: firstHour })
  pieces.push(...cutHours(firstHour, lastHour, buckets))
  if (lastHour < to) pieces.push({ source: 'raw', from: lastHour, to })
  const oldest = now - (HOURLY_DAYS - 1) * DAY_MS
  return pieces.map((piece) =>
    piece.source === 'hourly' && piece.from < oldest ? { ...piece, source: 'raw' } : piece
  )
}

function cutHours(
  from: number,
  to: number,
  { interval, timeZone = 'UTC' }: BucketParams
): readonly Piece[] {
  if (interval === 'hour') return [{ source: 'hourly', from, to }]
  // The days of the system are those of UTC: they cannot tell the days of another zone.
  if (interval !== undefined && timeZone !== 'UTC') {
    return cutAtStarts(from, to, { interval, timeZone })
  }
  const firstDay = ceilTo(from, 'day')
  const lastDay = startOf(to, 'day')
  if (firstDay >= lastDay) return [{ source: 'hourly', from, to }]
  const pieces: Piece[] = []
  if (from < firstDay) pieces.push({ source: 'hourly', from, to: firstDay })
  pieces.push({ source: 'daily', from: firstDay, to: lastDay })
  if (lastDay < to) pieces.push({ source: 'hourly', from: lastDay, to })
  return pieces
}

/** Hours, but raw rows for an hour in which a bucket starts, as days of Kolkata do. */
function cutAtStarts(
  from: number,
  to: number,
  { interval, timeZone }: Required<BucketParams>
): readonly Piece[] {
  const pieces: Piece[] = []
  let at = from
  let start = nextStart(startOf(from, interval, timeZone), interval, timeZone)
  for (; start < to; start = nextStart(start, interval, timeZone)) {
    const hour = startOf(start, 'hour')
    if (hour === start) continue
    if (at < hour) pieces.push({ source: 'hourly', from: at, to: hour })
    at = nextStart(hour, 'hour')
    pieces.push({ source: 'raw', from: hour, to: at })
  }
  if (at < to) pieces.push({ source: 'hourly', from: at, to })
  return pieces
}
