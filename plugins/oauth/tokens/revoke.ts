// Token revocation (RFC 7009): a refresh token ends its whole family, an access token only itself.
import type { Origin } from '../audit/journal.ts'
import { hashOf } from '../crypto/handles.ts'
import { withoutForgotten } from '../grants/take-back.ts'
import type { Services } from '../services.ts'
import type { OAuthClient, OAuthToken } from '../storage/rows.ts'

/** Does nothing for tokens that are unknown or another client's. */
export async function revokeToken(
  value: string,
  client: OAuthClient,
  origin: Origin,
  { collections, revocations, journal }: Pick<Services, 'collections' | 'revocations' | 'journal'>
): Promise<void> {
  const row = await collections.tokens.findOne({ tokenHash: hashOf(value) })
  if (row === null || row.clientId !== client.clientId) return
  const { familyId, clientId, userId, grantId, kind } = row
  const meta = { kind }
  if (row.revokedAt !== null) return endAgain(row, revocations)
  const { auditId } = await revocations.end(
    {
      event: {
        type: 'oauth.token_revoked',
        clientId,
        userId,
        grantId,
        meta: { ...meta, by: 'client' }
      },
      audit: { type: 'token_revoked', actor: 'client', meta, origin }
    },
    async (access) => {
      if (kind !== 'refresh') return access.ofToken(row._id)
      return access.ofFamily(familyId, 'the client revoked it')
    },
    journal
  )
  await withoutForgotten(familyId, auditId, collections)
}

/** A repeated call: the first may have been killed before it ended everything, or announced it to caches. */
async function endAgain(
  { kind, familyId }: OAuthToken,
  revocations: Services['revocations']
): Promise<void> {
  if (kind === 'refresh') {
    await revocations.finish((access) => access.ofFamily(familyId, 'the client revoked it'))
  }
  await revocations.tellCaches()
}
