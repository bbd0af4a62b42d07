// Idempotency-Key on every POST of a scope: the same key and request get the same answer for a day.
import { Readable } from 'node:stream'
import { type Refused, sizeFault } from '@keelson/sdk'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type RefusalCode, refusals } from '../answers/refusals.ts'
import { isUsableKey, keyId, requestHash } from './decide-replay.ts'
import { type KeptAnswers, type Running, replayRefusal } from './kept-answers.ts'

/** What the hooks need. */
export interface IdempotencyOptions {
  readonly answers: KeptAnswers
  actorOf(request: FastifyRequest): string
  /** Whether a request that a crash cut short must not be carried out again. */
  isOnceOnly(request: FastifyRequest): boolean
  refuse(reply: FastifyReply, refused: Refused<RefusalCode>): FastifyReply
}

/** Answers what names a call to those before it: undefined without a key. */
export function acceptIdempotencyKeys(
  app: FastifyInstance,
  { answers, actorOf, isOnceOnly, refuse }: IdempotencyOptions
): (request: FastifyRequest) => string | undefined {
  const running = new WeakMap<FastifyRequest, Running>()
  app.addHook('preHandler', async (request, reply) => {
    const key = request.headers['idempotency-key']
    if (key === undefined || request.method !== 'POST') return undefined
    if (typeof key !== 'string' || !isUsableKey(key) || !isJson(request))
      return refuse(reply, refusals.refuse('idempotency_key_invalid'))
    // Nothing recurses over a body before this.
    const fault = sizeFault(request.body)
    if (fault !== undefined) {
      const message = `${fault.path} ${fault.message}.`
      return refuse(reply, refusals.refuse('validation_failed', { message, fields: [fault] }))
    }
    const id = keyId(actorOf(request), key)
    const hash = requestHash('POST', request.url, request.body)
    const begun = await answers.begin(id, hash, { onceOnly: isOnceOnly(request) })
    switch (begun.kind) {
      case 'run':
        running.set(request, begun.running)
        return undefined
      case 'replay': {
        const { status = 200, contentType = 'application/json', body = '' } = begun.row
        reply.header('idempotent-replayed', 'true')
        return reply.code(status).type(contentType).send(body)
      }
      default:
        if (begun.kind === 'in_flight') reply.header('retry-after', begun.retryAfterSeconds)
        return refuse(reply, replayRefusal(begun))
    }
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const own = running.get(request)
    if (own === undefined) return payload
    running.delete(request)
    const contentType = String(reply.getHeader('content-type') ?? 'application/json')
    const answer =
      typeof payload === 'string'
        ? { status: reply.statusCode, contentType, body: payload }
        : undefined
    await answers.end(own, answer, request.log)
    return payload
  })
  return (request) => running.get(request)?.callKey
}

/** Two files or streams cannot be told apart. */
function isJson({ body, headers }: FastifyRequest): boolean {
  if (/^multipart\//i.test(headers['content-type'] ?? '')) return false
  return body === undefined || (typeof body === 'object' && !(body instanceof Readable))
}
