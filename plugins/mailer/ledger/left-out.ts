// Notes the contacts of a segment that get no mail of a broadcast, and why.
import type { ClientSession } from 'mongodb'
import type { LeftOutRow } from './broadcast-row.ts'
import type { MailerContext } from './context.ts'

/** A contact who is left out. */
export type LeftOut = Pick<LeftOutRow, 'broadcastId' | 'externalId' | 'reason' | 'detail'>

/** Notes them in one command; a contact who is noted already stays as noted. */
export async function recordLeftOut(
  { collections, clock }: Pick<MailerContext, 'collections' | 'clock'>,
  leftOut: readonly LeftOut[],
  options: { readonly session?: ClientSession } = {}
): Promise<void> {
  if (leftOut.length === 0) return
  const at = clock.now()
  const operations = leftOut.map((row) => ({
    updateOne: {
      filter: { _id: leftOutId(row) },
      update: { $setOnInsert: { ...row, at } },
      upsert: true
    }
  }))
  await collections.leftOut.bulkWrite(operations, { ordered: false, ...options })
}

/** The `_id` of the row of a contact. */
export const leftOutId = ({
  broadcastId,
  externalId
}: Pick<LeftOutRow, 'broadcastId' | 'externalId'>): string => `${broadcastId}:${externalId}`
