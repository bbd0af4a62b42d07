// RP-initiated logout: ends the host's session when the right client asks, else asks the person.

import { escapeHtml, languageTags } from '@keelson/ui/server'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { type Parameters, readParameters } from '../authorize/parameters.ts'
import { isRegistered } from '../clients/redirect-uris.ts'
import { userIdOf } from '../config/person-id.ts'
import { sealed } from '../http/answers.ts'
import { browserOf, markBrowser } from '../http/browser-cookie.ts'
import { hiddenField, type LocalPages } from '../http/pages.ts'
import { formText, originOf, queryParameters } from '../http/requests.ts'
import { UnredirectableError } from '../oauth-errors.ts'
import type { Services } from '../services.ts'
import type { OAuthClient } from '../storage/rows.ts'
import { subjectOf } from '../users/claims.ts'
import { logoutByForm, logoutByQuery } from './protocol-schemas.ts'
import { PRIVATE } from './route.ts'

export function logoutRoutes(services: Services): readonly RouteOptions[] {
  return [
    {
      method: 'GET',
      url: '/logout',
      ...PRIVATE,
      schema: logoutByQuery,
      handler: (request, reply) => logout(request, reply, queryParameters(request), services)
    },
    {
      method: 'POST',
      url: '/logout',
      ...PRIVATE,
      schema: logoutByForm,
      handler: (request, reply) =>
        logout(request, reply, readParameters(formText(request)), services)
    }
  ]
}

/** A checked logout request. */
interface LogoutRequest {
  readonly client: OAuthClient | undefined
  /** A registered address to go to afterwards, with `state`. */
  readonly address: string | undefined
  /** The person of the id_token_hint is the signed-in one. */
  readonly isKnown: boolean
}

async function logout(
  request: FastifyRequest,
  reply: FastifyReply,
  parameters: Parameters | undefined,
  services: Services
): Promise<FastifyReply> {
  sealed(reply)
  const local = services.pages.in(parameters?.get('ui_locales'))
  const refuse = (description: string) =>
    local.error(request, reply, new UnredirectableError('invalid_request', description))
  if (parameters === undefined) return refuse('The request is too large.')
  const read = await readLogout(request, parameters, services)
  if (typeof read === 'string') return refuse(read)
  const user = await services.settings.resolveUser(request)
  const next = { parameters, read, local }
  if (user === null || user === undefined) return goOn(request, reply, next, services)
  if (!read.isKnown && !(await isConfirmed(request, parameters, services))) {
    return askPerson(request, reply, next, services)
  }
  await services.settings.endSession?.(request, reply)
  const userId = userIdOf(user)
  await services.outbox.endSessions(userId)
  const clientId = read.client === undefined ? {} : { clientId: read.client.clientId }
  await services.journal.audit('logout', {
    actor: 'user',
    userId,
    ...clientId,
    ...originOf(request)
  })
  await services.journal.track({ type: 'oauth.signed_out', userId, ...clientId })
  return goOn(request, reply, next, services)
}

/** What the pages after a checked request are made of. */
interface Answered {
  readonly parameters: Parameters
  readonly read: LogoutRequest
  readonly local: LocalPages
}

/** The request, or why it is refused. */
async function readLogout(
  request: FastifyRequest,
  parameters: Parameters,
  { keys, settings, collections }: Services
): Promise<LogoutRequest | string> {
  const hint = parameters.get('id_token_hint')
  const claims = hint === undefined ? undefined : await keys.readIdToken(hint, settings.issuer)
  if (hint !== undefined && claims === undefined) return 'id_token_hint was not issued here.'
  const [audience] = [claims?.aud ?? []].flat()
  const clientId = parameters.get('client_id') ?? audience
  if (audience !== undefined && clientId !== audience)
    return 'client_id does not match id_token_hint.'
  const client =
    clientId === undefined
      ? undefined
      : ((await collections.clients.findOne({ clientId })) ?? undefined)
  const back = parameters.get('post_logout_redirect_uri')
  if (back !== undefined && !isRegistered(client?.postLogoutRedirectUris ?? [], back)) {
    return 'post_logout_redirect_uri is not registered for this client.'
  }
  const user = await settings.resolveUser(request)
  const isKnown =
    client !== undefined &&
    user !== null &&
    user !== undefined &&
    claims?.sub === subjectOf(userIdOf(user), client, settings)
  return { client, isKnown, address: withState(back, parameters.get('state')) }
}

function withState(address: string | undefined, state: string | undefined): string | undefined {
  if (address === undefined || state === undefined) return address
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams({ state })}`
}

function goOn(
  request: FastifyRequest,
  reply: FastifyReply,
  { parameters, read: { address }, local }: Answered,
  { settings }: Services
): FastifyReply {
  if (address !== undefined) return reply.redirect(address, request.method === 'POST' ? 303 : 302)
  const { loginUrl, branding } = settings
  const { texts } = local
  const again =
    loginUrl === undefined
      ? ''
      : `<p class="actions"><a class="button" href="${escapeHtml(withLanguages(loginUrl, parameters))}">${escapeHtml(texts.signInAgain)}</a></p>`
  return local.send(reply.code(200), {
    title: texts.signedOutTitle,
    body: `<h1>${escapeHtml(texts.signedOut)}</h1><p>${escapeHtml(texts.sessionEnded(branding.name))}</p>${again}`
  })
}

/** The sign-in page in the language of the request. */
function withLanguages(loginUrl: string, parameters: Parameters): string {
  const uiLocales = languageTags(parameters.get('ui_locales')).join(' ')
  if (uiLocales === '') return loginUrl
  const query = new URLSearchParams({ ui_locales: uiLocales })
  return `${loginUrl}${loginUrl.includes('?') ? '&' : '?'}${query}`
}

/** Bound to the browser, so that no other page can confirm. */
async function isConfirmed(
  request: FastifyRequest,
  parameters: Parameters,
  { secret, settings }: Services
): Promise<boolean> {
  const claims = await secret.open(parameters.get('confirm') ?? '', 'logout', settings.now())
  return (
    request.method === 'POST' && claims !== undefined && claims['browser'] === browserOf(request)
  )
}

const CONFIRM_SECONDS = 600

async function askPerson(
  request: FastifyRequest,
  reply: FastifyReply,
  { parameters: { pairs }, read: { client }, local }: Answered,
  { secret, settings }: Services
): Promise<FastifyReply> {
  const browser = markBrowser(request, reply, settings)
  const confirm = await secret.seal({ browser }, 'logout', settings.now(), CONFIRM_SECONDS)
  const kept = pairs.filter(([name]) => name !== 'confirm')
  const fields = [...kept, ['confirm', confirm] as const].map(([name, value]) =>
    hiddenField(name, value)
  )
  const action = `${new URL(settings.base).pathname.replace(/\/$/, '')}/logout`
  const { texts } = local
  const asks =
    client === undefined ? texts.signOutAskedByApplication : texts.signOutAsked(client.name)
  return local.send(reply.code(200), {
    title: texts.signOutTitle,
    body: `<h1>${escapeHtml(texts.signOutOf(settings.branding.name))}</h1><p>${escapeHtml(asks)}</p><form class="actions" method="post" action="${escapeHtml(action)}">${fields.join('')}<button>${escapeHtml(texts.signOut)}</button><a href="${escapeHtml(settings.issuerOrigin)}/">${escapeHtml(texts.staySignedIn)}</a></form>`
  })
}
