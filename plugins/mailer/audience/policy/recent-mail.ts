// When marketing mail was handed over to addresses: what the contact policy looks at.
import type { MailerContext } from '../../ledger/context.ts'
import { groupedBy } from '../../ledger/grouped-by.ts'

/** A mail that was handed over, or is being handed over. */
export interface RecentMail {
  readonly sendId: string
  readonly at: Date
  readonly category?: string
}

/** Mails per address, those in progress included. One query for any number of addresses. */
export async function recentMarketing(
  { collections }: MailerContext,
  emails: readonly string[],
  since: Date
): Promise<ReadonlyMap<string, readonly RecentMail[]>> {
  const rows = await collections.sends
    .find(
      { emailAtSend: { $in: [...emails] }, kind: 'marketing', handedAt: { $gte: since } },
      { projection: { emailAtSend: 1, handedAt: 1, category: 1 } }
    )
    .toArray()
  const groups = groupedBy(rows, ({ emailAtSend }) => emailAtSend ?? '')
  return new Map(
    [...groups].map(([email, group]) => [
      email,
      group.flatMap(({ _id: sendId, handedAt: at, category }): RecentMail[] =>
        at === undefined ? [] : [{ sendId, at, ...(category !== undefined && { category }) }]
      )
    ])
  )
}
