// Unsubscribes an address: the suppression and the subscription in one transaction.
import { type Static, Type } from '@keelson/sdk'
import type { SuppressionScope } from '@keelson/sdk/contracts/mailer-core'
import { checkedInput, inputs } from '../checked-input.ts'
import type { MailerContext } from '../context.ts'
import type { StoredScope } from './contact-rows.ts'
import { markSubscriptions } from './mark-subscriptions.ts'
import { recordSuppressions, scopeSchema } from './record-suppressions.ts'

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
  const { source, notes, reason = 'user_request' } = input
  const scope = scopeOf(input)
  const suppression = { email, scope, reason: 'unsubscribed', source, notes } as const
  if (scope !== 'all' && scope !== 'marketing') return recordSuppressions(context, [suppression])
  const contact = await context.adapter.getByEmail(email.trim())
  const externalIds = contact === null ? [] : [contact.externalId]
  const marks = { status: 'unsubscribed', externalIds, emails: [email], reason } as const
  await context.withTransaction(async (session) => {
    await recordSuppressions(context, [suppression], { session })
    await markSubscriptions(context, marks, { session })
  })
}

const scopeOf = ({ scope, category }: Static<typeof unsubscribeSchema>): StoredScope =>
  category === undefined ? scope : `category:${category}`
