// Appends to the audit log.
import { randomUUID } from 'node:crypto'
import { Type } from '@keelson/sdk'
import type { ClientSession } from 'mongodb'
import type { MailAuditEntry } from '../../contracts/mailer-audit.ts'
import { addressHash } from '../address.ts'
import { addressesIn } from '../addresses-in.ts'
import { checkedInput } from '../checked-input.ts'
import type { MailerContext } from '../context.ts'
import { defined } from '../defined.ts'
import { durably } from '../storage/durable.ts'

const text = Type.String({ minLength: 1, maxLength: 1024 })
const optional = Type.Optional(Type.String({ maxLength: 4096 }))
const entrySchema = Type.Object({
  actor: text,
  action: Type.String({ minLength: 1, maxLength: 128 }),
  resource: Type.Object({
    collection: text,
    id: Type.Optional(text),
    slug: Type.Optional(text)
  }),
  before: Type.Optional(Type.Unknown()),
  after: Type.Optional(Type.Unknown()),
  diffSummary: optional,
  ip: optional,
  userAgent: optional,
  requestId: optional,
  via: optional,
  dedupeKey: Type.Optional(Type.String({ minLength: 1, maxLength: 256 }))
})

/**
 * Appends an entry; durable when it resolves. With a session it is written with the change that it
 * describes, or not at all.
 *
 * @throws MLR_INPUT_INVALID
 */
export async function audit(
  { collections, clock }: Pick<MailerContext, 'collections' | 'clock'>,
  entry: MailAuditEntry,
  { session }: { readonly session?: ClientSession } = {}
): Promise<void> {
  const { actor, action, resource, ...more } = checkedInput('audit', entrySchema, entry)
  const { before, after, diffSummary, ip, userAgent, requestId, via } = more
  const details = { before, after, diffSummary, ip, userAgent, requestId, via }
  const { collection, id, slug } = resource
  const mentions = addressesIn(entry).map(addressHash)
  const _id = more.dedupeKey ?? randomUUID()
  const row = {
    at: clock.now(),
    actor,
    action,
    resource: { collection, ...defined({ id, slug }) },
    ...defined(details),
    ...(mentions.length > 0 && { mentions })
  }
  await collections.auditLog.updateOne(
    { _id },
    { $setOnInsert: row },
    { ...durably(session), upsert: true, ignoreUndefined: true }
  )
}
