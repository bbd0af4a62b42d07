// private_key_jwt: an assertion signed by the client for this server, short-lived and used once (RFC 7523).
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify
} from 'jose'
import type { Settings } from '../config/settings.ts'
import { REPLAY_MARGIN_SECONDS, type ReplayBook } from '../proofs/replay-book.ts'
import type { OAuthClient } from '../storage/rows.ts'

export const ASSERTION_ALGS = ['ES256', 'RS256', 'PS256', 'EdDSA']
const MAX_LENGTH = 8192
const MAX_LIFE_SECONDS = 600
const TOLERANCE_SECONDS = 30

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
    const { payload } = await jwtVerify(assertion, createLocalJWKSet(keys), {
      algorithms: ASSERTION_ALGS,
      issuer: client.clientId,
      subject: client.clientId,
      audience: audiencesOf(settings),
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
      if (Array.isArray(payload.aud) && payload.aud.length > 1) return false
      const { jti, exp = 0 } = payload
      const now = settings.now().getTime() / 1000
      if (typeof jti !== 'string' || jti === '' || exp > now + MAX_LIFE_SECONDS) return false
      const until = new Date((exp + TOLERANCE_SECONDS + REPLAY_MARGIN_SECONDS) * 1000)
      return replays.isFirst(`assertion ${client.clientId} ${jti}`, until)
    }
  }
}

/** The issuer, and the endpoints that some clients name instead. */
const audiencesOf = ({ issuer, base }: Settings): string[] => [
  issuer,
  ...['token', 'par', 'introspect', 'revoke'].map((name) => `${base}/${name}`)
]
