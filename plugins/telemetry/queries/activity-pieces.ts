// Cuts a range into what the system's days and hours hold, and the ends that only raw rows can tell. Pure.
import type { Bucket } from '../registry/spec.ts'
import { bucketStart, DAY_MS, nextBucket } from '../rollups/bucket.ts'
import { HOURLY_DAYS } from '../rollups/system.ts'

export interface Piece {
  readonly source: 'raw' | 'hourly' | 'daily'
  readonly from: number
  readonly to: number
}

const ceilTo = (at: number, bucket: 'hour' | 'day') => {
  const start = bucketStart(at, bucket)
  return start === at ? at : nextBucket(start, bucket)
}

/**
 * The pieces of `[from, to)`, ascending. A range that ends now or later takes the hour that is still
 * running whole: nothing lies behind now.
 */
export function cutRange(
  from: number,
  to: number,
  interval: Bucket | undefined,
  now: number
): readonly Piece[] {
  const firstHour = ceilTo(from, 'hour')
  const lastHour = to >= now ? ceilTo(to, 'hour') : bucketStart(to, 'hour')
  if (firstHour >= lastHour) return [{ source: 'raw', from, to }]
  const pieces: Piece[] = []
  if (from < firstHour) pieces.push({ source: 'raw', from, to: firstHour })
  pieces.push(...cutHours(firstHour, lastHour, interval))
  if (lastHour < to) pieces.push({ source: 'raw', from: lastHour, to })
  const oldest = now - (HOURLY_DAYS - 1) * DAY_MS
  return pieces.map((piece) =>
    piece.source === 'hourly' && piece.from < oldest ? { ...piece, source: 'raw' } : piece
  )
}

function cutHours(from: number, to: number, interval: Bucket | undefined): readonly Piece[] {
  const firstDay = ceilTo(from, 'day')
  const lastDay = bucketStart(to, 'day')
  if (interval === 'hour' || firstDay >= lastDay) return [{ source: 'hourly', from, to }]
  const pieces: Piece[] = []
  if (from < firstDay) pieces.push({ source: 'hourly', from, to: firstDay })
  pieces.push({ source: 'daily', from: firstDay, to: lastDay })
  if (lastDay < to) pieces.push({ source: 'hourly', from: lastDay, to })
  return pieces
}
