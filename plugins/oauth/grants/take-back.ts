// Deletes what was written about a person whose erasure or revocation ran at the same time.
import { oauthError } from '../oauth-errors.ts'
import type { Services } from '../services.ts'
import type { OAuthCollections } from '../storage/collections.ts'
import type { OAuthGrant, StoredFamily } from '../storage/rows.ts'

type Parts = Pick<Services, 'collections' | 'revocations'>

/**
 * The family of rows that were just written. Erasure deletes families first, then tokens and audit rows:
 * rows without a family may have been written too late for it, and are deleted here.
 */
export async function withoutForgotten(
  familyId: string,
  auditId: string,
  { families, tokens, audit }: OAuthCollections
): Promise<StoredFamily | null> {
  const family = await families.findOne({ _id: familyId })
  if (family === null) {
    await Promise.all([tokens.deleteMany({ familyId }), audit.deleteOne({ _id: auditId })])
  }
  return family
}

/** The family of tokens that were just written. @throws invalid_grant when it was deleted */
export async function familyOfNew(
  familyId: string,
  auditId: string,
  { collections }: Parts
): Promise<StoredFamily> {
  const family = await withoutForgotten(familyId, auditId, collections)
  if (family === null) throw oauthError('grantEnded')
  return family
}

/** Ends a grant that was given while its person was being revoked; one that is new leaves no trace. */
export async function takeBackGrant(
  { _id: grantId }: OAuthGrant,
  { since, auditId }: { readonly since: Date; readonly auditId: string },
  { collections, revocations }: Parts
): Promise<void> {
  const { families, grants, audit } = collections
  await revocations.finish((access) => access.ofGrant(grantId, 'system'))
  await Promise.all([
    families.deleteMany({ grantId }),
    grants.deleteOne({ _id: grantId, createdAt: { $gte: since } }),
    audit.deleteOne({ _id: auditId })
  ])
}
