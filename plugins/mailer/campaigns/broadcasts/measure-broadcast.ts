// Counts the mails of a broadcast; each count is answered by an index.

import type { BroadcastRow, SplitTest, VariantResult } from '../../ledger/broadcast-row.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { hasReached, type SendStatus } from '../../ledger/send-status.ts'
import { groupsOfArm } from './arms.ts'
import { countMails, countsOf, type MailGroup } from './count-mails.ts'
import { countedSince, type StopCounts } from './stop-rules.ts'

/** How many mails are in each status; statuses without mails are missing. */
export type StatusBreakdown = { readonly [status in SendStatus]?: number }

/** The pipeline that counts by status; it reads the keys of `STATUS_INDEX` alone. */
export const countStatusStages = (broadcastId: string) => [
  { $match: { broadcastId } },
  { $group: { _id: '$status', count: { $sum: 1 } } }
]

/** Entries share all fields but its last, so the built-in engine counts them at once. */
export const STATUS_INDEX = { hint: { broadcastId: 1, status: 1, externalId: 1 } } as const

/** Mails by status. */
export async function statusBreakdown(
  { collections }: Pick<MailerContext, 'collections'>,
  broadcastId: string
): Promise<StatusBreakdown> {
  const groups = await collections.sends
    .aggregate<{ readonly _id: SendStatus; readonly count: number }>(
      countStatusStages(broadcastId),
      STATUS_INDEX
    )
    .toArray()
  return Object.fromEntries(groups.map(({ _id, count }) => [_id, count]))
}

/** What the stop rules look at, since the counting began. */
export async function stopCounts(
  context: Pick<MailerContext, 'collections'>,
  { _id, stopBase }: Pick<BroadcastRow, '_id' | 'stopBase'>
): Promise<StopCounts> {
  const [statuses, groups] = await Promise.all([
    statusBreakdown(context, _id),
    countMails(context, _id)
  ])
  return countedSince(stopCountsOf(statuses, groups), stopBase)
}

/** The same of what is counted already. A provider that reports no delivery counts by what it took. Pure. */
export function stopCountsOf(statuses: StatusBreakdown, groups: readonly MailGroup[]): StopCounts {
  const { delivered = 0, opened = 0, clicked = 0, complained = 0, bounced = 0 } = statuses
  const isReported = delivered > 0
  const reached = delivered + opened + clicked + complained
  // A complaint outranks a bounce.
  const uncomplained = groups.filter(({ progress }) => !hasReached(progress, 'complained'))
  return {
    delivered: isReported ? reached : reached + (statuses.sent ?? 0),
    bounced,
    hardBounces: countsOf(uncomplained).hardBounced,
    complaints: complained,
    unsubscribes: countsOf(groups).unsubscribed
  }
}

/** What came of each variant of a split test, by people alone. */
export async function variantResults(
  context: Pick<MailerContext, 'collections'>,
  broadcastId: string,
  splitTest: SplitTest
): Promise<readonly VariantResult[]> {
  return variantResultsOf(await countMails(context, broadcastId), splitTest)
}

/** The same of what is counted already. Pure. */
export function variantResultsOf(
  groups: readonly MailGroup[],
  { variants, winner }: SplitTest
): readonly VariantResult[] {
  return variants.map((variant) => {
    const { name, templateSlug } = variant
    const { handed, openedByPeople, clickedByPeople } = countsOf(groupsOfArm(groups, variant))
    const reactions = winner === 'human_opens' ? openedByPeople : clickedByPeople
    return { name, templateSlug, handed, reactions }
  })
}

const WAITING = ['queued', 'deferred', 'held', 'sending'] as const

/** Whether any mail may still be handed over. */
export async function hasWaitingMails(
  { collections }: Pick<MailerContext, 'collections'>,
  broadcastId: string
): Promise<boolean> {
  const { sends } = collections
  const one = { projection: { _id: 1 } } as const
  if ((await sends.findOne({ broadcastId, status: { $in: [...WAITING] } }, one)) !== null)
    return true
  // Tries of these go on while they have a time.
  const retried = { status: { $in: ['failed', 'unknown'] }, dueAt: { $exists: true } } as const
  return (await sends.findOne({ broadcastId, ...retried }, one)) !== null
}

/** Mails that wait until the broadcast is resumed, or a gate lets them go. */
export function countHeld(
  { collections }: Pick<MailerContext, 'collections'>,
  { _id }: Pick<BroadcastRow, '_id'>
): Promise<number> {
  return collections.sends.countDocuments({ broadcastId: _id, status: 'held' })
}
