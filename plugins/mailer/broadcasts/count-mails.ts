// Counts how far the mails of a broadcast came, for each template.
import { type Static, Type } from '@keelson/sdk'
import type { MailerContext } from '../context.ts'

const count = Type.Integer()

/** How far mails came; a mail counts in each field that it reached. */
export const mailCountsSchema = Type.Object({
  queued: count,
  handed: count,
  delivered: count,
  /** By people or machines. */
  opened: count,
  openedByPeople: count,
  clicked: count,
  clickedByPeople: count,
  bounced: count,
  hardBounced: count,
  complained: count,
  unsubscribed: count,
  failed: count,
  suppressed: count,
  cancelled: count
})

/** How far mails came. */
export type MailCounts = Static<typeof mailCountsSchema>

const FIELDS = Object.keys(mailCountsSchema.properties) as readonly (keyof MailCounts)[]

const when = (condition: object) => ({ $sum: { $cond: [condition, 1, 0] } })
const hasDate = (field: string) => when({ $eq: [{ $type: `$${field}` }, 'date'] })
const isStatus = (status: string) => when({ $eq: ['$status', status] })

/** The pipeline that counts. */
export const countMailStages = (broadcastId: string) => [
  { $match: { broadcastId } },
  {
    $group: {
      _id: '$templateSlug',
      queued: { $sum: 1 },
      handed: hasDate('handedAt'),
      delivered: hasDate('deliveredAt'),
      opened: hasDate('openedAt'),
      openedByPeople: hasDate('humanOpenedAt'),
      clicked: hasDate('firstClickAt'),
      clickedByPeople: hasDate('humanClickedAt'),
      bounced: hasDate('bouncedAt'),
      hardBounced: when({ $eq: ['$bounceType', 'hard'] }),
      complained: hasDate('complainedAt'),
      unsubscribed: hasDate('unsubscribedAt'),
      failed: isStatus('failed'),
      suppressed: isStatus('suppressed'),
      cancelled: isStatus('cancelled')
    }
  }
]

/** Counts by template. Reads each mail once, by an index. */
export async function countMails(
  { collections }: Pick<MailerContext, 'collections'>,
  broadcastId: string
): Promise<ReadonlyMap<string, MailCounts>> {
  const groups = await collections.sends
    .aggregate<MailCounts & { readonly _id: string }>(countMailStages(broadcastId))
    .toArray()
  return new Map(groups.map(({ _id, ...counts }) => [_id, counts]))
}

/** The sum of counts; zeros of none. Pure. */
export function sumOf(all: readonly MailCounts[]): MailCounts {
  const sums = FIELDS.map((field) => [field, all.reduce((sum, one) => sum + one[field], 0)])
  return Object.fromEntries(sums) as MailCounts
}
