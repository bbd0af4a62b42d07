// The admin API in the name of a token, within the boundary: operations of the mailer, and those of other plugins.
import { adminOperations, sendSuppressionFile, suppressionFile } from '@keelson/mailer'
import { bindOperations, operationRoutes } from '@keelson/sdk'
import type { FastifyPluginAsync } from 'fastify'
import { errorAnswer } from '../answers/error-answer.ts'
import { refusals } from '../answers/refusals.ts'
import { callRefusal } from '../boundary/judge-call.ts'
import { type AgentRoutes, pathOf, serveOptionsOf } from './serve-options.ts'

const BASE = '/api'

/** To be registered below the mount of the agent API. */
export function mirrorRoutes(routes: AgentRoutes): FastifyPluginAsync {
  const { context, mailer } = routes.host
  const { events } = mailer
  return async (app) => {
    const own = bindOperations(adminOperations, { context, events })
    const contributed = context.extensions.adminApis().flatMap(({ api }) => api.operations)
    await app.register(operationRoutes(own, serveOptionsOf(routes, 'mailer', BASE)))
    await app.register(operationRoutes(contributed, serveOptionsOf(routes, 'other', BASE)))
    await app.register(fileRoute(routes))
  }
}

/** The one route of the admin API that answers a file. */
const fileRoute =
  ({ host, mount, verifier }: AgentRoutes): FastifyPluginAsync =>
  async (app) => {
    const { method, path: route, schema } = suppressionFile
    app.route({
      method,
      url: BASE + route,
      schema: { summary: schema.summary } as object,
      config: { verify: verifier.verify } as object,
      preValidation: async (request, reply) => {
        const call = { owner: 'mailer', method, route, effect: 'read', body: undefined } as const
        const path = pathOf(request, mount)
        const word = callRefusal(verifier.callerOf(request), { ...call, path }, host.boundary)
        if (word === undefined) return undefined
        const { status, body } = errorAnswer(refusals.refuse(word), mount)
        return reply.code(status).send(body)
      },
      handler: async (request, reply) => {
        const { actor } = verifier.callerOf(request)
        const acting = { actor, ip: request.ip, requestId: request.id }
        return sendSuppressionFile(request, reply, { context: host.context, acting })
      }
    })
  }
