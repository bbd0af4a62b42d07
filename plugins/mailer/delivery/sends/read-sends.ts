// Reads mails for operators: the list, and one with the events of its provider.
import type { Filter } from 'mongodb'
import { normalAddress } from '../../ledger/address.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { type NewestPage, type PageOfRows, readNewest } from '../../ledger/newest-first.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import type { WebhookEventRow } from '../../ledger/webhook-row.ts'

const MAX_LIMIT = 500
const MAX_EVENTS = 100

/** Which mails to list; what is set must hold. */
export interface SendFilter extends NewestPage {
  readonly status?: string
  readonly kind?: string
  /** Slug of the template. */
  readonly template?: string
  /** Any case. */
  readonly email?: string
}

/** A page of at most 500, the newest first. */
export function listSends(
  { collections }: Pick<MailerContext, 'collections'>,
  { status, kind, template, email, ...page }: SendFilter = {}
): Promise<PageOfRows<SendRow>> {
  const filter = {
    ...(status !== undefined && { status }),
    ...(kind !== undefined && { kind }),
    ...(template !== undefined && { templateSlug: template }),
    ...(email !== undefined && { emailAtSend: normalAddress(email) })
  } as Filter<SendRow>
  return readNewest(collections.sends, filter, { ...page, time: 'queuedAt', maxLimit: MAX_LIMIT })
}

/** null when the id is unknown. */
export async function readSend(
  { collections }: Pick<MailerContext, 'collections'>,
  sendId: string
): Promise<{
  readonly send: SendRow
  readonly webhookEvents: readonly WebhookEventRow[]
} | null> {
  const [send, webhookEvents] = await Promise.all([
    collections.sends.findOne({ _id: sendId }, { projection: { attachments: 0 } }),
    collections.webhookEvents.find({ sendId }).sort({ occurredAt: 1 }).limit(MAX_EVENTS).toArray()
  ])
  return send === null ? null : { send, webhookEvents }
}
