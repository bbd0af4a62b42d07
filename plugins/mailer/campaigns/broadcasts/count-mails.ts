// Counts how far the mails of a broadcast came, for each template, by the keys of an index.
import { type Static, Type } from '@keelson/sdk'
import type { MailerContext } from '../../ledger/context.ts'
import { hasReached } from '../../ledger/send-status.ts'

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

/** Mails of one template and arm that reached the same. */
export interface MailGroup {
  readonly templateSlug: string
  /** `NO_ARM` without a split test; missing or null in mails that no migration has reached. */
  readonly arm?: string | null
  readonly progress: string
  readonly count: number
}

/** The pipeline that counts; it reads the keys of `PROGRESS_INDEX` alone. */
export const countMailStages = (broadcastId: string) => [
  { $match: { broadcastId } },
  {
    $group: {
      _id: { templateSlug: '$templateSlug', arm: '$arm', progress: '$progress' },
      count: { $sum: 1 }
    }
  }
]

/** Entries share all fields but its last, so the built-in engine counts them at once. */
export const PROGRESS_INDEX = {
  hint: { broadcastId: 1, templateSlug: 1, arm: 1, progress: 1, externalId: 1 }
} as const

/** Groups of all mails of a broadcast. */
export async function countMails(
  { collections }: Pick<MailerContext, 'collections'>,
  broadcastId: string
): Promise<readonly MailGroup[]> {
  const groups = await collections.sends
    .aggregate<{ readonly _id: Omit<MailGroup, 'count'>; readonly count: number }>(
      countMailStages(broadcastId),
      PROGRESS_INDEX
    )
    .toArray()
  return groups.map(({ _id, count }) => ({ ..._id, count }))
}

/** What a mail counts as when it has reached no more than this. */
const isIn = (progress: string, field: keyof MailCounts): boolean => {
  if (field === 'queued') return true
  if (!isEnd(field)) return hasReached(progress, field)
  if (REPORTED.some((what) => hasReached(progress, what))) return false
  const isDropped = hasReached(progress, 'dropped')
  return field === 'failed'
    ? isDropped || hasReached(progress, field)
    : !isDropped && hasReached(progress, field)
}

/** What a provider or a recipient reported outranks how the hand-off ended. */
const REPORTED = ['delivered', 'opened', 'clicked', 'bounced', 'complained'] as const
const isEnd = (field: keyof MailCounts) =>
  field === 'failed' || field === 'suppressed' || field === 'cancelled'

/** How far the mails of groups came. Pure. */
export function countsOf(groups: readonly MailGroup[]): MailCounts {
  const sums = FIELDS.map((field) => [
    field,
    groups.reduce((sum, { progress, count }) => sum + (isIn(progress, field) ? count : 0), 0)
  ])
  return Object.fromEntries(sums) as MailCounts
}
