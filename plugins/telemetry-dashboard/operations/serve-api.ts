// Serves the API on a plain Fastify app: the gate, the table of routes, JSON for everything else.
import { acceptEmptyJson, type Viewer } from '@keelson/sdk'
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { apiRoutes, BODY_LIMIT } from './api.ts'
import { validatorCompiler } from './check-request.ts'
import { handle, sendAnswer, sendError } from './handle.ts'
import { type ApiContext, FORBIDDEN, NOT_FOUND, UNAUTHENTICATED } from './route.ts'

/** Says who is looking. Null, or a viewer without tenant, is not signed in. */
export interface ViewerAdapter {
  resolveViewer(request: FastifyRequest): Promise<Viewer | null> | Viewer | null
}

const isViewer = (viewer: Viewer | null | undefined): viewer is Viewer =>
  typeof viewer?.tenantId === 'string' && viewer.tenantId !== ''

/** How requests of the API are read, checked and refused. */
export function prepareApi(app: FastifyInstance): void {
  app.setErrorHandler(sendError)
  app.setValidatorCompiler(validatorCompiler)
  acceptEmptyJson(app)
}

export function serveApi(context: ApiContext, adapter: ViewerAdapter): FastifyPluginAsync {
  return async (app) => {
    const viewers = new WeakMap<FastifyRequest, Viewer>()
    // Before the body is read: a caller who may not ask does not get to send one.
    app.addHook('onRequest', async (request, reply) => {
      const viewer = await adapter.resolveViewer(request)
      if (isViewer(viewer)) viewers.set(request, viewer)
      else return sendAnswer(reply, UNAUTHENTICATED)
    })
    prepareApi(app)
    for (const route of apiRoutes) {
      app.route({
        method: route.method,
        url: route.path,
        schema: route.schema,
        bodyLimit: BODY_LIMIT,
        preValidation: async (request, reply) => {
          const isAllowed = route.band !== 'admin' || viewers.get(request)?.role === 'admin'
          if (!isAllowed) return sendAnswer(reply, FORBIDDEN)
        },
        handler(request, reply) {
          const viewer = viewers.get(request)
          return viewer === undefined
            ? sendAnswer(reply, UNAUTHENTICATED)
            : handle(route, context, viewer, request, reply)
        }
      })
    }
    for (const url of ['/api', '/api/*']) {
      app.all(url, { bodyLimit: BODY_LIMIT }, (_request, reply) => sendAnswer(reply, NOT_FOUND))
    }
  }
}
