// Records suppressions and what they mean for subscriptions.
import { Type } from '@keelson/sdk'
import type { SuppressionReason, SuppressionScope } from '@keelson/sdk/contracts/mailer-core'
import type { ClientSession } from 'mongodb'
import { checkedInput, inputs } from '../checked-input.ts'
import type { MailerContext } from '../context.ts'
import { durably } from '../storage/durable.ts'
import { findForgotten } from './find-suppressions.ts'
import { mergeStages, type NewSuppression, suppressionId } from './merge-suppression.ts'
import { REASONS } from './suppression-rules.ts'

/** What `suppress` takes beside the address. */
export interface SuppressOptions {
  readonly scope: SuppressionScope
  readonly reason: SuppressionReason
  readonly source?: string
  readonly notes?: string
  /** Default: never. */
  readonly expiresAt?: Date
}

/** The scopes that callers name. */
export const scopeSchema = Type.Enum(['all', 'marketing', 'transactional'])

const suppressSchema = Type.Object({
  email: inputs.email,
  scope: scopeSchema,
  reason: Type.Enum([...REASONS]),
  source: Type.Optional(inputs.source),
  notes: Type.Optional(inputs.notes),
  expiresAt: Type.Optional(inputs.date)
})

/**
 * Suppresses an address. One row per address and scope: see `mergeStages` for a second suppression.
 *
 * @throws MLR_INPUT_INVALID
 */
export async function suppress(
  context: Pick<MailerContext, 'collections' | 'clock'>,
  email: string,
  options: SuppressOptions
): Promise<void> {
  const suppression = checkedInput('suppress', suppressSchema, { ...options, email })
  await recordSuppressions(context, [suppression as NewSuppression])
}

/**
 * Records any number of suppressions in two commands; recording one again changes nothing. Of an erased
 * address nothing is recorded: it is blocked for ever.
 */
export async function recordSuppressions(
  { collections, clock }: Pick<MailerContext, 'collections' | 'clock'>,
  suppressions: readonly NewSuppression[],
  { session }: { readonly session?: ClientSession } = {}
): Promise<void> {
  if (suppressions.length === 0) return
  const emails = suppressions.map(({ email }) => email)
  const forgotten = await findForgotten({ collections }, emails, session && { session })
  const recorded = suppressions.filter(({ email }) => !forgotten.has(email))
  if (recorded.length === 0) return
  const now = clock.now()
  const operations = recorded.map((suppression) => ({
    updateOne: {
      filter: { _id: suppressionId(suppression.email, suppression.scope) },
      update: mergeStages(suppression, now),
      upsert: true
    }
  }))
  await collections.suppressions.bulkWrite(operations, { ordered: false, ...durably(session) })
}
