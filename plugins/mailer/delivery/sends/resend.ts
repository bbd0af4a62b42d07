// Sends a mail once more, by hand: one that no provider has goes at once, of any other a new one is made.

import type { Filter } from 'mongodb'
import { audit } from '../../ledger/audit/audit.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { defined } from '../../ledger/defined.ts'
import { dedupeKeys } from '../../ledger/send-id.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import type { Acting } from '../../ledger/template-input.ts'
import { probeNow } from '../outages/outages.ts'
import { bringBack, FAILED } from './bring-back.ts'
import { queueSends } from './queue-sends.ts'

/** What sending again came to. */
export type Resent =
  | {
      readonly ok: true
      /** The mail itself where no provider had it. */
      readonly sendId: string
    }
  | {
      readonly ok: false
      readonly code: 'not_found' | 'not_resendable'
      readonly message: string
    }

/** A call that sends a mail again. The same `key` does it once. */
export type Resend = Acting & { readonly key: string }

/** What sending a mail again means in its state. `now` and `back`: the mail itself goes. */
type Way = 'now' | 'back' | 'new' | { readonly why: string }

/** A mail that waits for its turn, for another try, or for its provider. */
const WAITS: Filter<SendRow> = { handoff: { $in: ['queued', 'deferred', 'failed'] }, state: 'due' }

/**
 * No contact gets a mail twice by it: a mail that waits is due now, one that failed goes on. Suppressions,
 * limits, pauses and providers that take no mail hold for it as for any mail.
 */
export async function resend(context: MailerContext, sendId: string, by: Resend): Promise<Resent> {
  const row = await context.collections.sends.findOne({ _id: sendId })
  if (row === null) return { ok: false, code: 'not_found', message: 'The mail was not found.' }
  if (row.retried?.key === by.key) return { ok: true, sendId }
  const way = wayOf(row)
  if (typeof way === 'object') return refused(way.why)
  if (way === 'new') return { ok: true, sendId: await newMail(context, row, by) }
  const moved = way === 'now' ? await dueNow(context, row, by) : await goesOn(context, row, by)
  if (moved === 0) return refused(IN_HAND)
  await audit(context, { ...audited(context, row, by), after: { sendId } })
  return { ok: true, sendId }
}

const IN_HAND = 'The mail is being handed over. Look at it again in a minute.'
const refused = (message: string): Resent => ({ ok: false, code: 'not_resendable', message })

/** Pure. */
export function wayOf({ state, status, handoff, hold, ...row }: SendRow): Way {
  if (status === 'unknown') return { why: 'It is unknown whether the mail left. Resolve it first.' }
  if (status === 'held') return { why: `The mail is held: ${hold?.message ?? 'resume it first.'}` }
  if (handoff === 'sending' || state === 'leased') return { why: IN_HAND }
  if (status === 'queued' || status === 'deferred') return 'now'
  if (status === 'failed' && handoff === 'failed') return state === 'done' ? 'back' : 'now'
  if (row.operatorMail !== undefined || row.templateSlug === '')
    return { why: 'The mail has no template.' }
  return 'new'
}

/** A mail that waits for its provider finds out whether that takes mail again. */
async function dueNow(context: MailerContext, row: SendRow, { key }: Resend) {
  const { queues } = context
  if (row.waiting !== undefined) await probeNow(context, row.waiting.provider)
  const queue = row.lane === 'urgent' ? queues.urgentSends : queues.bulkSends
  const counted = row.retried ?? { at: row.queuedAt, attempts: 0 }
  const update = [{ $set: { retried: { $literal: { ...counted, key } } } }]
  return (await queue.reschedule({ _id: row._id, ...WAITS }, { update })).rescheduled
}

const goesOn = (context: MailerContext, { _id }: SendRow, { key }: Resend) =>
  bringBack(context, FAILED, { filter: { _id }, key })

const audited = (
  { collections }: MailerContext,
  { _id: id }: SendRow,
  { key: _key, ...acting }: Resend
) => {
  const resource = { collection: collections.sends.collectionName, id }
  return { ...acting, action: 'send.resend', resource }
}

/** A mail with the same template, contact and variables. */
async function newMail(context: MailerContext, row: SendRow, by: Resend): Promise<string> {
  const { externalId, emailAtSend, kind, templateSlug } = row
  const { category, providerOverride, vars, event, texts } = row
  const dedupeKey = dedupeKeys.resend(row._id, by.key)
  return context.withTransaction(async (session) => {
    const mail = { dedupeKey, lane: 'urgent', externalId, kind, templateSlug } as const
    const known = { emailAtSend: emailAtSend ?? undefined, category, providerOverride }
    const more = { ...known, vars, event, texts }
    const named = { manualSendBy: by.actor }
    const queued = await queueSends(context, [{ ...mail, ...defined(more), ...named }], { session })
    const sendId = queued.ids.get(dedupeKey) as string
    if (queued.added === 0) return sendId
    await audit(context, { ...audited(context, row, by), after: { sendId } }, { session })
    return sendId
  })
}
