// Erases a contact: everything stored of it goes, a hash of each address stays and blocks it for ever.
import { DURABLE } from '@keelson/sdk'
import type { Collection, Filter } from 'mongodb'
import { contactAddresses } from '../audience/contacts/contact-addresses.ts'
import { outcomesOf } from '../audience/contacts/contact-records.ts'
import { suppressionId } from '../audience/contacts/merge-suppression.ts'
import { cancelSends } from '../delivery/sends/cancel-sends.ts'
import { forgetInTelemetry } from '../delivery/telemetry/emit-mail-events.ts'
import { addressForms, addressHash, addressHashes } from '../ledger/address.ts'
import { eraseFromAudit } from '../ledger/audit/erase-audit.ts'
import { checkedInput, inputs } from '../ledger/checked-input.ts'
import type { MailerContext } from '../ledger/context.ts'
import type { WebhookEventRow } from '../ledger/webhook-row.ts'

const BATCH = 500

/**
 * Erases a contact in batches. It may be called again at any time: it goes on where an earlier call ended,
 * because the rows that name the contact's addresses go last.
 *
 * Where mails are recorded in telemetry, the person is erased there as well.
 *
 * What other plugins keep of the contact is erased by them.
 *
 * @throws MLR_INPUT_INVALID, and what the telemetry store and other plugins throw
 */
export async function forget(context: MailerContext, externalId: string): Promise<void> {
  checkedInput('forget', inputs.externalId, externalId)
  const addresses = await contactAddresses(context, externalId)
  await keepHashes(context, addresses)
  await cancelSends(context, { externalId }, 'forgotten')
  const { collections } = context
  const hashes = addresses.flatMap(addressHashes)
  await eraseWebhookEvents(context, { email: { $in: addresses.flatMap(addressForms) } })
  await eraseWebhookEvents(context, { mentions: { $in: hashes } })
  await eraseFromAudit(context, { externalId, addresses })
  await deleteBatches(collections.events, { externalId })
  await deleteBatches(collections.outbox, { 'payload.externalId': externalId })
  await deleteBatches(collections.flowRuns, { externalId })
  for (const kept of context.extensions.contactData()) await kept.forget({ externalId, addresses })
  await deleteBatches(collections.flowMembers, { externalId })
  await deleteBatches(collections.contactTags, { externalId })
  await deleteBatches(collections.notEntered, { externalId })
  await deleteBatches(collections.leftOut, { externalId })
  await deleteBatches(collections.sends, { externalId }, async (ids) => {
    await eraseWebhookEvents(context, { sendId: { $in: [...ids] } })
    await collections.outcomes.deleteMany(outcomesOf(ids), DURABLE)
  })
  await forgetInTelemetry(context, externalId)
  await collections.subscriptions.deleteOne({ externalId }, DURABLE)
}

/** The hash is there before anything goes, so that no mail leaves in between. */
async function keepHashes(
  { collections, clock }: MailerContext,
  addresses: readonly string[]
): Promise<void> {
  if (addresses.length === 0) return
  const addedAt = clock.now()
  const operations = addresses.map((email) => ({
    replaceOne: {
      filter: { _id: suppressionId(email, 'all') },
      replacement: {
        email: null,
        emailHash: addressHash(email),
        scope: 'all' as const,
        reason: 'gdpr_forget' as const,
        addedAt,
        expiresAt: null
      },
      upsert: true
    }
  }))
  await collections.suppressions.bulkWrite(operations, DURABLE)
  const kept = addresses.map((email) => suppressionId(email, 'all'))
  const emailHash = { $in: addresses.flatMap(addressHashes) }
  await collections.suppressions.deleteMany({ emailHash, _id: { $nin: kept } }, DURABLE)
}

/** Webhook events stay without their content, so that a repeated delivery of one is still known. */
async function eraseWebhookEvents(
  { collections, queues }: MailerContext,
  filter: Filter<WebhookEventRow>
): Promise<void> {
  await queues.webhookEvents.withdraw(filter, { state: 'done' })
  await collections.webhookEvents.updateMany(
    filter,
    { $set: { email: '', details: {}, processed: true }, $unset: { mentions: true } },
    DURABLE
  )
}

/** Deletes a batch at a time, after what depends on its rows. */
async function deleteBatches<T extends { readonly _id: string }>(
  collection: Collection<T>,
  filter: Filter<T>,
  before: (ids: readonly string[]) => Promise<void> = async () => undefined
): Promise<void> {
  for (;;) {
    const rows = await collection
      .find(filter, { projection: { _id: 1 } })
      .limit(BATCH)
      .toArray()
    const ids = rows.map(({ _id }) => _id as string)
    if (ids.length === 0) return
    await before(ids)
    await collection.deleteMany({ _id: { $in: ids } } as Filter<T>, DURABLE)
  }
}
