// Readers of the month: they open and click what arrived, some leave the list, some report a mail as spam.
import { type ReadableMail, requestsOfReader } from '../story/mail-readers.ts'
import type { Platform } from './platform.ts'
import { complaint } from './reports.ts'

/** A mail as the mailbox answers it. */
interface Arrived extends ReadableMail {
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
}

export interface Readers {
  /** A share of those who have not read yet read the newest mails, at most `most` of them. */
  read(share: number, most: number): Promise<void>
  /** So many readers of the newest mails leave the list. */
  leave(count: number): Promise<void>
  /** So many readers of the newest mails report them as spam. */
  complain(count: number, post: (mail: string) => Promise<void>): Promise<void>
}

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148'
const AT_ONCE = 8

export function openReaders({ url, call }: Platform): Readers {
  const done = new Set<string>()
  const newest = async (most: number): Promise<readonly Arrived[]> =>
    (await call('GET', `/dev/mailbox/messages?limit=${most}`)).body.messages
  const visit = async (mail: Arrived) => {
    done.add(mail.id)
    for (const address of requestsOfReader(mail)) {
      const reply = await fetch(address, { redirect: 'manual', headers: { 'user-agent': PHONE } })
      await reply.body?.cancel()
    }
  }
  return {
    async read(share, most) {
      const mails = (await newest(most)).filter(({ id }) => !done.has(id))
      const now = mails.slice(0, Math.ceil(mails.length * share))
      for (let at = 0; at < now.length; at += AT_ONCE) {
        await Promise.all(now.slice(at, at + AT_ONCE).map(visit))
      }
    },
    async leave(count) {
      for (const { headers } of await newest(count)) {
        const address = /<(http[^>]+)>/.exec(headers['list-unsubscribe'] ?? '')?.[1]
        if (address === undefined) continue
        const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
        await fetch(address.replace(/^https?:\/\/[^/]+/, url), { method: 'POST', body })
      }
    },
    async complain(count, post) {
      for (const { headers, to } of await newest(count)) {
        await post(complaint(headers['message-id'] ?? '', to[0] ?? ''))
      }
    }
  }
}
