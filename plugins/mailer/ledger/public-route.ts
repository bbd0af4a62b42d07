// A route of the public router, as data, and who asks for it.
import type { FastifyReply, FastifyRequest } from 'fastify'

const MAX_USER_AGENT = 256

/** A route below the mount of the public router. */
export interface PublicRoute {
  readonly method: 'GET' | 'POST'
  /** Tokens are behind a wildcard: the host's limit for parameters may be shorter than they are. */
  readonly path: string
  /** Bytes of the body. Default 64 KiB. Every body arrives as a Buffer. */
  readonly bodyLimit?: number
  /** Its address holds a token: it is not logged. */
  readonly isPrivate?: boolean
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
}

/** At most 256 characters. */
export function userAgentOf({ headers }: FastifyRequest): string | undefined {
  return headers['user-agent']?.slice(0, MAX_USER_AGENT)
}
