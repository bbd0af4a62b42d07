// What routes of the public router have in common, and who asks for one.
import type { FastifyRequest } from 'fastify'

const MAX_USER_AGENT = 256

/** Its address holds a token: it is not logged. */
export const PRIVATE = { logLevel: 'warn' } as const

/** At most 256 characters. */
export function userAgentOf({ headers }: FastifyRequest): string | undefined {
  return headers['user-agent']?.slice(0, MAX_USER_AGENT)
}
