// Management of a registration by the client that made it (RFC 7592): read, replace, delete.
import { isSame, readCredentials } from '@keelson/protect/rules'
import { addressKey, refuse, Type } from '@keelson/sdk'
import type { FastifyRequest, RouteOptions } from 'fastify'
import { createClientStore } from '../clients/client-store.ts'
import { metadataOfClient } from '../clients/registration-metadata.ts'
import { hashOf, isHandle } from '../crypto/handles.ts'
import { oauthErrorBody, sealed } from '../http/answers.ts'
import { checkReady, originOf } from '../http/requests.ts'
import { oauthError } from '../oauth-errors.ts'
import type { Services } from '../services.ts'
import type { OAuthClient } from '../storage/rows.ts'
import { registeredClient, registrationBody, withErrors } from './protocol-schemas.ts'
import { metadataError, metadataOf, wantedFields } from './registration-routes.ts'
import { configOf, PRIVATE } from './route.ts'

const params = Type.Object({ clientId: Type.String({ minLength: 1, maxLength: 512 }) })
const CHALLENGE = { 'www-authenticate': 'Bearer error="invalid_token"' }
const invalidToken = () => oauthError('registrationTokenInvalid', { headers: CHALLENGE })

/** The client of an address, for who holds its token. One answer, whether it exists or not. */
async function clientOf(
  request: FastifyRequest,
  { collections, limiter, settings }: Services
): Promise<OAuthClient> {
  if (settings.registration === undefined) throw oauthError('registrationOff')
  const { clientId } = request.params as { clientId: string }
  const token = readCredentials(request.headers.authorization)?.token
  const client = await collections.clients.findOne({ clientId: String(clientId) })
  const known = client?.registrationTokenHash ?? ''
  if (client === null || !isHandle(token) || !isSame(known, hashOf(token))) {
    await limiter.take('token', addressKey(request.ip))
    throw invalidToken()
  }
  await limiter.take('token', `client ${client.clientId}`)
  if (client.status !== 'active') throw oauthError('registrationBlocked')
  return client
}

const storeOf = (request: FastifyRequest, services: Services) => {
  const journal = services.journal.by({ actorId: undefined, ...originOf(request) })
  return createClientStore({ ...services, journal, isClient: true })
}

const registrationOf = async (client: OAuthClient, { clients, settings }: Services) => {
  const known = await clients.get(client.clientId)
  if (known === null) throw invalidToken()
  const uri = `${settings.base}/register/${encodeURIComponent(client.clientId)}`
  return { ...metadataOfClient(known), registration_client_uri: uri }
}

async function replace(request: FastifyRequest, services: Services): Promise<object> {
  const client = await clientOf(request, services)
  const { settings } = services
  const metadata = metadataOf(request)
  if (metadata['client_id'] !== client.clientId) throw oauthError('registrationIdMismatch')
  const wanted = wantedFields(metadata, { isOpen: client.type === 'public', settings })
  // What an administrator took away stays away.
  const { limitedScopes } = client
  const allowedScopes = wanted.allowedScopes.filter((id) => limitedScopes?.includes(id) ?? true)
  const { idTokenAlg, branding, backchannelLogoutUri } = wanted
  const fields = { ...wanted, allowedScopes, idTokenAlg, branding, backchannelLogoutUri }
  // Fields that the new metadata leaves out are removed (RFC 7592 §2.2).
  await storeOf(request, services)
    .update(client.clientId, fields as Parameters<Services['clients']['update']>[1])
    .catch((error: unknown) => {
      throw metadataError(error)
    })
  return registrationOf(client, services)
}

/** Before the body is read: the token itself is checked by the handler. */
function mayHoldToken(request: FastifyRequest): unknown {
  if (readCredentials(request.headers.authorization) !== undefined) return 'token'
  const error = invalidToken()
  const headers = { ...error.headers, 'cache-control': 'no-store' }
  return refuse({ status: error.status, body: oauthErrorBody(error), headers })
}

export function ownRegistrationRoutes(services: Services): readonly RouteOptions[] {
  const config = configOf({ verify: mayHoldToken })
  const shared = { ...PRIVATE, url: '/register/:clientId', config }
  const answered = withErrors({ 200: registeredClient })
  return [
    {
      ...shared,
      method: 'GET',
      schema: { params, response: answered },
      async handler(request, reply) {
        sealed(reply)
        return registrationOf(await clientOf(request, services), services)
      }
    },
    {
      ...shared,
      method: 'PUT',
      schema: { params, body: registrationBody, response: answered },
      async handler(request, reply) {
        sealed(reply)
        checkReady(services)
        return replace(request, services)
      }
    },
    {
      ...shared,
      method: 'DELETE',
      schema: { params, response: withErrors({ 204: Type.Null() }) },
      async handler(request, reply) {
        sealed(reply)
        checkReady(services)
        const { clientId } = await clientOf(request, services)
        await storeOf(request, services).remove(clientId)
        return reply.code(204).send()
      }
    }
  ]
}
