// Rate limits that all processes share: each takes small shares of a window from a counter in the database.
import { createHash } from 'node:crypto'
import type { Collection } from 'mongodb'
import { type BoundedMap, createBoundedMap } from '../bounded-map.ts'
import type { Clock } from '../clock.ts'
import { within } from '../within.ts'

/** A row of the counter: what all processes have taken of one key's window. */
export interface StoredLimit {
  /** `<name> <hash of the key> <start of the window>` */
  readonly _id: string
  readonly used: number
  /** For a TTL index with `expireAfterSeconds: 0`. */
  readonly expiresAt: Date
}

/** So many in each window. Windows are fixed, counted from 1970, and the same in every process. */
export interface LimitOptions {
  /** Granted to one key in one window. */
  readonly max: number
  readonly windowSeconds: number
  /**
   * What happens while the database does not answer: `count-alone` (default) counts in this process
   * only, up to `max` for each; `throw` rejects with the error of the driver.
   */
  readonly whenAway?: 'count-alone' | 'throw'
}

/** How much is taken at once, and up to which maximum. */
export interface TakeOptions {
  /** How many are asked for. Default 1. */
  readonly count?: number
  /** The limit of this key, in place of the limit's own. A change counts from the next window. */
  readonly max?: number
  /** Grants all or none. Default false: as many as there are. */
  readonly whole?: boolean
}

/** What `take` granted. */
export interface Taken {
  /** How many of those asked for are granted. */
  readonly granted: number
  /** How many more this key may have in the window, as far as this process knows. */
  readonly remaining: number
  /** Seconds until the next window, at least 1. */
  readonly retryAfterSeconds: number
}

/** One limit. A key identifies a caller; it must be a value that callers cannot choose. */
export interface Limit {
  take(key: string, options?: TakeOptions): Promise<Taken>
  /** Gives back what turned out not to belong to this key. */
  giveBack(key: string, count?: number): void
}

/** Makes limits that share one counter collection. */
export interface Limiter {
  /** `name` tells the keys of one limit from those of another. */
  limit(name: string, options: LimitOptions): Limit
}

/** Where the counters are, and what happens while they cannot be reached. */
export interface LimiterOptions {
  /** Needs a TTL index on `expiresAt`. */
  readonly collection: Collection<StoredLimit>
  readonly clock: Clock
  /** Called when the database did not answer, at most once in five seconds. */
  readonly onAway?: (error: unknown) => void
  /** Milliseconds to wait for the database. Default 5,000. */
  readonly timeoutMs?: number
  /** Keys that one limit remembers in this process. Default 10,000. */
  readonly maxKeys?: number
}

interface Share {
  /** Start of the window, milliseconds. */
  readonly window: number
  /** Taken from the database and not used yet. */
  left: number
  /** What the counter had left when it was last asked. */
  unclaimed: number
  /** Nothing more to have in this window. */
  isUsedUp: boolean
  /** One request at a time: many at once would take all of it for this process. */
  taking: Promise<void> | undefined
  /** Granted by this process alone, while the database did not answer. */
  alone: number
}

const MAX_KEYS = 10_000
const TIMEOUT_MS = 5_000
/** So long the database is not asked again after it did not answer. */
const AWAY_MS = 5_000
/** A process takes one twentieth of a window at a time: few writes, and little is left unused. */
const SHARES = 20
/** Rows outlive their window, because the database forgets them by its own clock. */
const ROW_MARGIN_MS = 60_000

/**
 * Makes a limiter. Nothing is read or written before the first `take`; a share of a window is one
 * write. No more than `max` is ever granted to a key while the database answers.
 */
export function createLimiter(options: LimiterOptions): Limiter {
  const { clock, onAway } = options
  const away = { until: 0 }
  const counterOf = ({ whenAway }: LimitOptions): Counter => ({
    claim: (id, asked, expiresAt) => claimFrom(options, id, asked, expiresAt),
    isAway: () => whenAway !== 'throw' && clock.now().getTime() < away.until,
    failed(error) {
      if (whenAway === 'throw') throw error
      away.until = clock.now().getTime() + AWAY_MS
      onAway?.(error)
    }
  })
  return {
    limit: (name, limit) =>
      createLimit({
        name,
        limit,
        clock,
        counter: counterOf(limit),
        shares: createBoundedMap(options.maxKeys ?? MAX_KEYS)
      })
  }
}

/** The row in the database, and whether it answers. */
interface Counter {
  /** Counts `asked` more and resolves to what was used before. */
  claim(id: string, asked: number, expiresAt: Date): Promise<number>
  isAway(): boolean
  /** @throws the error where the limiter does not count alone */
  failed(error: unknown): void
}

async function claimFrom(
  { collection, timeoutMs = TIMEOUT_MS }: LimiterOptions,
  id: string,
  asked: number,
  expiresAt: Date
): Promise<number> {
  const counting = collection.findOneAndUpdate(
    { _id: id },
    { $inc: { used: asked }, $setOnInsert: { expiresAt } },
    { upsert: true, returnDocument: 'after', projection: { used: 1 } }
  )
  const overdue = () => new Error(`the counter did not answer within ${timeoutMs} ms`)
  const row = await within(counting, { deadline: { ms: timeoutMs, overdue } })
  return (row?.used ?? asked) - asked
}

interface LimitParts {
  readonly name: string
  readonly limit: LimitOptions
  readonly clock: Clock
  readonly counter: Counter
  readonly shares: BoundedMap<string, Share>
}

function createLimit({ name, limit, clock, counter, shares }: LimitParts): Limit {
  const windowMs = limit.windowSeconds * 1000

  const shareOf = (key: string, window: number, max: number): Share => {
    const known = shares.get(key)
    if (known?.window === window) return known
    const share = {
      window,
      left: 0,
      unclaimed: max,
      isUsedUp: false,
      taking: undefined,
      alone: 0
    }
    shares.set(key, share)
    return share
  }

  const claim = async (key: string, share: Share, missing: number, max: number): Promise<void> => {
    const asked = Math.max(missing, Math.floor(max / SHARES), 1)
    const expiresAt = new Date(share.window + windowMs + Math.max(windowMs, ROW_MARGIN_MS))
    const before = await counter.claim(`${name} ${hashOf(key)} ${share.window}`, asked, expiresAt)
    const given = Math.max(0, Math.min(asked, max - before))
    share.left += given
    share.unclaimed = Math.max(0, max - before - given)
    if (given < asked) share.isUsedUp = true
  }

  const claimOnce = (key: string, share: Share, missing: number, max: number): Promise<void> => {
    share.taking ??= claim(key, share, missing, max).finally(() => {
      share.taking = undefined
    })
    return share.taking
  }

  /** Takes from the share, and asks for more of it as long as there is more. */
  const takeShared = async (key: string, share: Share, count: number, max: number) => {
    let granted = 0
    for (;;) {
      // Taken before any await: others may be asking at the same time.
      const more = Math.min(count - granted, share.left)
      share.left -= more
      granted += more
      if (granted === count || share.isUsedUp) return granted
      if (counter.isAway()) return granted + takeAlone(share, count - granted, max)
      try {
        await claimOnce(key, share, count - granted, max)
      } catch (error) {
        share.left += granted
        counter.failed(error)
        share.left -= granted
        return granted + takeAlone(share, count - granted, max)
      }
    }
  }

  return {
    async take(key, { count = 1, max = limit.max, whole = false } = {}) {
      const now = clock.now().getTime()
      const window = Math.floor(now / windowMs) * windowMs
      const share = shareOf(key, window, max)
      const isHopeless = whole && count > max
      const taken = isHopeless ? 0 : await takeShared(key, share, count, max)
      const isTooFew = whole && taken < count
      if (isTooFew) share.left += taken
      return {
        granted: isTooFew ? 0 : taken,
        remaining: share.left + share.unclaimed,
        retryAfterSeconds: Math.max(1, Math.ceil((window + windowMs - now) / 1000))
      }
    },
    giveBack(key, count = 1) {
      const share = shares.get(key)
      if (share !== undefined) share.left += count
    }
  }
}

function takeAlone(share: Share, count: number, max: number): number {
  const granted = Math.max(0, Math.min(count, max - share.alone))
  share.alone += granted
  return granted
}

/** Keys may be long, and may be addresses of persons: the database sees neither. */
const hashOf = (key: string): string => createHash('sha256').update(key).digest('base64url')
