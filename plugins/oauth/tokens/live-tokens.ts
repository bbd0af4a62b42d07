// Whether an access token is live: its row and its family, read in batches, cached when configured.
import { createBoundedMap } from '@keelson/sdk'
import type { Document } from 'mongodb'
import type { Settings } from '../config/settings.ts'
import { hashOf } from '../crypto/handles.ts'
import type { OAuthCollections } from '../storage/collections.ts'
import type { OAuthToken } from '../storage/rows.ts'
import { createBatchedLookup } from './batched-lookup.ts'
import type { RevocationWatch } from './revocation-watch.ts'

export interface LiveTokens {
  /** The row of a live access token from the cache, without the database. */
  remembered(token: string): OAuthToken | undefined
  /** The row of a live access token; undefined for anything else. */
  access(token: string): Promise<OAuthToken | undefined>
}

/** Longest token that is looked up: opaque ones have 43 characters, JWTs some hundred. */
const MAX_LENGTH = 4096
const MAX_CACHED = 10_000

interface Cached {
  readonly row: OAuthToken
  readonly until: number
}

export function createLiveTokens(
  settings: Settings,
  collections: OAuthCollections,
  watch: RevocationWatch
): LiveTokens {
  const { tokens, families } = collections
  const live = createBatchedLookup<OAuthToken>(async (hashes) => {
    const rows = await tokens.aggregate<OAuthToken>(liveRows(hashes, settings.now())).toArray()
    return new Map(rows.map((row) => [row.tokenHash, row]))
  })
  // One command for rows and their families: most of what a request costs is commands. A family is read after its row.
  const liveRows = (hashes: readonly string[], now: Date): Document[] => [
    {
      $match: {
        tokenHash: { $in: [...hashes] },
        kind: 'access',
        revokedAt: null,
        expiresAt: { $gt: now }
      }
    },
    {
      $lookup: {
        from: families.collectionName,
        localField: 'familyId',
        foreignField: '_id',
        as: 'family'
      }
    },
    { $match: { family: { $elemMatch: { revokedAt: null } } } },
    { $unset: 'family' }
  ]
  const read = live.get

  if (settings.tokenCacheMs === 0) {
    return {
      remembered: () => undefined,
      access: (token) => (isPossible(token) ? read(hashOf(token)) : NOTHING)
    }
  }
  return cached(settings, watch, read)
}

const NOTHING = Promise.resolve(undefined)

const isPossible = (token: string): boolean => token.length > 0 && token.length <= MAX_LENGTH

/**
 * Caches rows while the watch reports revocations; otherwise each use is read. A row that was read before
 * a revocation became known is not cached, because its age is outdated by then.
 */
function cached(
  settings: Settings,
  watch: RevocationWatch,
  read: (hash: string) => Promise<OAuthToken | undefined>
): LiveTokens {
  const kept = createBoundedMap<string, Cached>(MAX_CACHED)
  let keptAge: number | undefined

  const ageNow = (): number | undefined => {
    const age = watch.age()
    if (age !== keptAge) {
      kept.clear()
      keptAge = age
    }
    return age
  }

  const keep = (hash: string, row: OAuthToken): void => {
    const now = settings.now().getTime()
    kept.set(hash, { row, until: Math.min(now + settings.tokenCacheMs, row.expiresAt.getTime()) })
  }

  const rememberedAs = (hash: string): OAuthToken | undefined => {
    if (ageNow() === undefined) return undefined
    const known = kept.get(hash)
    if (known === undefined) return undefined
    if (known.until > settings.now().getTime()) return known.row
    kept.delete(hash)
    return undefined
  }

  return {
    remembered: (token) => (isPossible(token) ? rememberedAs(hashOf(token)) : undefined),
    async access(token) {
      if (!isPossible(token)) return undefined
      const hash = hashOf(token)
      const known = rememberedAs(hash)
      if (known !== undefined) return known
      const age = watch.age()
      const row = await read(hash)
      if (row !== undefined && age !== undefined && ageNow() === age) keep(hash, row)
      return row
    }
  }
}
