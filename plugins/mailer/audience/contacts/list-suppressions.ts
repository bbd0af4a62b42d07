// Lists suppressions for operators.
import type { Filter } from 'mongodb'
import { addressHash } from '../../ledger/address.ts'
import type { SuppressionRow } from '../../ledger/contact-rows.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { defined } from '../../ledger/defined.ts'
import { type NewestPage, type PageOfRows, readNewest } from '../../ledger/newest-first.ts'

/** Which suppressions to list; what is set must hold. */
export interface SuppressionFilter extends NewestPage {
  /** Any case; finds erased addresses by their hash. */
  readonly email?: string
  readonly scope?: string
  readonly reason?: string
}

/** A page of at most 500, those added last first. */
export function listSuppressions(
  { collections }: Pick<MailerContext, 'collections'>,
  { email, scope, reason, ...page }: SuppressionFilter = {}
): Promise<PageOfRows<SuppressionRow>> {
  const emailHash = email === undefined ? undefined : addressHash(email)
  const filter = defined({ emailHash, scope, reason }) as Filter<SuppressionRow>
  return readNewest(collections.suppressions, filter, { ...page, time: 'addedAt', maxLimit: 500 })
}
