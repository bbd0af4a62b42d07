// What the kernel answers when a route does not: bodies by status, and errors without their text.
import { KeelsonError } from '@keelson/sdk'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'

/** The word in `error` for each status a client can do something about. */
const WORDS: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  408: 'request_timeout',
  409: 'conflict',
  410: 'gone',
  413: 'payload_too_large',
  414: 'uri_too_long',
  415: 'unsupported_media_type',
  422: 'unprocessable',
  429: 'too_many_requests',
  431: 'headers_too_large'
}

export const answers = {
  unauthenticated: (reply: FastifyReply) => reply.code(401).send({ error: 'unauthenticated' }),
  forbidden: (reply: FastifyReply) => reply.code(403).send({ error: 'forbidden' }),
  badOrigin: (reply: FastifyReply) => reply.code(403).send({ error: 'bad_origin' }),
  notFound: (reply: FastifyReply) => reply.code(404).send({ error: 'not_found' }),
  noMultipart: (reply: FastifyReply) => reply.code(415).send({ error: 'unsupported_media_type' }),
  tooMany: (reply: FastifyReply, seconds: number) =>
    reply.code(429).header('retry-after', String(seconds)).send({ error: 'too_many_requests' }),
  unavailable: (reply: FastifyReply, plugin: string, reason: string) =>
    reply.code(503).send({ error: 'plugin_unavailable', plugin, reason })
}

/**
 * Fastify's error handler for everything the kernel serves. What went wrong inside stays inside:
 * only errors that a client caused keep their message, without the secrets of the config.
 */
export function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  redact: (text: string) => string = (text) => text
): void {
  const status = statusOf(error)
  if (status >= 500) {
    request.log.error({ err: error }, 'a request failed')
    const word = status === 503 ? 'unavailable' : 'internal'
    reply.code(status).send({ error: word })
    return
  }
  // Anyone can cause these, so they are not news.
  request.log.debug({ err: error }, 'a request was refused')
  const message = redact((error as Error).message)
  const code = KeelsonError.is(error) ? { code: error.code } : {}
  reply.code(status).send({ error: WORDS[status] ?? 'bad_request', ...code, message })
}

function statusOf(error: unknown): number {
  if (typeof error !== 'object' || error === null) return 500
  if (isDatabaseAway(error)) return 503
  const { statusCode } = error as Partial<FastifyError>
  return statusCode !== undefined && statusCode >= 400 && statusCode <= 599 ? statusCode : 500
}

const AWAY = new Set([
  'MongoServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoPoolClearedError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoOperationTimeoutError'
])

/** The driver could not reach the database: whoever asks again later may be served. */
function isDatabaseAway(error: object): boolean {
  return AWAY.has((error as { name?: string }).name ?? '')
}
