// The routes that people use in their browser: authorize, consent, the form that posts back, their own grants.
import type { FastifyRequest } from 'fastify'
import { authorize } from '../authorize/authorize.ts'
import { readParameters } from '../authorize/parameters.ts'
import type { OAuthUser } from '../config/host-code.ts'
import { decideConsent, openResponse, showConsent } from '../consent/consent.ts'
import { endGrant } from '../grants/end-grant.ts'
import { listGrants } from '../grants/list-grants.ts'
import { addressKey } from '../limits/limiter.ts'
import { OAuthError } from '../oauth-errors.ts'
import type { Services } from '../services.ts'
import { pageOf } from '../storage/page.ts'
import { userIdOf } from '../users/claims.ts'
import { renderError, sealed, sendFormPost } from './answers.ts'
import {
  checkOrigin,
  checkReady,
  formText,
  originOf,
  queryParameters,
  queryValue
} from './requests.ts'
import type { ProtocolRoute } from './route.ts'
import { wordsOf } from './words.ts'

export function personRoutes(services: Services): readonly ProtocolRoute[] {
  return [...authorizeRoutes(services), ...consentRoutes(services), ...grantRoutes(services)]
}

function authorizeRoutes(services: Services): readonly ProtocolRoute[] {
  return [
    {
      method: 'GET',
      path: '/authorize',
      handler: rendered((request, reply) =>
        authorize(request, reply, queryParameters(request), services)
      )
    },
    {
      method: 'POST',
      path: '/authorize',
      handler: rendered((request, reply) =>
        authorize(request, reply, readParameters(formText(request)), services)
      )
    },
    {
      method: 'GET',
      path: '/response',
      handler: rendered(async (request, reply) => {
        const { action, parameters } = await openResponse(request, services)
        return sendFormPost(reply, action, parameters)
      })
    }
  ]
}

/** Where people look at the answer, a refusal is a page for them. */
function rendered(handler: ProtocolRoute['handler']): ProtocolRoute['handler'] {
  return async (request, reply) => {
    try {
      return await handler(request, reply)
    } catch (error) {
      if (error instanceof OAuthError) return renderError(request, reply, error)
      throw error
    }
  }
}

function consentRoutes(services: Services): readonly ProtocolRoute[] {
  return [
    {
      method: 'GET',
      path: '/consent/:requestId',
      async handler(request, reply) {
        sealed(reply)
        await services.limiter.take('consent', addressKey(request.ip))
        return showConsent(request, services)
      }
    },
    {
      method: 'POST',
      path: '/consent/:requestId',
      async handler(request, reply) {
        sealed(reply)
        checkReady(services)
        checkOrigin(request, services.settings)
        await services.limiter.take('consent', addressKey(request.ip))
        return decideConsent(request, services)
      }
    }
  ]
}

/** @throws login_required */
async function someone(request: FastifyRequest, { settings }: Services): Promise<OAuthUser> {
  const user = await settings.resolveUser(request)
  if (user !== null && user !== undefined) return user
  throw new OAuthError(401, 'login_required', 'Sign in first.')
}

const OWN_PAGE = { usual: 20, most: 100 }

function grantRoutes(services: Services): readonly ProtocolRoute[] {
  const { collections, settings } = services
  return [
    {
      method: 'GET',
      path: '/me/grants',
      async handler(request, reply) {
        sealed(reply)
        const userId = userIdOf(await someone(request, services))
        const [limit, skip] = [queryValue(request, 'limit'), queryValue(request, 'skip')]
        const page = pageOf(
          {
            ...(limit !== undefined && { limit: Number(limit) }),
            ...(skip !== undefined && { skip: Number(skip) })
          },
          OWN_PAGE
        )
        const items = await listGrants({ userId }, page, services)
        return {
          limit: page.limit,
          items: items.map(({ userId: _own, ...rest }) => rest),
          words: wordsOf(items, settings)
        }
      }
    },
    {
      method: 'DELETE',
      path: '/me/grants/:id',
      async handler(request, reply) {
        sealed(reply)
        checkOrigin(request, settings)
        const userId = userIdOf(await someone(request, services))
        const { id } = request.params as { id: string }
        const grant = await collections.grants.findOne({ _id: String(id), userId, revokedAt: null })
        if (grant === null)
          throw new OAuthError(404, 'not_found', 'There is no such grant of yours.')
        const ending = { by: 'user', origin: originOf(request) } as const
        const { tokensRevoked } = await endGrant(grant, ending, services)
        return { revoked: true, tokensRevoked }
      }
    }
  ]
}
