// Admits requests with a token, and limits those without: a right token is never refused for wrong ones.
import { addressKey, type Clock, createBoundedMap, type Refused } from '@keelson/sdk'
import type { FastifyRequest } from 'fastify'
import { refusals } from '../answers/refusals.ts'
import type { Caller } from './token-register.ts'
import type { TokenResolver } from './token-resolver.ts'

const WRONG_PER_MINUTE = 120
const MINUTE_MS = 60_000
const MOST_ADDRESSES = 10_000

/** Who calls, or why the request is refused. */
export type Admitted =
  | { readonly ok: true; readonly caller: Caller }
  | {
      readonly ok: false
      readonly refused: Refused<'too_many_requests' | 'unauthorized'>
      readonly headers: Readonly<Record<string, string>>
    }

/** Decides over one request. */
export type Admit = (request: FastifyRequest) => Promise<Admitted>

/** Counts wrong tokens by address. */
export function createAdmission(tokens: TokenResolver, clock: Clock): Admit {
  const wrong = createBoundedMap<string, { count: number; readonly until: number }>(MOST_ADDRESSES)
  return async (request) => {
    const now = clock.now()
    const caller = await tokens.callerOf(request.headers.authorization, now)
    if (caller !== undefined) return { ok: true, caller }
    const time = now.getTime()
    const address = addressKey(request.ip)
    const known = wrong.get(address)
    const window =
      known !== undefined && known.until > time ? known : { count: 0, until: time + MINUTE_MS }
    window.count++
    wrong.set(address, window)
    if (window.count > WRONG_PER_MINUTE) {
      const seconds = Math.ceil((window.until - time) / 1000)
      const headers = { 'retry-after': String(seconds) }
      return { ok: false, refused: refusals.refuse('too_many_requests'), headers }
    }
    const headers = { 'www-authenticate': 'Bearer' }
    return { ok: false, refused: refusals.refuse('unauthorized'), headers }
  }
}
