// Reaches into Fastify: how to tell its logger that writes nothing.
import type { FastifyBaseLogger } from 'fastify'

/** Whether a logger writes anything. Fastify's logger of `logger: false` is its own child. */
export function isWriting(log: FastifyBaseLogger): boolean {
  return log.child({}) !== log
}
