// Dynamic client registration (RFC 7591): off unless switched on, and then behind an initial access token.
import { addressKey } from '@keelson/sdk'

import type { FastifyRequest } from 'fastify'
import type { ClientFields } from '../clients/client-fields.ts'
import { createClientStore } from '../clients/client-store.ts'
import { isSame } from '../crypto/handles.ts'
import { sealed, wireError } from '../http/answers.ts'
import { checkReady, originOf } from '../http/requests.ts'
import { oauthError } from '../oauth-errors.ts'
import { challengeOf } from '../protection/challenge.ts'
import { readCredentials, schemeOf } from '../protection/read-credentials.ts'
import type { Services } from '../services.ts'
import { registerSchema } from './protocol-schemas.ts'
import type { ProtocolRoute } from './route.ts'

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** The metadata of a registration as the fields of a client. Pure. */
export function fieldsOfMetadata(
  metadata: Readonly<Record<string, unknown>>,
  catalogue: readonly string[]
): ClientFields {
  const method = text(metadata['token_endpoint_auth_method']) ?? 'client_secret_basic'
  const scope = text(metadata['scope'])?.split(' ').filter(Boolean)
  const branding = Object.entries({
    logoUrl: metadata['logo_uri'],
    homepageUrl: metadata['client_uri'],
    tosUrl: metadata['tos_uri'],
    privacyUrl: metadata['policy_uri']
  }).filter(([, value]) => text(value) !== undefined)
  const logout = metadata['post_logout_redirect_uris']
  return {
    name: text(metadata['client_name']) ?? 'Registered client',
    redirectUris: metadata['redirect_uris'] as readonly string[],
    allowedScopes: scope ?? catalogue,
    type: method === 'none' ? 'public' : 'confidential',
    tokenEndpointAuthMethod: method as NonNullable<ClientFields['tokenEndpointAuthMethod']>,
    ...(logout !== undefined && { postLogoutRedirectUris: logout as readonly string[] }),
    ...(metadata['jwks'] !== undefined && { jwks: metadata['jwks'] as { keys: [] } }),
    ...(metadata['jwks_uri'] !== undefined && { jwksUri: String(metadata['jwks_uri']) }),
    ...(metadata['dpop_bound_access_tokens'] === true && { dpopBoundAccessTokens: true }),
    ...(metadata['id_token_signed_response_alg'] === 'RS256' && { idTokenAlg: 'RS256' as const }),
    ...(branding.length > 0 && { branding: Object.fromEntries(branding) })
  }
}

function checkInitialToken(request: FastifyRequest, tokens: readonly string[]): void {
  const { authorization } = request.headers
  const given = readCredentials(authorization)?.token ?? ''
  const matches = tokens.map((token) => isSame(token, given))
  if (matches.includes(true)) return
  if (schemeOf(authorization) !== undefined) {
    const description = 'The initial access token is not valid.'
    throw challengeOf({ kind: 'dead', description }, { metadataUrl: undefined, scopes: [] })
  }
  throw oauthError('initialTokenMissing', {
    headers: { 'www-authenticate': 'Bearer' }
  })
}

async function register(request: FastifyRequest, services: Services): Promise<object> {
  const { settings } = services
  const metadata = request.body
  if (typeof metadata !== 'object' || metadata === null) throw oauthError('metadataInvalid')
  const fields = fieldsOfMetadata(metadata as Record<string, unknown>, [...settings.scopes.keys()])
  const journal = services.journal.by({ actorId: undefined, ...originOf(request) })
  const clients = createClientStore({ ...services, journal })
  const created = await clients.register(fields, 'dynamic').catch((error: unknown) => {
    const answer = wireError(error)
    if (answer.status >= 500) throw error
    const isUri = answer.description?.includes('redirectUris') === true
    const { description } = answer
    throw oauthError(isUri ? 'redirectUriInvalid' : 'metadataInvalid', { description })
  })
  const { client, clientId, clientSecret } = created
  return {
    client_id: clientId,
    client_id_issued_at: Math.floor(settings.now().getTime() / 1000),
    ...(clientSecret !== undefined && { client_secret: clientSecret, client_secret_expires_at: 0 }),
    client_name: client.name,
    redirect_uris: client.redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    scope: client.allowedScopes.join(' '),
    token_endpoint_auth_method: client.tokenEndpointAuthMethod
  }
}

export function registrationRoutes(services: Services): readonly ProtocolRoute[] {
  const { settings, limiter } = services
  return [
    {
      method: 'POST',
      path: '/register',
      schema: registerSchema,
      async handler(request, reply) {
        sealed(reply)
        if (settings.initialAccessTokens === undefined) {
          throw oauthError('registrationOff')
        }
        checkReady(services)
        await limiter.take('token', addressKey(request.ip))
        checkInitialToken(request, settings.initialAccessTokens)
        const answer = await register(request, services)
        reply.code(201)
        return answer
      }
    }
  ]
}
