// createAgentRouter: the agent API on any Fastify app. It authenticates each request itself.
import { type AdminMailer, createMailerAdmin, createTick } from '@keelson/mailer'
import { acceptEmptyJson, createBoundedMap, KeelsonError } from '@keelson/sdk'
import type { MailHealth } from '@keelson/sdk/contracts/mailer-breaker'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { errorAnswer, withFix } from './answers/error-answer.ts'
import { type Refusal, refused, refusedAs } from './answers/refusal.ts'
import { adminRefusal } from './boundary/admin-boundary.ts'
import { createBoundary, type TestContacts } from './boundary/test-contacts.ts'
import { discoveryOf } from './discovery.ts'
import { operations } from './operations/all-operations.ts'
import { type AgentContext, inputFault, type Operation } from './operations/operation.ts'
import manifest from './plugin.json' with { type: 'json' }
import { accessRefusal } from './tokens/decide-access.ts'
import { type AgentToken, type Caller, createTokenRegister } from './tokens/token-register.ts'
import { watchSends } from './waiting/send-changes.ts'

/** Options of `createAgentRouter`. */
export interface AgentOptions {
  readonly tokens: readonly AgentToken[]
  /** Which addresses are of test contacts. Default: none, and operations that need one answer 403. */
  readonly testContacts?: TestContacts | null
  /** How all mail is, for `/status`. Default: unknown. */
  readonly health?: () => Promise<MailHealth | null>
}

const BODY_LIMIT = 8 * 1024 * 1024
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** A router's fixed parts. */
interface Served {
  readonly agent: AgentContext
  readonly callers: WeakMap<FastifyRequest, Caller>
  readonly mount: string
}

/**
 * Makes the agent API: a Fastify plugin, to be registered where the host's sign-in does not reach.
 *
 * @throws AGT_NO_TOKEN, AGT_TOKEN_SHORT, AGT_TOKEN_TAKEN, AGT_ACTOR_BLANK
 */
export function createAgentRouter(mailer: AdminMailer, options: AgentOptions): FastifyPluginAsync {
  const tokens = createTokenRegister(options.tokens)
  const boundary = createBoundary(options.testContacts)
  return async (app) => {
    const context = mailer.getRunnerContext()
    const closing = new AbortController()
    const changes = watchSends(context)
    const tick = createTick(context)
    app.addHook('preClose', async () => {
      closing.abort()
      await changes.close()
      await tick.idle()
    })
    const agent: AgentContext = {
      ...{ mailer, context, tick, boundary, changes },
      version: manifest.version,
      health: options.health ?? (async () => null),
      signal: closing.signal
    }
    const served: Served = { agent, callers: new WeakMap(), mount: app.prefix }
    acceptEmptyJson(app)
    admitCallers(app, served, tokens.callerOf)
    answerFaults(app, served)
    for (const operation of operations) addRoute(app, served, operation)
    app.get('/', async (request) => discoveryOf(operations, agent, callerOf(served, request)))
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

const WRONG_PER_MINUTE = 120
const MINUTE_MS = 60_000

/** A right token is never refused for wrong ones of the same address. */
function admitCallers(
  app: FastifyInstance,
  served: Served,
  find: (authorization: string | undefined, now: Date) => Caller | undefined
): void {
  const { clock } = served.agent.context
  const wrong = createBoundedMap<string, { count: number; readonly until: number }>(10_000)
  app.addHook('onRequest', async (request, reply) => {
    const now = clock.now()
    const caller = find(request.headers.authorization, now)
    if (caller !== undefined) {
      served.callers.set(request, caller)
      return
    }
    const time = now.getTime()
    const known = wrong.get(request.ip)
    const window =
      known !== undefined && known.until > time ? known : { count: 0, until: time + MINUTE_MS }
    window.count++
    wrong.set(request.ip, window)
    if (window.count > WRONG_PER_MINUTE) {
      reply.header('retry-after', Math.ceil((window.until - time) / 1000))
      const message = 'Too many requests without a valid token came from this address.'
      return refuse(reply, served, refusedAs('too_many_requests', message, 429))
    }
    reply.header('www-authenticate', 'Bearer')
    return refuse(reply, served, refused('unauthorized'))
  })
}

function refuse(reply: FastifyReply, { mount }: Served, refusal: Refusal): FastifyReply {
  return reply.code(refusal.status).send(errorAnswer(refusal, mount))
}

/** Faults of the request keep their status; everything else is one answer, and a line of the log. */
function answerFaults(app: FastifyInstance, served: Served): void {
  app.setErrorHandler((error, request, reply) => refuse(reply, served, faultOf(error, request)))
}

function faultOf(error: unknown, request: FastifyRequest): Refusal {
  if (KeelsonError.is(error) && error.code === 'MLR_INPUT_INVALID') {
    const { path = '', problem = '' } = error.details as { path?: string; problem?: string }
    const fields = [{ path, message: problem }]
    return refused('validation_failed', { message: error.message, more: { fields } })
  }
  const { statusCode = 500, message = '' } = error as { statusCode?: number; message?: string }
  if (statusCode >= 400 && statusCode < 500) {
    if (statusCode === 400) return refused('validation_failed', { message })
    const code = KeelsonError.is(error) ? error.code : 'request_refused'
    return refusedAs(code, message, statusCode)
  }
  request.log.error({ err: error }, 'agent: an operation failed')
  return refused('internal_error')
}

function addRoute(app: FastifyInstance, served: Served, operation: Operation): void {
  app.route({
    method: operation.method,
    url: operation.path,
    bodyLimit: BODY_LIMIT,
    handler: (request, reply) => serve(served, operation, request, reply)
  })
}

async function serve(
  served: Served,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<unknown> {
  const { agent, mount } = served
  const caller = callerOf(served, request)
  const path = request.url.split('?', 1)[0]?.slice(mount.length) ?? ''
  const denied = accessRefusal(caller, { scope: operation.scope, path })
  if (denied !== undefined) return refuse(reply, served, refused(denied))
  const body = (request.body ?? {}) as Readonly<Record<string, unknown>>
  const query = request.query as Readonly<Record<string, unknown>>
  const params = request.params as Readonly<Record<string, string>>
  const fault = inputFault(operation, { query, body })
  if (fault !== undefined) return refuse(reply, served, fault)
  const acting = { actor: caller.actor, ip: request.ip, requestId: request.id }
  const result = await operation.run({ agent, caller, params, query, body, acting })
  if (!result.ok) return refuse(reply, served, result)
  if (operation.audit !== undefined) {
    const id = Object.values(params)[0] ?? String(body['externalId'] ?? '')
    const resource = { collection: 'agent', ...(id !== '' && { id }) }
    await agent.context.core.audit({ ...acting, action: operation.audit, resource })
  }
  return reply.code(result.status ?? 200).send(result.body)
}

/** The admin API in the name of the token, within the boundary. */
async function addAdmin(app: FastifyInstance, served: Served): Promise<void> {
  const { agent, mount } = served
  const base = `${mount}/api`
  app.addHook('preHandler', async (request, reply) => {
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
