// Reads subscriptions of many contacts at once.

import type { SubscriptionRow } from '../../ledger/contact-rows.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { inChunks } from '../../ledger/in-chunks.ts'

/** Subscriptions by contact; a contact without one is missing. One query per 2000 contacts. */
export async function findSubscriptions(
  { collections }: Pick<MailerContext, 'collections'>,
  externalIds: readonly string[]
): Promise<ReadonlyMap<string, SubscriptionRow>> {
  const rows = await inChunks([...new Set(externalIds)], (chunk) =>
    collections.subscriptions
      .find({ externalId: { $in: chunk } }, { batchSize: chunk.length + 1 })
      .toArray()
  )
  return new Map(rows.map((row) => [row.externalId, row]))
}
