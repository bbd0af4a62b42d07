// The admin API in the name of a token, within the boundary: operations of the mailer, and those of other plugins.
import { adminOperations, createMailerAdmin } from '@keelson/mailer'
import { bindOperations, operationRoutes } from '@keelson/sdk'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { errorAnswer } from '../answers/error-answer.ts'
import { refusals } from '../answers/refusals.ts'
import { effectOfRoute } from '../boundary/admin-calls.ts'
import { callRefusal } from '../boundary/judge-call.ts'
import { type AgentRoutes, pathOf, serveOptionsOf } from './serve-options.ts'

const BASE = '/api'

/** To be registered below the mount of the agent API. */
export function mirrorRoutes(routes: AgentRoutes): FastifyPluginAsync {
  const { context, mailer } = routes.host
  const { events } = mailer
  return async (app) => {
    const own = bindOperations(adminOperations, { context, events })
    const contributed = context.extensions.adminApis().flatMap(({ api }) => api.operations ?? [])
    await app.register(operationRoutes(own, serveOptionsOf(routes, 'mailer', BASE)))
    await app.register(operationRoutes(contributed, serveOptionsOf(routes, 'other', BASE)))
    await app.register(otherRoutes(routes))
  }
}

/** Routes that are no operations yet: what they do is known by their address. */
const otherRoutes =
  ({ host, mount, verifier }: AgentRoutes): FastifyPluginAsync =>
  async (app) => {
    const base = mount + BASE
    app.addHook('preValidation', async (request, reply) => {
      const { method, body } = request
      const route = request.routeOptions.url?.slice(base.length) ?? ''
      const effect = effectOfRoute(method, route)
      const call = { owner: 'mailer', method, route, effect, body } as const
      const path = pathOf(request, mount)
      const word = callRefusal(verifier.callerOf(request), { ...call, path }, host.boundary)
      if (word === undefined) return undefined
      const answer = errorAnswer(refusals.refuse(word), mount)
      return reply.code(answer.status).send(answer.body)
    })
    const getActor = (request: FastifyRequest) => verifier.callerOf(request).actor
    await app.register(createMailerAdmin(host.mailer, { getActor, servesOperations: false }))
  }
