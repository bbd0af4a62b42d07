// Answers to a caller who said who it is: for that caller alone, and of the type that they say.
import type { FastifyReply } from 'fastify'

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

/** The headers of such answers, whatever becomes of them. A handler that sets its own decides. */
export function markPersonal(reply: FastifyReply): void {
  reply.headers(HEADERS)
}
