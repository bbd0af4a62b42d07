// Sends a broadcast to a few contacts ahead of time, as test mails beside it.
import { randomUUID } from 'node:crypto'
import { Type } from '@keelson/sdk'
import { queueSends } from '../../delivery/sends/queue-sends.ts'
import { audit } from '../../ledger/audit/audit.ts'
import type { BroadcastRow } from '../../ledger/broadcast-row.ts'
import { checkedInput, inputs } from '../../ledger/checked-input.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { dedupeKeys } from '../../ledger/send-id.ts'
import { armsOf } from './arms.ts'
import type { Actor, Refusal } from './change-broadcast.ts'

const contactsSchema = Type.Array(inputs.externalId, {
  minItems: 1,
  maxItems: 10,
  uniqueItems: true
})

/** A test mail that was queued. */
export interface TestSend {
  readonly sendId: string
  readonly externalId: string
  readonly templateSlug: string
}

/** What a test send answers. */
export type TestSent =
  | { readonly ok: true; readonly broadcast: BroadcastRow; readonly sends: readonly TestSend[] }
  | Refusal<'not_found'>

/**
 * Queues test mails to 1 to 10 contacts, each variant of a split test to each of them. They are urgent, go
 * through the same checks as other mail, and do not count for the broadcast. The same `key` is the same test
 * mails. Default: new ones.
 *
 * @throws MLR_INPUT_INVALID
 */
export async function testSend(
  context: MailerContext,
  slug: string,
  contactIds: readonly string[],
  { key = randomUUID(), ...by }: Actor & { readonly key?: string }
): Promise<TestSent> {
  const contacts = checkedInput('testSend', contactsSchema, contactIds)
  const { broadcasts } = context.collections
  const broadcast = await broadcasts.findOne({ slug })
  if (broadcast === null) return { ok: false, code: 'not_found' }
  const mails = contacts.flatMap((externalId) =>
    armsOf(broadcast).map(({ name = '', templateSlug, texts }) => ({
      dedupeKey: dedupeKeys.oneOff(`broadcast-test:${key}:${templateSlug}:${name}:${externalId}`),
      externalId,
      templateSlug,
      ...(Object.keys(texts).length > 0 && { texts })
    }))
  )
  const ids = await context.withTransaction(async (session) => {
    const kind = { lane: 'urgent', kind: 'marketing', manualSendBy: by.actor } as const
    const queued = await queueSends(
      context,
      mails.map((mail) => ({ ...mail, ...kind })),
      { session }
    )
    if (queued.added === 0) return queued.ids
    const resource = { collection: broadcasts.collectionName, id: broadcast._id, slug }
    const entry = { action: 'broadcast.test-send', resource, after: { contactIds: contacts } }
    await audit(context, { ...by, ...entry }, { session })
    return queued.ids
  })
  const sends = mails.map(({ dedupeKey, externalId, templateSlug }) => ({
    sendId: ids.get(dedupeKey) as string,
    externalId,
    templateSlug
  }))
  return { ok: true, broadcast, sends }
}
