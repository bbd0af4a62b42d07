// Jobs whose last run failed and queues that parked items: kept where every process of the platform sees them.
import type { Clock } from '@keelson/sdk'
import { reasonOf } from '@keelson/sdk/queue'
import { KERNEL_PREFIX } from '@keelson/sdk/storage'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from 'mongodb'

/** A job or queue of a plugin, as the manifest declares it. */
export interface ScheduledPart {
  readonly plugin: string
  readonly kind: 'job' | 'queue'
  readonly name: string
  /** Of a job that each process runs: its failures stay in this process. */
  readonly isOwnOfProcess?: boolean
}

/** A job that fails, or a queue that parked items. */
export interface ScheduleFailure extends ScheduledPart {
  /** Runs of a job that failed in a row; items that a queue parked. */
  readonly count: number
  /** Of the last failure, without secrets. */
  readonly reason: string
  readonly since: Date
  readonly lastAt: Date
}

interface StoredFailure {
  /** `<plugin>/<kind>/<name>` */
  readonly _id: string
  readonly count: number
  readonly reason: string
  readonly since: Date
  readonly lastAt: Date
}

export interface FailuresOptions {
  readonly db: Db
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  redact(text: string): string
}

export interface Failures {
  /** Neither this nor `succeeded` rejects: a database that is away must not fail a run. */
  failed(part: ScheduledPart, error: unknown): Promise<void>
  /** A job has no failures after a run that succeeds. */
  succeeded(part: ScheduledPart): Promise<void>
  /** Those of the parts that fail now. */
  list(parts: readonly ScheduledPart[]): Promise<ScheduleFailure[]>
}

const COLLECTION = `${KERNEL_PREFIX}failures`
/** Parked items stay until an operator handles them; they are news for a day. */
const PARKED_MS = 24 * 3_600_000

const idOf = ({ plugin, kind, name }: ScheduledPart) => `${plugin}/${kind}/${name}`

export function createFailures({ db, clock, log, redact }: FailuresOptions): Failures {
  const rows = () => db.collection<StoredFailure>(COLLECTION)
  const ownOfProcess = new Map<string, StoredFailure>()
  const writing = new Set<Promise<void>>()
  const write = (act: () => Promise<unknown>): Promise<void> => {
    const done = act().then(
      () => {},
      (error) => log.warn({ err: error }, 'the outcome of a run could not be stored')
    )
    writing.add(done)
    return done.finally(() => writing.delete(done))
  }
  return {
    failed: (part, error) =>
      write(async () => {
        const _id = idOf(part)
        const lastAt = clock.now()
        const reason = redact(reasonOf(error))
        if (part.isOwnOfProcess === true) {
          const { count = 0, since = lastAt } = ownOfProcess.get(_id) ?? {}
          ownOfProcess.set(_id, { _id, count: count + 1, reason, since, lastAt })
          return
        }
        if (part.kind === 'queue') await rows().deleteOne({ _id, lastAt: { $lt: staleAt(lastAt) } })
        const update = {
          $inc: { count: 1 },
          $set: { reason, lastAt },
          $setOnInsert: { since: lastAt }
        }
        await rows().updateOne({ _id }, update, { upsert: true })
      }),
    succeeded: (part) =>
      write(async () => {
        if (part.isOwnOfProcess === true) ownOfProcess.delete(idOf(part))
        else await rows().deleteOne({ _id: idOf(part) })
      }),
    async list(parts) {
      if (parts.length === 0) return []
      await Promise.all(writing)
      const ids = parts.filter((part) => part.isOwnOfProcess !== true).map(idOf)
      const stored = await rows()
        .find({ _id: { $in: ids } })
        .toArray()
      const known = new Map(
        [...ownOfProcess.values(), ...stored].map((row) => [row._id, row] as const)
      )
      const parkedAfter = staleAt(clock.now())
      return parts.flatMap((part) => {
        const { count, reason, since, lastAt } = known.get(idOf(part)) ?? {}
        if (count === undefined || lastAt === undefined) return []
        if (part.kind === 'queue' && lastAt < parkedAfter) return []
        return [{ ...part, count, reason: reason ?? '', since: since ?? lastAt, lastAt }]
      })
    }
  }
}

const staleAt = (now: Date) => new Date(now.getTime() - PARKED_MS)

/** For a plugin whose data is removed. */
export async function forgetFailures(db: Db, plugin: string): Promise<void> {
  // `0` follows `/`: the range holds what begins with the plugin's id and a slash.
  await db
    .collection<StoredFailure>(COLLECTION)
    .deleteMany({ _id: { $gte: `${plugin}/`, $lt: `${plugin}0` } })
}
