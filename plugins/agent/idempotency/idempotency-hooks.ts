// Idempotency-Key on every POST of a scope: the same key and request get the same answer for a day.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Refusal, refused } from '../answers/refusal.ts'
import { isUsableKey, keyId, requestHash } from './decide-replay.ts'
import { type KeptAnswers, type Running, replayRefusal } from './kept-answers.ts'

/** What the hooks need. */
export interface IdempotencyOptions {
  /** Undefined where answers cannot be kept: then a key is refused. */
  readonly answers: KeptAnswers | undefined
  actorOf(request: FastifyRequest): string
  /** Whether a request that a crash cut short must not be carried out again. */
  isOnceOnly(request: FastifyRequest): boolean
  refuse(reply: FastifyReply, refusal: Refusal): FastifyReply
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
    const isJson = request.body === undefined || typeof request.body === 'object'
    const isMultipart = /^multipart\//i.test(request.headers['content-type'] ?? '')
    if (
      answers === undefined ||
      typeof key !== 'string' ||
      !isUsableKey(key) ||
      !isJson ||
      isMultipart
    )
      return refuse(reply, refused('idempotency_key_invalid'))
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
    if (own === undefined || answers === undefined) return payload
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
