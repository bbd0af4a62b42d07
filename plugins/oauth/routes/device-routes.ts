// The device flow (RFC 8628): what a device asks for, and the page where a person types its code.
import { addressKey, Type } from '@keelson/sdk'
import { escapeHtml } from '@keelson/ui/server'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { say } from '../attempts/sentences.ts'
import { openConsent } from '../authorize/open-consent.ts'
import { readParameters } from '../authorize/parameters.ts'
import { requestedTarget } from '../authorize/scopes.ts'
import { DEVICE_CODE, grantsOf } from '../clients/grant-types.ts'
import { userIdOf } from '../config/person-id.ts'
import { deviceCallback, findDevice, openDevice } from '../devices/devices.ts'
import { readUserCode, shownUserCode } from '../devices/user-code.ts'
import { sealed } from '../http/answers.ts'
import { markBrowser } from '../http/browser-cookie.ts'
import { corsPolicy } from '../http/origins.ts'
import {
  checkOrigin,
  checkReady,
  FORM,
  formText,
  queryParameters,
  uiLocalesOf
} from '../http/requests.ts'
import { OAuthError, oauthError } from '../oauth-errors.ts'
import type { Services } from '../services.ts'
import type { OAuthClient, StoredDevice } from '../storage/rows.ts'
import { judgeTenant } from '../tenants/within-tenant.ts'
import { callOf } from './client-routes.ts'
import { deviceSchema, rendered } from './protocol-schemas.ts'
import { configOf, PRIVATE, type RouteHandler, type RouteSchema } from './route.ts'

async function authorizeDevice(request: FastifyRequest, reply: FastifyReply, services: Services) {
  const { settings, attempts } = services
  if (settings.device === undefined) throw oauthError('deviceOff')
  const { client, form, resources } = await callOf('device', request, reply, services)
  if (!grantsOf(client).includes(DEVICE_CODE)) throw oauthError('grantTypeForbidden')
  const target = requestedTarget(form.get('scope'), resources, client, settings)
  if (!target.ok) throw new OAuthError(400, target.error, target.description)
  const attemptId = attempts.begin(client.clientId)
  attempts.note(attemptId, 'device', 'waiting', say('attempt.deviceWaits'))
  const { scopes, resources: ids } = target
  const opened = await openDevice({ client, scopes, resources: ids, attemptId }, services)
  const shown = shownUserCode(opened.userCode)
  const uri = `${settings.base}/device`
  return {
    device_code: opened.deviceCode,
    user_code: shown,
    verification_uri: uri,
    verification_uri_complete: `${uri}?user_code=${shown}`,
    expires_in: settings.device.ttlSeconds,
    interval: settings.device.intervalSeconds
  }
}

/** The page with the field for the code, which a link from the device may have filled. */
function form(
  request: FastifyRequest,
  reply: FastifyReply,
  { code, isWrong }: { readonly code: string; readonly isWrong: boolean },
  { pages, settings }: Services
): FastifyReply {
  const local = pages.in(uiLocalesOf(request))
  const { texts } = local
  const action = new URL(deviceCallback(settings)).pathname
  const problem = isWrong ? `<p role="alert">${escapeHtml(texts.deviceWrong)}</p>` : ''
  return local.send(reply.code(isWrong ? 400 : 200), {
    title: texts.deviceTitle,
    body: `<h1>${escapeHtml(texts.deviceTitle)}</h1>
<p>${escapeHtml(texts.deviceText)}</p>${problem}
<form method="post" action="${escapeHtml(action)}">
<p><label for="code">${escapeHtml(texts.deviceCode)}</label><br>
<input id="code" name="user_code" value="${escapeHtml(code)}" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="40" required></p>
<p class="quiet">${escapeHtml(texts.deviceWarning)}</p>
<p class="actions"><button>${escapeHtml(texts.continue)}</button></p>
</form>`
  })
}

/** Where a person signs in who comes back here with the code. */
function loginAddress(code: string, { settings }: Services): string | undefined {
  const { loginUrl, returnParam, issuerOrigin } = settings
  if (loginUrl === undefined) return undefined
  const target = new URL(loginUrl, issuerOrigin)
  const own = new URL(deviceCallback(settings))
  if (code !== '') own.searchParams.set('user_code', code)
  const isSame = target.origin === issuerOrigin
  target.searchParams.set(returnParam, isSame ? `${own.pathname}${own.search}` : own.href)
  return isSame ? `${target.pathname}${target.search}` : target.href
}

async function showForm(request: FastifyRequest, reply: FastifyReply, services: Services) {
  sealed(reply)
  if (services.settings.device === undefined) throw oauthError('deviceOff')
  await services.limiter.take('device', addressKey(request.ip))
  const typed = readUserCode(queryParameters(request)?.get('user_code') ?? '')
  const code = typed === undefined ? '' : shownUserCode(typed)
  const user = await services.settings.resolveUser(request)
  if (user !== null && user !== undefined) {
    return form(request, reply, { code, isWrong: false }, services)
  }
  const login = loginAddress(code, services)
  if (login === undefined) throw oauthError('loginRequired')
  return reply.redirect(login, 302)
}

/** The typed code leads to the page of consent, as for any other client. */
async function takeCode(request: FastifyRequest, reply: FastifyReply, services: Services) {
  sealed(reply)
  const { settings, limiter, collections } = services
  if (settings.device === undefined) throw oauthError('deviceOff')
  checkReady(services)
  checkOrigin(request, settings)
  // Codes are short: who guesses them is slowed down, at each address and signed in as a person.
  await limiter.take('device', addressKey(request.ip))
  const user = await settings.resolveUser(request)
  const typed = readParameters(formText(request))?.get('user_code') ?? ''
  if (user === null || user === undefined) {
    const login = loginAddress(typed.slice(0, 40), services)
    if (login === undefined) throw oauthError('loginRequired')
    return reply.redirect(login, 303)
  }
  await limiter.take('device', `person:${userIdOf(user)}`)
  const userCode = readUserCode(typed)
  const device = userCode === undefined ? undefined : await findDevice(userCode, services)
  const client =
    device && (await collections.clients.findOne({ clientId: device.clientId, status: 'active' }))
  if (device === undefined || client === null || client === undefined) {
    return form(request, reply, { code: typed.slice(0, 40), isWrong: true }, services)
  }
  const browser = markBrowser(request, reply, settings)
  const { scopes } = device
  const verdict = await judgeTenant({ userId: userIdOf(user), client, scopes }, services)
  if (!verdict.ok) throw oauthError('tenantForbids', { description: verdict.reason })
  const own = { ...device, scopes: verdict.scopes }
  const asked = { ...requestOf(own, client, services), user, browser, isTrusted: false }
  const { address } = await openConsent(asked, services)
  return reply.redirect(address, 303)
}

/** The request of a device as the page of consent takes it. */
function requestOf(device: StoredDevice, client: OAuthClient, { settings }: Services) {
  const { scopes, resources, attemptId } = device
  const none = undefined
  const request = {
    redirectUri: deviceCallback(settings),
    state: none,
    mode: 'query' as const,
    clientId: client.clientId,
    scopes,
    resources,
    codeChallenge: none,
    nonce: none,
    prompts: [],
    maxAge: none,
    loginHint: none,
    uiLocales: none,
    idTokenHint: none,
    dpopJkt: none
  }
  return { client, request, attemptId, deviceId: device._id }
}

/** What the person sees in the end: the answer is on the device. */
function done(request: FastifyRequest, reply: FastifyReply, services: Services): FastifyReply {
  const local = services.pages.in(uiLocalesOf(request))
  const { texts } = local
  const isApproved = queryParameters(request)?.get('result') === 'approved'
  const title = isApproved ? texts.deviceAllowed : texts.deviceDenied
  return local.send(reply, {
    title,
    body: `<h1>${escapeHtml(title)}</h1>\n<p>${escapeHtml(texts.deviceBack)}</p>`
  })
}

const pageSchema: RouteSchema = { response: rendered }
const codeSchema: RouteSchema = {
  ...pageSchema,
  body: Type.Object({ user_code: Type.Optional(Type.String()) }),
  consumes: [FORM]
}

/** Errors are read by a person. */
const forPeople =
  (
    services: Services,
    handler: (request: FastifyRequest, reply: FastifyReply, services: Services) => Promise<unknown>
  ): RouteHandler =>
  async (request, reply) => {
    try {
      return await handler(request, reply, services)
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      return services.pages.in(uiLocalesOf(request)).error(request, reply, error)
    }
  }

export function deviceRoutes(services: Services): readonly RouteOptions[] {
  return [
    {
      method: 'POST',
      url: '/device_authorization',
      schema: deviceSchema,
      config: configOf({ cors: corsPolicy(services.settings, ['POST']) }),
      handler: (request, reply) => authorizeDevice(request, reply, services)
    },
    {
      method: 'GET',
      url: '/device',
      ...PRIVATE,
      schema: pageSchema,
      handler: forPeople(services, showForm)
    },
    {
      method: 'POST',
      url: '/device',
      ...PRIVATE,
      schema: codeSchema,
      handler: forPeople(services, takeCode)
    },
    {
      method: 'GET',
      url: '/device/done',
      ...PRIVATE,
      schema: pageSchema,
      handler: forPeople(services, async (request, reply) => done(request, reply, services))
    }
  ]
}
