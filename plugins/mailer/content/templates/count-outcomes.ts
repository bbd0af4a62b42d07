// Counts the mails of each template from the feed of outcomes: each mail once, however often it is clicked.
import type { ClientSession, Document } from 'mongodb'
import type { MailerContext } from '../../ledger/context.ts'
import { groupedBy } from '../../ledger/grouped-by.ts'
import { firstOfMail } from '../../ledger/outcomes/first-of-mail.ts'
import type { FeedReader } from '../../ledger/outcomes/follow-outcomes.ts'
import type { PlacedRow } from '../../ledger/outcomes/read-outcomes.ts'
import type { TemplateStats } from '../../ledger/template-rows.ts'

const COUNTED: Readonly<Record<string, keyof TemplateStats>> = {
  accepted: 'sent',
  delivered: 'delivered',
  open: 'opened',
  click: 'clicked'
}

/** Adds what is new in the feed to the statistics of templates. */
export const templateCounts = (context: MailerContext): FeedReader => ({
  name: 'template-stats',
  count: (rows, session) => addToStats(context, rows, session)
})

async function addToStats(
  context: MailerContext,
  rows: readonly PlacedRow[],
  session: ClientSession
): Promise<void> {
  const counted = rows.filter(({ type, isMachine }) => type in COUNTED && !isMachine)
  const mails = [
    ...counted.filter(({ type }) => type !== 'click'),
    ...(await firstOfMail(context, rows, { type: 'click', byPeople: true }))
  ]
  if (mails.length === 0) return
  const operations = [...groupedBy(mails, ({ templateSlug }) => templateSlug)].map(
    ([slug, own]) => ({ updateOne: { filter: { slug }, update: { $inc: sums(own) } } })
  )
  await context.collections.templates.bulkWrite(operations, { session })
}

function sums(rows: readonly PlacedRow[]): Document {
  const sum: Record<string, number> = {}
  for (const { type } of rows) {
    const field = `stats.${COUNTED[type]}`
    sum[field] = (sum[field] ?? 0) + 1
  }
  return sum
}
