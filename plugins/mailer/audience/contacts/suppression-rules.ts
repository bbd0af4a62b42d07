// Which suppression blocks which mail. Pure.
import type { MailKind, SuppressionReason } from '../../contracts/mailer-core.ts'
import type { StoredScope, SuppressionRow } from '../../ledger/contact-rows.ts'

/** Weakest first: of two rows with the same end, the stronger reason is kept and shown. */
export const REASONS: readonly SuppressionReason[] = [
  'unsubscribed',
  'list_cleaning',
  'manual',
  'hard_bounce',
  'complaint',
  'gdpr_forget'
]

/** From this reason on, no later write weakens it; a bounce with an end date aside. */
export const FIRST_STRONG: SuppressionReason = 'hard_bounce'

/** The place of a reason in `REASONS`. */
export const strengthOf = (reason: SuppressionReason): number => REASONS.indexOf(reason)

/** The part of a row that decides. */
export type Blocking = Pick<SuppressionRow, 'scope' | 'reason' | 'expiresAt'>

/** Whether a row has not run out. */
export const isInForce = ({ expiresAt }: Pick<Blocking, 'expiresAt'>, now: Date): boolean =>
  !(expiresAt instanceof Date) || expiresAt > now

/**
 * The row that blocks a mail of this kind and category, the strongest reason first, then the widest scope; undefined
 * when none does. A category blocks only marketing mail of that category.
 */
export function suppressionThatBlocks<T extends Blocking>(
  rows: readonly T[],
  kind: MailKind,
  category: string | undefined,
  now: Date
): T | undefined {
  const scopes = blockingScopes(kind, category)
  return rows
    .filter((row) => scopes.includes(row.scope) && isInForce(row, now))
    .sort(
      (a, b) =>
        strengthOf(b.reason) - strengthOf(a.reason) ||
        scopes.indexOf(a.scope) - scopes.indexOf(b.scope)
    )[0]
}

/** The widest first. */
function blockingScopes(kind: MailKind, category: string | undefined): readonly StoredScope[] {
  if (kind === 'transactional') return ['all', 'transactional']
  const marketing = ['all', 'marketing', 'marketing_pause'] as const
  return category === undefined ? marketing : [...marketing, `category:${category}`]
}
