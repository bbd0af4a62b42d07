// Dynamic client registration (RFC 7591): off unless switched on; open within limits, or behind an initial access token.
import { challengeOf, isSame, readCredentials, schemeOf } from '@keelson/protect/rules'
import { addressKey } from '@keelson/sdk'
import type { FastifyRequest, RouteOptions } from 'fastify'
import type { ClientFields } from '../clients/client-fields.ts'
import { createClientStore } from '../clients/client-store.ts'
import {
  type ClientMetadata,
  fieldsOfMetadata,
  logoutProblem,
  metadataOfClient,
  openFieldsOfMetadata,
  openProblem
} from '../clients/registration-metadata.ts'
import { statusOfNew } from '../clients/status-of-new.ts'
import type { RegistrationSettings } from '../config/settings.ts'
import { hashOf, newHandle } from '../crypto/handles.ts'
import { sealed, wireError } from '../http/answers.ts'
import { corsPolicy } from '../http/origins.ts'
import { checkReady, originOf } from '../http/requests.ts'
import { type OAuthError, oauthError, refusalError } from '../oauth-errors.ts'
import type { Services } from '../services.ts'
import { registerSchema } from './protocol-schemas.ts'
import { configOf } from './route.ts'

/** Whether a registration comes with a right token; without any it may be open. @throws invalid_token */
function hasInitialToken(
  { headers: { authorization } }: FastifyRequest,
  { initialAccessTokens, isOpen }: RegistrationSettings
): boolean {
  const given = readCredentials(authorization)?.token ?? ''
  const matches = initialAccessTokens.map((token) => isSame(token, given))
  if (matches.includes(true)) return true
  if (schemeOf(authorization) !== undefined) {
    const description = 'The initial access token is not valid.'
    const about = { metadataUrl: undefined, scopes: [] }
    throw refusalError(challengeOf({ kind: 'dead', description }, about))
  }
  if (isOpen) return false
  throw oauthError('initialTokenMissing', {
    headers: { 'www-authenticate': 'Bearer' }
  })
}

/** The metadata in a body. @throws invalid_client_metadata */
export function metadataOf({ body }: FastifyRequest): ClientMetadata {
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as ClientMetadata
  throw oauthError('metadataInvalid')
}

/** Names of the API as those of RFC 7591. */
const FIELDS: readonly (readonly [RegExp, string])[] = [
  [/\bredirectUris\b/, 'redirect_uris'],
  [/\bpostLogoutRedirectUris\b/, 'post_logout_redirect_uris'],
  [/\ballowedScopes\b/, 'scope'],
  [/\btokenEndpointAuthMethod\b/, 'token_endpoint_auth_method'],
  [/\bjwksUri\b/, 'jwks_uri'],
  [/\bbackchannelLogoutUri\b/, 'backchannel_logout_uri'],
  [/\bname\b/, 'client_name']
]

/** An error of the table in the words of RFC 7591 §3.2.2. */
export function metadataError(error: unknown): OAuthError {
  const answer = wireError(error)
  if (answer.status >= 500) throw error
  const isUri = answer.description?.includes('redirectUris') === true
  const named = FIELDS.find(([name]) => name.test(answer.description ?? ''))
  const description = named ? answer.description?.replace(...named) : answer.description
  return oauthError(isUri ? 'redirectUriInvalid' : 'metadataInvalid', { description })
}

/** @throws invalid_redirect_uri or invalid_client_metadata, naming the field */
function checkOpen(metadata: ClientMetadata): void {
  const refused = openProblem(metadata)
  if (refused === undefined) return
  const isUri = refused.field === 'redirect_uris'
  const description = `${refused.field} ${refused.problem}.`
  throw oauthError(isUri ? 'redirectUriInvalid' : 'metadataInvalid', { description })
}

/** What the metadata asks for. @throws invalid_redirect_uri or invalid_client_metadata, naming the field */
export function wantedFields(
  metadata: ClientMetadata,
  { isOpen, settings }: { readonly isOpen: boolean; readonly settings: Services['settings'] }
): ClientFields {
  const { scopes, algorithms, hasBackChannelLogout } = settings
  const offer = { catalogue: [...scopes.keys()], algorithms, hasBackChannelLogout }
  if (!isOpen) {
    const problem = logoutProblem(metadata, offer)
    const description = `backchannel_logout_session_required ${problem}.`
    if (problem !== undefined) throw oauthError('metadataInvalid', { description })
    return fieldsOfMetadata(metadata, offer)
  }
  checkOpen(metadata)
  return openFieldsOfMetadata(metadata, offer)
}

async function register(
  request: FastifyRequest,
  registration: RegistrationSettings,
  services: Services
): Promise<object> {
  const { settings } = services
  const isOpen = !hasInitialToken(request, registration)
  const metadata = metadataOf(request)
  if (isOpen) await takeOpen(request, services)
  const fields = wantedFields(metadata, { isOpen, settings })
  const token = newHandle()
  const journal = services.journal.by({ actorId: undefined, ...originOf(request) })
  const clients = createClientStore({ ...services, journal })
  const more = {
    ...statusOfNew(registration.needsApproval),
    registrationTokenHash: hashOf(token),
    ...(isOpen && { unusedUntil: new Date(settings.now().getTime() + registration.unusedMs) })
  }
  const created = await clients.register(fields, more).catch((error: unknown) => {
    throw metadataError(error)
  })
  const { client, clientId, clientSecret } = created
  return {
    ...metadataOfClient(client),
    ...(clientSecret !== undefined && { client_secret: clientSecret, client_secret_expires_at: 0 }),
    registration_access_token: token,
    registration_client_uri: `${settings.base}/register/${encodeURIComponent(clientId)}`
  }
}

/** Counts an open registration, before anything is looked at. */
async function takeOpen({ ip }: FastifyRequest, { limiter }: Services): Promise<void> {
  await limiter.take('register', addressKey(ip))
  await limiter.take('register-all', 'all')
}

export function registrationRoutes(services: Services): readonly RouteOptions[] {
  const { settings, limiter } = services
  return [
    {
      method: 'POST',
      url: '/register',
      schema: registerSchema,
      config: configOf({ cors: corsPolicy(settings, ['POST']) }),
      async handler(request, reply) {
        sealed(reply)
        const { registration } = settings
        if (registration === undefined) throw oauthError('registrationOff')
        checkReady(services)
        await limiter.take('token', addressKey(request.ip))
        const answer = await register(request, registration, services)
        reply.code(201)
        return answer
      }
    }
  ]
}
