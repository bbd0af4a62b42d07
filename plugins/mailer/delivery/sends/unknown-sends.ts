// Mails whose outcome is unknown: providers that can look them up are asked.

import { within } from '@keelson/sdk'
import type { ProviderResult } from '../../contracts/mailer-provider.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import { messageOf } from '../../ledger/send-update.ts'
import { settleUnknowns } from './settle-unknowns.ts'

/** Mails looked up in one tick. */
const LOOK_UPS = 100
const LOOK_UP_MS = 10_000
/** A vendor knows a message a minute after it took it. */
const SETTLE_MS = 60_000

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
  const filter = { _id: row._id }
  switch (found.status) {
    case 'accepted':
      await settleUnknowns(context, 'sent', { filter, providerMessageId: found.providerId })
      return
    case 'rejected':
      await settleUnknowns(context, 'not_sent', { filter, errorMessage: messageOf(found.reason) })
      return
    case 'absent':
      await settleUnknowns(context, 'resend', { filter })
      return
    case 'unknown':
      return
  }
}
