// Whether an access token lives: its row and its family, read in batches, remembered only where told to.
import type { Settings } from '../config/settings.ts'
import { hashOf } from '../crypto/handles.ts'
import { CACHE_VERSION } from '../grants/revocations.ts'
import type { OAuthCollections } from '../storage/collections.ts'
import type { OAuthToken } from '../storage/rows.ts'
import { type BatchedLookup, createBatchedLookup } from './batched-lookup.ts'

export interface LiveTokens {
  /** The row of an access token that lives now; undefined for anything else. */
  access(token: string): Promise<OAuthToken | undefined>
}

/** Longest token that is looked up: opaque ones have 43 characters, JWTs some hundred. */
const MAX_LENGTH = 4096
const MAX_CACHED = 10_000

interface Cached {
  readonly row: OAuthToken
  readonly version: number
  readonly until: number
}

export function createLiveTokens(settings: Settings, collections: OAuthCollections): LiveTokens {
  const { tokens, families } = collections
  const rows = createBatchedLookup<OAuthToken>(async (hashes) => {
    const found = await tokens.find({ tokenHash: { $in: [...hashes] } }).toArray()
    return new Map(found.map((row) => [row.tokenHash, row]))
  })
  const liveFamilies = createBatchedLookup<true>(async (ids) => {
    const found = await families
      .find({ _id: { $in: [...ids] }, revokedAt: null }, { projection: { _id: 1 } })
      .toArray()
    return new Map(found.map(({ _id }) => [_id, true]))
  })

  const read = async (hash: string): Promise<OAuthToken | undefined> => {
    const row = await rows.get(hash)
    if (row?.kind !== 'access' || row.revokedAt !== null) return undefined
    if (row.expiresAt <= settings.now()) return undefined
    return (await liveFamilies.get(row.familyId)) === true ? row : undefined
  }

  if (settings.tokenCacheMs === 0) {
    return { access: async (token) => (isPossible(token) ? read(hashOf(token)) : undefined) }
  }
  return cached(settings, collections, read)
}

const isPossible = (token: string): boolean => token.length > 0 && token.length <= MAX_LENGTH

/**
 * Remembers rows, and asks at every use whether anything was revoked since: one small read, shared by
 * all requests that wait for it, in place of two. So a revocation holds at once, in every process.
 */
function cached(
  settings: Settings,
  { state }: OAuthCollections,
  read: (hash: string) => Promise<OAuthToken | undefined>
): LiveTokens {
  const kept = new Map<string, Cached>()
  const versions: BatchedLookup<number> = createBatchedLookup(async () => {
    const row = await state.findOne({ _id: CACHE_VERSION })
    return new Map([[CACHE_VERSION, row?.version ?? 0]])
  })
  return {
    async access(token) {
      if (!isPossible(token)) return undefined
      const hash = hashOf(token)
      // Read before the row is: what is revoked in between makes the entry worthless.
      const version = (await versions.get(CACHE_VERSION)) ?? 0
      const now = settings.now().getTime()
      const known = kept.get(hash)
      if (known?.version === version && known.until > now) return known.row
      kept.delete(hash)
      const row = await read(hash)
      if (row === undefined) return undefined
      const [oldest] = kept.keys()
      if (kept.size >= MAX_CACHED && oldest !== undefined) kept.delete(oldest)
      const until = Math.min(now + settings.tokenCacheMs, row.expiresAt.getTime())
      kept.set(hash, { row, version, until })
      return row
    }
  }
}
