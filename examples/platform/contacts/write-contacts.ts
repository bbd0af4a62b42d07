// Writes the customers on the first start: all of them, or none.
import type { Host } from '@keelson/sdk'
import { CONTACT_COUNT, type ContactRow, contactRow } from './contact-row.ts'

/**
 * Writes the customers in one transaction while there are none. Customers that are there stay as they are,
 * and one that was deleted stays deleted.
 */
export async function writeContacts(
  host: Pick<Host, 'collection' | 'withTransaction' | 'clock'>
): Promise<void> {
  const users = host.collection<ContactRow>('demo_users')
  if ((await users.findOne()) !== null) return
  const now = host.clock.now()
  await host.withTransaction(async (session) => {
    // Another process may have been first.
    if ((await users.findOne({}, { session })) !== null) return
    const numbers = Array.from({ length: CONTACT_COUNT }, (_, at) => at + 1)
    await users.bulkWrite(
      numbers.map((number) => {
        const { _id, ...row } = contactRow(number, now)
        return { updateOne: { filter: { _id }, update: { $setOnInsert: row }, upsert: true } }
      }),
      { session, ordered: false }
    )
  })
}
