// Counts the mails of each template from the feed of outcomes: each mail once, however often it is clicked.
import type { ClientSession, Document } from 'mongodb'
import { inChunks } from '../contacts/in-chunks.ts'
import type { MailerContext } from '../context.ts'
import { groupedBy } from '../grouped-by.ts'
import { type FollowOptions, followOutcomes } from '../outcomes/follow-outcomes.ts'
import type { PlacedRow } from '../outcomes/read-outcomes.ts'
import type { TemplateStats } from './template-rows.ts'

const COUNTED: Readonly<Record<string, keyof TemplateStats>> = {
  accepted: 'sent',
  delivered: 'delivered',
  open: 'opened',
  click: 'clicked'
}

/** Adds what is new in the feed to the statistics of templates. For the tick. */
export function countTemplateOutcomes(
  context: MailerContext,
  options: FollowOptions = {}
): Promise<void> {
  const count = (rows: readonly PlacedRow[], session: ClientSession) =>
    addToStats(context, rows, session)
  return followOutcomes(context, { name: 'template-stats', count }, options)
}

async function addToStats(
  context: MailerContext,
  rows: readonly PlacedRow[],
  session: ClientSession
): Promise<void> {
  const counted = rows.filter(({ type, isMachine }) => type in COUNTED && !isMachine)
  const clicks = firstClicks(counted)
  const before = await clickedBefore(context, clicks)
  const mails = [
    ...counted.filter(({ type }) => type !== 'click'),
    ...clicks.filter(({ sendId }) => !before.has(sendId))
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

/** Each link has an outcome; a mail counts once. */
function firstClicks(rows: readonly PlacedRow[]): readonly PlacedRow[] {
  const clicks = groupedBy(
    rows.filter(({ type }) => type === 'click'),
    ({ sendId }) => sendId
  )
  return [...clicks.values()].flatMap(([first]) => first ?? [])
}

async function clickedBefore(
  { collections }: MailerContext,
  clicks: readonly PlacedRow[]
): Promise<ReadonlySet<string>> {
  const from = Math.min(...clicks.map(({ place }) => place))
  const earlier = await inChunks(clicks, (chunk) =>
    collections.outcomes
      .find(
        {
          _id: { $in: chunk.map(({ sendId }) => new RegExp(`^${sendId}:click:`)) as never[] },
          place: { $lt: from },
          isMachine: false
        },
        { projection: { sendId: 1 } }
      )
      .toArray()
  )
  return new Set(earlier.map(({ sendId }) => sendId))
}
