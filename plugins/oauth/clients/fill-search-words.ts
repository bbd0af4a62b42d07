// Gives search words to clients that an earlier version stored. Run again it changes nothing.
import type { OAuthCollections } from '../storage/collections.ts'
import { searchWordsOf } from './client-search.ts'

const BATCH = 500

export async function fillSearchWords({
  clients
}: Pick<OAuthCollections, 'clients'>): Promise<void> {
  const filter = { searchWords: { $exists: false } }
  for (;;) {
    const rows = await clients.find(filter).limit(BATCH).toArray()
    if (rows.length === 0) return
    await clients.bulkWrite(
      rows.map((row) => ({
        updateOne: {
          filter: { _id: row._id, ...filter },
          update: { $set: { searchWords: searchWordsOf(row) } }
        }
      }))
    )
  }
}
