// Unsubscribes an address: the suppression and the subscription in one transaction.
import { type Static, Type } from '@keelson/sdk'
import type { SuppressionScope } from '../../contracts/mailer-core.ts'
import { checkedInput, inputs } from '../../ledger/checked-input.ts'
import type { StoredScope } from '../../ledger/contact-rows.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { defined } from '../../ledger/defined.ts'
import { groupedBy } from '../../ledger/grouped-by.ts'
import { findSuppressions } from './find-suppressions.ts'
import { type Choice, keepChoices } from './keep-choices.ts'
import { markSubscriptions } from './mark-subscriptions.ts'
import { recordSuppressions, scopeSchema } from './record-suppressions.ts'

const USER_REQUEST = 'user_request'

/** What `unsubscribe` takes beside the address. */
export interface UnsubscribeOptions {
  readonly scope: SuppressionScope
  /** Only this category: the scope is not used, and the subscription stays. */
  readonly category?: string
  /** Kept with the subscription. Default `user_request`. */
  readonly reason?: string
  readonly source?: string
  readonly notes?: string
}

const unsubscribeSchema = Type.Object({
  email: inputs.email,
  scope: scopeSchema,
  category: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  reason: Type.Optional(inputs.reason),
  source: Type.Optional(inputs.source),
  notes: Type.Optional(inputs.notes)
})

/**
 * Records an unsubscribe; durable when it resolves. Marks the subscription unless the scope is
 * `transactional` or a category.
 *
 * @throws MLR_INPUT_INVALID
 */
export async function unsubscribe(
  context: MailerContext,
  email: string,
  options: UnsubscribeOptions
): Promise<void> {
  const input = checkedInput('unsubscribe', unsubscribeSchema, { ...options, email })
  await recordUnsubscribes(context, [input])
}

/** What is recorded of an unsubscribe, checked. */
export type CheckedUnsubscribe = Static<typeof unsubscribeSchema>

/** Records any number of unsubscribes in one transaction; durable when it resolves. */
export async function recordUnsubscribes(
  context: MailerContext,
  unsubscribes: readonly CheckedUnsubscribe[]
): Promise<void> {
  const suppressions = unsubscribes.map((one) => {
    const { email, source, notes } = one
    return { email, scope: scopeOf(one), reason: 'unsubscribed', source, notes } as const
  })
  const ends = unsubscribes.filter((one) => ['all', 'marketing'].includes(scopeOf(one)))
  const choices = await newChoices(context, unsubscribes)
  if (ends.length + choices.length === 0) return recordSuppressions(context, suppressions)
  const marks = await Promise.all(
    [...groupedBy(ends, causeOf).values()].map(async (group) => {
      const [{ reason = USER_REQUEST, source } = {}] = group
      const emails = group.map(({ email }) => email.trim())
      const contacts = await Promise.all(emails.map((email) => contactsWith(context, email)))
      const externalIds = contacts.flat()
      return { status: 'unsubscribed', externalIds, emails, reason, source } as const
    })
  )
  await context.withTransaction(async (session) => {
    await recordSuppressions(context, suppressions, { session })
    for (const mark of marks) await markSubscriptions(context, mark, { session })
    await keepChoices(context, choices, { session })
  })
}

/** Unsubscribes with one cause are marked in one command. */
const causeOf = ({ reason = USER_REQUEST, source = '' }: CheckedUnsubscribe): string =>
  JSON.stringify([reason, source])

/** Categories that are left; one that was left before says nothing new. */
async function newChoices(
  context: MailerContext,
  unsubscribes: readonly CheckedUnsubscribe[]
): Promise<readonly Choice[]> {
  const left = unsubscribes.filter(({ category }) => category !== undefined)
  const known = await findSuppressions(
    context,
    left.map(({ email }) => email)
  )
  return left.flatMap(({ email, category, reason, source }) => {
    const isKnown = (known.get(email) ?? []).some(({ scope }) => scope === `category:${category}`)
    return isKnown
      ? []
      : [{ email, what: 'categoryOff' as const, ...defined({ category, reason, source }) }]
  })
}

/** An unsubscribe is recorded even while the host's contacts cannot be read. */
async function contactsWith(
  { adapter, log }: MailerContext,
  email: string
): Promise<readonly string[]> {
  try {
    const contact = await adapter.getByEmail(email)
    return contact === null ? [] : [contact.externalId]
  } catch (err) {
    log.warn({ err }, 'contact of an unsubscribe not found: the contact adapter failed')
    return []
  }
}

const scopeOf = ({ scope, category }: CheckedUnsubscribe): StoredScope =>
  category === undefined ? scope : `category:${category}`
