// The mail that a webhook event names. Pure.
import { parseMessageId } from '../sends/message-id.ts'
import { isSendId } from '../sends/send-id.ts'
import type { WebhookEventRow } from './webhook-row.ts'

/** The send that an event names: by our own id, or by our Message-ID as the vendor's. */
export function namedSend({
  details,
  providerMessageId
}: Pick<WebhookEventRow, 'details' | 'providerMessageId'>): string | undefined {
  const { sendId } = details
  if (sendId !== undefined && isSendId(sendId)) return sendId
  return providerMessageId === null ? undefined : parseMessageId(providerMessageId)?.sendId
}
