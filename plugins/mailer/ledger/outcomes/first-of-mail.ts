// The first outcome of a type that each mail has: links and repeats do not count again.

import type { MailerContext } from '../context.ts'
import { groupedBy } from '../grouped-by.ts'
import { inChunks } from '../in-chunks.ts'
import type { PlacedRow } from './read-outcomes.ts'

/** Which outcomes. */
export interface FirstOutcomes {
  readonly type: 'open' | 'click'
  /** Those of machines do not count. */
  readonly byPeople: boolean
}

/** Of rows of the feed, the first of each mail, unless an earlier page had one of the same mail. */
export async function firstOfMail(
  { collections }: Pick<MailerContext, 'collections'>,
  rows: readonly PlacedRow[],
  { type, byPeople }: FirstOutcomes
): Promise<readonly PlacedRow[]> {
  const wanted = rows.filter((row) => row.type === type && !(byPeople && row.isMachine))
  const firsts = [...groupedBy(wanted, ({ sendId }) => sendId).values()].flatMap(
    ([first]) => first ?? []
  )
  const from = Math.min(...firsts.map(({ place }) => place))
  const earlier = await inChunks(firsts, (chunk) =>
    collections.outcomes
      .find(
        {
          _id: { $in: chunk.map(({ sendId }) => new RegExp(`^${sendId}:${type}:`)) as never[] },
          place: { $lt: from },
          ...(byPeople && { isMachine: false })
        },
        { projection: { sendId: 1 } }
      )
      .toArray()
  )
  const before = new Set(earlier.map(({ sendId }) => sendId))
  return firsts.filter(({ sendId }) => !before.has(sendId))
}
