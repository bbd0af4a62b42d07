// Deletes the rows about a person whose access has ended.
import type { OAuthCollections } from '../storage/collections.ts'

export async function erase(
  userId: string,
  collections: OAuthCollections
): Promise<{ readonly grants: number; readonly tokens: number }> {
  const { grants, tokens, codes, requests, families, audit, attempts, clients, devices } =
    collections
  const { deliveries, scimUsers } = collections
  // Before the tokens: a process that writes tokens looks for their family afterwards, and deletes them.
  await families.deleteMany({ userId })
  const [deletedTokens, deletedGrants] = await Promise.all([
    tokens.deleteMany({ userId }),
    grants.deleteMany({ userId }),
    codes.deleteMany({ userId }),
    requests.deleteMany({ userId }),
    devices.deleteMany({ userId }),
    // Receivers must still learn that the person is gone.
    deliveries.deleteMany({
      'event.userId': userId,
      'event.type': { $ne: 'oauth.user_forgotten' }
    }),
    scimUsers.deleteMany({ userId }),
    // A service account without its owner may not act.
    clients.updateMany(
      { owner: userId },
      { $set: { status: 'disabled', disabledBy: 'platform' }, $unset: { owner: '' } }
    ),
    audit.deleteMany({ userId }),
    attempts.updateMany({ userId }, { $unset: { userId: '', ip: '' } })
  ])
  return { grants: deletedGrants.deletedCount, tokens: deletedTokens.deletedCount }
}
