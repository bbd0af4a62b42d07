// Token revocation (RFC 7009): a refresh token ends its whole family, an access token only itself.
import type { Origin } from '../audit/journal.ts'
import { hashOf } from '../crypto/handles.ts'
import { withoutForgotten } from '../grants/take-back.ts'
import type { Services } from '../services.ts'
import type { OAuthClient } from '../storage/rows.ts'

/** Does nothing for tokens that are unknown or another client's. */
export async function revokeToken(
  value: string,
  client: OAuthClient,
  origin: Origin,
  { collections, revocations, journal }: Pick<Services, 'collections' | 'revocations' | 'journal'>
): Promise<void> {
  const row = await collections.tokens.findOne({ tokenHash: hashOf(value) })
  if (row === null || row.clientId !== client.clientId) return
  if (row.kind === 'refresh') {
    const { tokensRevoked } = await revocations.ofFamily(row.familyId, 'the client revoked it')
    // A repeated call: the first may have ended it without announcing it to caches.
    if (tokensRevoked === 0) await revocations.tellCaches()
  } else await revocations.ofToken(row._id)
  const { clientId, userId, grantId, kind } = row
  const auditId = await journal.audit('token_revoked', {
    actor: 'client',
    clientId,
    userId,
    grantId,
    meta: { kind },
    ...origin
  })
  await withoutForgotten(row.familyId, auditId, collections)
}
