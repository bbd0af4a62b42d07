// Which addresses had mail before: what a careful sender mails first.
import type { MailerContext } from '../../ledger/context.ts'
import { inChunks } from '../../ledger/in-chunks.ts'

/** Those of the addresses that a mail was handed over to, in their normal form; answered by an index alone. */
export async function findMailed(
  { collections }: Pick<MailerContext, 'collections'>,
  emails: readonly string[]
): Promise<ReadonlySet<string>> {
  const rows = await inChunks([...new Set(emails)], (chunk) =>
    collections.sends
      .aggregate<{ readonly _id: string }>(mailedStages(chunk), {
        hint: { emailAtSend: 1, kind: 1, handedAt: -1 }
      })
      .toArray()
  )
  return new Set(rows.map(({ _id }) => _id))
}

/** The pipeline that finds them; it reads the keys of its index alone. */
export const mailedStages = (emails: readonly string[]) => [
  {
    $match: {
      emailAtSend: { $in: [...emails] },
      kind: { $in: ['marketing', 'transactional'] },
      handedAt: { $gt: new Date(0) }
    }
  },
  { $group: { _id: '$emailAtSend' } }
]
