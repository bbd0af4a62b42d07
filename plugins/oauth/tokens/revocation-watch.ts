// Tells a cache of tokens when something was revoked: pushed by the database, through a change stream.
import type { ChangeStream, ChangeStreamDocument, Collection } from 'mongodb'
import type { OAuthLogger } from '../config/host-code.ts'
import { newRowId } from '../crypto/handles.ts'
import { CACHE_VERSION, HOLDER, SILENCE_MS } from '../grants/tell-caches.ts'
import type { StoredState } from '../storage/rows.ts'

export interface RevocationWatch {
  /**
   * Another number whenever something may have been revoked; undefined while nobody would tell us,
   * which is when nothing may be answered from memory. Asking for it keeps the stream open.
   */
  age(): number | undefined
  /** Something was revoked by this process: what is remembered ends at once. */
  changed(): void
  /** The row that tells others that this process remembers tokens. */
  readonly holder: string
  whenLive(): Promise<void>
  /** Ends the stream; what was remembered is not used any more. */
  close(): Promise<void>
}

/** The database answers at least so often, also when nothing happened. */
const AWAIT_MS = 250
/** The row of a process that remembers is written again so often; without that it lives for a minute. */
const ANNOUNCE_EVERY_MS = 10_000
/** What a process goes by that could not write it again. */
const ANNOUNCED_MS = 30_000
/** A stream that nobody asks is closed. */
const IDLE_MS = 60_000
const REOPEN_MS = 250
const REOPEN_MOST_MS = 30_000

const OF_THE_VERSION = [{ $match: { 'documentKey._id': CACHE_VERSION } }]

export interface WatchOptions {
  readonly logger: OAuthLogger
  /** Milliseconds that only go forward. Default: those of the process. */
  readonly elapsed?: () => number
}

type Rows = Pick<Collection<StoredState>, 'watch' | 'findOne' | 'updateOne' | 'deleteOne'>

export function createRevocationWatch(
  rows: Rows,
  { logger, elapsed = () => performance.now() }: WatchOptions
): RevocationWatch {
  const holder = `${HOLDER}${newRowId()}`
  const ended = new AbortController()
  const waiting = new Set<() => void>()
  let age = 0
  let liveUntil = Number.NEGATIVE_INFINITY
  let askedLast = elapsed()
  let reopenAt = Number.NEGATIVE_INFINITY
  let reopenMs = REOPEN_MS
  let following: Promise<void> | undefined

  const followed: Followed = {
    holder,
    elapsed,
    signal: ended.signal,
    isIdle: () => elapsed() - askedLast > IDLE_MS,
    changed: () => {
      age++
    },
    live(until) {
      liveUntil = until
      reopenMs = REOPEN_MS
      for (const resolve of waiting) resolve()
      waiting.clear()
    }
  }

  const open = (): void => {
    following = follow(rows, followed)
      .catch((err: unknown) => {
        if (ended.signal.aborted) return
        reopenAt = elapsed() + reopenMs
        reopenMs = Math.min(reopenMs * 2, REOPEN_MOST_MS)
        logger.warn({ err }, 'revocations cannot be watched: every token is read when it is used')
      })
      .then(async () => {
        liveUntil = Number.NEGATIVE_INFINITY
        age++
        await rows.deleteOne({ _id: holder }).catch(() => undefined)
        following = undefined
      })
  }

  return {
    holder,
    age() {
      const now = elapsed()
      askedLast = now
      if (now < liveUntil) return age
      if (following === undefined && !ended.signal.aborted && now >= reopenAt) open()
      return undefined
    },
    changed: followed.changed,
    whenLive: () =>
      elapsed() < liveUntil
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.add(resolve)
          }),
    async close() {
      ended.abort()
      liveUntil = Number.NEGATIVE_INFINITY
      await following
    }
  }
}

interface Followed {
  readonly holder: string
  readonly signal: AbortSignal
  elapsed(): number
  isIdle(): boolean
  changed(): void
  /** Until then nothing can have been revoked without our knowing. */
  live(until: number): void
}

/** Until it is told to end, nobody asks any more, or the stream fails. */
async function follow(rows: Rows, followed: Followed): Promise<void> {
  // One change an answer: then none comes from the driver's memory, and each answer is as new as its question.
  const stream = rows.watch(OF_THE_VERSION, {
    batchSize: 1,
    maxAwaitTimeMS: AWAIT_MS,
    readPreference: 'primary'
  })
  const close = () => stream.close().catch(() => undefined)
  followed.signal.addEventListener('abort', close)
  try {
    await stream.tryNext()
    await followOpen(stream, rows, followed)
  } finally {
    followed.signal.removeEventListener('abort', close)
    await close()
  }
}

/** Every answer proves that nothing was revoked before its question was sent, and counts from then. */
async function followOpen(
  stream: Pick<ChangeStream<StoredState>, 'tryNext'>,
  rows: Rows,
  { holder, elapsed, signal, isIdle, changed, live }: Followed
): Promise<void> {
  let version = (await rows.findOne({ _id: CACHE_VERSION }))?.version ?? 0
  let announcedAt = Number.NEGATIVE_INFINITY
  // Whoever revokes waits until every process that remembers has written the version it knows of.
  const announce = async (): Promise<void> => {
    const now = elapsed()
    const told = { $set: { version }, $currentDate: { seenAt: true } } as const
    await rows.updateOne({ _id: holder }, told, { upsert: true })
    announcedAt = now
  }
  await announce()
  while (!signal.aborted && !isIdle()) {
    const askedAt = elapsed()
    const change = await stream.tryNext()
    if (signal.aborted) return
    if (change !== null) {
      changed()
      version = versionOf(change)
    }
    if (change !== null || askedAt - announcedAt > ANNOUNCE_EVERY_MS) await announce()
    live(Math.min(askedAt + SILENCE_MS, announcedAt + ANNOUNCED_MS))
  }
}

/** Of the row's change. @throws when the row was not changed but taken away, or the collection was. */
function versionOf(change: ChangeStreamDocument<StoredState>): number {
  if (change.operationType === 'insert') return change.fullDocument.version ?? 0
  const version =
    change.operationType === 'update' ? change.updateDescription.updatedFields?.version : undefined
  if (version !== undefined) return version
  throw new Error(`the version of revocations was lost by ${change.operationType}`)
}
