// Ends one grant: its tokens, the audit entry, the event for the host.
import type { Origin } from '../audit/journal.ts'
import type { Services } from '../services.ts'
import type { OAuthGrant, RevokedBy } from '../storage/rows.ts'
import { grantEvent } from './revocations.ts'

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
  if (grant.revokedAt !== null) {
    const { tokensRevoked } = await revocations.finish((access) => access.ofGrant(grant._id, by))
    return { tokensRevoked }
  }
  // While the grant is live: it says that the client knows the person.
  await outbox.endSessions(grant.userId, grant.clientId)
  const { counts } = await revocations.end(
    { event: grantEvent(grant, by), audit: { type: 'grant_revoked', actor: by, origin } },
    async (access) => {
      const { tokensRevoked } = await access.ofGrant(grant._id, by)
      return { tokensRevoked }
    },
    journal
  )
  return counts
}
