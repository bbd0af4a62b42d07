// Reads configured signing keys: PKCS#8 PEMs. Errors name a key by its kid and never show it.
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { JWK } from 'jose'
import type { SigningAlg, SigningKeyOptions } from '../config/schema.ts'
import { errors } from '../errors.ts'

export interface SigningKey {
  readonly kid: string
  readonly alg: SigningAlg
  readonly status: 'active' | 'retiring'
  readonly privateKey: KeyObject
  readonly publicJwk: JWK
}

const MIN_RSA_BITS = 2048

/** @throws OAU_SIGNING_KEY_INVALID for the first key that cannot be used. */
export function readSigningKeys(
  keys: readonly SigningKeyOptions[],
  algorithms: readonly SigningAlg[]
): readonly SigningKey[] {
  return keys.map((given, at) => readSigningKey(given, given.kid ?? `number ${at + 1}`, algorithms))
}

function readSigningKey(
  given: SigningKeyOptions,
  kid: string,
  algorithms: readonly SigningAlg[]
): SigningKey {
  const wrong = (problem: string): never => {
    throw errors.OAU_SIGNING_KEY_INVALID({ kid, problem })
  }
  const declared = given.alg ?? 'ES256'
  if (declared !== 'ES256' && declared !== 'RS256') wrong(`its algorithm is ${declared}`)
  const alg = declared as SigningAlg
  if (!algorithms.includes(alg)) wrong(`${alg} is not among signing.algorithms`)
  const privateKey = readPem(given.privateKeyPem) ?? wrong('it must be a readable PKCS#8 PEM')
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = privateKey
  if (alg === 'ES256') {
    if (type !== 'ec') wrong(`it is of type ${type}, not an elliptic-curve key`)
    if (details?.namedCurve !== 'prime256v1')
      wrong(`its curve is ${details?.namedCurve}, not P-256`)
  } else {
    if (type !== 'rsa') wrong(`it is of type ${type}, not RSA`)
    if ((details?.modulusLength ?? 0) < MIN_RSA_BITS)
      wrong(`it has fewer than ${MIN_RSA_BITS} bits`)
  }
  const publicJwk = createPublicKey(privateKey).export({ format: 'jwk' }) as JWK
  const status = given.status ?? 'active'
  return { kid: given.kid ?? thumbprintOf(publicJwk), alg, status, privateKey, publicJwk }
}

function readPem(pem: unknown): KeyObject | undefined {
  // SEC 1 and PKCS#1 files name their algorithm in the first line.
  if (typeof pem !== 'string' || !pem.includes('-----BEGIN PRIVATE KEY-----')) return undefined
  try {
    return createPrivateKey({ key: pem, format: 'pem', type: 'pkcs8' })
  } catch {
    return undefined
  }
}

/** RFC 7638, of a public EC or RSA key. */
export function thumbprintOf(jwk: JWK): string {
  const members =
    jwk.kty === 'EC'
      ? { crv: jwk.crv, kty: jwk.kty, x: jwk.x, y: jwk.y }
      : { e: jwk.e, kty: jwk.kty, n: jwk.n }
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url')
}
