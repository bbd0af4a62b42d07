// grant_type=refresh_token: rotation that survives lost answers and ends the family on late reuse.
import type { Origin } from '../audit/journal.ts'
import { narrow } from '../authorize/scopes.ts'
import type { OAuthUser } from '../config/host-code.ts'
import { hashOf, isHandle, newRowId } from '../crypto/handles.ts'
import { familyOfNew } from '../grants/take-back.ts'
import { endOfUnknown } from '../grants/unknown-person.ts'
import { OAuthError, oauthError } from '../oauth-errors.ts'
import type { Services } from '../services.ts'
import type { OAuthClient, OAuthToken } from '../storage/rows.ts'
import { withinTenant } from '../tenants/within-tenant.ts'
import { lifetimesOf } from './lifetimes.ts'
import {
  type Minting,
  makeAccessToken,
  makeIdToken,
  type TokenResponse,
  tokenResponse,
  tokenRow
} from './mint.ts'
import type { TokenRequest } from './token-request.ts'

const dead = (): OAuthError => oauthError('refreshRefused')

export async function refresh(request: TokenRequest, services: Services): Promise<TokenResponse> {
  const { client, form } = request
  const value = form.get('refresh_token')
  if (value === undefined) throw oauthError('refreshTokenMissing')
  if (!isHandle(value)) throw dead()
  const { tokens } = services.collections
  const row = await tokens.findOne({ tokenHash: hashOf(value), kind: 'refresh' })
  if (row === null) throw dead()
  await checkHolder(row, request, services)
  if (client.type === 'public') await services.limiter.take('grant', row.grantId)
  await checkUse(row, request.origin, services)
  const target = narrow(
    { scopes: row.scopes, resources: row.audience },
    { client, resources: request.resources, scope: form.get('scope') },
    services.settings
  )
  if (!target.ok) throw new OAuthError(400, target.error, target.description)
  const user = await checkPerson(row, request.origin, services)
  await checkContext(row, user, request.origin, services)
  const asked: Minting = {
    ...row,
    client,
    authTime: row.authTime,
    scopes: target.scopes,
    audience: target.resources,
    nonce: undefined,
    jkt: request.jkt,
    user
  }
  const minting = await withinTenant(asked, services)
  const response = await mintNext(minting, { row, value, origin: request.origin }, services)
  await record(minting, request.origin, services)
  return response
}

/** A token from another client, or with another key, was stolen or leaked. */
async function checkHolder(
  row: OAuthToken,
  { client, jkt, origin }: TokenRequest,
  { revocations, journal }: Services
): Promise<void> {
  if (row.clientId !== client.clientId) {
    const { clientId, userId, grantId, familyId } = row
    const meta = { presentedBy: client.clientId }
    await revocations.end(
      {
        event: { type: 'oauth.refresh_wrong_client', clientId, userId, grantId, meta },
        audit: { type: 'refresh_wrong_client', actor: 'client', meta, origin }
      },
      (access) => access.ofFamily(familyId, 'another client presented it'),
      journal
    )
    throw dead()
  }
  if (row.jkt !== undefined && row.jkt !== jkt) throw dead()
}

/** The token must be live, and unused or used within the grace. Its family is checked last. */
async function checkUse(row: OAuthToken, origin: Origin, services: Services): Promise<void> {
  const { settings } = services
  const now = settings.now()
  if (row.revokedAt !== null || row.expiresAt <= now || row.familyExpiresAt <= now) throw dead()
  if (!isWithinGrace(row, now, settings.ttl.refreshGrace)) {
    await endReused(row, origin, services)
    throw dead()
  }
}

/** Unused, or used so recently that the answer may have been lost. */
export function isWithinGrace(
  { consumedAt }: Pick<OAuthToken, 'consumedAt'>,
  now: Date,
  graceSeconds: number
): boolean {
  return consumedAt === null || now.getTime() - consumedAt.getTime() < graceSeconds * 1000
}

async function endReused(
  row: OAuthToken,
  origin: Origin,
  { revocations, journal, settings }: Services
): Promise<void> {
  const { clientId, userId, grantId, familyId, scopes } = row
  const meta = { familyId }
  const about = { clientId, userId, grantId, scopes }
  const { counts } = await revocations.end(
    {
      event: { type: 'oauth.refresh_reuse_detected', ...about, meta },
      audit: { type: 'refresh_reuse_detected', actor: 'client', meta, origin }
    },
    (access) => access.ofFamily(familyId, 'a refresh token was used again'),
    journal
  )
  const { tokensRevoked } = counts
  settings.logger.warn({ clientId, grantId, tokensRevoked }, 'a refresh token was used again')
}

/** The person of a token; undefined for hosts that cannot tell. Ends the family of one who is gone. */
async function checkPerson(
  row: OAuthToken,
  origin: Origin,
  services: Services
): Promise<OAuthUser | undefined> {
  const { loadUser } = services.settings
  if (loadUser === undefined) return undefined
  const user = (await loadUser(row.userId)) ?? undefined
  if (user !== undefined) return user
  await endOfUnknown(row, origin, services)
  throw dead()
}

/** Ends the grant of a person who left its context. */
async function checkContext(
  row: OAuthToken,
  user: OAuthUser | undefined,
  origin: Origin,
  services: Services
): Promise<void> {
  const { settings, revocations, journal } = services
  if (settings.grantContext === undefined || row.contextId === null) return
  if (await settings.grantContext.verify(user ?? { id: row.userId }, row.contextId)) return
  const { clientId, userId, grantId, contextId } = row
  const by = 'system'
  const reason = 'the person may no longer act for this context'
  const about = { clientId, userId, grantId, contextId }
  await revocations.end(
    {
      event: { type: 'oauth.grant_revoked', ...about, meta: { by, reason } },
      audit: { type: 'grant_revoked', actor: by, meta: { reason }, origin }
    },
    async (access) => {
      const { tokensRevoked } = await access.ofGrant(grantId, by)
      return { tokensRevoked }
    },
    journal
  )
  throw dead()
}

interface Presented {
  readonly row: OAuthToken
  readonly value: string
  readonly origin: Origin
}

const rotates = (client: OAuthClient, row: OAuthToken): boolean =>
  client.rotateRefreshTokens !== false || row.jkt === undefined

async function mintNext(
  minting: Minting,
  { row, value, origin }: Presented,
  services: Services
): Promise<TokenResponse> {
  const { collections, settings, secret } = services
  const accessToken = await makeAccessToken(minting, services)
  const idToken = await makeIdToken(minting, accessToken.value, services)
  if (!rotates(minting.client, row)) {
    await collections.tokens.insertOne(accessToken.row)
    return tokenResponse(minting, { accessToken, refreshToken: value, idToken })
  }
  // Derived, so that every process gives the same successor and none is stored in the clear.
  const refreshToken = await secret.mac('refresh-successor', value)
  const now = settings.now()
  const { modifiedCount } = await collections.tokens.updateOne(
    { _id: row._id, consumedAt: null, revokedAt: null },
    { $set: { consumedAt: now } }
  )
  // Another call was first. Without a grace that is reuse.
  if (modifiedCount === 0 && settings.ttl.refreshGrace === 0) {
    await endReused(row, origin, services)
    throw dead()
  }
  const expiresAt = new Date(
    Math.min(
      now.getTime() + lifetimesOf(minting.client, settings).refresh * 1000,
      row.familyExpiresAt.getTime()
    )
  )
  const successor = tokenRow(
    { ...minting, scopes: row.scopes, audience: row.audience, jkt: row.jkt },
    { kind: 'refresh', tokenId: newRowId(), value: refreshToken, now, expiresAt, parentId: row._id }
  )
  await insertBoth(collections.tokens, accessToken.row, successor)
  return tokenResponse(minting, { accessToken, refreshToken, idToken })
}

/** A successor that exists already stays as it is. */
async function insertBoth(
  tokens: Services['collections']['tokens'],
  access: OAuthToken,
  successor: OAuthToken
): Promise<void> {
  try {
    await tokens.insertMany([access, successor], { ordered: false })
  } catch (error) {
    const { code, writeErrors } = error as {
      code?: number
      writeErrors?: { index: number } | { index: number }[]
    }
    const failed = [writeErrors ?? []].flat().map(({ index }) => index)
    if (code !== 11000 || failed.includes(0)) throw error
  }
}

async function record(
  { client, userId, grantId, contextId, familyId, scopes }: Minting,
  origin: Origin,
  services: Services
): Promise<void> {
  const { journal, revocations } = services
  const { clientId } = client
  const about = { clientId, userId, grantId }
  const entry = { actor: 'client', ...about, meta: { scopes }, ...origin } as const
  const auditId = await journal.audit('token_refreshed', entry)
  const { revokedAt, reason } = await familyOfNew(familyId, auditId, services)
  if (revokedAt !== null) {
    // It ended while these tokens were made, or a process was killed while it ended the family.
    const why = reason ?? 'the family had ended'
    await revocations.finish((access) => access.ofFamily(familyId, why))
    throw dead()
  }
  const context = contextId === null ? {} : { contextId }
  await journal.track({ type: 'oauth.token_refreshed', ...about, scopes, ...context })
}
