// Mails whose outcome is unknown: what the provider says of them, or an operator.

import { DURABLE, within } from '@keelson/sdk'
import type { ProviderResult } from '../../contracts/mailer-provider.ts'
import { audit } from '../../ledger/audit/audit.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import { messageOf, sendUpdate } from '../../ledger/send-update.ts'
import type { Acting } from '../../ledger/template-input.ts'

/** Mails looked up in one tick. */
const LOOK_UPS = 100
const LOOK_UP_MS = 10_000
/** A vendor knows a message a minute after it took it. */
const SETTLE_MS = 60_000

/** What an operator says of a mail whose outcome is unknown. */
export type UnknownVerdict = 'sent' | 'not_sent' | 'resend'

/** What became of an operator's verdict. */
export type Resolution =
  | { readonly ok: true; readonly status: SendRow['status'] }
  | { readonly ok: false; readonly code: 'not_found' | 'not_unknown' }

/** Resolves a mail by hand; audited. `resend` sends it again although the provider may have it. */
export async function resolveUnknown(
  context: MailerContext,
  sendId: string,
  verdict: UnknownVerdict,
  acting: Acting
): Promise<Resolution> {
  const { collections } = context
  const before = await collections.sends.findOne({ _id: sendId }, { projection: { status: 1 } })
  if (before === null) return { ok: false, code: 'not_found' }
  const moved = await settleVerdict(context, sendId, verdict)
  if (!moved) return { ok: false, code: 'not_unknown' }
  const resource = { collection: collections.sends.collectionName, id: sendId }
  const after = await collections.sends.findOne({ _id: sendId }, { projection: { status: 1 } })
  const status = after?.status ?? before.status
  await audit(context, {
    ...acting,
    action: 'send.resolve',
    resource,
    before: { status: before.status },
    after: { status, verdict }
  })
  return { ok: true, status }
}

/** Asks the providers about mails whose outcome is unknown. Called with each tick. */
export async function lookUpUnknowns(context: MailerContext): Promise<void> {
  const { collections, providers, clock } = context
  const able = [...providers].filter(([, provider]) => provider.lookUp !== undefined)
  if (able.length === 0) return
  const before = new Date(clock.now().getTime() - SETTLE_MS)
  const rows = await collections.sends
    .find({
      status: 'unknown',
      'attempt.provider': { $in: able.map(([name]) => name) },
      'attempt.at': { $lte: before },
      state: 'done'
    })
    .sort({ queuedAt: -1 })
    .limit(LOOK_UPS)
    .toArray()
  for (const row of rows) await lookUpOne(context, row)
}

async function lookUpOne(context: MailerContext, row: SendRow): Promise<void> {
  const { attempt, emailAtSend } = row
  const provider = context.providers.get(attempt?.provider ?? '')
  if (attempt === undefined || provider?.lookUp === undefined) return
  const controller = new AbortController()
  const asking = provider.lookUp({
    messageId: attempt.messageId,
    idempotencyKey: row._id,
    to: emailAtSend ?? '',
    attemptedAt: attempt.at,
    signal: controller.signal
  })
  const overdue = () => new Error('the provider did not answer')
  try {
    const found = await within(asking, { deadline: { ms: LOOK_UP_MS, overdue } })
    await settleFound(context, row, found)
  } catch (error) {
    context.log.warn({ err: error, sendId: row._id }, 'mailer: a look-up failed')
  } finally {
    controller.abort()
  }
}

async function settleFound(
  context: MailerContext,
  row: SendRow,
  found: ProviderResult | { readonly status: 'absent' }
): Promise<void> {
  switch (found.status) {
    case 'accepted':
      await markSent(context, row._id, found.providerId)
      return
    case 'rejected':
      await markFailed(context, row._id, messageOf(found.reason))
      return
    case 'absent':
      await sendAgain(context, row._id)
      return
    case 'unknown':
      return
  }
}

function settleVerdict(
  context: MailerContext,
  sendId: string,
  verdict: UnknownVerdict
): Promise<boolean> {
  switch (verdict) {
    case 'sent':
      return markSent(context, sendId)
    case 'not_sent':
      return markFailed(context, sendId, 'Resolved by hand: it was not sent.')
    case 'resend':
      return sendAgain(context, sendId)
  }
}

const isUnknown = (sendId: string) => ({ _id: sendId, status: 'unknown', state: 'done' }) as const

async function markSent(
  { collections }: MailerContext,
  sendId: string,
  providerMessageId?: string
): Promise<boolean> {
  const known = providerMessageId === undefined ? {} : { providerMessageId }
  const [set, ...rest] = sendUpdate({ handoff: 'sent', ...known }, ['errorMessage'])
  const sentAt = { $set: { sentAt: '$attempt.at' } }
  const { modifiedCount } = await collections.sends.updateOne(
    isUnknown(sendId),
    [set ?? {}, sentAt, ...rest],
    DURABLE
  )
  return modifiedCount === 1
}

async function markFailed(
  { collections }: MailerContext,
  sendId: string,
  errorMessage: string
): Promise<boolean> {
  const update = sendUpdate({ handoff: 'failed', exitReason: 'rejected', errorMessage }, [
    'handedAt'
  ])
  const { modifiedCount } = await collections.sends.updateOne(isUnknown(sendId), update, DURABLE)
  return modifiedCount === 1
}

/** A mail that is done is due again: only for mails that the provider does not have, or an operator says so. */
function sendAgain(
  { collections, queues, clock, withTransaction }: MailerContext,
  sendId: string
): Promise<boolean> {
  const update = sendUpdate({ handoff: 'queued' }, ['errorMessage', 'handedAt'])
  return withTransaction(async (session) => {
    const { modifiedCount } = await collections.sends.updateOne(
      isUnknown(sendId),
      [{ $set: { state: 'parked', parkedAt: clock.now() } }, { $unset: 'doneAt' }, ...update],
      { session }
    )
    if (modifiedCount === 1) await queues.urgentSends.reschedule({ _id: sendId }, { session })
    return modifiedCount === 1
  })
}
