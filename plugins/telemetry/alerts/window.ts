// The windows of an evaluation: what is measured, and the period before it. Pure.

import type { Bucket } from '../contracts/telemetry-registry.ts'
import type { TimeRange } from '../queries/types.ts'
import { bucketStart, nextBucket } from '../rollups/bucket.ts'
import type { AlertCondition } from '../schemas/alerts.ts'
import { BUCKET_MINUTES } from './rule.ts'

export interface AlertWindow {
  readonly now: TimeRange
  readonly before: TimeRange
}

const MINUTE_MS = 60_000

/**
 * Without a bucket the window ends at `at`. Families with buckets are measured in whole ones: what looks
 * for too much includes the bucket that is still running, what looks for too little leaves it out,
 * because it would always be short.
 */
export function windowAt(
  at: number,
  windowMinutes: number,
  condition: AlertCondition,
  bucket: Bucket | undefined
): AlertWindow {
  const length = windowMinutes * MINUTE_MS
  if (bucket === undefined)
    return { now: range(at - length, at), before: range(at - 2 * length, at - length) }
  const running = bucketStart(at, bucket)
  const to = looksForLittle(condition) ? running : nextBucket(running, bucket)
  const count = Math.max(1, Math.round(windowMinutes / BUCKET_MINUTES[bucket]))
  const from = stepBack(to, bucket, count)
  return { now: range(from, to), before: range(stepBack(from, bucket, count), from) }
}

const range = (from: number, to: number): TimeRange => ({ from: new Date(from), to: new Date(to) })

/** Whether less than usual fires. */
export const looksForLittle = (condition: AlertCondition): boolean =>
  condition.type === 'no-data' ||
  (condition.type === 'threshold' && condition.op === 'below') ||
  (condition.type === 'change' && condition.op === 'drop')

function stepBack(start: number, bucket: Bucket, count: number): number {
  let at = start
  for (let step = 0; step < count; step++) at = bucketStart(at - 1, bucket)
  return at
}
