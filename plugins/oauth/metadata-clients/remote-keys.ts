// Key sets of clients at a jwksUri: fetched with the same guard as documents, kept for minutes.
import type { JSONWebKeySet } from 'jose'
import type { KeySource } from '../clients/assertion.ts'
import { jwksProblem } from '../clients/client-fields.ts'
import type { Settings } from '../config/settings.ts'
import type { Limiter } from '../limits/limiter.ts'
import type { FetchDocument } from './guarded-fetch.ts'

const FRESH_MS = 300_000
/** A client that names unknown keys again and again makes us ask no more often than this. */
const COOLDOWN_MS = 30_000
const MAX_KEPT = 500

interface Kept {
  readonly at: number
  readonly keys: Promise<JSONWebKeySet | undefined>
}

export function createRemoteKeys(
  fetchDocument: FetchDocument,
  settings: Settings,
  limiter: Limiter
): KeySource {
  const kept = new Map<string, Kept>()

  const load = async (uri: string): Promise<JSONWebKeySet | undefined> => {
    try {
      await limiter.take('metadata-fetch', new URL(uri).host)
    } catch {
      return undefined
    }
    const fetched = await fetchDocument(uri)
    if (fetched.kind !== 'document' || jwksProblem(fetched.json) !== undefined) {
      settings.logger.warn({ uri, reason: reasonOf(fetched) }, 'the keys of a client were not had')
      return undefined
    }
    return fetched.json as unknown as JSONWebKeySet
  }

  return {
    async keysOf(uri, isForced) {
      const now = settings.now().getTime()
      const known = kept.get(uri)
      const age = known === undefined ? Number.POSITIVE_INFINITY : now - known.at
      if (known !== undefined && age < (isForced ? COOLDOWN_MS : FRESH_MS)) return known.keys
      const keys = load(uri)
      kept.set(uri, { at: now, keys })
      const [oldest] = kept.keys()
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
      // The keys from before are better than none.
      return (await keys) ?? known?.keys
    }
  }
}

const reasonOf = (fetched: Awaited<ReturnType<FetchDocument>>): string =>
  fetched.kind === 'failed' ? fetched.reason : 'it is no key set of public keys'
