// Trips and resumes buckets: the change and its row in the history are written together, by one process.
import { randomUUID } from 'node:crypto'
import type { Said } from '@keelson/sdk'
import type { Filter } from 'mongodb'
import type { BreakerContext } from '../breaker-context.ts'
import {
  type BucketKey,
  type BucketRow,
  bucketId,
  MAX_EVIDENCE,
  newBucket
} from '../buckets/bucket-row.ts'
import { ratesOf } from '../buckets/judge-bucket.ts'
import { countWindow, minuteWindow, NO_COUNTERS } from '../buckets/window.ts'
import type { ChangeRow } from './change-row.ts'

/** Why a bucket trips. */
export interface Trip {
  readonly reason: string
  /** The reason by its code. */
  readonly said?: Said | undefined
  /** `system:<plugin>`. */
  readonly actor: string
  /** Names evidence from outside; the same evidence trips a bucket once. */
  readonly evidenceId?: string
  /** The bucket that was judged: resumed meanwhile, it does not trip. Left out: evidence from outside. */
  readonly judged?: BucketRow
}

/** Trips a bucket. False when it is tripped already, was resumed meanwhile, or the evidence is known. */
export async function tripBucket(
  context: BreakerContext,
  key: BucketKey,
  { reason, said, actor, evidenceId, judged }: Trip
): Promise<boolean> {
  const { health, clock, settings, withTransaction } = context
  const now = clock.now()
  const { _id, ...fresh } = newBucket(key, now)
  return withTransaction(async (session) => {
    await health.updateOne({ _id }, { $setOnInsert: fresh }, { session, upsert: true })
    const guard: Filter<BucketRow> = {
      _id,
      status: { $ne: 'tripped' },
      ...(judged && { manuallyResumedAt: judged.manuallyResumedAt }),
      ...(evidenceId !== undefined && { evidence: { $ne: evidenceId } })
    }
    const row = await health.findOne(guard, { session })
    if (row === null) return false
    const window = { ...minuteWindow(settings.windowMinutes), now: now.getTime() }
    const trippedCounters = countWindow(row.minutes, window)
    const evidence = [...row.evidence, ...(evidenceId === undefined ? [] : [evidenceId])]
    await health.updateOne(
      { _id },
      {
        $set: {
          status: 'tripped',
          trippedAt: now,
          trippedReason: reason,
          trippedSaid: said ?? null,
          trippedCounters,
          warning: null,
          warningSaid: null,
          evidence: evidence.slice(-MAX_EVIDENCE),
          updatedAt: now
        }
      },
      { session }
    )
    const rates = ratesOf(trippedCounters)
    const why = { reason, ...(said !== undefined && { said }) }
    const change = changeOf('health.trip', key, { at: now, actor, ...why, rates })
    await context.changes.insertOne(change, { session })
    return true
  })
}

/** Resumes one bucket, with an empty window. Null when it is not tripped. */
export async function resumeBucket(
  { health, changes, clock, withTransaction }: BreakerContext,
  key: BucketKey,
  actor: string
): Promise<ChangeRow | null> {
  const now = clock.now()
  return withTransaction(async (session) => {
    const row = await health.findOneAndUpdate(
      { _id: bucketId(key), status: 'tripped' },
      {
        $set: {
          status: 'healthy',
          minutes: [],
          hours: [],
          refusals: {},
          manuallyResumedAt: now,
          trippedCounters: null,
          updatedAt: now
        }
      },
      { session }
    )
    if (row === null) return null
    const rates = ratesOf(row.trippedCounters ?? NO_COUNTERS)
    const { trippedReason: reason, trippedSaid: said } = row
    const why = { reason, ...(said != null && { said }) }
    const change = changeOf('health.resume', key, { at: now, actor, ...why, rates })
    await changes.insertOne(change, { session })
    return change
  })
}

function changeOf(
  action: ChangeRow['action'],
  { senderDomain, kind }: BucketKey,
  rest: Pick<ChangeRow, 'at' | 'actor' | 'reason' | 'said' | 'rates'>
): ChangeRow {
  return { _id: randomUUID(), action, senderDomain, kind, ...rest, isPending: true }
}
