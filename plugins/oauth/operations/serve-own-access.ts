// The operations for people on an app without the kernel, whose own code knows who is signed in.
import { bindOperations, operationRoutes, originOf } from '@keelson/sdk'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { userIdOf } from '../config/person-id.ts'
import { createErrorHandler } from '../http/answers.ts'
import { checkOrigin } from '../http/requests.ts'
import type { Services } from '../services.ts'
import type { MyGrantsHost } from './my-grants-operations.ts'
import { ownAccess } from './oauth-operations.ts'

const KIND = 'user:'

export function serveOwnAccess(services: Services): FastifyPluginAsync {
  const { settings } = services
  const people = new WeakMap<FastifyRequest, string>()
  const host: MyGrantsHost = {
    ...services,
    userIdOf: async ({ viewerRef }) => viewerRef?.slice(KIND.length)
  }
  const actorOf = (request: FastifyRequest) => {
    const userId = people.get(request)
    const viewerRef = userId === undefined ? undefined : `${KIND}${userId}`
    return {
      tenantId: '',
      name: `human:${viewerRef ?? 'anonymous'}`,
      via: 'host',
      ...(viewerRef !== undefined && { viewerRef }),
      ...originOf(request)
    }
  }
  /** @throws bad_origin */
  const resolvePerson = async (request: FastifyRequest) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') checkOrigin(request, settings)
    const user = await settings.resolveUser(request)
    if (user !== null && user !== undefined) people.set(request, userIdOf(user))
    return undefined
  }
  return async (app) => {
    const closing = new AbortController()
    app.addHook('preClose', async () => closing.abort())
    app.setErrorHandler(createErrorHandler(settings, { isOwn: true }))
    await app.register(
      operationRoutes(bindOperations(ownAccess, host), ({ path }) => ({
        url: path,
        closing: closing.signal,
        actorOf,
        may: () => true,
        refusal: resolvePerson
      }))
    )
  }
}
