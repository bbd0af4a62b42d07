// Schedules a broadcast: who schedules it says how many people it reaches.

import type { BroadcastRow } from '../../ledger/broadcast-row.ts'
import type { MailerContext } from '../../ledger/context.ts'
import {
  type Actor,
  type Change,
  type Changed,
  changeBroadcast,
  type Editing,
  type Refusal
} from './change-broadcast.ts'
import { countRecipients, type RecipientCounts } from './count-recipients.ts'
import { templatesOf } from './pause-broadcasts.ts'
import { MOST_WAVES, wavesFor } from './plan-waves.ts'

/** When a broadcast goes out. All but `expiresAt` is required; what is missing is refused. */
export interface Schedule {
  /** A time that has passed starts it with the next tick. */
  readonly scheduledAt?: Date
  /** It fails when it could not start by then. */
  readonly expiresAt?: Date
  /** The recipient count that was shown: anything else is refused. */
  readonly confirmedCount?: number
}

/** Why a broadcast was not scheduled. */
export type ScheduleRefusal =
  | Refusal<
      | 'scheduledAt_required'
      | 'bad_scheduledAt'
      | 'bad_expiresAt'
      | 'confirmedCount_required'
      | 'not_draft'
      | 'template_not_published'
      | 'too_many_waves'
      | 'changed_meanwhile'
    >
  | CountMismatch

/** The count that was confirmed is not the one that holds now. */
export interface CountMismatch extends Refusal<'count_mismatch'> {
  readonly expected: number
}

/** Schedules a draft. */
export async function scheduleBroadcast(
  context: MailerContext,
  slug: string,
  schedule: Schedule,
  by: Editing
): Promise<Changed<ScheduleRefusal>> {
  const fault = scheduleFault(schedule, context.clock.now())
  const read = await context.collections.broadcasts.findOne({ slug })
  if (read === null) return { ok: false, code: 'not_found' }
  if (fault !== undefined) return fault
  if (read.status !== 'draft') return { ok: false, code: 'not_draft' }
  const slugs = templatesOf(read)
  const published = await context.templates.load(slugs)
  if (slugs.some((one) => !published.has(one))) return { ok: false, code: 'template_not_published' }
  const counts = await countRecipients(context, read)
  return changeBroadcast(context, { slug }, by, (row) =>
    owned(decideSchedule(row, schedule, { counted: read, ...counts }), by)
  )
}

/** Who lets a broadcast send owns it from then on. */
export const owned = <R extends Refusal>(decision: Change | R, { owner }: Actor): Change | R =>
  decision.ok ? { ...decision, fields: { ...decision.fields, owner } } : decision

/** A time that is longer ago is a mistake, not a broadcast that leaves at once. */
const LATEST_MS = 86_400_000

/** What the input lacks. Pure. */
function scheduleFault(
  schedule: Schedule,
  now: Date
): Exclude<ScheduleRefusal, CountMismatch> | undefined {
  const { scheduledAt, expiresAt, confirmedCount } = schedule
  if (scheduledAt === undefined) return { ok: false, code: 'scheduledAt_required' }
  if (!isTime(scheduledAt) || now.getTime() - scheduledAt.getTime() > LATEST_MS)
    return { ok: false, code: 'bad_scheduledAt' }
  if (expiresAt !== undefined && (!isTime(expiresAt) || expiresAt <= scheduledAt))
    return { ok: false, code: 'bad_expiresAt' }
  if (!Number.isInteger(confirmedCount)) return { ok: false, code: 'confirmedCount_required' }
  return undefined
}

const isTime = (value: unknown): value is Date =>
  value instanceof Date && !Number.isNaN(value.getTime())

/** What was counted, and for which state of the broadcast. */
export interface Counted
  extends Pick<RecipientCounts, 'recipientCount' | 'uncappedRecipientCount'> {
  readonly counted: Pick<BroadcastRow, 'updatedAt'>
}

/** Decides over a broadcast as it is now. Pure. */
export function decideSchedule(
  broadcast: BroadcastRow,
  { scheduledAt, expiresAt, confirmedCount }: Schedule,
  { counted, recipientCount, uncappedRecipientCount: audienceCount }: Counted
): Change | ScheduleRefusal {
  if (broadcast.status !== 'draft') return { ok: false, code: 'not_draft' }
  if (broadcast.updatedAt.getTime() !== counted.updatedAt.getTime())
    return { ok: false, code: 'changed_meanwhile' }
  if (confirmedCount !== recipientCount)
    return { ok: false, code: 'count_mismatch', expected: recipientCount }
  if (wavesFor(broadcast, recipientCount) > MOST_WAVES) return { ok: false, code: 'too_many_waves' }
  const fields = {
    status: 'scheduled',
    scheduledAt,
    expiresAt,
    confirmedCount,
    recipientCount,
    audienceCount
  } as const
  return { ok: true, action: 'broadcast.schedule', fields }
}
