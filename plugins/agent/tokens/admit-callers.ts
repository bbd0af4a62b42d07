// Admits requests with a token, and limits those without: a right token is never refused for wrong ones.
import { type Clock, createBoundedMap } from '@keelson/sdk'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Refusal, refused } from '../answers/refusal.ts'
import type { Caller, TokenRegister } from './token-register.ts'

const WRONG_PER_MINUTE = 120
const MINUTE_MS = 60_000
const MOST_ADDRESSES = 10_000

/** Who calls, or why the request is refused; the headers of the refusal are set. */
export type Admit = (
  request: FastifyRequest,
  reply: FastifyReply
) => { readonly ok: true; readonly caller: Caller } | Refusal

/** Counts wrong tokens by address. */
export function createAdmission(tokens: TokenRegister, clock: Clock): Admit {
  const wrong = createBoundedMap<string, { count: number; readonly until: number }>(MOST_ADDRESSES)
  return (request, reply) => {
    const now = clock.now()
    const caller = tokens.callerOf(request.headers.authorization, now)
    if (caller !== undefined) return { ok: true, caller }
    const time = now.getTime()
    const known = wrong.get(request.ip)
    const window =
      known !== undefined && known.until > time ? known : { count: 0, until: time + MINUTE_MS }
    window.count++
    wrong.set(request.ip, window)
    if (window.count > WRONG_PER_MINUTE) {
      reply.header('retry-after', Math.ceil((window.until - time) / 1000))
      return refused('too_many_requests')
    }
    reply.header('www-authenticate', 'Bearer')
    return refused('unauthorized')
  }
}
