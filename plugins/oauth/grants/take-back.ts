// Takes back what was written about a person who was forgotten, or shut out, at that very moment.
import { invalidGrant } from '../oauth-errors.ts'
import type { Services } from '../services.ts'
import type { OAuthGrant, StoredFamily } from '../storage/rows.ts'

type Parts = Pick<Services, 'collections' | 'revocations'>

/**
 * The family of tokens that were just written. Whoever forgets a person deletes families first and tokens
 * after that: tokens without a family may have come too late for it, and go here.
 *
 * @throws invalid_grant when there is none
 */
export async function familyOfNew(
  familyId: string,
  auditId: string,
  { collections }: Parts
): Promise<StoredFamily> {
  const { families, tokens, audit } = collections
  const family = await families.findOne({ _id: familyId })
  if (family !== null) return family
  await Promise.all([tokens.deleteMany({ familyId }), audit.deleteOne({ _id: auditId })])
  throw invalidGrant('The grant has ended.')
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
