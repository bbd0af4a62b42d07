// Whether a request has a live access token, with the proof of its key when it is bound to one.
import type { FastifyRequest } from 'fastify'
import type { Services } from '../services.ts'
import type { OAuthToken } from '../storage/rows.ts'
import { type Credentials, readCredentials, schemeOf } from './read-credentials.ts'

export type Access =
  | { readonly kind: 'none' }
  | { readonly kind: 'dead'; readonly description: string }
  | {
      readonly kind: 'proof'
      readonly error: 'invalid_dpop_proof' | 'use_dpop_nonce'
      readonly description: string
      readonly nonce: string | undefined
    }
  | { readonly kind: 'live'; readonly token: OAuthToken }

const dead = (description: string): Access => ({ kind: 'dead', description })

/** `origins`: origins of the address as the client may have called it. */
export async function checkAccess(
  request: FastifyRequest,
  origins: readonly string[],
  services: Pick<Services, 'live' | 'dpop'>,
  credentials: Credentials | undefined = readCredentials(request.headers.authorization)
): Promise<Access> {
  if (credentials === undefined) {
    const isMalformed = schemeOf(request.headers.authorization) !== undefined
    return isMalformed ? dead('The access token is malformed.') : { kind: 'none' }
  }
  const token = await services.live.access(credentials.token)
  if (token === undefined) return dead('The access token is not valid.')
  if (token.jkt === undefined) {
    return credentials.scheme === 'Bearer'
      ? { kind: 'live', token }
      : dead('The access token is not bound to a key.')
  }
  if (credentials.scheme !== 'DPoP') return dead('The access token is bound to a key.')
  const path = (request.raw.url ?? request.url).split('?', 1)[0] ?? ''
  const result = await services.dpop.check({
    header: request.headers['dpop'],
    method: request.method,
    addresses: origins.map((origin) => `${origin}${path}`),
    accessToken: credentials.token,
    isStrict: token.isStrict === true
  })
  switch (result.kind) {
    case 'none':
      return {
        kind: 'proof',
        error: 'invalid_dpop_proof',
        description: 'The DPoP proof is missing.',
        nonce: undefined
      }
    case 'refused': {
      const nonce = result.error === 'use_dpop_nonce' ? await services.dpop.nonce() : undefined
      return { kind: 'proof', error: result.error, description: result.description, nonce }
    }
    case 'proven':
      return result.jkt === token.jkt
        ? { kind: 'live', token }
        : dead('The access token is bound to another key.')
  }
}
