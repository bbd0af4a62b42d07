// The mail that a webhook event names. Pure.
import { parseMessageId } from '../../ledger/message-id.ts'
import { isSendId } from '../../ledger/send-id.ts'
import type { WebhookEventRow } from '../../ledger/webhook-row.ts'

/** The send that an event names: by our own id, or by our Message-ID as the vendor's. */
export function namedSend({
  details,
  providerMessageId
}: Pick<WebhookEventRow, 'details' | 'providerMessageId'>): string | undefined {
  const { sendId } = details
  if (sendId !== undefined && isSendId(sendId)) return sendId
  return providerMessageId === null ? undefined : parseMessageId(providerMessageId)?.sendId
}
