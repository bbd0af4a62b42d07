// The admin API in the name of a token, within the boundary: operations of the mailer, and those of other plugins.
import type { MailerFile } from '@keelson/mailer/contracts'
import { operationRoutes } from '@keelson/sdk'
import type { FastifyPluginAsync } from 'fastify'
import { errorAnswer } from '../answers/error-answer.ts'
import { refusals } from '../answers/refusals.ts'
import { callRefusal } from '../boundary/judge-call.ts'
import { type AgentRoutes, pathOf, serveOptionsOf } from './serve-options.ts'

const BASE = '/api'

/** To be registered below the mount of the agent API. */
export function mirrorRoutes(routes: AgentRoutes): FastifyPluginAsync {
  const { operations } = routes.host
  return async (app) => {
    await app.register(operationRoutes(operations.own, serveOptionsOf(routes, 'mailer', BASE)))
    const contributed = operations.contributed()
    await app.register(operationRoutes(contributed, serveOptionsOf(routes, 'other', BASE)))
    for (const file of operations.files) await app.register(fileRoute(routes, file))
  }
}

/** A route of the admin API that answers a file. */
const fileRoute =
  ({ host, docs, verifier }: AgentRoutes, file: MailerFile): FastifyPluginAsync =>
  async (app) => {
    const { method, path: route, summary } = file
    app.route({
      method,
      url: BASE + route,
      schema: { summary } as object,
      config: { verify: verifier.verify } as object,
      preValidation: async (request, reply) => {
        const call = { owner: 'mailer', method, route, effect: 'read', body: undefined } as const
        const path = pathOf(request, docs.mount)
        const word = callRefusal(verifier.callerOf(request), { ...call, path }, host.boundary)
        if (word === undefined) return undefined
        const { status, body } = errorAnswer(refusals.refuse(word), docs)
        return reply.code(status).send(body)
      },
      handler: (request, reply) => file.send(request, reply, verifier.actorOf(request))
    })
  }
