// JWT access tokens (RFC 9068), verified by the key set of their issuer.
import {
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  jwtVerify
} from 'jose'
import { type LiveToken, liveToken } from '../access.ts'
import { VerifierUnavailable } from '../errors.ts'
import type { FetchJson } from './outbound.ts'
import { createRenewed } from './renewed.ts'

export interface JwtBasis {
  readonly issuer: string
  readonly algorithms: readonly string[]
  readonly keySetUrl: () => Promise<string>
  readonly fetchJson: FetchJson
  readonly toleranceSeconds: number
  readonly now: () => Date
}

/** Most keys of a set. */
const MAX_KEYS = 50
const DEFAULT_ALGORITHMS = ['ES256', 'RS256', 'PS256', 'EdDSA', 'Ed25519']

/** Whether a token has the form of a JWT. */
export const isJwt = (token: string): boolean =>
  /^eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/.test(token)

/** Finds out whether a JWT is a live token. A key that is unknown is looked for in a newer set. */
export function createJwtVerifier(
  basis: Omit<JwtBasis, 'algorithms'> & { readonly algorithms?: readonly string[] | undefined }
): (token: string) => Promise<LiveToken | undefined> {
  const { algorithms = DEFAULT_ALGORITHMS, fetchJson, keySetUrl, now } = basis
  const keySet = createRenewed(async () => keysOf(await fetchJson(await keySetUrl())), now)
  const verify = (token: string, keys: JWTVerifyGetKey) =>
    verifyWith(token, keys, { ...basis, algorithms })
  return async (token) => {
    const keys = await keySet.get()
    const verified = await verify(token, keys)
    if (verified !== 'unknown key') return verified
    const newer = await keySet.renew()
    const again = newer === keys ? undefined : await verify(token, newer)
    return again === 'unknown key' ? undefined : again
  }
}

function keysOf(document: Readonly<Record<string, unknown>>): JWTVerifyGetKey {
  const { keys } = document as { keys?: unknown }
  if (Array.isArray(keys) && keys.length <= MAX_KEYS) {
    return createLocalJWKSet(document as unknown as JSONWebKeySet)
  }
  throw new VerifierUnavailable('The key set of the authorization server cannot be used.')
}

async function verifyWith(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, algorithms, toleranceSeconds, now }: JwtBasis
): Promise<LiveToken | 'unknown key' | undefined> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      // A token of another resource is refused as such, later.
      algorithms: [...algorithms],
      typ: 'at+jwt',
      requiredClaims: ['exp', 'iat', 'aud', 'sub', 'client_id', 'jti'],
      clockTolerance: toleranceSeconds,
      currentDate: now()
    })
    return liveToken(payload)
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return 'unknown key'
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined
    throw error
  }
}
