// Key sets of clients at a jwksUri: fetched with the same guard as documents, kept for minutes.
import { createBoundedMap } from '@keelson/sdk'
import type { JSONWebKeySet } from 'jose'
import type { KeySource } from '../clients/assertion.ts'
import { jwksProblem } from '../clients/client-fields.ts'
import type { Settings } from '../config/settings.ts'
import type { Limiter } from '../limits/limiter.ts'
import type { FetchDocument } from './guarded-fetch.ts'

const FRESH_MS = 300_000
/** Unknown keys cause a fetch at most this often. */
const COOLDOWN_MS = 30_000
/** How long keys count when they cannot be fetched again. */
const STALE_MS = 86_400_000
const MAX_KEPT = 500

interface Kept {
  readonly at: number
  readonly keys: Promise<JSONWebKeySet | undefined>
  /** When the keys were fetched; older ones are fetched again soon. */
  cameAt: number | undefined
}

export function createRemoteKeys(
  fetchDocument: FetchDocument,
  settings: Settings,
  limiter: Limiter
): KeySource {
  const kept = createBoundedMap<string, Kept>(MAX_KEPT)

  const load = async (uri: string): Promise<JSONWebKeySet | undefined> => {
    try {
      await limiter.take('metadata-id', uri)
    } catch {
      return undefined
    }
    const fetched = await fetchDocument(uri)
    if (fetched.kind !== 'document' || jwksProblem(fetched.json) !== undefined) {
      settings.logger.warn(
        { uri, reason: reasonOf(fetched) },
        'the keys of a client could not be fetched'
      )
      return undefined
    }
    return fetched.json as unknown as JSONWebKeySet
  }

  return {
    async keysOf(uri, isForced) {
      const now = settings.now().getTime()
      const known = kept.get(uri)
      const age = known === undefined ? Number.POSITIVE_INFINITY : now - known.at
      const isLong = known?.cameAt === known?.at && !isForced
      if (known !== undefined && age < (isLong ? FRESH_MS : COOLDOWN_MS)) return known.keys
      const entry: Kept = {
        at: now,
        cameAt: known?.cameAt,
        keys: load(uri).then((loaded) => {
          if (loaded !== undefined) entry.cameAt = now
          // Until they are stale, the previous keys are used.
          const isUsable = entry.cameAt !== undefined && now - entry.cameAt < STALE_MS
          return loaded ?? (isUsable ? known?.keys : undefined)
        })
      }
      kept.set(uri, entry)
      return entry.keys
    }
  }
}

const reasonOf = (fetched: Awaited<ReturnType<FetchDocument>>): string =>
  fetched.kind === 'failed' ? fetched.reason : 'it must be a key set of public keys'
