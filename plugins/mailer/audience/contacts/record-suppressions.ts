// Records suppressions and what they mean for subscriptions.
import { DURABLE, Type } from '@keelson/sdk'
import { type ClientSession, MongoBulkWriteError } from 'mongodb'
import type { SuppressionReason, SuppressionScope } from '../../contracts/mailer-core.ts'
import { checkedInput, inputs } from '../../ledger/checked-input.ts'
import type { SuppressionRow } from '../../ledger/contact-rows.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { durably } from '../../ledger/storage/durable.ts'
import { findForgotten } from './find-suppressions.ts'
import { mergeStages, type NewSuppression, rowOf, suppressionId } from './merge-suppression.ts'
import { REASONS } from './suppression-rules.ts'

const DUPLICATE_KEY = 11000

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

/** What `suppress` takes, the address included. */
export const suppressSchema = Type.Object({
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

/**
 * As `recordSuppressions`, for thousands: what is not there yet is inserted, which takes a fraction of the
 * time, and only the rest is merged.
 */
export async function importSuppressionRows(
  context: Pick<MailerContext, 'collections' | 'clock'>,
  suppressions: readonly NewSuppression[]
): Promise<void> {
  if (suppressions.length === 0) return
  const emails = suppressions.map(({ email }) => email)
  const forgotten = await findForgotten(context, emails)
  const recorded = suppressions.filter(({ email }) => !forgotten.has(email))
  const now = context.clock.now()
  const rows = recorded.map((suppression) => rowOf(suppression, now))
  const present = await insertAbsent(context, rows)
  await recordSuppressions(
    context,
    recorded.filter((_, at) => present.has(at))
  )
}

/** The places of rows that are there already, or twice among them. */
async function insertAbsent(
  { collections }: Pick<MailerContext, 'collections'>,
  rows: readonly SuppressionRow[]
): Promise<ReadonlySet<number>> {
  if (rows.length === 0) return new Set()
  try {
    await collections.suppressions.insertMany([...rows], { ordered: false, ...DURABLE })
    return new Set()
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError)) throw error
    const faults = [error.writeErrors].flat()
    if (faults.some(({ code }) => code !== DUPLICATE_KEY)) throw error
    return new Set(faults.map(({ index }) => index))
  }
}
