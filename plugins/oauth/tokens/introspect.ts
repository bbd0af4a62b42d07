// Token introspection (RFC 7662): the data of a live token, for clients that may read it.
import { resourcesOf } from '../clients/allowed-resources.ts'
import type { Settings } from '../config/settings.ts'
import { hashOf } from '../crypto/handles.ts'
import type { Services } from '../services.ts'
import type { OAuthClient, OAuthToken } from '../storage/rows.ts'
import { tenantClaim } from '../tenants/within-tenant.ts'
import { contextClaim, subjectOf } from '../users/claims.ts'

const INACTIVE = { active: false } as const
const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)

export async function introspect(
  value: string,
  caller: OAuthClient,
  services: Pick<Services, 'live' | 'collections' | 'settings'>
): Promise<object> {
  const row = (await services.live.access(value)) ?? (await liveRefresh(value, services))
  const { collections, settings } = services
  if (row === undefined || !mayRead(caller, row, settings)) return INACTIVE
  const owner =
    row.clientId === caller.clientId
      ? caller
      : await collections.clients.findOne({ clientId: row.clientId })
  if (owner === null || owner.status !== 'active') return INACTIVE
  return {
    active: true,
    iss: settings.issuer,
    sub: row.isService === true ? row.clientId : subjectOf(row.userId, owner, settings),
    client_id: row.clientId,
    aud: row.audience.length === 1 ? row.audience[0] : row.audience,
    scope: row.scopes.join(' '),
    token_type: row.jkt === undefined ? 'Bearer' : 'DPoP',
    iat: seconds(row.createdAt),
    exp: seconds(row.expiresAt),
    jti: row._id,
    ...contextClaim(row.contextId),
    ...(await tenantClaim({ ...row, client: owner }, settings)),
    ...(row.jkt !== undefined && { cnf: { jkt: row.jkt } })
  }
}

/** Its own tokens, and as a resource server the access tokens that are for its resources. */
function mayRead(caller: OAuthClient, row: OAuthToken, settings: Settings): boolean {
  if (row.clientId === caller.clientId) return true
  if (row.kind !== 'access' || caller.resourceServer !== true) return false
  const own = resourcesOf(caller, settings)
  return row.audience.some((id) => own.includes(id))
}

async function liveRefresh(
  value: string,
  { collections, settings }: Pick<Services, 'collections' | 'settings'>
): Promise<OAuthToken | undefined> {
  const row = await collections.tokens.findOne({ tokenHash: hashOf(value), kind: 'refresh' })
  const now = settings.now()
  if (row === null || row.revokedAt !== null || row.consumedAt !== null) return undefined
  if (row.expiresAt <= now || row.familyExpiresAt <= now) return undefined
  const family = await collections.families.findOne({ _id: row.familyId, revokedAt: null })
  return family === null ? undefined : row
}
