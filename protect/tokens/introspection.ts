// Opaque access tokens, checked by introspection (RFC 7662). Answers are kept for a short time, and few.
import { createHash } from 'node:crypto'
import { LruMap } from 'toad-cache'
import { type LiveToken, liveToken } from '../access.ts'
import { VerifierUnavailable } from '../errors.ts'
import type { IntrospectionOptions } from '../options.ts'
import type { FetchJson } from './outbound.ts'

export interface IntrospectionBasis {
  readonly options: IntrospectionOptions
  readonly issuer: string
  readonly url: () => Promise<string>
  readonly fetchJson: FetchJson
  readonly now: () => Date
}

const MAX_KEPT = 10_000
/** Tokens that are asked for at the same time; further ones get a 503. */
const MAX_ASKED = 256
const DEFAULT_CACHE_MS = 10_000

interface Kept {
  readonly token: LiveToken | undefined
  readonly until: number
}

/** Finds out whether a token is live. Requests with the same token share one call. */
export function createIntrospector({
  options,
  issuer,
  url,
  fetchJson,
  now
}: IntrospectionBasis): (token: string) => Promise<LiveToken | undefined> {
  const { clientId, clientSecret, cacheMs = DEFAULT_CACHE_MS } = options
  const kept = new LruMap<Kept>(MAX_KEPT)
  const asked = new Map<string, Promise<LiveToken | undefined>>()
  const headers = {
    accept: 'application/json',
    authorization: basicOf(clientId, clientSecret),
    'content-type': 'application/x-www-form-urlencoded'
  }

  const ask = async (value: string, hash: string): Promise<LiveToken | undefined> => {
    const body = new URLSearchParams({ token: value, token_type_hint: 'access_token' }).toString()
    const answer = await fetchJson(await url(), { method: 'POST', headers, body })
    const token = readAnswer(answer, issuer, now())
    const until = now().getTime() + cacheMs
    kept.set(hash, { token, until })
    return token
  }

  return async (value) => {
    const hash = createHash('sha256').update(value).digest('base64url')
    const known = kept.get(hash)
    const at = now()
    if (known !== undefined && known.until > at.getTime()) {
      return known.token !== undefined && known.token.access.expiresAt <= at
        ? undefined
        : known.token
    }
    const pending = asked.get(hash)
    if (pending !== undefined) return pending
    if (asked.size >= MAX_ASKED) {
      throw new VerifierUnavailable('Too many tokens are being introspected.')
    }
    const asking = ask(value, hash).finally(() => asked.delete(hash))
    asked.set(hash, asking)
    return asking
  }
}

function readAnswer(
  answer: Readonly<Record<string, unknown>>,
  issuer: string,
  now: Date
): LiveToken | undefined {
  if (answer['active'] !== true) return undefined
  if (answer['iss'] !== undefined && answer['iss'] !== issuer) return undefined
  const token = liveToken(answer)
  return token !== undefined && token.access.expiresAt > now ? token : undefined
}

/** Each part is encoded as a form is (RFC 6749 §2.3.1). */
function basicOf(id: string, secret: string): string {
  const encode = (text: string) => new URLSearchParams({ '': text }).toString().slice(1)
  return `Basic ${Buffer.from(`${encode(id)}:${encode(secret)}`).toString('base64')}`
}
