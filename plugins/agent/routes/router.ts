// The routes of the agent API: its operations, what explains them, and the admin API in the name of a token.
import {
  acceptEmptyJson,
  describedOperation,
  isRefusal,
  openApiDocument,
  operationRoutes,
  sendRefusal
} from '@keelson/sdk'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply } from 'fastify'
import type { AgentParts, OpenAgent } from '../agent-parts.ts'
import { errorAnswer, withDocs } from '../answers/error-answer.ts'
import {
  type ErrorDocs,
  errorDocSchema,
  errorDocs,
  errorList,
  errorListSchema
} from '../answers/error-docs.ts'
import { faultAnswer } from '../answers/fault-answer.ts'
import { refusals } from '../answers/refusals.ts'
import { acceptIdempotencyKeys } from '../idempotency/idempotency-hooks.ts'
import { createVerifier, type Verifier } from '../tokens/verify-callers.ts'
import { mirrorRoutes } from './admin-mirror.ts'
import { discoveryOf, discoverySchema } from './discovery.ts'
import { ACCESS_REFUSALS, type AgentRoutes, isOnceOnly, serveOptionsOf } from './serve-options.ts'

/** Addresses that nothing is at. Those of the admin API are declared by a wildcard of their own. */
const WILDCARDS = ['/api/*', '/*']
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Errors are described to callers without a token too: their first error is that it is missing. */
const OPEN = ['/errors', '/errors/:code']

/** How the routes are guarded. */
export interface RouterOptions {
  /** Whether the kernel asks `verify` of each route. Default: a hook does it. */
  readonly isGuarded?: boolean
}

/** The routes, as a Fastify plugin. */
export function createRouter(
  parts: AgentParts,
  { isGuarded = false }: RouterOptions = {}
): FastifyPluginAsync {
  return async (app) => {
    const { host, operations, closing } = parts.open(app)
    const docs = errorDocs(app.prefix, host.operations.errors)
    const verifier = createVerifier(parts.admit, docs)
    acceptEmptyJson(app)
    if (!isGuarded) guard(app, verifier)
    app.setErrorHandler((error, request, reply) => {
      const { status, body } = faultAnswer(error, parts.log ?? request.log, docs)
      return reply.code(status).send(body)
    })
    app.addHook('preSerialization', async (_request, reply, payload) =>
      reply.statusCode < 400 ? payload : withDocs(payload, docs)
    )
    const callKeyOf = acceptIdempotencyKeys(app, {
      answers: parts.keptAnswers(host),
      actorOf: (request) => verifier.callerOf(request).actor,
      isOnceOnly,
      refuse: (reply, refused) => send(reply, refused, docs)
    })
    const routes: AgentRoutes = { host, closing, verifier, docs, callKeyOf }
    const served = operations.map((operation) => ({ operation, host }))
    await app.register(operationRoutes(served, serveOptionsOf(routes, 'agent')))
    await app.register(mirrorRoutes(routes))
    addDocuments(app, routes, operations)
    const config = { verify: verifier.verify } as object
    for (const url of WILDCARDS) {
      for (const method of METHODS)
        app.route({
          method,
          url,
          config,
          handler: (_request, reply) => send(reply, refusals.refuse('not_found'), docs)
        })
    }
  }
}

const send = (
  reply: FastifyReply,
  refused: Parameters<typeof errorAnswer>[0],
  docs: ErrorDocs
): FastifyReply => {
  const { status, body } = errorAnswer(refused, docs)
  return reply.code(status).send(body)
}

/** On a plain app. */
function guard(app: FastifyInstance, { verify }: Verifier): void {
  const open = new Set(OPEN.map((path) => app.prefix + path))
  app.addHook('onRequest', async (request, reply) => {
    if (open.has(request.routeOptions.url ?? '')) return undefined
    const found = await verify(request)
    if (!isRefusal(found)) return undefined
    return sendRefusal(reply, found)
  })
}

function addDocuments(
  app: FastifyInstance,
  { host, verifier, docs }: AgentRoutes,
  operations: OpenAgent['operations']
): void {
  const { mount } = docs
  const { verify, callerOf } = verifier
  const config = { verify } as object
  const facts = {
    title: 'Agent API',
    version: host.version,
    server: mount === '' ? '/' : mount,
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } }
  }
  const said = { security: 'token', refusals: ACCESS_REFUSALS }
  const document = openApiDocument(
    facts,
    operations.map((each) => describedOperation(each, said))
  )
  app.get('/', { config, schema: { response: { 200: discoverySchema } } }, async (request) =>
    discoveryOf(operations, host, callerOf(request))
  )
  app.get('/openapi.json', { config }, async () => document)
  const list = errorList(docs)
  const byCode = new Map(list.errors.map((doc) => [doc.error, doc]))
  app.get('/errors', { schema: { response: { 200: errorListSchema } } }, async () => list)
  app.get<{ Params: { code: string } }>(
    '/errors/:code',
    { schema: { response: { 200: errorDocSchema } } },
    async ({ params }, reply) =>
      byCode.get(params.code) ?? send(reply, refusals.refuse('not_found'), docs)
  )
}
