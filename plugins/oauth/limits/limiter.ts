// Rate limits that all processes share: each takes small shares of a window from the database.
import type { Collection } from 'mongodb'
import type { RateLimitStore } from '../config/host-code.ts'
import type { Limit, Settings } from '../config/settings.ts'

import { hashOf } from '../crypto/handles.ts'
import { OAuthError } from '../oauth-errors.ts'
import type { StoredLimit } from '../storage/rows.ts'

export type Bucket = 'token' | 'introspect' | 'authorize' | 'consent' | 'metadata-fetch'

export interface Limiter {
  /** Counts one. @throws too_many_requests with `Retry-After` */
  take(bucket: Bucket, key: string): Promise<void>
  /** Gives one back that turned out not to belong to this key. */
  giveBack(bucket: Bucket, key: string): void
}

interface Share {
  /** Start of the window, milliseconds. */
  readonly window: number
  /** Taken from the database and not used yet. */
  left: number
  /** Nothing more to have in this window. */
  isUsedUp: boolean
  taking: Promise<void> | undefined
  /** Counted here alone, while the database does not answer. */
  alone: number
}

const MAX_KEYS = 10_000
/** One tenth of a window is taken at a time: few writes, and no more than `max` is ever given out. */
const SHARES = 10
/** Documents of other people's hosts that are fetched, per host. */
const METADATA_FETCHES: Limit = { max: 30, windowMs: 60_000 }

/** A resource server asks about every call it gets: once it is proven, it may do so far more often. */
const introspections = (token: Limit | false): Limit | false =>
  token === false ? false : { ...token, max: token.max * 100 }

export function createLimiter(settings: Settings, rows: Collection<StoredLimit>): Limiter {
  const { rateLimits } = settings
  const limits = {
    ...rateLimits,
    introspect: introspections(rateLimits.token),
    'metadata-fetch': METADATA_FETCHES
  }
  const shares = new Map<string, Share>()

  const shareOf = (id: string, window: number): Share => {
    const known = shares.get(id)
    if (known?.window === window) return known
    const share = { window, left: 0, isUsedUp: false, taking: undefined, alone: 0 }
    shares.delete(id)
    shares.set(id, share)
    const [oldest] = shares.keys()
    if (shares.size > MAX_KEYS && oldest !== undefined) shares.delete(oldest)
    return share
  }

  const takeShare = async (id: string, share: Share, limit: Limit): Promise<void> => {
    const size = Math.max(1, Math.floor(limit.max / SHARES))
    // A window longer than it counts: the database forgets by its own clock.
    const expiresAt = new Date(share.window + 2 * limit.windowMs)
    const row = await rows.findOneAndUpdate(
      { _id: `${hashOf(id)} ${share.window}` },
      { $inc: { count: size }, $setOnInsert: { expiresAt } },
      { upsert: true, returnDocument: 'after' }
    )
    const count = row?.count ?? size
    const given = Math.max(0, Math.min(size, limit.max - (count - size)))
    share.left += given
    if (given < size) share.isUsedUp = true
  }

  const countAlone = (share: Share, { max }: Limit): boolean => ++share.alone <= max

  const hasOne = async (id: string, share: Share, limit: Limit): Promise<boolean> => {
    while (share.left === 0 && !share.isUsedUp) {
      share.taking ??= takeShare(id, share, limit).finally(() => {
        share.taking = undefined
      })
      try {
        await share.taking
      } catch (err) {
        settings.logger.warn({ err }, 'rate limits are counted by this process alone')
        return countAlone(share, limit)
      }
    }
    if (share.left === 0) return false
    share.left--
    return true
  }

  return {
    async take(bucket, key) {
      const limit = limits[bucket]
      if (limit === false) return
      const now = settings.now().getTime()
      const id = `${bucket} ${key}`
      const window = Math.floor(now / limit.windowMs) * limit.windowMs
      const share = shareOf(id, window)
      const { store } = rateLimits
      const isLeft =
        store === undefined
          ? await hasOne(id, share, limit)
          : await hitStore(store, id, limit, () => countAlone(share, limit))
      if (!isLeft) throw tooMany(window + limit.windowMs - now)
    },
    giveBack(bucket, key) {
      const share = shares.get(`${bucket} ${key}`)
      if (share !== undefined && rateLimits.store === undefined) share.left++
    }
  }
}

async function hitStore(
  store: RateLimitStore,
  id: string,
  { max, windowMs }: Limit,
  alone: () => boolean
): Promise<boolean> {
  try {
    return (await store.hit(id, windowMs)).count <= max
  } catch {
    return alone()
  }
}

function tooMany(leftMs: number): OAuthError {
  const seconds = Math.max(1, Math.ceil(leftMs / 1000))
  return new OAuthError(429, 'too_many_requests', 'Too many requests: try again later.', {
    headers: { 'retry-after': String(seconds) }
  })
}

/** What an address counts as: of IPv6 the network, which is what one customer gets. */
export function addressKey(ip: string): string {
  if (!ip.includes(':')) return ip
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped?.[1] !== undefined) return mapped[1]
  const [head = '', tail] = ip.split('::')
  const first = head.split(':').filter(Boolean)
  const last = (tail ?? '').split(':').filter(Boolean)
  const middle =
    tail === undefined ? [] : Array(Math.max(0, 8 - first.length - last.length)).fill('0')
  return [...first, ...middle, ...last]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
