// From which sites pages may call /mcp: those of the config, and with an access token those of its client.
import { isOriginKnown, originRule } from '@keelson/sdk'
import type { Protection } from '@keelson/sdk/contracts/oauth-protect'
import type { FastifyRequest } from 'fastify'

/** Other sites whose pages may call with an access token: `clients`, those where its client has a callback. */
export type PeopleOrigins = 'clients' | 'all' | readonly string[]

/** The checks of the `Origin` of a request. Programs send none, and pass. */
export interface OriginChecks {
  /** Before its access token is looked at, or of one with an agent token. */
  mayAsk(request: FastifyRequest, by: 'agent' | 'person'): boolean
  /** When its access token was let in. */
  mayAct(request: FastifyRequest): Promise<boolean>
}

/** `origins`: sites that may call with an agent token, beside the one that was called. */
export function originChecks(
  origins: readonly string[],
  peopleOrigins: PeopleOrigins,
  protection: Protection | undefined
): OriginChecks {
  const rule = originRule(undefined, origins)
  const peopleRule =
    typeof peopleOrigins === 'string' ? undefined : originRule(undefined, peopleOrigins)
  return {
    mayAsk(request, by) {
      // An agent token is on the machine of a person, whose browser shows pages of every site.
      const own = by === 'agent' ? rule : peopleRule
      return own === undefined || isOriginKnown(own, request)
    },
    async mayAct(request) {
      const { origin } = request.headers
      if (peopleOrigins !== 'clients' || origin === undefined) return true
      if (isOriginKnown(rule, request)) return true
      return (await protection?.isSiteOfClient?.(request, origin)) === true
    }
  }
}
