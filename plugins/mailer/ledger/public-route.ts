// A route of the public router, as data.
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A route below the mount of the public router. */
export interface PublicRoute {
  readonly method: 'GET' | 'POST'
  /** Tokens are behind a wildcard: the host's limit for parameters may be shorter than they are. */
  readonly path: string
  /** Bytes of the body. Default 64 KiB. Every body arrives as a Buffer. */
  readonly bodyLimit?: number
  /** Its address holds a token: it is not logged, and HEAD is not answered. */
  readonly isPrivate?: boolean
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
}
