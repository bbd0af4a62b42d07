// Whether a request has a live access token, with the proof of its key when it is bound to one.
import type { DpopChecker } from './dpop.ts'
import { type Credentials, readCredentials, schemeOf } from './read-credentials.ts'

/** What is known of a live access token. */
export interface TokenFacts {
  readonly scopes: readonly string[]
  /** The resources the token is for. */
  readonly audience: readonly string[]
  /** Thumbprint of the key that it is bound to (RFC 9449 §6). */
  readonly jkt?: string | undefined
  /** Its client is held to FAPI 2.0. */
  readonly isStrict?: boolean | undefined
}

/** A request, as far as its token is concerned. Names of headers are in lower case. */
export interface TokenRequest {
  readonly method: string
  /** Path and query, as they were sent. */
  readonly url: string
  readonly headers: {
    readonly authorization?: string | undefined
    readonly dpop?: string | readonly string[] | undefined
  }
}

/** What a request brings. */
export type Access<T> =
  | { readonly kind: 'none' }
  | { readonly kind: 'dead'; readonly description: string }
  | {
      readonly kind: 'proof'
      readonly error: 'invalid_dpop_proof' | 'use_dpop_nonce'
      readonly description: string
      readonly nonce: string | undefined
    }
  | { readonly kind: 'live'; readonly token: T }

/** How tokens and proofs are checked. */
export interface AccessChecks<T> {
  /** A live access token; undefined for any other text. */
  readonly find: (token: string) => Promise<T | undefined>
  readonly dpop: DpopChecker
}

const dead = (description: string) => ({ kind: 'dead', description }) as const

/** `origins`: origins of the address as the client may have called it. */
export async function checkAccess<T extends TokenFacts>(
  request: TokenRequest,
  origins: readonly string[],
  checks: AccessChecks<T>,
  credentials: Credentials | undefined = readCredentials(request.headers.authorization)
): Promise<Access<T>> {
  if (credentials === undefined) {
    const isMalformed = schemeOf(request.headers.authorization) !== undefined
    return isMalformed ? dead('The access token is malformed.') : { kind: 'none' }
  }
  const token = await checks.find(credentials.token)
  if (token === undefined) return dead('The access token is not valid.')
  if (token.jkt === undefined) {
    return credentials.scheme === 'Bearer'
      ? { kind: 'live', token }
      : dead('The access token is not bound to a key.')
  }
  if (credentials.scheme !== 'DPoP') return dead('The access token is bound to a key.')
  return checkBound(request, origins, { token, value: credentials.token, dpop: checks.dpop })
}

async function checkBound<T extends TokenFacts>(
  { method, url, headers }: TokenRequest,
  origins: readonly string[],
  { token, value, dpop }: { readonly token: T; readonly value: string; readonly dpop: DpopChecker }
): Promise<Access<T>> {
  const path = url.split('?', 1)[0] ?? ''
  const result = await dpop.check({
    header: headers.dpop,
    method,
    addresses: origins.map((origin) => `${origin}${path}`),
    accessToken: value,
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
      const nonce = result.error === 'use_dpop_nonce' ? await dpop.nonce() : undefined
      return { kind: 'proof', error: result.error, description: result.description, nonce }
    }
    case 'proven':
      return result.jkt === token.jkt
        ? { kind: 'live', token }
        : dead('The access token is bound to another key.')
  }
}
