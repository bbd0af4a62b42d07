// Sends a broadcast to a few contacts ahead of time, as test mails beside it.
import { randomUUID } from 'node:crypto'
import { Type } from '@keelson/sdk'
import { audit } from '../audit/audit.ts'
import { checkedInput, inputs } from '../checked-input.ts'
import type { MailerContext } from '../context.ts'
import { queueSends } from '../sends/queue-sends.ts'
import { dedupeKeys, sendIdOf } from '../sends/send-id.ts'
import type { BroadcastRow } from './broadcast-row.ts'
import type { Actor, Refusal } from './change-broadcast.ts'
import { templatesOf } from './pause-broadcasts.ts'

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
 * through the same checks as other mail, and do not count for the broadcast.
 *
 * @throws MLR_INPUT_INVALID
 */
export async function testSend(
  context: MailerContext,
  slug: string,
  contactIds: readonly string[],
  by: Actor
): Promise<TestSent> {
  const contacts = checkedInput('testSend', contactsSchema, contactIds)
  const { broadcasts } = context.collections
  const broadcast = await broadcasts.findOne({ slug })
  if (broadcast === null) return { ok: false, code: 'not_found' }
  const run = randomUUID()
  const mails = contacts.flatMap((externalId) =>
    templatesOf(broadcast).map((templateSlug) => ({
      dedupeKey: dedupeKeys.oneOff(`broadcast-test:${run}:${templateSlug}:${externalId}`),
      externalId,
      templateSlug
    }))
  )
  await context.withTransaction(async (session) => {
    const kind = { lane: 'urgent', kind: 'marketing', manualSendBy: by.actor } as const
    await queueSends(
      context,
      mails.map((mail) => ({ ...mail, ...kind })),
      { session }
    )
    const resource = { collection: broadcasts.collectionName, id: broadcast._id, slug }
    const entry = { action: 'broadcast.test-send', resource, after: { contactIds: contacts } }
    await audit(context, { ...by, ...entry }, { session })
  })
  const sends = mails.map(({ dedupeKey, ...mail }) => ({ sendId: sendIdOf(dedupeKey), ...mail }))
  return { ok: true, broadcast, sends }
}
