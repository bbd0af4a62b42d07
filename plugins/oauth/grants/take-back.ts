// Takes back what was written about a person who was forgotten, or shut out, at that very moment.
import { invalidGrant } from '../oauth-errors.ts'
import type { Services } from '../services.ts'
import type { OAuthCollections } from '../storage/collections.ts'
import type { OAuthGrant, StoredFamily } from '../storage/rows.ts'

type Parts = Pick<Services, 'collections' | 'revocations'>

/**
 * The family that something was just written of. Whoever forgets a person deletes families first, and
 * tokens and audit rows after that: without a family they may have come too late for it, and go here.
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

/** The family of tokens that were just written. @throws invalid_grant when there is none any more */
export async function familyOfNew(
  familyId: string,
  auditId: string,
  { collections }: Parts
): Promise<StoredFamily> {
  const family = await withoutForgotten(familyId, auditId, collections)
  if (family === null) throw invalidGrant('The grant has ended.')
  return family
}

/** Ends a grant that a person gave while they were shut out; one that is no older leaves no word. */
export async function takeBackGrant(
  { _id: grantId }: OAuthGrant,
  { since, auditId }: { readonly since: Date; readonly auditId: string },
  { collections, revocations }: Parts
): Promise<void> {
  const { families, grants, audit } = collections
  await revocations.ofGrant(grantId, 'system')
  await Promise.all([
    families.deleteMany({ grantId }),
    grants.deleteOne({ _id: grantId, createdAt: { $gte: since } }),
    audit.deleteOne({ _id: auditId })
  ])
}
