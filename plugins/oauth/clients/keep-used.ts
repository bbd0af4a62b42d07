// Keeps a client that registered openly, now that a person allows it access.
import type { OAuthCollections } from '../storage/collections.ts'
import type { OAuthClient } from '../storage/rows.ts'

/** Before the access is written: the database must not delete its client. */
export async function keepUsed(
  { _id, unusedUntil }: Pick<OAuthClient, '_id' | 'unusedUntil'>,
  { clients }: Pick<OAuthCollections, 'clients'>
): Promise<void> {
  if (unusedUntil !== undefined) await clients.updateOne({ _id }, { $unset: { unusedUntil: '' } })
}
