// DPoP (RFC 9449): proof that the caller holds a key, checked for this method, address, token and time.
import { createHash } from 'node:crypto'
import {
  calculateJwkThumbprint,
  decodeProtectedHeader,
  EmbeddedJWK,
  type JWK,
  type JWTPayload,
  jwtVerify
} from 'jose'
import { isSame } from './is-same.ts'

/** Algorithms that a proof may be signed with. */
export const DPOP_ALGS: string[] = ['ES256', 'RS256', 'PS256', 'Ed25519', 'EdDSA']
const MAX_LENGTH = 8192
/** Allows for clock differences and network delay. */
const MAX_AGE_SECONDS = 120
const MAX_AHEAD_SECONDS = 30
const NONCE_SECONDS = 120

/** A proof, and what it must be for. */
export interface ProofRequest {
  readonly header: string | readonly string[] | undefined
  readonly method: string
  /** Addresses the proof may be for, without query. */
  readonly addresses: readonly string[]
  /** At a resource: the token it goes with. */
  readonly accessToken?: string
  /** The client is held to FAPI 2.0. */
  readonly isStrict?: boolean
}

/** What a proof shows. */
export type ProofResult =
  | { readonly kind: 'none' }
  | { readonly kind: 'proven'; readonly jkt: string }
  | {
      readonly kind: 'refused'
      readonly error: 'invalid_dpop_proof' | 'use_dpop_nonce'
      readonly description: string
    }

/** Checks proofs, each of which counts once. */
export interface DpopChecker {
  check(request: ProofRequest): Promise<ProofResult>
  /** A nonce that is valid for at least two minutes; undefined where no nonces are used. */
  nonce(): Promise<string | undefined>
}

const refused = (description: string): ProofResult => ({
  kind: 'refused',
  error: 'invalid_dpop_proof',
  description
})

/** What the checker relies on. */
export interface DpopBasis {
  readonly now: () => Date
  /** True for the first call with a text, which must be remembered until `until`. */
  readonly isFirst: (text: string, until: Date) => Promise<boolean>
  /** The nonce of a span of two minutes, the same in every process. Without it nonces are ignored. */
  readonly nonceAt?: ((span: number) => Promise<string>) | undefined
  /** Whether each proof needs a nonce. */
  readonly requiresNonce?: boolean
}

/** Of signatures that a client of FAPI 2.0 makes (§5.4.1): all that are taken but RS256. */
export const isStrictAlg = (alg: string): boolean => alg !== 'RS256'

/** Makes a checker. */
export function createDpopChecker(basis: DpopBasis): DpopChecker {
  const { now, isFirst, nonceAt, requiresNonce = false } = basis
  const span = () => Math.floor(now().getTime() / 1000 / NONCE_SECONDS)
  return {
    nonce: async () => nonceAt?.(span()),
    async check(request) {
      const { header } = request
      if (header === undefined) return { kind: 'none' }
      if (typeof header !== 'string' || header.length > MAX_LENGTH || header.includes(',')) {
        return refused('The request must have one DPoP proof.')
      }
      const read = await readProof(header, now())
      if (read === undefined) return refused('The DPoP proof has no valid signature.')
      const { payload, jkt, alg } = read
      if (request.isStrict === true && !isStrictAlg(alg)) {
        return refused(`The DPoP proof must not be signed with ${alg}.`)
      }
      const problem = claimsProblem(payload, request, now())
      if (problem !== undefined) return refused(problem)
      const needsNonce = requiresNonce || payload['nonce'] !== undefined
      if (needsNonce && nonceAt && !(await isNonce(payload['nonce'], nonceAt, span()))) {
        const description = 'The DPoP proof needs the nonce of this server.'
        return { kind: 'refused', error: 'use_dpop_nonce', description }
      }
      const until = new Date(now().getTime() + (MAX_AGE_SECONDS + MAX_AHEAD_SECONDS) * 1000)
      return (await isFirst(`dpop ${jkt} ${payload.jti}`, until))
        ? { kind: 'proven', jkt }
        : refused('The DPoP proof was used before.')
    }
  }
}

async function isNonce(
  given: unknown,
  nonceAt: (span: number) => Promise<string>,
  span: number
): Promise<boolean> {
  if (typeof given !== 'string') return false
  const [now, before] = await Promise.all([nonceAt(span), nonceAt(span - 1)])
  const isNow = isSame(given, now)
  return isSame(given, before) || isNow
}

async function readProof(
  proof: string,
  now: Date
): Promise<
  { readonly payload: JWTPayload; readonly jkt: string; readonly alg: string } | undefined
> {
  try {
    const { jwk } = decodeProtectedHeader(proof) as { jwk?: JWK }
    if (jwk === undefined || 'd' in jwk || 'k' in jwk) return undefined
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
      typ: 'dpop+jwt',
      algorithms: DPOP_ALGS,
      requiredClaims: ['iat', 'jti', 'htm', 'htu'],
      currentDate: now
    })
    return { payload, jkt: await calculateJwkThumbprint(jwk), alg: protectedHeader.alg }
  } catch {
    return undefined
  }
}

/** Why the claims do not fit the request; undefined when they do. */
function claimsProblem(
  payload: JWTPayload,
  { method, addresses, accessToken }: ProofRequest,
  now: Date
): string | undefined {
  const { iat, jti } = payload
  if (typeof jti !== 'string' || jti === '' || jti.length > 512) return 'jti must be a string.'
  if (payload['htm'] !== method) return 'htm is not the method of the request.'
  const htu = payload['htu']
  const address = typeof htu === 'string' ? addressOf(htu) : undefined
  if (address === undefined || !addresses.some((one) => addressOf(one) === address)) {
    return 'htu is not the address of the request.'
  }
  const seconds = now.getTime() / 1000
  if (
    typeof iat !== 'number' ||
    iat < seconds - MAX_AGE_SECONDS ||
    iat > seconds + MAX_AHEAD_SECONDS
  ) {
    return 'iat is too old or in the future.'
  }
  if (accessToken === undefined) return undefined
  const ath = createHash('sha256').update(accessToken).digest('base64url')
  return payload['ath'] === ath ? undefined : 'ath is not the hash of the access token.'
}

/** Without query and fragment, normalised as the URL standard does. */
function addressOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}
