// Token introspection (RFC 7662): the data of a live token, for clients that may read it.
import { hashOf } from '../crypto/handles.ts'
import type { Services } from '../services.ts'
import type { OAuthClient, OAuthToken } from '../storage/rows.ts'
import { subjectOf } from '../users/claims.ts'

const INACTIVE = { active: false } as const
const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)

export async function introspect(
  value: string,
  caller: OAuthClient,
  services: Pick<Services, 'live' | 'collections' | 'settings'>
): Promise<object> {
  const row = (await services.live.access(value)) ?? (await liveRefresh(value, services))
  if (row === undefined || !mayRead(caller, row)) return INACTIVE
  const { collections, settings } = services
  const owner =
    row.clientId === caller.clientId
      ? caller
      : await collections.clients.findOne({ clientId: row.clientId })
  if (owner === null || owner.status !== 'active') return INACTIVE
  return {
    active: true,
    iss: settings.issuer,
    sub: subjectOf(row.userId, owner, settings),
    client_id: row.clientId,
    aud: row.audience.length === 1 ? row.audience[0] : row.audience,
    scope: row.scopes.join(' '),
    token_type: row.jkt === undefined ? 'Bearer' : 'DPoP',
    iat: seconds(row.createdAt),
    exp: seconds(row.expiresAt),
    ...(row.jkt !== undefined && { cnf: { jkt: row.jkt } })
  }
}

/** Its own tokens, and as a resource server the access tokens that are for its resources. */
function mayRead(caller: OAuthClient, row: OAuthToken): boolean {
  if (row.clientId === caller.clientId) return true
  return (
    row.kind === 'access' &&
    (caller.allowedResources.length === 0 ||
      row.audience.some((id) => caller.allowedResources.includes(id)))
  )
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
