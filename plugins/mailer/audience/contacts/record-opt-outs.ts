// Records what recipients asked for with unsubscribe links: the unsubscribes, and the mails that led to them.
import { DURABLE } from '@keelson/sdk'
import type { Document } from 'mongodb'
import { addressForms, normalAddress } from '../../ledger/address.ts'
import type { SubscriptionRow } from '../../ledger/contact-rows.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { outcomeOf, recordOutcomes } from '../../ledger/outcomes/record-outcomes.ts'
import { STATUS_STAGE } from '../../ledger/send-status.ts'
import { recordUnsubscribes } from './unsubscribe.ts'
import type { UnsubscribeRequest } from './unsubscribe-token.ts'

/** An unsubscribe of a recipient. */
export interface OptOut extends UnsubscribeRequest {
  /** When it was asked for. */
  readonly at: Date
}

/** Safe to repeat; durable when it resolves. One that was taken back since changes nothing. */
export async function recordOptOuts(
  context: MailerContext,
  given: readonly OptOut[]
): Promise<void> {
  const source = 'unsubscribe_link'
  const optOuts = await withoutTakenBack(context, given)
  if (optOuts.length === 0) return
  await recordUnsubscribes(
    context,
    optOuts.map(({ email, scope, category }) =>
      category === undefined ? { email, scope, source } : { email, scope, category, source }
    )
  )
  await markSends(context, optOuts)
}

/** Opt-outs may wait in the journal for long: a contact who subscribed again meanwhile took them back. */
async function withoutTakenBack(
  { collections }: MailerContext,
  optOuts: readonly OptOut[]
): Promise<readonly OptOut[]> {
  const forms = optOuts.flatMap(({ email }) => addressForms(normalAddress(email)))
  const rows = await collections.subscriptions
    .find({ emailAtSubscribe: { $in: forms }, resubscribed: { $exists: true } })
    .toArray()
  const taken = new Map(rows.map((row) => [normalAddress(row.emailAtSubscribe ?? ''), row]))
  return optOuts.filter((optOut) => {
    const resubscribed = taken.get(normalAddress(optOut.email))?.resubscribed
    return resubscribed === undefined || !isTakenBack(optOut, resubscribed)
  })
}

const isTakenBack = (
  { at, scope, category }: OptOut,
  resubscribed: NonNullable<SubscriptionRow['resubscribed']>
): boolean => {
  const isOther = category !== undefined || scope === 'transactional'
  return at < resubscribed.at && !(isOther && resubscribed.scope === 'marketing')
}

async function markSends(context: MailerContext, optOuts: readonly OptOut[]): Promise<void> {
  const { sends } = context.collections
  const times = new Map(optOuts.map(({ sendId, at }) => [sendId, at]))
  const ids = [...times.keys()].filter((id) => id !== undefined)
  if (ids.length === 0) return
  const rows = await sends.find({ _id: { $in: ids } }).toArray()
  const known = rows.map((send) => ({ send, occurredAt: times.get(send._id) ?? send.queuedAt }))
  if (known.length === 0) return
  await sends.bulkWrite(
    known.map(({ send, occurredAt }) => ({
      updateOne: { filter: { _id: send._id }, update: unsubscribedStages(occurredAt) }
    })),
    { ordered: false, ...DURABLE }
  )
  await recordOutcomes(
    context,
    known.map(({ send, occurredAt }) => outcomeOf(send, { type: 'unsubscribe', occurredAt }))
  )
}

/** The earliest time stays. */
const unsubscribedStages = (at: Date): Document[] => [
  { $set: { unsubscribedAt: { $min: ['$unsubscribedAt', at] } } },
  STATUS_STAGE
]
