// The routes of the agent API. They authenticate each request themselves.
import { createMailerAdmin } from '@keelson/mailer'
import { acceptEmptyJson } from '@keelson/sdk'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { AgentParts } from './agent-parts.ts'
import { errorAnswer, withFix } from './answers/error-answer.ts'
import { errorList } from './answers/error-docs.ts'
import { type Refusal, refused } from './answers/refusal.ts'
import { adminRefusal } from './boundary/admin-boundary.ts'
import { discoveryOf } from './discovery.ts'
import { acceptIdempotencyKeys } from './idempotency/idempotency-hooks.ts'
import { openApiOf } from './openapi.ts'
import { operations } from './operations/all-operations.ts'
import type { AgentContext, Operation } from './operations/operation.ts'
import { faultOf, perform } from './operations/perform.ts'
import { queryReader } from './operations/read-query.ts'
import { createAdmission } from './tokens/admit-callers.ts'
import { accessRefusal } from './tokens/decide-access.ts'
import type { Caller } from './tokens/token-register.ts'

const BODY_LIMIT = 8 * 1024 * 1024
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** A router's fixed parts. */
interface Served {
  readonly agent: AgentContext
  readonly callers: WeakMap<FastifyRequest, Caller>
  readonly mount: string
}

/** Names a call to those before it, by its Idempotency-Key. */
type CallKeyOf = (request: FastifyRequest) => string | undefined

/** The routes, as a Fastify plugin. */
export function createRouter(parts: AgentParts): FastifyPluginAsync {
  return async (app) => {
    const agent = parts.open(app)
    const served: Served = { agent, callers: new WeakMap(), mount: app.prefix }
    const admit = createAdmission(parts.tokens, agent.context.clock)
    acceptEmptyJson(app)
    const isOpen = isFor(app.prefix, OPEN)
    app.addHook('onRequest', async (request, reply) => {
      if (isOpen(request)) return undefined
      const admitted = admit(request, reply)
      if (!admitted.ok) return refuse(reply, served, admitted)
      served.callers.set(request, admitted.caller)
      return undefined
    })
    app.setErrorHandler((error, request, reply) =>
      refuse(reply, served, faultOf(error, request.log))
    )
    const callKeyOf = acceptIdempotencyKeys(app, {
      answers: parts.keptAnswers(agent),
      actorOf: (request) => callerOf(served, request).actor,
      isOnceOnly: isFor(app.prefix, ONCE_ONLY),
      refuse: (reply, refusal) => refuse(reply, served, refusal)
    })
    for (const operation of operations) addRoute(app, served, { operation, callKeyOf })
    app.get('/', async (request) => discoveryOf(operations, agent, callerOf(served, request)))
    const document = openApiOf(operations, { version: agent.version, mount: app.prefix })
    app.get('/openapi.json', async () => document)
    addErrorDocs(app, served)
    await app.register((scope) => addAdmin(scope, served))
    for (const method of METHODS) {
      app.route({
        method,
        url: '/*',
        handler: (_request, reply) => refuse(reply, served, refused('not_found'))
      })
    }
  }
}

function callerOf({ callers }: Served, request: FastifyRequest): Caller {
  const caller = callers.get(request)
  if (caller === undefined) throw new TypeError('a request came past the token check')
  return caller
}

function refuse(reply: FastifyReply, { mount }: Served, refusal: Refusal): FastifyReply {
  return reply.code(refusal.status).send(errorAnswer(refusal, mount))
}

/** Errors are described to callers without a token too: their first error is that it is missing. */
const OPEN = ['/errors', '/errors/:code']

/** Requests to these are not carried out again after a crash: their outcome is not recorded. */
const ONCE_ONLY = [
  '/api/templates/:slug/send-test',
  ...operations.flatMap(({ path, onceOnly }) => (onceOnly ? [path] : []))
]

/** Whether a request is for one of the paths below the mount. */
const isFor = (mount: string, paths: readonly string[]) => {
  const addresses = new Set(paths.map((path) => mount + path))
  return ({ routeOptions: { url = '' } }: FastifyRequest): boolean => addresses.has(url)
}

function addErrorDocs(app: FastifyInstance, served: Served): void {
  const list = errorList(served.mount)
  const byCode = new Map(list.errors.map((doc) => [doc.error, doc]))
  app.get('/errors', async () => list)
  app.get<{ Params: { code: string } }>('/errors/:code', async ({ params }, reply) => {
    const doc = byCode.get(params.code)
    return doc ?? refuse(reply, served, refused('not_found'))
  })
}

function addRoute(
  app: FastifyInstance,
  served: Served,
  { operation, callKeyOf }: { readonly operation: Operation; readonly callKeyOf: CallKeyOf }
): void {
  const { agent } = served
  const read = queryReader(operation.query)
  app.route({
    method: operation.method,
    url: operation.path,
    bodyLimit: BODY_LIMIT,
    handler: async (request, reply) => {
      const caller = callerOf(served, request)
      const callKey = callKeyOf(request)
      const call = {
        ...{ agent, caller },
        params: request.params as Readonly<Record<string, string>>,
        query: read(request.query as Readonly<Record<string, unknown>>),
        body: (request.body ?? {}) as Readonly<Record<string, unknown>>,
        acting: { actor: caller.actor, ip: request.ip, requestId: request.id },
        ...(callKey !== undefined && { callKey })
      }
      const result = await perform(operation, call, request.log)
      if (!result.ok) return refuse(reply, served, result)
      if (result.nextCursor !== undefined) reply.header('x-next-cursor', result.nextCursor)
      return reply.code(result.status ?? 200).send(result.body)
    }
  })
}

/** The admin API in the name of the token, within the boundary. */
async function addAdmin(app: FastifyInstance, served: Served): Promise<void> {
  const { agent, mount } = served
  const base = `${mount}/api`
  app.addHook('preValidation', async (request, reply) => {
    const { url = '' } = request.routeOptions
    const { method } = request
    const scope = ['GET', 'HEAD'].includes(method) ? 'mail:read' : 'mail:write'
    const path = request.url.split('?', 1)[0]?.slice(mount.length) ?? ''
    const denied = accessRefusal(callerOf(served, request), { scope, path })
    if (denied !== undefined) return refuse(reply, served, refused(denied))
    const call = { method, route: url.slice(base.length), body: request.body }
    const refusal = adminRefusal(call, agent.boundary)
    if (refusal !== undefined) return refuse(reply, served, refused(refusal))
  })
  app.addHook('preSerialization', async (_request, reply, payload) =>
    reply.statusCode < 400 || typeof payload !== 'object' || payload === null
      ? payload
      : withFix(payload, reply.statusCode, mount)
  )
  const getActor = (request: FastifyRequest) => callerOf(served, request).actor
  await app.register(createMailerAdmin(agent.mailer, { getActor }))
}
