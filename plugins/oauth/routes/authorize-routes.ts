// The routes that send a browser on: authorize, and the page that posts an answer to the client.
import { addressKey } from '@keelson/sdk'

import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { type AuthorizeCall, authorize, type LocalAnswer } from '../authorize/authorize.ts'
import { type Parameters, readParameters } from '../authorize/parameters.ts'
import { redirectTo } from '../authorize/respond.ts'
import { signInLogo } from '../authorize/sign-in-purpose.ts'
import { decideConsent, openResponse } from '../consent/consent.ts'
import { createErrorHandler, sealed, sendLogo } from '../http/answers.ts'
import { browserOf, markBrowser } from '../http/browser-cookie.ts'
import type { Pages } from '../http/pages.ts'
import {
  checkReady,
  formText,
  originOf,
  queryParameters,
  queryValue,
  uiLocalesOf
} from '../http/requests.ts'
import { validateStandard } from '../http/validate.ts'
import { OAuthError, oauthError, UnredirectableError } from '../oauth-errors.ts'
import type { Services } from '../services.ts'
import { signInLogoSchema } from './consent-schemas.ts'
import { authorizeByForm, authorizeByQuery, formPostPage } from './protocol-schemas.ts'
import { PRIVATE, type RouteHandler } from './route.ts'

export function authorizeRoutes(services: Services): readonly RouteOptions[] {
  const { settings } = services
  const authorizeBy = (read: (request: FastifyRequest) => Parameters | undefined) =>
    rendered(services.pages, async (request, reply) => {
      sealed(reply)
      checkReady(services)
      const address = addressKey(request.ip)
      await services.limiter.take('authorize', address)
      const parameters = read(request)
      if (parameters === undefined) {
        throw oauthError('tooLarge')
      }
      let browser: string | undefined
      const call = {
        parameters,
        address,
        user: async () => (await settings.resolveUser(request)) ?? null,
        markBrowser: () => {
          browser ??= markBrowser(request, reply, settings)
          return browser
        }
      }
      const answer = await authorize(call, services)
      return send(
        await decided(answer, { request, call }, services),
        request,
        reply,
        services.pages
      )
    })
  return [
    {
      method: 'GET',
      url: '/authorize',
      ...PRIVATE,
      schema: authorizeByQuery,
      handler: authorizeBy(queryParameters)
    },
    {
      method: 'POST',
      url: '/authorize',
      ...PRIVATE,
      schema: authorizeByForm,
      handler: authorizeBy((request) => readParameters(formText(request)))
    },
    {
      method: 'GET',
      url: '/authorize/logo',
      ...PRIVATE,
      errorHandler: createErrorHandler(services.settings, { isOwn: true }),
      schema: signInLogoSchema,
      validatorCompiler: validateStandard,
      async handler(request, reply) {
        await services.limiter.take('authorize', addressKey(request.ip))
        const parameters = queryParameters(request)
        const logo = parameters && (await signInLogo(parameters, services))
        if (logo === undefined) throw oauthError('logoNotFound')
        return sendLogo(reply, logo)
      }
    },
    {
      method: 'GET',
      url: '/response',
      ...PRIVATE,
      schema: formPostPage,
      handler: rendered(services.pages, async (request, reply) => {
        const sent = { sealed: queryValue(request, 'd') ?? '', browser: browserOf(request) }
        const { action, parameters, uiLocales } = await openResponse(sent, services)
        return services.pages.in(uiLocales).formPost(reply, action, parameters)
      })
    }
  ]
}

type SentAnswer = Exclude<LocalAnswer, { kind: 'trust' }>

/** Approves the request of a trusted client, in the browser and for the person that made it. */
async function decided(
  answer: LocalAnswer,
  { request, call }: { readonly request: FastifyRequest; readonly call: AuthorizeCall },
  services: Services
): Promise<SentAnswer> {
  if (answer.kind !== 'trust') return answer
  const { requestId, decision: body } = answer
  const [user, browser, origin] = [await call.user(), call.markBrowser(), originOf(request)]
  const about = { requestId, user, browser, body, origin, isTrusted: true }
  const { redirectTo: address } = await decideConsent(about, services)
  return { kind: 'page', address }
}

function send(
  answer: SentAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
  pages: Pages
): FastifyReply {
  // 303 after a POST, so that the browser does not post the form again.
  const redirect = (address: string) =>
    reply.redirect(address, request.method === 'POST' ? 303 : 302)
  const local = pages.in(answer.uiLocales ?? uiLocalesOf(request))
  switch (answer.kind) {
    case 'render': {
      const error = new UnredirectableError(answer.error, answer.description)
      return local.error(request, reply, error)
    }
    case 'callback': {
      const { to, parameters } = answer
      if (to.mode === 'form_post') return local.formPost(reply, to.redirectUri, parameters)
      return redirect(redirectTo(to.redirectUri, parameters))
    }
    case 'page':
      return redirect(answer.address)
    case 'login_required':
      return local.error(request, reply, oauthError('loginRequired'))
  }
}

/** A person reads these answers, so an error is a page unless the caller prefers JSON. */
function rendered(pages: Pages, handler: RouteHandler): RouteHandler {
  return async (request, reply) => {
    try {
      return await handler(request, reply)
    } catch (error) {
      if (error instanceof OAuthError) {
        return pages.in(uiLocalesOf(request)).error(request, reply, error)
      }
      throw error
    }
  }
}
