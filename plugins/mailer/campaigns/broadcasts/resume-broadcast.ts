// Resumes a paused broadcast for a person, or lets the next wave of it out.
import type { Static } from '@keelson/sdk'
import type { BroadcastRow } from '../../ledger/broadcast-row.ts'
import type { MailerContext } from '../../ledger/context.ts'
import {
  type Actor,
  type Change,
  type Changed,
  changeBroadcast,
  type Refusal
} from './change-broadcast.ts'
import {
  breachOfResume,
  countRecipients,
  type RecipientCounts,
  resumed
} from './count-recipients.ts'
import type { stopRulesSchema } from './draft-broadcast.ts'
import { releaseMails } from './hold-mails.ts'
import { leaveOutRisky } from './leave-out-risky.ts'
import { stopCounts } from './measure-broadcast.ts'
import { withoutPauses } from './plan-pauses.ts'
import { withWave } from './plan-waves.ts'
import { type CountMismatch, owned } from './schedule-broadcast.ts'
import type { Breach, StopCounts } from './stop-rules.ts'

/** How a broadcast goes on. */
export interface Resume {
  /** Recipients still to be mailed within the cap, and held mails, together. Required. */
  readonly confirmedCount?: number
  /** The cap of the next wave, mails so far included; null: everybody. Default: as it is. */
  readonly recipientCap?: number | null
  /** Limits to change, as `{ enabled: false }` after a stop that a person judged harmless. */
  readonly stopRules?: Static<typeof stopRulesSchema>
  /** Leaves out addresses that had no mail before; the stop rules count anew from here. */
  readonly leaveOut?: 'never_mailed'
}

/** Why a broadcast was not resumed. */
export type ResumeRefusal =
  | Refusal<'not_paused' | 'confirmedCount_required' | 'cap_not_raised' | 'changed_meanwhile'>
  | (Refusal<'stop_rule_still_breached'> & { readonly message: string })
  | CountMismatch

/**
 * Takes back the pauses of all names: a gate that still holds pauses it again with the next mail. A full
 * wave needs a higher cap, a broken stop rule other limits.
 */
export async function resumeBroadcast(
  context: MailerContext,
  slug: string,
  resume: Resume,
  by: Actor
): Promise<Changed<ResumeRefusal>> {
  const read = await context.collections.broadcasts.findOne({ slug })
  if (read === null) return { ok: false, code: 'not_found' }
  const wanted = resumed(read, resume)
  const early = resumeFault(read, wanted, resume)
  if (early !== undefined) return early
  const counts = await countRecipients(context, wanted)
  const facts: ResumeFacts = {
    read,
    breach: await breachOfResume(context, read, resume),
    counts,
    now: context.clock.now(),
    ...(resume.leaveOut !== undefined && {
      stopBase: await stopCounts(context, { _id: read._id })
    })
  }
  const fault = decideResume(read, resume, facts)
  if (!fault.ok) return fault
  // Before the pause ends: what is held then leaves at once.
  if (resume.leaveOut !== undefined) await leaveOutRisky(context, read._id)
  const result = await changeBroadcast(context, { slug }, by, (row) =>
    owned(decideResume(row, resume, facts), by)
  )
  if (result.ok) await releaseMails(context, read._id)
  return result
}

/** What was read before the decision. */
export interface ResumeFacts {
  readonly read: Pick<BroadcastRow, 'updatedAt'>
  readonly breach: Breach | undefined
  readonly counts: RecipientCounts
  readonly now: Date
  /** With `leaveOut`: what the stop rules have counted so far. */
  readonly stopBase?: StopCounts
}

/** Decides over a broadcast as it is now. Pure. */
export function decideResume(
  broadcast: BroadcastRow,
  resume: Resume,
  { read, breach, counts, now, stopBase }: ResumeFacts
): Change | ResumeRefusal {
  if (broadcast.updatedAt.getTime() !== read.updatedAt.getTime())
    return { ok: false, code: 'changed_meanwhile' }
  const wanted = resumed(broadcast, resume)
  const fault = resumeFault(broadcast, wanted, resume)
  if (fault !== undefined) return fault
  if (breach !== undefined)
    return { ok: false, code: 'stop_rule_still_breached', message: breach.message }
  const expected = counts.recipientCount + counts.heldSends
  if (resume.confirmedCount !== expected) return { ok: false, code: 'count_mismatch', expected }
  const free = withoutPauses(broadcast, () => true)
  if (free === undefined) return { ok: false, code: 'not_paused' }
  const { stopRules, recipientCap, leavesOut } = wanted
  const counted = countedAudience(broadcast, counts)
  const fields = {
    ...free,
    stopRules,
    recipientCap,
    leavesOut,
    ...(stopBase !== undefined && { stopBase }),
    ...counted,
    waves: wavesAfter({ ...wanted, ...counted }, now)
  }
  return { ok: true, action: 'broadcast.resume', fields }
}

/** Everybody who gets a mail, those of earlier waves included. */
const countedAudience = (
  { queuedCount }: BroadcastRow,
  { recipientCount, uncappedRecipientCount }: RecipientCounts
) => ({
  recipientCount: queuedCount + recipientCount,
  audienceCount: queuedCount + uncappedRecipientCount
})

/** A full wave that goes on with a higher cap begins the next one. */
function wavesAfter(broadcast: BroadcastRow, at: Date): BroadcastRow['waves'] {
  const { waves, pauses = [] } = broadcast
  if (waves === undefined || !pauses.some(({ code }) => code === 'cap_reached')) return waves
  return withWave(broadcast, at)
}

function resumeFault(
  { status, pauses = [], queuedCount }: BroadcastRow,
  { recipientCap }: BroadcastRow,
  { confirmedCount }: Resume
): Refusal<'not_paused' | 'confirmedCount_required' | 'cap_not_raised'> | undefined {
  if (status !== 'paused') return { ok: false, code: 'not_paused' }
  const isFull = pauses.some(({ code }) => code === 'cap_reached')
  if (isFull && recipientCap !== undefined && recipientCap <= queuedCount)
    return { ok: false, code: 'cap_not_raised' }
  if (!Number.isInteger(confirmedCount)) return { ok: false, code: 'confirmedCount_required' }
  return undefined
}
