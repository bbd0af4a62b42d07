// The routes that clients call with their own credentials: token, revoke, introspect, par.
import { addressKey, refuse } from '@keelson/sdk'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Parameters } from '../authorize/parameters.ts'
import { keepPushed } from '../authorize/pushed.ts'
import { readRequest } from '../authorize/read-request.ts'
import {
  type Authenticated,
  authenticateClient,
  type Presented,
  readPresented,
  refusal
} from '../clients/authenticate.ts'
import {
  DEVICE_CODE,
  grantsOf,
  grantTypesOf,
  JWT_BEARER,
  TOKEN_EXCHANGE
} from '../clients/grant-types.ts'
import { hashOf, isHandle } from '../crypto/handles.ts'
import { oauthErrorBody, sealed } from '../http/answers.ts'
import { corsPolicy } from '../http/origins.ts'
import { checkReady, isForm, originOf, readForm } from '../http/requests.ts'
import { OAuthError, oauthError } from '../oauth-errors.ts'
import { isStrict } from '../proofs/strict.ts'
import type { Services } from '../services.ts'
import type { OAuthClient } from '../storage/rows.ts'
import { grantToService } from '../tokens/client-credentials.ts'
import { exchangeAssertion } from '../tokens/exchange-assertion.ts'
import { exchangeCode } from '../tokens/exchange-code.ts'
import { exchangeDevice } from '../tokens/exchange-device.ts'
import { introspect } from '../tokens/introspect.ts'
import { issueIdJag } from '../tokens/issue-id-jag.ts'
import type { TokenResponse } from '../tokens/mint.ts'
import { refresh } from '../tokens/refresh.ts'
import { revokeToken } from '../tokens/revoke.ts'
import type { TokenRequest } from '../tokens/token-request.ts'
import { introspectSchema, parSchema, revokeSchema, tokenSchema } from './protocol-schemas.ts'
import { configOf, type RouteSchema } from './route.ts'

/** A call to a client route whose client is authenticated. */
interface AuthenticatedCall extends Authenticated {
  readonly form: ReadonlyMap<string, string>
  readonly resources: readonly string[]
  readonly parameters: Parameters
  /** What counted the call, for one that counts otherwise when it succeeds. */
  readonly countedAs: string
}

type ClientStep = 'token' | 'revoke' | 'introspect' | 'par' | 'device'

/** Reads, limits, authenticates: the same for every client route. */
export async function callOf(
  step: ClientStep,
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services
): Promise<AuthenticatedCall> {
  sealed(reply)
  checkReady(services)
  const address = addressKey(request.ip)
  const read = await failuresCounted(address, services, async () => readForm(request))
  const presented = await failuresCounted(address, services, () =>
    presentedBy(step, request, read.form, services)
  )
  const authenticated = await authenticateClient(presented, services)
  const { limiter } = services
  if (authenticated.kind === 'refused') {
    await limiter.take('token', address)
    const { clientId, reason } = authenticated
    await noteRefusal(step, { clientId, reason, form: read.form }, services)
    throw refusal()
  }
  const { clientId } = authenticated.client
  // A proven client is limited by itself, and not with others at the same address. A public one is an
  // existing client at an address: neither strangers elsewhere nor other clients use up its limit.
  const { isProven } = authenticated
  const countedAs = isProven ? `client ${clientId}` : `public ${clientId} ${address}`
  await limiter.take(isProven && step === 'introspect' ? step : 'token', countedAs)
  return { ...read, ...authenticated, countedAs }
}

/** Counts a request that cannot be read for its address. @throws its error, or too_many_requests */
async function failuresCounted<T>(
  address: string,
  { limiter }: Pick<Services, 'limiter'>,
  work: () => Promise<T>
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await limiter.take('token', address)
    throw error
  }
}

interface Refused {
  readonly clientId: string | undefined
  /** In words. */
  readonly reason: string
  readonly form: ReadonlyMap<string, string>
}

/**
 * Records a refusal for the diagnostics of the client: with the earlier steps where it sent a code of its
 * own, else as an attempt by itself.
 */
async function noteRefusal(
  step: ClientStep,
  { clientId, reason, form }: Refused,
  { attempts, collections }: Services
): Promise<void> {
  if (clientId === undefined) return
  const code = form.get('code')
  const row = isHandle(code)
    ? await collections.codes.findOne({ codeHash: hashOf(code), clientId })
    : null
  const attemptId = row?.attemptId ?? attempts.begin(clientId)
  attempts.note(attemptId, step, 'refused', reason)
}

/** @throws invalid_client or invalid_request, recorded when the named client exists. */
async function presentedBy(
  step: ClientStep,
  request: FastifyRequest,
  form: ReadonlyMap<string, string>,
  services: Services
): Promise<Presented> {
  try {
    return readPresented(request.headers.authorization, form)
  } catch (error) {
    const claimed = form.get('client_id') ?? ''
    const client = await services.collections.clients.findOne({ clientId: claimed })
    if (client !== null && error instanceof OAuthError) {
      await noteRefusal(step, { clientId: claimed, reason: error.message, form }, services)
    }
    throw error
  }
}

/** The key that a DPoP proof was made with. @throws invalid_dpop_proof, use_dpop_nonce */
async function proofOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { path, client }: { readonly path: string; readonly client: OAuthClient },
  { dpop, settings }: Services
): Promise<string | undefined> {
  const result = await dpop.check({
    header: request.headers['dpop'],
    method: 'POST',
    addresses: [`${settings.base}${path}`],
    isStrict: isStrict(client)
  })
  if (settings.requiresDpopNonce) reply.headers(await nonceHeader(dpop))
  if (result.kind === 'none') return undefined
  if (result.kind === 'proven') return result.jkt
  const headers = result.error === 'use_dpop_nonce' ? await nonceHeader(dpop) : {}
  throw new OAuthError(400, result.error, result.description, { headers })
}

async function nonceHeader(dpop: Services['dpop']): Promise<Record<string, string>> {
  const nonce = await dpop.nonce()
  return nonce === undefined ? {} : { 'dpop-nonce': nonce }
}

/** The proof at the token endpoint. An invalid one is recorded; a missing nonce is not. */
async function tokenProof(
  request: FastifyRequest,
  reply: FastifyReply,
  { client, form }: Pick<AuthenticatedCall, 'client' | 'form'>,
  services: Services
): Promise<string | undefined> {
  try {
    const jkt = await proofOf(request, reply, { path: '/token', client }, services)
    if (jkt !== undefined || client.dpopBoundAccessTokens !== true) return jkt
    throw oauthError('dpopKeyMissing')
  } catch (error) {
    if (error instanceof OAuthError && error.code === 'invalid_dpop_proof') {
      const { clientId } = client
      await noteRefusal('token', { clientId, reason: error.message, form }, services)
    }
    throw error
  }
}

/**
 * Clients that say nothing of their grants know those of a person who signs in: to them another one is as
 * good as off.
 *
 * @throws unsupported_grant_type, unauthorized_client
 */
function checkGrantType(grantType: string, client: OAuthClient, { settings }: Services): void {
  const isOn = grantTypesOf(settings).some((one) => one === grantType)
  if (isOn && grantsOf(client).some((one) => one === grantType)) return
  const isNamed = isOn && client.grantTypes !== undefined
  throw oauthError(isNamed ? 'grantTypeForbidden' : 'grantTypeUnsupported')
}

async function token(request: FastifyRequest, reply: FastifyReply, services: Services) {
  const called = await callOf('token', request, reply, services)
  const { client, form, resources, countedAs, isProven } = called
  const grantType = form.get('grant_type')
  if (grantType === undefined) throw oauthError('grantTypeMissing')
  checkGrantType(grantType, client, services)
  const jkt = await tokenProof(request, reply, { client, form }, services)
  const call = { client, form, resources, jkt, origin: originOf(request) }
  if (grantType === JWT_BEARER) return exchangeAssertion(call, services)
  if (grantType === TOKEN_EXCHANGE) return issueIdJag(call, services)
  if (grantType === DEVICE_CODE) return exchangeDevice(call, services)
  if (grantType === 'client_credentials') return grantToService(call, services)
  // A vendor's cloud acts for many people: what succeeds counts for their grants, and within this limit.
  if (isProven) await services.limiter.take('people', countedAs)
  const answer = await (grantType === 'refresh_token'
    ? refreshNoted(call, services)
    : exchangeCode(call, services))
  services.limiter.giveBack('token', countedAs)
  return answer
}

const refreshNoted = (call: TokenRequest, services: Services): Promise<TokenResponse> =>
  refresh(call, services).catch(async (error: unknown) => {
    if (error instanceof OAuthError) {
      const { client, form } = call
      const reason = `Refresh: ${error.message}`
      await noteRefusal('token', { clientId: client.clientId, reason, form }, services)
    }
    throw error
  })

async function revoke(request: FastifyRequest, reply: FastifyReply, services: Services) {
  const { client, form } = await callOf('revoke', request, reply, services)
  const value = form.get('token')
  if (value === undefined) throw oauthError('tokenMissing')
  await revokeToken(value, client, originOf(request), services)
  return {}
}

async function introspection(request: FastifyRequest, reply: FastifyReply, services: Services) {
  const { client, form, isProven } = await callOf('introspect', request, reply, services)
  if (!isProven) {
    throw oauthError('clientPublic')
  }
  const value = form.get('token')
  if (value === undefined) throw oauthError('tokenMissing')
  return introspect(value, client, services)
}

async function push(request: FastifyRequest, reply: FastifyReply, services: Services) {
  const { client, form, parameters } = await callOf('par', request, reply, services)
  if (form.get('request_uri') !== undefined) {
    throw oauthError('pushedUriGiven')
  }
  const read = readRequest(parameters, client, services.settings, { isPushed: true })
  if (read.kind !== 'request') throw new OAuthError(400, read.error, read.description)
  const jkt = await proofOf(request, reply, { path: '/par', client }, services)
  if (jkt !== undefined && read.request.dpopJkt !== undefined && jkt !== read.request.dpopJkt) {
    throw oauthError('dpopKeyMismatch')
  }
  const requestUri = await keepPushed(parameters, client.clientId, jkt, services)
  reply.code(201)
  return { request_uri: requestUri, expires_in: services.settings.ttl.pushedRequest }
}

/**
 * Before the body is read: a caller of introspection sends its credentials in the header or in a form. What
 * they are worth is checked by the handler, together with the body.
 */
function mayHoldCredentials(request: FastifyRequest): unknown {
  if (request.headers.authorization !== undefined || isForm(request)) return 'credentials'
  const error = refusal()
  const headers = { ...error.headers, 'cache-control': 'no-store' }
  return refuse({ status: error.status, body: oauthErrorBody(error), headers })
}

type ClientHandler = (
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services
) => Promise<unknown>

export function clientRoutes(services: Services): readonly RouteOptions[] {
  const cors = corsPolicy(services.settings, ['POST'])
  const post = (url: string, schema: RouteSchema, handler: ClientHandler): RouteOptions => ({
    method: 'POST',
    url,
    schema,
    config: configOf({ cors }),
    handler: (request, reply) => handler(request, reply, services)
  })
  return [
    post('/token', tokenSchema, token),
    post('/revoke', revokeSchema, revoke),
    {
      ...post('/introspect', introspectSchema, introspection),
      config: configOf({ cors, verify: mayHoldCredentials })
    },
    post('/par', parSchema, push)
  ]
}
