// The mail part of the traffic: customers call the shop, and read what arrives in the mailbox.
import { setTimeout as pause } from 'node:timers/promises'
import { type ReadableMail, requestsOfReader } from './story/mail-readers.ts'
import type { ShopCall } from './story/shop-calls.ts'

/** Opens that come sooner count as made by a machine. */
const READING_TAKES_MS = 3_000
const LAST_MAIL_WAITS_MS = 20_000
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148'

interface MailboxMail extends ReadableMail {
  readonly id: string
  readonly date: string
}

export interface MailTraffic {
  /** How many mails arrived, and how many opens and clicks there were. */
  readonly counts: { arrived: number; visits: number }
  call(call: ShopCall): Promise<void>
  /** Reads what arrived since the last time. */
  read(): Promise<void>
  /** Reads until no more mail comes. */
  readOn(): Promise<void>
}

export interface MailTarget {
  readonly url: string
  post(path: string, body: unknown): Promise<unknown>
}

export function createMailTraffic({ url, post }: MailTarget): MailTraffic {
  const startedAt = new Date().toISOString()
  const seen = new Set<string>()
  const counts = { arrived: 0, visits: 0 }
  const arrived = async (): Promise<MailboxMail[]> => {
    const reply = await fetch(`${url}/dev/mailbox/messages?limit=200`)
    if (!reply.ok) return []
    const { messages } = (await reply.json()) as { messages: readonly MailboxMail[] }
    return messages.filter(({ id, date }) => date >= startedAt && !seen.has(id))
  }
  const read = async (): Promise<void> => {
    const before = new Date(Date.now() - READING_TAKES_MS).toISOString()
    for (const mail of (await arrived()).filter(({ date }) => date < before)) {
      seen.add(mail.id)
      counts.arrived++
      for (const address of requestsOfReader(mail)) {
        await fetch(address, { redirect: 'manual', headers: { 'user-agent': PHONE } })
        counts.visits++
      }
    }
  }
  return {
    counts,
    async call({ path, body }) {
      await post(`/shop${path}`, body)
    },
    read,
    async readOn() {
      const end = Date.now() + LAST_MAIL_WAITS_MS
      do {
        await pause(READING_TAKES_MS)
        await read()
      } while (Date.now() < end && (await arrived()).length > 0)
    }
  }
}
