// private_key_jwt: an assertion signed by the client for this server, short-lived and used once (RFC 7523).
import { isStrictAlg } from '@keelson/protect/rules'
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify
} from 'jose'
import type { Settings } from '../config/settings.ts'
import { TOLERANCE_SECONDS, timesProblem } from '../proofs/assertion-times.ts'
import { REPLAY_MARGIN_SECONDS, type ReplayBook } from '../proofs/replay-book.ts'
import { isStrict } from '../proofs/strict.ts'
import type { OAuthClient } from '../storage/rows.ts'

/** `Ed25519` is the name of RFC 9864 for what most clients still call `EdDSA`. */
export const ASSERTION_ALGS = ['ES256', 'RS256', 'PS256', 'Ed25519', 'EdDSA']
const STRICT_ALGS = ASSERTION_ALGS.filter(isStrictAlg)
const MAX_LENGTH = 8192

export interface AssertionChecker {
  /** The client that it claims to come from; unproven. */
  issuerOf(assertion: string): string | undefined
  check(client: OAuthClient, assertion: string): Promise<boolean>
}

export interface KeySource {
  /** The keys at a `jwksUri`; `isForced`: none of the known keys fits. */
  keysOf(jwksUri: string, isForced: boolean): Promise<JSONWebKeySet | undefined>
}

export function createAssertionChecker(
  settings: Settings,
  replays: ReplayBook,
  remote: KeySource
): AssertionChecker {
  const verify = async (
    assertion: string,
    client: OAuthClient,
    keys: JSONWebKeySet
  ): Promise<JWTPayload> => {
    const isHeldToFapi = isStrict(client)
    const { payload } = await jwtVerify(assertion, createLocalJWKSet(keys), {
      algorithms: isHeldToFapi ? STRICT_ALGS : ASSERTION_ALGS,
      issuer: client.clientId,
      subject: client.clientId,
      audience: isHeldToFapi ? settings.issuer : audiencesOf(settings),
      requiredClaims: ['exp', 'jti'],
      clockTolerance: TOLERANCE_SECONDS,
      currentDate: settings.now()
    })
    return payload
  }

  const verified = async (client: OAuthClient, assertion: string) => {
    if (client.jwks !== undefined) {
      return verify(assertion, client, client.jwks as unknown as JSONWebKeySet)
    }
    if (client.jwksUri === undefined) return undefined
    const known = await remote.keysOf(client.jwksUri, false)
    const { kid } = decodeProtectedHeader(assertion)
    const isThere = kid === undefined || known?.keys.some((key) => key.kid === kid) === true
    const keys = isThere ? known : await remote.keysOf(client.jwksUri, true)
    return keys && verify(assertion, client, keys)
  }

  return {
    issuerOf(assertion) {
      if (assertion.length > MAX_LENGTH) return undefined
      try {
        return decodeJwt(assertion).iss
      } catch {
        return undefined
      }
    },
    async check(client, assertion) {
      if (assertion.length > MAX_LENGTH) return false
      // Keys come from clients too: an unreadable one proves nothing.
      const payload = await verified(client, assertion).catch(() => undefined)
      if (payload === undefined) return false
      // Another server among the audiences could present the assertion here.
      const most = isStrict(client) ? 0 : 1
      if (Array.isArray(payload.aud) && payload.aud.length > most) return false
      const { jti, exp = 0 } = payload
      if (typeof jti !== 'string' || jti === '') return false
      if (timesProblem(payload, settings.now()) !== undefined) return false
      const until = new Date((exp + TOLERANCE_SECONDS + REPLAY_MARGIN_SECONDS) * 1000)
      return replays.isFirst(`assertion ${client.clientId} ${jti}`, until)
    }
  }
}

/**
 * The issuer, and what libraries name instead: the token endpoint (OpenID Connect Core §9) and that of pushed
 * requests (RFC 9126 §2). Strict clients name the issuer alone, as text (RFC 7523bis, FAPI 2.0 §5.3.2.1).
 */
const audiencesOf = ({ issuer, base }: Settings): string[] => [
  issuer,
  `${base}/token`,
  `${base}/par`
]
