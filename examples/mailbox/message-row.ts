// A mail as stored, made from what came in over SMTP.
import { randomUUID } from 'node:crypto'
import type { Message } from './schemas.ts'

/** A row of `mailbox_messages`. */
export interface MessageRow extends Omit<Message, 'id' | 'date'> {
  readonly _id: string
  readonly receivedAt: Date
}

/** How long a mail is kept, by the clock of the host. */
export const KEPT_MS = 7 * 86_400_000
/** The rest of a larger mail is cut: the mailbox is there to be looked at. */
const MAX_RAW = 2_000_000

/** The recipients are those of the envelope, as SMTP named them. */
export async function messageRow(
  raw: Buffer,
  recipients: readonly string[],
  receivedAt: Date
): Promise<MessageRow> {
  // It brings tables of every character set: a host that gets no mail does not need them in memory.
  const { simpleParser } = await import('mailparser')
  const parsed = await simpleParser(raw)
  return {
    _id: randomUUID(),
    receivedAt,
    from: parsed.from?.text ?? '',
    to: recipients.map((address) => address.toLowerCase()),
    subject: parsed.subject ?? '',
    headers: headersOf(raw),
    text: parsed.text ?? '',
    html: parsed.html || '',
    raw: raw.toString('latin1', 0, MAX_RAW)
  }
}

/** Header fields as they were written, unfolded. Of a repeated one the first counts. */
export function headersOf(raw: Buffer): Record<string, string> {
  const end = raw.indexOf('\r\n\r\n')
  const head = raw.toString('latin1', 0, end === -1 ? raw.length : end)
  const headers: Record<string, string> = {}
  for (const line of head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const at = line.indexOf(':')
    if (at > 0) headers[line.slice(0, at).toLowerCase()] ??= line.slice(at + 1).trim()
  }
  return headers
}

/** The mail as the API answers it. */
export function messageOf({ _id, receivedAt, ...row }: MessageRow): Message {
  return { id: _id, date: receivedAt.toISOString(), ...row }
}
