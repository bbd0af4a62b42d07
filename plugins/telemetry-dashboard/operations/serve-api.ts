// Serves the operations on a plain Fastify app: the gate, JSON for everything else.
import {
  actorOfViewer,
  bindOperations,
  errorBody,
  KeelsonError,
  operationRoutes,
  originOf,
  type Viewer
} from '@keelson/sdk'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { statusOf } from '../refusals.ts'
import { BODY_LIMIT, type DashboardHost } from './dashboard-operation.ts'
import { dashboardOperations } from './dashboard-operations.ts'
import { readMany, sendReadsOf } from './read-many.ts'
import { recordFile, sendRecordFile } from './record-file.ts'

/** Says who is looking. Null, or a viewer without tenant, is not signed in. */
export interface ViewerAdapter {
  resolveViewer(request: FastifyRequest): Promise<Viewer | null> | Viewer | null
}

const isViewer = (viewer: Viewer | null | undefined): viewer is Viewer =>
  typeof viewer?.tenantId === 'string' && viewer.tenantId !== ''

export function serveApi(host: DashboardHost, adapter: ViewerAdapter): FastifyPluginAsync {
  return async (app) => {
    const viewers = new WeakMap<FastifyRequest, Viewer>()
    const closing = new AbortController()
    app.addHook('preClose', async () => closing.abort())
    app.setErrorHandler(sendError)
    // Before the body is read: a caller who may not ask does not get to send one.
    app.addHook('onRequest', async (request, reply) => {
      const viewer = await adapter.resolveViewer(request)
      if (isViewer(viewer)) viewers.set(request, viewer)
      else return send(reply, 401, { error: 'unauthenticated', message: 'Sign in first.' })
    })
    const isAdmin = (request: FastifyRequest) => viewers.get(request)?.role === 'admin'
    const actorOf = (request: FastifyRequest) => ({
      ...actorOfViewer(viewers.get(request) ?? null, 'session'),
      ...originOf(request)
    })
    const operations = bindOperations(dashboardOperations, host)
    const routes = operationRoutes(operations, ({ path, access }) => ({
      url: path,
      closing: closing.signal,
      actorOf,
      may: isAdmin,
      refusal: (request) =>
        access.auth === 'admin' && !isAdmin(request) ? { ok: false, code: 'forbidden' } : undefined
    }))
    await app.register(routes)
    const { summary } = recordFile.schema
    app.get(recordFile.path, { schema: { summary } as object }, (request, reply) =>
      sendRecordFile(request, reply, { host, tenantId: viewers.get(request)?.tenantId ?? '' })
    )
    const sendReads = sendReadsOf(host)
    app.get(readMany.path, { schema: readMany.schema as object }, (request, reply) =>
      sendReads(request, reply, actorOf(request))
    )
    for (const url of ['/api', '/api/*']) {
      app.all(url, { bodyLimit: BODY_LIMIT }, (_request, reply) =>
        send(reply, 404, { error: 'not_found', message: 'There is no such address.' })
      )
    }
  }
}

function send(
  reply: FastifyReply,
  status: number,
  parts: Parameters<typeof errorBody>[0]
): FastifyReply {
  return reply.code(status).header('cache-control', 'no-store').send(errorBody(parts))
}

/** An error with a status is answered with it and its message as the word, as the document says. */
function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const status = statusOf(error)
  if (status >= 500) request.log.error({ err: error }, 'a dashboard request failed')
  if (status === 500) {
    const message = 'The request failed inside the server.'
    return send(reply, 500, { error: 'internal_error', message })
  }
  const { message, code } = error as { message: string; code?: unknown }
  return send(reply, status, {
    error: message,
    code: typeof code === 'string' ? code : 'validation_failed',
    message,
    fix: KeelsonError.is(error) ? error.remedy : undefined
  })
}
