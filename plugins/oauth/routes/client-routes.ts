// The routes that clients call with their own credentials: token, revoke, introspect, par.

import { addressKey } from '@keelson/sdk'
import type { FastifyReply, FastifyRequest } from 'fastify'
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
import { hashOf, isHandle } from '../crypto/handles.ts'
import { allowOrigin, answerPreflight, sealed } from '../http/answers.ts'
import { checkReady, originOf, readForm } from '../http/requests.ts'
import { invalidRequest, OAuthError } from '../oauth-errors.ts'
import type { Services } from '../services.ts'
import { exchangeCode } from '../tokens/exchange-code.ts'
import { introspect } from '../tokens/introspect.ts'
import { refresh } from '../tokens/refresh.ts'
import { revokeToken } from '../tokens/revoke.ts'
import type { ProtocolRoute } from './route.ts'

interface Called extends Authenticated {
  readonly form: ReadonlyMap<string, string>
  readonly resources: readonly string[]
  readonly parameters: Parameters
}

type ClientStep = 'token' | 'revoke' | 'introspect' | 'par'

/** Reads, limits, authenticates: the same for every client route. */
async function callOf(
  step: ClientStep,
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services
): Promise<Called> {
  sealed(reply)
  allowOrigin(request, reply, services.settings)
  checkReady(services)
  const { limiter } = services
  const address = addressKey(request.ip)
  await limiter.take('token', address)
  const read = readForm(request)
  const presented = await presentedBy(step, request, read.form, services)
  const authenticated = await authenticateClient(presented, services)
  if (authenticated.kind === 'refused') {
    const { clientId, reason } = authenticated
    await noteRefusal(step, { clientId, reason, form: read.form }, services)
    throw refusal()
  }
  if (authenticated.isProven) {
    // Who is proven counts by itself: neighbours at one address do not take each other's share.
    limiter.giveBack('token', address)
    const bucket = step === 'introspect' ? step : 'token'
    await limiter.take(bucket, `client ${authenticated.client.clientId}`)
  }
  return { ...read, ...authenticated }
}

interface Refused {
  readonly clientId: string | undefined
  /** In words. */
  readonly reason: string
  readonly form: ReadonlyMap<string, string>
}

/**
 * What the client was not told, on its diagnostics: beside the steps before it where it brought a code
 * of its own, else as an attempt by itself.
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

/** @throws invalid_client or invalid_request, noted where the client that is named is there. */
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
  path: string,
  { dpop, settings }: Services
): Promise<string | undefined> {
  const result = await dpop.check({
    header: request.headers['dpop'],
    method: 'POST',
    addresses: [`${settings.base}${path}`]
  })
  if (settings.requiresDpopNonce) reply.header('dpop-nonce', await dpop.nonce())
  if (result.kind === 'none') return undefined
  if (result.kind === 'proven') return result.jkt
  const headers: Record<string, string> =
    result.error === 'use_dpop_nonce' ? { 'dpop-nonce': await dpop.nonce() } : {}
  throw new OAuthError(400, result.error, result.description, { headers })
}

/** The proof at the token endpoint; one that is wrong is noted, but not that it needs our nonce first. */
async function tokenProof(
  request: FastifyRequest,
  reply: FastifyReply,
  { client, form }: Pick<Called, 'client' | 'form'>,
  services: Services
): Promise<string | undefined> {
  try {
    const jkt = await proofOf(request, reply, '/token', services)
    if (jkt !== undefined || client.dpopBoundAccessTokens !== true) return jkt
    throw new OAuthError(400, 'invalid_dpop_proof', 'This client must prove a key.')
  } catch (error) {
    if (error instanceof OAuthError && error.code === 'invalid_dpop_proof') {
      const { clientId } = client
      await noteRefusal('token', { clientId, reason: error.message, form }, services)
    }
    throw error
  }
}

async function token(request: FastifyRequest, reply: FastifyReply, services: Services) {
  const { client, form, resources } = await callOf('token', request, reply, services)
  const grantType = form.get('grant_type')
  if (grantType === undefined) throw invalidRequest('grant_type is missing.')
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token') {
    throw new OAuthError(400, 'unsupported_grant_type', 'That grant_type is not supported.')
  }
  const jkt = await tokenProof(request, reply, { client, form }, services)
  const call = { client, form, resources, jkt, origin: originOf(request) }
  return grantType === 'refresh_token' ? refresh(call, services) : exchangeCode(call, services)
}

async function revoke(request: FastifyRequest, reply: FastifyReply, services: Services) {
  const { client, form } = await callOf('revoke', request, reply, services)
  const value = form.get('token')
  if (value === undefined) throw invalidRequest('token is missing.')
  await revokeToken(value, client, originOf(request), services)
  return {}
}

async function introspection(request: FastifyRequest, reply: FastifyReply, services: Services) {
  const { client, form, isProven } = await callOf('introspect', request, reply, services)
  if (!isProven) {
    throw new OAuthError(401, 'invalid_client', 'Introspection is for confidential clients.')
  }
  const value = form.get('token')
  if (value === undefined) throw invalidRequest('token is missing.')
  return introspect(value, client, services)
}

async function push(request: FastifyRequest, reply: FastifyReply, services: Services) {
  const { client, form, parameters } = await callOf('par', request, reply, services)
  if (form.get('request_uri') !== undefined) {
    throw invalidRequest('request_uri cannot be pushed.')
  }
  const read = readRequest(parameters, client, services.settings, { isPushed: true })
  if (read.kind !== 'request') throw new OAuthError(400, read.error, read.description)
  const jkt = await proofOf(request, reply, '/par', services)
  if (jkt !== undefined && read.request.dpopJkt !== undefined && jkt !== read.request.dpopJkt) {
    throw new OAuthError(400, 'invalid_dpop_proof', 'dpop_jkt is not the key of the proof.')
  }
  const requestUri = await keepPushed(parameters, client.clientId, jkt, services)
  reply.code(201)
  return { request_uri: requestUri, expires_in: services.settings.ttl.pushedRequest }
}

export function clientRoutes(services: Services): readonly ProtocolRoute[] {
  const post = (
    path: string,
    handler: (request: FastifyRequest, reply: FastifyReply, services: Services) => Promise<unknown>
  ): readonly ProtocolRoute[] => [
    { method: 'POST', path, handler: (request, reply) => handler(request, reply, services) },
    {
      method: 'OPTIONS',
      path,
      handler: async (request, reply) =>
        answerPreflight(request, reply, services.settings, 'POST, OPTIONS')
    }
  ]
  return [
    ...post('/token', token),
    ...post('/revoke', revoke),
    ...post('/introspect', introspection),
    ...post('/par', push)
  ]
}
