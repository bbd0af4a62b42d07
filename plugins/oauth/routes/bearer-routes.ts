// What is read with an access token or with nothing: userinfo and the key set.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readParameters } from '../authorize/parameters.ts'
import { allowOrigin, answerPreflight, sealed } from '../http/answers.ts'
import { formText, isForm, queryParameters } from '../http/requests.ts'
import { KEY_SET_SECONDS } from '../keys/key-ring.ts'
import { challengeOf, insufficientScope, malformed } from '../protection/challenge.ts'
import { checkAccess } from '../protection/check-access.ts'
import { type Credentials, readCredentials } from '../protection/read-credentials.ts'
import type { Services } from '../services.ts'
import { claimsOf, subjectOf } from '../users/claims.ts'
import type { ProtocolRoute } from './route.ts'

const ABOUT = { metadataUrl: undefined, scopes: ['openid'] }

async function userinfo(
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services
): Promise<object> {
  sealed(reply)
  const { settings, collections } = services
  allowOrigin(request, reply, settings)
  const credentials = credentialsOf(request)
  const access = await checkAccess(request, [settings.issuerOrigin], services, credentials)
  if (access.kind !== 'live') throw challengeOf(access, ABOUT)
  const { scopes, userId, clientId } = access.token
  if (!scopes.includes('openid')) throw insufficientScope(ABOUT)
  const client = await collections.clients.findOne({ clientId })
  if (client === null)
    throw challengeOf({ kind: 'dead', description: 'The client is gone.' }, ABOUT)
  const user = await settings.loadUser?.(userId)
  const claims = await claimsOf(user, { scopes, clientId }, settings)
  return { ...claims, sub: subjectOf(userId, client, settings) }
}

/**
 * From the header, or from the form of a POST (RFC 6750 §2.2), which OpenID clients may use here.
 *
 * @throws invalid_request for a token that comes in two ways, or twice
 */
function credentialsOf(request: FastifyRequest): Credentials | undefined {
  const { authorization } = request.headers
  const form = isForm(request) ? readParameters(formText(request)) : NO_PARAMETERS
  if (form === undefined) throw malformed('The request is too large.')
  const inForm = form.all(TOKEN)
  const inQuery = queryParameters(request)?.all(TOKEN) ?? []
  const ways = [authorization === undefined ? [] : [authorization], inForm, inQuery]
  if (ways.flat().length > 1) throw malformed('The access token is given more than once.')
  const [token] = inForm
  return token === undefined ? readCredentials(authorization) : { scheme: 'Bearer', token }
}

const TOKEN = 'access_token'
const NO_PARAMETERS = readParameters('')

export function bearerRoutes(services: Services): readonly ProtocolRoute[] {
  const { settings, keys } = services
  const info: ProtocolRoute['handler'] = (request, reply) => userinfo(request, reply, services)
  return [
    { method: 'GET', path: '/userinfo', handler: info },
    { method: 'POST', path: '/userinfo', handler: info },
    {
      method: 'OPTIONS',
      path: '/userinfo',
      handler: async (request, reply) =>
        answerPreflight(request, reply, settings, 'GET, POST, OPTIONS')
    },
    {
      method: 'GET',
      path: '/jwks',
      async handler(request, reply) {
        allowOrigin(request, reply, settings)
        const jwks = await keys.jwks()
        reply.header('cache-control', `public, max-age=${KEY_SET_SECONDS}`)
        return jwks
      }
    },
    {
      method: 'OPTIONS',
      path: '/jwks',
      handler: async (request, reply) => answerPreflight(request, reply, settings, 'GET, OPTIONS')
    }
  ]
}
