// The consent routes: what the consent page shows, and the decision it posts.
import { addressKey } from '@keelson/sdk'

import type { FastifyRequest, RouteOptions } from 'fastify'
import { type ConsentCall, consentLogo, decideConsent, showConsent } from '../consent/consent.ts'
import { createErrorHandler, sealed, sendLogo } from '../http/answers.ts'
import { browserOf } from '../http/browser-cookie.ts'
import { checkOrigin, checkReady, originOf, queryValue } from '../http/requests.ts'
import { validateStandard } from '../http/validate.ts'
import { oauthError } from '../oauth-errors.ts'
import type { Services } from '../services.ts'
import { consentSchema, decideSchema, logoSchema } from './consent-schemas.ts'
import { PRIVATE } from './route.ts'

export function consentRoutes(services: Services): readonly RouteOptions[] {
  const { settings, limiter } = services
  const errorHandler = createErrorHandler(settings, { isOwn: true })
  const callOf = async (request: FastifyRequest): Promise<ConsentCall> => ({
    requestId: (request.params as { requestId: string }).requestId,
    user: (await settings.resolveUser(request)) ?? null,
    browser: browserOf(request)
  })
  return [
    {
      method: 'GET',
      url: '/consent/:requestId',
      ...PRIVATE,
      schema: consentSchema,
      validatorCompiler: validateStandard,
      errorHandler,
      async handler(request, reply) {
        sealed(reply)
        await limiter.take('consent', addressKey(request.ip))
        const contextId = queryValue(request, 'contextId')
        return showConsent({ ...(await callOf(request)), contextId }, services)
      }
    },
    {
      method: 'GET',
      url: '/consent/:requestId/logo',
      ...PRIVATE,
      schema: logoSchema,
      validatorCompiler: validateStandard,
      errorHandler,
      async handler(request, reply) {
        await limiter.take('consent', addressKey(request.ip))
        const logo = await consentLogo(await callOf(request), services)
        if (logo === undefined) throw oauthError('logoNotFound')
        return sendLogo(reply, logo)
      }
    },
    {
      method: 'POST',
      url: '/consent/:requestId',
      ...PRIVATE,
      // Checked by the decision: until the server is ready, every body is answered 503.
      schema: decideSchema,
      errorHandler,
      async handler(request, reply) {
        sealed(reply)
        checkReady(services)
        checkOrigin(request, settings)
        await limiter.take('consent', addressKey(request.ip))
        const { body } = request
        const call = { ...(await callOf(request)), body, origin: originOf(request) }
        return decideConsent(call, services)
      }
    }
  ]
}
