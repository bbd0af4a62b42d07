// Lists suppressions for operators.
import type { Filter } from 'mongodb'
import type { MailerContext } from '../context.ts'
import { defined } from '../defined.ts'
import { type NewestPage, type PageOfRows, readNewest } from '../storage/newest-first.ts'
import { addressHash } from './address.ts'
import type { SuppressionRow } from './contact-rows.ts'

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
