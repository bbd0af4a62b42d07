// A route of the protocol as data, so that a plain host and the kernel serve the same.
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface ProtocolRoute {
  readonly method: 'GET' | 'POST' | 'DELETE' | 'OPTIONS'
  readonly path: string
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
}

/** The largest body that any route takes, bytes. */
export const BODY_LIMIT = 32_768
