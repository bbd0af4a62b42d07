// Userinfo, for access tokens, and the key set, which is public.
import {
  type Credentials,
  challengeOf,
  insufficientScope,
  malformed,
  readCredentials,
  schemeOf
} from '@keelson/protect/rules'
import { refuse } from '@keelson/sdk'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { readParameters } from '../authorize/parameters.ts'
import { oauthErrorBody, sealed } from '../http/answers.ts'
import { corsPolicy } from '../http/origins.ts'
import { formText, isForm, queryParameters } from '../http/requests.ts'
import { KEY_SET_SECONDS } from '../keys/key-ring.ts'
import { OAuthError, refusalError } from '../oauth-errors.ts'
import { checkToken } from '../protection/check-token.ts'
import type { Services } from '../services.ts'
import type { OAuthToken } from '../storage/rows.ts'
import { tenantClaim } from '../tenants/within-tenant.ts'
import { claimsOf, subjectOf } from '../users/claims.ts'
import { jwksSchema, userinfoByForm, userinfoSchema } from './protocol-schemas.ts'
import { configOf, PRIVATE, type RouteHandler } from './route.ts'

type Parts = Pick<Services, 'settings' | 'collections' | 'live' | 'dpop' | 'keys'>

const CHALLENGE = { metadataUrl: undefined, scopes: ['openid'] }
const TOKEN = 'access_token'

export function bearerRoutes(parts: Parts): readonly RouteOptions[] {
  const { settings } = parts
  /** Tokens that were checked before the body was read: a DPoP proof can be checked once only. */
  const checked = new WeakMap<FastifyRequest, OAuthToken>()

  const info: RouteHandler = async (request, reply) => {
    sealed(reply)
    const credentials = credentialsOf(request)
    const token = checked.get(request) ?? (await liveToken(request, credentials, parts))
    return userinfo(token, parts)
  }

  /** A token in the form of a POST is checked by the handler: no body has been read here. */
  const verify = async (request: FastifyRequest) => {
    const credentials = readCredentials(request.headers.authorization)
    if (credentials === undefined && isForm(request)) return 'token in the form'
    try {
      const token = await liveToken(request, credentials, parts)
      checked.set(request, token)
      return { clientId: token.clientId }
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      const headers = { ...error.headers, ...SEALED }
      return refuse({ status: error.status, body: oauthErrorBody(error), headers })
    }
  }

  const config = configOf({ cors: corsPolicy(settings, ['GET', 'POST']), verify })
  const route = { ...PRIVATE, url: '/userinfo', config, handler: info }
  return [
    { ...route, method: 'GET', schema: userinfoSchema },
    { ...route, method: 'POST', schema: userinfoByForm },
    {
      method: 'GET',
      url: '/jwks',
      schema: jwksSchema,
      config: configOf({ cors: corsPolicy(settings, ['GET']) }),
      handler: (_request, reply) => keySet(reply, parts)
    }
  ]
}

const SEALED = { 'cache-control': 'no-store' }

async function keySet(reply: FastifyReply, { keys }: Pick<Parts, 'keys'>): Promise<object> {
  const jwks = await keys.jwks()
  reply.header('cache-control', `public, max-age=${KEY_SET_SECONDS}`)
  return jwks
}

/** @throws the challenge of a token that is missing, dead or unproven */
async function liveToken(
  request: FastifyRequest,
  credentials: Credentials | undefined,
  parts: Pick<Parts, 'settings' | 'live' | 'dpop'>
): Promise<OAuthToken> {
  const access = await checkToken(request, parts, credentials)
  if (access.kind !== 'live') {
    const scheme = credentials?.scheme ?? schemeOf(request.headers.authorization) ?? 'Bearer'
    throw refusalError(challengeOf(access, { ...CHALLENGE, scheme }))
  }
  return access.token
}

async function userinfo(
  { scopes, userId, clientId, contextId }: OAuthToken,
  { settings, collections }: Pick<Parts, 'settings' | 'collections'>
): Promise<object> {
  if (!scopes.includes('openid')) throw refusalError(insufficientScope(CHALLENGE))
  const client = await collections.clients.findOne({ clientId })
  if (client === null) {
    const description = 'The client was deleted.'
    throw refusalError(challengeOf({ kind: 'dead', description }, CHALLENGE))
  }
  const user = await settings.loadUser?.(userId)
  const claims = await claimsOf(user, { scopes, client, contextId }, settings)
  const tenant = await tenantClaim({ userId, client }, settings)
  return { ...claims, ...tenant, sub: subjectOf(userId, client, settings) }
}

/**
 * From the header, or from the form of a POST (RFC 6750 §2.2), which OpenID clients may use here.
 *
 * @throws invalid_request for a token that comes in two ways, or twice
 */
function credentialsOf(request: FastifyRequest): Credentials | undefined {
  const { authorization } = request.headers
  const form = isForm(request) ? readParameters(formText(request)) : NO_PARAMETERS
  if (form === undefined) throw refusalError(malformed('The request is too large.'))
  const inForm = form.all(TOKEN)
  const inQuery = queryParameters(request)?.all(TOKEN) ?? []
  const ways = [authorization === undefined ? [] : [authorization], inForm, inQuery]
  if (ways.flat().length > 1) {
    throw refusalError(malformed('The access token is given more than once.'))
  }
  const [token] = inForm
  return token === undefined ? readCredentials(authorization) : { scheme: 'Bearer', token }
}

const NO_PARAMETERS = readParameters('')
