// How guards refuse with an answer of their own: what it says, and how it is sent.
import type { FastifyReply } from 'fastify'

const REFUSAL = Symbol.for('keelson.refusal')

/** An answer in place of the usual 401. */
export interface RefusalAnswer {
  readonly status: number
  /** Sent as JSON, or as it is when it is text. */
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** What `refuse` returns. */
export interface Refusal extends RefusalAnswer {
  readonly [REFUSAL]: true
}

/**
 * Refuses a request of a `machine` route with a status, body and headers of the plugin's own: return it
 * from `verify`. The kernel sends exactly that, and the handler does not run.
 *
 * @example
 * verify: (request) =>
 *   isKnown(request.headers.authorization)
 *     ? { id: 'sender' }
 *     : refuse({ status: 401, body: { error: 'unauthorized' } })
 */
export function refuse(answer: RefusalAnswer): Refusal {
  return { ...answer, [REFUSAL]: true }
}

/** Whether a value was made by `refuse`, of any copy of this package. */
export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && REFUSAL in value
}

/**
 * Sends an answer that the schemas of the route know nothing of: a guard's, in the shape of a standard or of
 * the platform. JSON is sent as text, so that no `response` schema is applied to it.
 */
export function sendRefusal(
  reply: FastifyReply,
  { status, headers = {}, body }: RefusalAnswer
): FastifyReply {
  reply.headers(headers).code(status)
  const isJson = typeof body === 'object' && body !== null && !ArrayBuffer.isView(body)
  if (!isJson) return reply.send(body)
  if (!reply.hasHeader('content-type')) reply.type('application/json; charset=utf-8')
  return reply.send(JSON.stringify(body))
}
