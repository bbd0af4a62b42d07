// Idempotency-Key on every POST of a scope: the same key and request get the same answer for a day.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Refusal, refused } from '../answers/refusal.ts'
import { isKept, keyId, requestHash } from './decide-replay.ts'
import type { KeptAnswers } from './kept-answers.ts'

/** What the hooks need. */
export interface IdempotencyOptions {
  /** Undefined where answers cannot be kept: then a key is refused. */
  readonly answers: KeptAnswers | undefined
  actorOf(request: FastifyRequest): string
  refuse(reply: FastifyReply, refusal: Refusal): FastifyReply
}

interface Running {
  readonly id: string
  readonly lease: string
}

const KEY = /^[\x21-\x7e]{1,255}$/
/** Larger answers are not kept. */
const MOST_CHARACTERS = 4_000_000

/** Answers what names a call to those before it: undefined without a key. */
export function acceptIdempotencyKeys(
  app: FastifyInstance,
  { answers, actorOf, refuse }: IdempotencyOptions
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
      !KEY.test(key) ||
      !isJson ||
      isMultipart
    )
      return refuse(reply, refused('idempotency_key_invalid'))
    const id = keyId(actorOf(request), key)
    const begun = await answers.begin(id, requestHash('POST', request.url, request.body))
    switch (begun.kind) {
      case 'run':
        running.set(request, { id, lease: begun.lease })
        return undefined
      case 'replay': {
        const { status = 200, contentType = 'application/json', body = '' } = begun.row
        reply.header('idempotent-replayed', 'true')
        return reply.code(status).type(contentType).send(body)
      }
      case 'reused':
        return refuse(reply, refused('idempotency_key_reused'))
      case 'in_flight':
        reply.header('retry-after', begun.retryAfterSeconds)
        return refuse(reply, refused('idempotency_in_flight'))
    }
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const own = running.get(request)
    if (own === undefined || answers === undefined) return payload
    running.delete(request)
    const { id, lease } = own
    const body = typeof payload === 'string' ? payload : undefined
    const isShort = body !== undefined && body.length <= MOST_CHARACTERS
    const contentType = String(reply.getHeader('content-type') ?? 'application/json')
    try {
      if (isShort && isKept(reply.statusCode))
        await answers.keep(id, lease, { status: reply.statusCode, contentType, body })
      else await answers.release(id, lease)
    } catch (err) {
      // What was done stays done; the key is free when its lease is over.
      request.log.error({ err }, 'agent: an answer was not kept')
    }
    return payload
  })
  return (request) => {
    const own = running.get(request)
    return own === undefined ? undefined : `idempotency:${own.id}`
  }
}
