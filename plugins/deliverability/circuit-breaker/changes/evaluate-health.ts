// Judges every bucket that has not tripped, and writes what changed.
import type { BreakerContext } from '../breaker-context.ts'
import { AGGREGATE_ID, type BucketKey, type BucketRow } from '../buckets/bucket-row.ts'
import { judgeBucket } from '../buckets/judge-bucket.ts'
import { refusalWarning } from '../buckets/refusals.ts'
import { countWindow, minuteWindow, weekWindow } from '../buckets/window.ts'
import { announceChanges } from './announce-changes.ts'
import { tripBucket } from './change-bucket.ts'

/** What an evaluation did. */
export interface Evaluation {
  /** Buckets that this call tripped. */
  readonly tripped: readonly BucketKey[]
}

/**
 * Trips, degrades and warns by the counts as they are now. Safe to repeat and in several processes: one of
 * them trips a bucket, and announces it.
 */
export async function evaluateHealth(context: BreakerContext): Promise<Evaluation> {
  const rows = await context.health.find({ _id: { $ne: AGGREGATE_ID } }).toArray()
  const tripped: BucketKey[] = []
  for (const row of rows) {
    if (row.status !== 'tripped' && (await judge(context, row))) {
      tripped.push({ senderDomain: row.senderDomain, kind: row.kind })
    }
  }
  await announceChanges(context)
  return { tripped }
}

/** True when this call tripped the bucket. */
async function judge(context: BreakerContext, row: BucketRow): Promise<boolean> {
  const { settings, clock, health } = context
  const now = clock.now().getTime()
  const window = countWindow(row.minutes, { ...minuteWindow(settings.windowMinutes), now })
  const week = countWindow(row.hours, { ...weekWindow, now })
  const judgement = judgeBucket({ window, week }, settings)
  const { status, reason } = judgement
  const refused = refusalWarning(row.refusals ?? {}, settings.combinedBounceRatePctTrip, now)
  const warning = judgement.warning ?? refused
  if (reason !== null) {
    const { message, said } = reason
    const actor = 'system:circuit-breaker'
    return tripBucket(context, row, { reason: message, said, actor, judged: row })
  }
  const words = { warning: warning?.message ?? null, warningSaid: warning?.said ?? null }
  if (status === row.status && words.warning === row.warning) return false
  await health.updateOne(
    { _id: row._id, status: row.status, manuallyResumedAt: row.manuallyResumedAt },
    { $set: { status, ...words, updatedAt: clock.now() } }
  )
  return false
}
