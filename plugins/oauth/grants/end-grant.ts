// Ends one grant: its tokens, the audit entry, the event for the host.
import type { Origin } from '../audit/journal.ts'
import type { Services } from '../services.ts'
import type { OAuthGrant, RevokedBy } from '../storage/rows.ts'

export interface EndedBy {
  readonly by: RevokedBy
  readonly origin?: Partial<Origin>
}

/** A grant that had already ended is not audited again. */
export async function endGrant(
  grant: OAuthGrant,
  { by, origin }: EndedBy,
  { revocations, journal, outbox }: Pick<Services, 'revocations' | 'journal' | 'outbox'>
): Promise<{ readonly tokensRevoked: number }> {
  // While the grant is live: it says that the client knows the person.
  if (grant.revokedAt === null) await outbox.endSessions(grant.userId, grant.clientId)
  const { clientId, userId, scopes, contextId } = grant
  const about = { clientId, userId, grantId: grant._id }
  const context = contextId === null ? {} : { contextId }
  const event = { type: 'oauth.grant_revoked', ...about, scopes, ...context, meta: { by } }
  const foretold = grant.revokedAt === null ? await journal.foretell(event) : undefined
  const { tokensRevoked } = await revocations.ofGrant(grant._id, by)
  if (grant.revokedAt !== null) return { tokensRevoked }
  const meta = { tokensRevoked }
  await journal.audit('grant_revoked', { actor: by, ...about, meta, ...origin })
  await journal.track(event, foretold)
  return { tokensRevoked }
}
