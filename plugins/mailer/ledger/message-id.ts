// The Message-ID of an attempt: it names the send, so that a bounce or a log line leads back to it.
import { isSendId } from './send-id.ts'

/** `<sendId.attempt@domain>`, angle brackets included (RFC 5322 §3.6.4). */
export function messageIdOf(sendId: string, attempt: number, domain: string): string {
  return `<${sendId}.${attempt}@${domain}>`
}

/** The send and the attempt that a Message-ID of ours names; undefined for any other. */
export function parseMessageId(
  text: string
): { readonly sendId: string; readonly attempt: number } | undefined {
  const [, sendId = '', attempt = ''] = /^<?([0-9a-f]{24})\.(\d{1,6})@[^<>@\s]+>?$/.exec(text) ?? []
  return isSendId(sendId) ? { sendId, attempt: Number(attempt) } : undefined
}
