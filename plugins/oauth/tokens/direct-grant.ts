// Tokens that no code and no refresh token leads to: a service account's, and those of an assertion. No refresh token.
import type { Origin } from '../audit/journal.ts'
import type { Target } from '../authorize/scopes.ts'
import type { OAuthUser } from '../config/host-code.ts'
import { newHandle } from '../crypto/handles.ts'
import { recordGrant } from '../grants/issue-code.ts'
import { familyOfNew } from '../grants/take-back.ts'
import { OAuthError, oauthError } from '../oauth-errors.ts'
import type { Services } from '../services.ts'
import type { OAuthClient } from '../storage/rows.ts'
import { withinTenant } from '../tenants/within-tenant.ts'
import { type Minting, makeAccessToken, type TokenResponse, tokenResponse } from './mint.ts'

/** Whom and what one token is for. */
export interface DirectGrant {
  readonly client: OAuthClient
  readonly userId: string
  readonly user: OAuthUser | undefined
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  readonly jkt: string | undefined
  /** The token is the client's own: its subject is the client. */
  readonly isService: boolean
  readonly origin: Origin
  /** For the audit. */
  readonly meta: Readonly<Record<string, unknown>>
}

/** The scopes and resources of a token request without a person; scopes about people are refused. */
export function checkedTarget(target: Target, { scopes }: Services['settings']) {
  if (!target.ok) throw new OAuthError(400, target.error, target.description)
  const personal = target.scopes.find((id) => scopes.get(id)?.isOidc === true)
  if (personal === undefined) return target
  throw oauthError('scopeOfPeople', {
    description: `A requested scope is for people who sign in. It was: ${personal}`
  })
}

/** Records the grant and makes the token. @throws invalid_grant when access ends at the same time */
export async function issueDirect(given: DirectGrant, services: Services): Promise<TokenResponse> {
  const { client, userId, user, scopes, resources, jkt, isService, origin, meta } =
    await withinTenant(given, services)
  const { collections, settings, journal } = services
  const { clientId } = client
  const now = settings.now()
  const target = { clientId, userId, contextId: null, scopes, resources }
  const grant = await recordGrant({ ...target, offline: false }, services)
  const familyId = newHandle()
  // No token outlives its account.
  const familyExpiresAt = new Date(
    Math.min(
      now.getTime() + settings.ttl.refreshAbsolute * 1000,
      client.expiresAt?.getTime() ?? Infinity
    )
  )
  const minting: Minting = {
    client,
    userId,
    user,
    scopes,
    jkt,
    familyId,
    familyExpiresAt,
    grantId: grant._id,
    contextId: null,
    audience: resources,
    authTime: undefined,
    nonce: undefined,
    ...(isService && { isService })
  }
  const made = await makeAccessToken(minting, services)
  const { expiresAt } = made.row
  // The family first, then the grant is read again: a revocation finds the family, or is seen by this read.
  await collections.families.insertOne({
    _id: familyId,
    grantId: grant._id,
    clientId,
    userId,
    contextId: null,
    revokedAt: null,
    createdAt: now,
    expiresAt
  })
  const live = { _id: grant._id, revokedAt: null }
  if ((await collections.grants.findOne(live, { projection: { _id: 1 } })) === null) {
    await collections.families.deleteOne({ _id: familyId })
    throw oauthError('grantEnded')
  }
  await collections.tokens.insertOne(made.row)
  const about = { clientId, userId, grantId: grant._id }
  const entry = { actor: 'client', ...about, meta: { scopes, ...meta }, ...origin } as const
  await familyOfNew(familyId, await journal.audit('token_issued', entry), services)
  await journal.track({ type: 'oauth.token_issued', ...about, scopes, meta })
  return tokenResponse(minting, { accessToken: made, refreshToken: undefined, idToken: undefined })
}
