// Makes the tokens of one answer: everything that can fail first, one write last.
import { createHash } from 'node:crypto'
import type { OAuthUser } from '../config/host-code.ts'
import { hashOf, newHandle, newRowId } from '../crypto/handles.ts'
import { isStrict } from '../proofs/strict.ts'
import type { Services } from '../services.ts'
import type { OAuthClient, OAuthToken } from '../storage/rows.ts'
import { tenantClaim } from '../tenants/within-tenant.ts'
import { claimsOf, contextClaim, subjectOf } from '../users/claims.ts'
import { lifetimesOf } from './lifetimes.ts'

/** Whom and what the tokens of one answer are for. */
export interface Minting {
  readonly client: OAuthClient
  readonly userId: string
  readonly grantId: string
  readonly contextId: string | null
  readonly familyId: string
  readonly familyExpiresAt: Date
  readonly scopes: readonly string[]
  readonly audience: readonly string[]
  readonly authTime: Date | undefined
  /** Never on refresh. */
  readonly nonce: string | undefined
  /** Key that the caller proved to hold. */
  readonly jkt: string | undefined
  /** For claims; undefined where the host cannot load people. */
  readonly user: OAuthUser | undefined
  /** The token is the client's own. */
  readonly isService?: boolean
}

export interface TokenResponse {
  readonly access_token: string
  readonly token_type: 'Bearer' | 'DPoP'
  readonly expires_in: number
  /** Only when the person allowed access while they are away. */
  readonly refresh_token?: string
  readonly scope: string
  readonly id_token?: string
}

export interface AccessToken {
  readonly value: string
  readonly row: OAuthToken
}

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)

/** @throws OAU_NO_SIGNING_KEY for a JWT without a key. Writes nothing. */
export async function makeAccessToken(
  minting: Minting,
  services: Pick<Services, 'settings' | 'keys'>
): Promise<AccessToken> {
  const { settings, keys } = services
  const now = settings.now()
  // No token outlives its family, and `expires_in` says so.
  const expiresAt = new Date(
    Math.min(
      now.getTime() + lifetimesOf(minting.client, settings).access * 1000,
      minting.familyExpiresAt.getTime()
    )
  )
  const tokenId = newRowId()
  const isJwt = minting.audience.every((id) => settings.resources.get(id)?.isJwt === true)
  const value = isJwt
    ? await keys.sign(await jwtClaims(minting, services, { now, expiresAt, tokenId }), {
        alg: settings.algorithms[0] ?? 'ES256',
        typ: 'at+jwt'
      })
    : newHandle()
  const row = tokenRow(minting, { kind: 'access', tokenId, value, now, expiresAt })
  return { value, row }
}

/** RFC 9068. */
async function jwtClaims(
  minting: Minting,
  { settings }: Pick<Services, 'settings'>,
  made: { readonly now: Date; readonly expiresAt: Date; readonly tokenId: string }
) {
  const { audience, authTime, jkt } = minting
  return {
    iss: settings.issuer,
    sub:
      minting.isService === true
        ? minting.client.clientId
        : subjectOf(minting.userId, minting.client, settings),
    aud: audience.length === 1 ? (audience[0] as string) : [...audience],
    client_id: minting.client.clientId,
    scope: minting.scopes.join(' '),
    iat: seconds(made.now),
    exp: seconds(made.expiresAt),
    jti: made.tokenId,
    ...contextClaim(minting.contextId),
    ...(await tenantClaim(minting, settings)),
    ...(authTime !== undefined && { auth_time: seconds(authTime) }),
    ...(jkt !== undefined && { cnf: { jkt } })
  }
}

/** The row of a token. A refresh token keeps everything that was granted, also when its access token got less. */
export function tokenRow(
  minting: Omit<Minting, 'client' | 'nonce' | 'user'> & {
    readonly client: Pick<
      OAuthClient,
      'clientId' | 'requirePushedAuthorizationRequests' | 'dpopBoundAccessTokens'
    >
  },
  made: {
    readonly kind: OAuthToken['kind']
    readonly tokenId: string
    readonly value: string
    readonly now: Date
    readonly expiresAt: Date
    readonly parentId?: string
  }
): OAuthToken {
  const { authTime, jkt } = minting
  return {
    _id: made.tokenId,
    kind: made.kind,
    tokenHash: hashOf(made.value),
    clientId: minting.client.clientId,
    userId: minting.userId,
    grantId: minting.grantId,
    contextId: minting.contextId,
    scopes: minting.scopes,
    audience: minting.audience,
    familyId: minting.familyId,
    parentId: made.parentId ?? null,
    ...(authTime !== undefined && { authTime }),
    ...(jkt !== undefined && { jkt }),
    ...(isStrict(minting.client) && { isStrict: true }),
    ...(minting.isService === true && { isService: true }),
    consumedAt: null,
    revokedAt: null,
    familyExpiresAt: minting.familyExpiresAt,
    expiresAt: made.expiresAt,
    createdAt: made.now
  }
}

/** The identity token; undefined without the scope openid. @throws OAU_NO_SIGNING_KEY */
export async function makeIdToken(
  minting: Minting,
  accessToken: string,
  services: Pick<Services, 'settings' | 'keys'>
): Promise<string | undefined> {
  if (!minting.scopes.includes('openid')) return undefined
  const { settings, keys } = services
  const { client, userId, scopes, user } = minting
  const { contextId } = minting
  const claims = await claimsOf(user, { scopes, client, contextId }, settings)
  const now = seconds(settings.now())
  const skew = settings.clockSkewSeconds
  const { authTime, nonce } = minting
  return keys.sign(
    {
      ...claims,
      ...(await tenantClaim(minting, settings)),
      iss: settings.issuer,
      sub: subjectOf(userId, client, settings),
      aud: client.clientId,
      iat: now,
      nbf: now - skew,
      exp: now + settings.ttl.accessToken + skew,
      at_hash: leftHalf(accessToken),
      ...(authTime !== undefined && { auth_time: seconds(authTime) }),
      ...(nonce !== undefined && { nonce })
    },
    { alg: client.idTokenAlg ?? settings.algorithms[0] ?? 'ES256', typ: 'JWT' }
  )
}

/** `at_hash`: the left half of the SHA-256. */
const leftHalf = (text: string): string =>
  createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url')

export function tokenResponse(
  minting: Minting,
  made: {
    readonly accessToken: AccessToken
    readonly refreshToken: string | undefined
    readonly idToken: string | undefined
  }
): TokenResponse {
  const { row, value } = made.accessToken
  return {
    access_token: value,
    token_type: minting.jkt === undefined ? 'Bearer' : 'DPoP',
    expires_in: seconds(row.expiresAt) - seconds(row.createdAt),
    ...(made.refreshToken !== undefined && { refresh_token: made.refreshToken }),
    scope: minting.scopes.join(' '),
    ...(made.idToken !== undefined && { id_token: made.idToken })
  }
}
