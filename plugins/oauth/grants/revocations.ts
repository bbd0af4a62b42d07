// Ends access: grants, families, tokens, and what is on its way to become one.
import type { Filter } from 'mongodb'
import type { Settings } from '../config/settings.ts'
import type { OAuthCollections } from '../storage/collections.ts'
import type { OAuthGrant, OAuthToken, RevokedBy, StoredFamily } from '../storage/rows.ts'
import { allHeard, type OwnCache, raiseVersion } from './tell-caches.ts'

export interface Ended {
  readonly grantsRevoked: number
  readonly tokensRevoked: number
}

export interface Revocations {
  ofClient(clientId: string): Promise<Ended>
  ofUser(userId: string, by?: RevokedBy): Promise<Ended>
  ofContext(userId: string, contextId: string): Promise<Ended>
  /** Zero when it had ended before. */
  ofGrant(grantId: string, by: RevokedBy): Promise<Ended>
  /** Everything that came from one code. */
  ofFamily(familyId: string, reason: string): Promise<{ readonly tokensRevoked: number }>
  ofToken(tokenId: string): Promise<void>
  /** After rows were deleted: what caches hold is worth nothing, in every process, when it resolves. */
  tellCaches(): Promise<void>
  /** A process that was killed may have ended tokens and told nobody. Waits for no other process. */
  tellAfterStart(): Promise<void>
}

/** A filter that grants, families, codes and tokens understand alike. */
type Whose = { clientId?: string; userId?: string; contextId?: string; grantId?: string }

export function createRevocations(
  settings: Settings,
  collections: OAuthCollections,
  own: OwnCache
): Revocations {
  const { grants, families, tokens, codes, requests, state } = collections

  const tellCaches = async (): Promise<void> => {
    await allHeard(await raiseVersion(state, own), state, own)
  }

  const endFamilies = async (whose: Whose, reason: string): Promise<void> => {
    const ended = { $set: { revokedAt: settings.now(), reason } }
    await families.updateMany({ ...whose, revokedAt: null } as Filter<StoredFamily>, ended)
  }

  /** Families first: what is being minted for them right now is dead when it arrives. */
  const endTokens = async (whose: Whose, reason: string): Promise<number> => {
    const now = settings.now()
    await codes.deleteMany(whose)
    await endFamilies(whose, reason)
    const { modifiedCount } = await tokens.updateMany(
      { ...whose, revokedAt: null } as Filter<OAuthToken>,
      { $set: { revokedAt: now } }
    )
    await tellCaches()
    return modifiedCount
  }

  const end = async (whose: Whose, by: RevokedBy): Promise<Ended> => {
    // Once before the grants: a process that is killed here leaves grants that anyone can end again, and
    // never access behind a grant that is gone. And once after: for what was granted meanwhile.
    await endFamilies(whose, by)
    const now = settings.now()
    const { grantId, ...rest } = whose
    const filter = grantId === undefined ? rest : { _id: grantId, ...rest }
    const { modifiedCount } = await grants.updateMany(
      { ...filter, revokedAt: null } as Filter<OAuthGrant>,
      { $set: { revokedAt: now, revokedBy: by, updatedAt: now } }
    )
    return { grantsRevoked: modifiedCount, tokensRevoked: await endTokens(whose, by) }
  }

  return {
    async ofClient(clientId) {
      await requests.deleteMany({ clientId })
      return end({ clientId }, 'admin')
    },
    async ofUser(userId, by = 'admin') {
      await requests.deleteMany({ userId })
      return end({ userId }, by)
    },
    ofContext: (userId, contextId) => end({ userId, contextId }, 'system'),
    ofGrant: (grantId, by) => end({ grantId }, by),
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
      await tokens.updateOne(
        { _id: tokenId, revokedAt: null },
        { $set: { revokedAt: settings.now() } }
      )
      await tellCaches()
    },
    tellCaches,
    tellAfterStart: async () => void (await raiseVersion(state, own))
  }
}
