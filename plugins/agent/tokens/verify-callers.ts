// The verifier of the routes: who calls, remembered for the request, or the answer of a refusal.
import { type Actor, originOf, type Refusal, refuse } from '@keelson/sdk'
import type { FastifyRequest } from 'fastify'
import { errorAnswer } from '../answers/error-answer.ts'
import type { ErrorDocs } from '../answers/error-docs.ts'
import type { Admit } from './admit-callers.ts'
import type { Caller } from './token-register.ts'

/** Reads the token of a request. */
export interface Verifier {
  /** For routes of the band `machine`, and for a hook. */
  verify(request: FastifyRequest): Promise<Caller | Refusal>
  /** Of a request that came past `verify`. */
  callerOf(request: FastifyRequest): Caller
  actorOf(request: FastifyRequest): Actor
}

/** Refusals have the address of their documentation. */
export function createVerifier(admit: Admit, docs: ErrorDocs): Verifier {
  const callers = new WeakMap<FastifyRequest, Caller>()
  const callerOf = (request: FastifyRequest): Caller => {
    const caller = callers.get(request)
    if (caller === undefined) throw new TypeError('a request came past the token check')
    return caller
  }
  return {
    async verify(request) {
      const admitted = await admit(request)
      if (!admitted.ok) {
        const { headers, refused } = admitted
        return refuse({ ...errorAnswer(refused, docs), headers })
      }
      callers.set(request, admitted.caller)
      return admitted.caller
    },
    callerOf,
    actorOf: (request) => ({ ...actorOfCaller(callerOf(request)), ...originOf(request) })
  }
}

/** A token of the config acts for all tenants, one that an administrator made for theirs. */
export const actorOfCaller = ({ actor, tenantId = '*' }: Caller): Actor => ({
  tenantId,
  token: actor,
  name: actor,
  via: 'token'
})
