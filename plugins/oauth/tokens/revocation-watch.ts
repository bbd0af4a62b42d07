// Tells a cache of tokens about revocations, through a change stream of the database.
import { isMissingFeature } from '@keelson/sdk'
import type { ChangeStream, ChangeStreamDocument, Collection } from 'mongodb'
import type { OAuthLogger } from '../config/host-code.ts'
import { newRowId } from '../crypto/handles.ts'
import { CACHE_VERSION, HOLDER, SILENCE_MS } from '../grants/tell-caches.ts'
import type { StoredState } from '../storage/rows.ts'

export interface RevocationWatch {
  /**
   * A number that changes with every possible revocation; undefined while the stream is not live, when
   * nothing may be answered from memory. Calling it keeps the stream open.
   */
  age(): number | undefined
  /** This process revoked something: its cache is outdated at once. */
  changed(): void
  /** Id of the row that announces the cache of this process to others. */
  readonly holder: string
  whenLive(): Promise<void>
  /** Ends the stream; the cache is no longer used. */
  close(): Promise<void>
}

/** The longest that the database waits before an empty answer. */
const AWAIT_MS = 250
/** How often the row of this process is written again; otherwise a TTL index deletes it after a minute. */
const ANNOUNCE_EVERY_MS = 10_000
/** How long an announcement counts when it cannot be renewed. */
const ANNOUNCED_MS = 30_000
/** A stream is closed after this long without a question. */
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
        // What the server does not have is asked for once, and every token is read for good.
        reopenAt = isMissingFeature(err) ? Number.POSITIVE_INFINITY : elapsed() + reopenMs
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
  /** Up to `until`, every revocation is known. */
  live(until: number): void
}

/** Runs until it is aborted, idle, or the stream fails. */
async function follow(rows: Rows, followed: Followed): Promise<void> {
  // One change per answer: the driver buffers none, so each answer is as new as its question.
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

/** An answer proves that every revocation before its question is known, so it counts from the question. */
async function followOpen(
  stream: Pick<ChangeStream<StoredState>, 'tryNext'>,
  rows: Rows,
  { holder, elapsed, signal, isIdle, changed, live }: Followed
): Promise<void> {
  let version = (await rows.findOne({ _id: CACHE_VERSION }))?.version ?? 0
  let announcedAt = Number.NEGATIVE_INFINITY
  // A revocation waits until every process with a cache has written the version it knows.
  const announce = async (): Promise<void> => {
    const now = elapsed()
    const announcement = { $set: { version }, $currentDate: { seenAt: true } } as const
    await rows.updateOne({ _id: holder }, announcement, { upsert: true })
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

/** The version of a changed row. @throws when the row or its collection was deleted */
function versionOf(change: ChangeStreamDocument<StoredState>): number {
  if (change.operationType === 'insert') return change.fullDocument.version ?? 0
  const version =
    change.operationType === 'update' ? change.updateDescription.updatedFields?.version : undefined
  if (version !== undefined) return version
  throw new Error(`the version of revocations was lost by ${change.operationType}`)
}
