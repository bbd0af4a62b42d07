// Lists suppressions for operators.

import { type NewestPage, type PageOfRows, readNewest } from '@keelson/sdk'
import type { Filter } from 'mongodb'
import type { SuppressionReason } from '../../contracts/mailer-core.ts'
import { addressHashes } from '../../ledger/address.ts'
import type { SuppressionRow } from '../../ledger/contact-rows.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { defined } from '../../ledger/defined.ts'

/** Which suppressions; what is set must hold. */
export interface SuppressionFilter {
  /** Any case; finds erased addresses by their hash. */
  readonly email?: string
  readonly scope?: string
  readonly reason?: SuppressionReason
}

/** The query of a filter. */
export const suppressionsOf = ({
  email,
  scope,
  reason
}: SuppressionFilter): Filter<SuppressionRow> => {
  const emailHash = email === undefined ? undefined : { $in: addressHashes(email) }
  return defined({ emailHash, scope, reason }) as Filter<SuppressionRow>
}

/** A page of at most 500, those added last first. */
export function listSuppressions(
  { collections }: Pick<MailerContext, 'collections'>,
  { email, scope, reason, ...page }: SuppressionFilter & NewestPage = {}
): Promise<PageOfRows<SuppressionRow>> {
  const filter = suppressionsOf(defined({ email, scope, reason }))
  return readNewest(collections.suppressions, filter, { ...page, time: 'addedAt', maxLimit: 500 })
}
