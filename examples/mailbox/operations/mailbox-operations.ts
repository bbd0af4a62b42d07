// The API of the mailbox: its mails, emptying it, and addresses that it refuses.
import { type Actor, type Call, type Operation, operation, Type } from '@keelson/sdk'
import type { Collection } from 'mongodb'
import { type MessageRow, messageOf } from '../message-row.ts'
import { messagesQuery, messagesSchema } from '../schemas.ts'

/** What the operations are served with. */
export interface MailboxHost {
  readonly messages: Collection<MessageRow>
  /** Addresses that are refused, in lower case. */
  readonly unknown: Set<string>
}

/** Mails are for people at this machine, and for administrators. */
export const mayRead = ({ isLocal, role }: Pick<Actor, 'isLocal' | 'role'>): boolean =>
  isLocal === true || role === 'admin'

const forbidden = { ok: false, code: 'forbidden' } as const

const list = operation({
  id: 'mailbox.messages.list',
  method: 'GET',
  path: '/messages',
  summary: 'The mails that came in, newest first; only from this machine, or for administrators',
  access: { auth: 'public' },
  effect: 'read',
  query: messagesQuery,
  answer: messagesSchema,
  async run({ query: { to, limit } }, { host: { messages }, actor }: Call<MailboxHost>) {
    if (!mayRead(actor)) return forbidden
    const filter = to === undefined ? {} : { to: to.toLowerCase() }
    const rows = await messages.find(filter).sort({ receivedAt: -1 }).limit(limit).toArray()
    return { messages: rows.map(messageOf), total: await messages.countDocuments(filter) }
  }
})

const empty = operation({
  id: 'mailbox.messages.delete',
  method: 'DELETE',
  path: '/messages',
  summary: 'Empties the mailbox; only from this machine, or for administrators',
  access: { auth: 'public' },
  effect: 'change',
  hints: { idempotent: true, destructive: true },
  status: 204,
  answer: Type.Null(),
  async run(_input, { host: { messages }, actor }: Call<MailboxHost>) {
    if (!mayRead(actor)) return forbidden
    await messages.deleteMany({})
    return null
  }
})

const refuse = operation({
  id: 'mailbox.unknown.replace',
  method: 'PUT',
  path: '/unknown-addresses',
  summary:
    'Refuses mail to these addresses with 550 5.1.1, until the host ends or others are given',
  access: { auth: 'admin' },
  effect: 'change',
  hints: { idempotent: true },
  body: Type.Object(
    {
      addresses: Type.Array(Type.String({ minLength: 3, maxLength: 320 }), { maxItems: 1000 })
    },
    { additionalProperties: false }
  ),
  status: 204,
  answer: Type.Null(),
  async run({ body: { addresses } }, { host: { unknown }, actor }: Call<MailboxHost>) {
    if (!mayRead(actor)) return forbidden
    unknown.clear()
    for (const address of addresses) unknown.add(address.toLowerCase())
    return null
  }
})

/** The operations of the mailbox. */
export const mailboxOperations: readonly Operation<MailboxHost>[] = [list, empty, refuse]
