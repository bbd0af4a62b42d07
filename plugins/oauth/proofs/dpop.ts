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
import type { Settings } from '../config/settings.ts'
import { isSame } from '../crypto/handles.ts'
import type { ServerSecret } from '../keys/server-secret.ts'
import { REPLAY_MARGIN_SECONDS, type ReplayBook } from './replay-book.ts'
import { isStrictAlg } from './strict.ts'

export const DPOP_ALGS = ['ES256', 'RS256', 'PS256', 'Ed25519', 'EdDSA']
const MAX_LENGTH = 8192
/** Allows for clock differences and network delay. */
const MAX_AGE_SECONDS = 120
const MAX_AHEAD_SECONDS = 30
const NONCE_SECONDS = 120

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

export type ProofResult =
  | { readonly kind: 'none' }
  | { readonly kind: 'proven'; readonly jkt: string }
  | {
      readonly kind: 'refused'
      readonly error: 'invalid_dpop_proof' | 'use_dpop_nonce'
      readonly description: string
    }

export interface DpopChecker {
  check(request: ProofRequest): Promise<ProofResult>
  /** A nonce that is valid for at least two minutes. */
  nonce(): Promise<string>
}

const refused = (description: string): ProofResult => ({
  kind: 'refused',
  error: 'invalid_dpop_proof',
  description
})

export function createDpopChecker(
  settings: Settings,
  secret: ServerSecret,
  replays: ReplayBook
): DpopChecker {
  const nonceAt = (slot: number) => secret.mac('dpop-nonce', String(slot))
  const slot = () => Math.floor(settings.now().getTime() / 1000 / NONCE_SECONDS)
  const isNonce = async (given: unknown): Promise<boolean> => {
    if (typeof given !== 'string') return false
    const [now, before] = await Promise.all([nonceAt(slot()), nonceAt(slot() - 1)])
    const isNow = isSame(given, now)
    return isSame(given, before) || isNow
  }

  return {
    nonce: () => nonceAt(slot()),
    async check(request) {
      const { header } = request
      if (header === undefined) return { kind: 'none' }
      if (typeof header !== 'string' || header.length > MAX_LENGTH || header.includes(',')) {
        return refused('The request must have one DPoP proof.')
      }
      const read = await readProof(header, settings.now())
      if (read === undefined) return refused('The DPoP proof has no valid signature.')
      const { payload, jkt, alg } = read
      if (request.isStrict === true && !isStrictAlg(alg)) {
        return refused(`The DPoP proof must not be signed with ${alg}.`)
      }
      const problem = claimsProblem(payload, request, settings.now())
      if (problem !== undefined) return refused(problem)
      const needsNonce = settings.requiresDpopNonce || payload['nonce'] !== undefined
      if (needsNonce && !(await isNonce(payload['nonce']))) {
        const description = 'The DPoP proof needs the nonce of this server.'
        return { kind: 'refused', error: 'use_dpop_nonce', description }
      }
      const until = new Date(
        settings.now().getTime() +
          (MAX_AGE_SECONDS + MAX_AHEAD_SECONDS + REPLAY_MARGIN_SECONDS) * 1000
      )
      const isFirst = await replays.isFirst(`dpop ${jkt} ${payload.jti}`, until)
      return isFirst ? { kind: 'proven', jkt } : refused('The DPoP proof was used before.')
    }
  }
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
export function claimsProblem(
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
