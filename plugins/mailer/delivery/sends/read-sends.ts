// Reads mails for operators: the list, and one with the events of its provider.

import { type NewestPage, type PageOfRows, readNewest } from '@keelson/sdk'
import { withoutCredentials } from '../../audience/contacts/without-credentials.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { defined } from '../../ledger/defined.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import type { SendStatus } from '../../ledger/send-status.ts'
import type { WebhookEventRow } from '../../ledger/webhook-row.ts'
import { filterOf, type SendSelection } from './select-sends.ts'

const MAX_LIMIT = 500
const MAX_EVENTS = 100

/** What a list reads of a mail: attachments may have 7 MB. */
const LINE = {
  _id: 1,
  status: 1,
  kind: 1,
  category: 1,
  externalId: 1,
  emailAtSend: 1,
  templateSlug: 1,
  templateVersion: 1,
  subject: 1,
  flowSlug: 1,
  broadcastSlug: 1,
  campaign: 1,
  manualSendBy: 1,
  provider: 1,
  queuedAt: 1,
  handedAt: 1,
  sentAt: 1,
  deliveredAt: 1,
  openedAt: 1,
  openCount: 1,
  firstClickAt: 1,
  clickCount: 1,
  humanOpenedAt: 1,
  humanClickedAt: 1,
  bouncedAt: 1,
  bounceType: 1,
  bounceReason: 1,
  complainedAt: 1,
  droppedAt: 1,
  unsubscribedAt: 1,
  exitReason: 1,
  errorMessage: 1,
  hold: 1,
  waitingFor: 1,
  waiting: 1
} as const satisfies { readonly [field in keyof SendRow]?: 1 }

/** A mail in a list. */
export type SendLine = Pick<SendRow, keyof typeof LINE>

/** Which mails to list; what is set must hold. */
export interface SendFilter extends NewestPage, SendSelection {
  readonly status?: SendStatus
}

/** A page of at most 500, the newest first. */
export async function listSends(
  context: Pick<MailerContext, 'collections'>,
  { status, limit, cursor, ...selection }: SendFilter = {}
): Promise<PageOfRows<SendLine>> {
  const selected = await filterOf(context, selection)
  const filter = { ...selected, ...(status !== undefined && { status }) }
  const page = defined({ limit, cursor })
  const options = { time: 'queuedAt', maxLimit: MAX_LIMIT, projection: LINE }
  return readNewest(context.collections.sends, filter, { ...page, ...options })
}

/** What a provider reported of a mail. */
export interface EventOfSend extends WebhookEventRow {
  /** The address that it names, when that is not the address that was mailed: nothing follows for it. */
  readonly otherAddress?: string
}

/** null when the id is unknown. */
export async function readSend(
  { collections, config }: Pick<MailerContext, 'collections' | 'config'>,
  sendId: string
): Promise<{
  /** Attachments without their content. */
  readonly send: SendRow
  readonly webhookEvents: readonly EventOfSend[]
} | null> {
  const [send, webhookEvents] = await Promise.all([
    collections.sends.findOne({ _id: sendId }, { projection: { 'attachments.content': 0 } }),
    collections.webhookEvents.find({ sendId }).sort({ occurredAt: 1 }).limit(MAX_EVENTS).toArray()
  ])
  if (send === null) return null
  return {
    send: withoutCredentials(config, send),
    webhookEvents: webhookEvents.map((event) => {
      const isOther = event.email !== '' && event.email !== send.emailAtSend
      return {
        ...withoutCredentials(config, event),
        ...(isOther && { otherAddress: event.email })
      }
    })
  }
}
