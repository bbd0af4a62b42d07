// When marketing mail was handed over to addresses: what the contact policy looks at.
import type { MailerContext } from '../context.ts'
import { groupedBy } from '../grouped-by.ts'

/** Times per address, those of hand-overs in progress included. One query for any number of addresses. */
export async function recentMarketing(
  { collections }: MailerContext,
  emails: readonly string[],
  since: Date
): Promise<ReadonlyMap<string, readonly Date[]>> {
  const rows = await collections.sends
    .find(
      { emailAtSend: { $in: [...emails] }, kind: 'marketing', handedAt: { $gte: since } },
      { projection: { emailAtSend: 1, handedAt: 1 } }
    )
    .toArray()
  const groups = groupedBy(rows, ({ emailAtSend }) => emailAtSend ?? '')
  return new Map(
    [...groups].map(([email, group]) => [email, group.flatMap(({ handedAt }) => handedAt ?? [])])
  )
}
