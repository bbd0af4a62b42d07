// Ends access in the database: grants, families, codes and tokens. Used by `revocations.ts` alone, which tells of it.
import type { Filter } from 'mongodb'
import type { Settings } from '../config/settings.ts'
import type { OAuthCollections } from '../storage/collections.ts'
import type { OAuthGrant, OAuthToken, RevokedBy, StoredFamily } from '../storage/rows.ts'

export interface RevocationCounts {
  readonly grantsRevoked: number
  readonly tokensRevoked: number
}

/** Each ends access without telling of it. */
export interface Access {
  /** What asks for access, and what has no grant: the grants of a client end in batches. */
  ofClientRequests(clientId: string): Promise<{ readonly tokensRevoked: number }>
  ofUser(userId: string, by?: RevokedBy): Promise<RevocationCounts>
  ofContext(userId: string, contextId: string): Promise<RevocationCounts>
  /** Counts are zero when it had already ended. */
  ofGrant(grantId: string, by: RevokedBy): Promise<RevocationCounts>
  /** Some grants at once. */
  ofGrants(grantIds: readonly string[], by: RevokedBy): Promise<RevocationCounts>
  /** Everything that came from one code. */
  ofFamily(familyId: string, reason: string): Promise<{ readonly tokensRevoked: number }>
  ofToken(tokenId: string): Promise<{ readonly tokensRevoked: number }>
}

/** A filter on the fields that grants, families, codes and tokens share. */
type OwnerFilter = {
  clientId?: string
  userId?: string
  contextId?: string
  grantId?: string | { $in: string[] }
}

export function createAccess(
  settings: Settings,
  collections: OAuthCollections,
  tellCaches: () => Promise<void>
): Access {
  const { grants, families, tokens, codes, requests, devices } = collections

  const endFamilies = async (owner: OwnerFilter, reason: string): Promise<void> => {
    const ended = { $set: { revokedAt: settings.now(), reason } }
    await families.updateMany({ ...owner, revokedAt: null } as Filter<StoredFamily>, ended)
  }

  /** Families first, so that tokens being minted for them right now are dead on arrival. */
  const endTokens = async (owner: OwnerFilter, reason: string): Promise<number> => {
    const now = settings.now()
    await codes.deleteMany(owner)
    await endFamilies(owner, reason)
    const { modifiedCount } = await tokens.updateMany(
      { ...owner, revokedAt: null } as Filter<OAuthToken>,
      { $set: { revokedAt: now } }
    )
    await tellCaches()
    return modifiedCount
  }

  const end = async (owner: OwnerFilter, by: RevokedBy): Promise<RevocationCounts> => {
    // Families end before the grants: a process that is killed here leaves grants that can be ended again,
    // and never access without its grant. They end once more afterwards, for what was granted meanwhile.
    await endFamilies(owner, by)
    const now = settings.now()
    const { grantId, ...rest } = owner
    const filter = grantId === undefined ? rest : { _id: grantId, ...rest }
    const { modifiedCount } = await grants.updateMany(
      { ...filter, revokedAt: null } as Filter<OAuthGrant>,
      { $set: { revokedAt: now, revokedBy: by, updatedAt: now } }
    )
    return { grantsRevoked: modifiedCount, tokensRevoked: await endTokens(owner, by) }
  }

  return {
    async ofClientRequests(clientId) {
      await requests.deleteMany({ clientId })
      await devices.deleteMany({ clientId })
      return { tokensRevoked: await endTokens({ clientId }, 'admin') }
    },
    async ofUser(userId, by = 'admin') {
      await requests.deleteMany({ userId })
      await devices.deleteMany({ userId })
      return end({ userId }, by)
    },
    ofContext: (userId, contextId) => end({ userId, contextId }, 'system'),
    ofGrant: (grantId, by) => end({ grantId }, by),
    ofGrants: (grantIds, by) => end({ grantId: { $in: [...grantIds] } }, by),
    async ofFamily(familyId, reason) {
      const now = settings.now()
      const { modifiedCount } = await families.updateOne(
        { _id: familyId, revokedAt: null },
        { $set: { revokedAt: now, reason } }
      )
      const ended = await tokens.updateMany(
        { familyId, revokedAt: null },
        { $set: { revokedAt: now } }
      )
      if (modifiedCount > 0 || ended.modifiedCount > 0) await tellCaches()
      return { tokensRevoked: ended.modifiedCount }
    },
    async ofToken(tokenId) {
      const { modifiedCount } = await tokens.updateOne(
        { _id: tokenId, revokedAt: null },
        { $set: { revokedAt: settings.now() } }
      )
      await tellCaches()
      return { tokensRevoked: modifiedCount }
    }
  }
}
