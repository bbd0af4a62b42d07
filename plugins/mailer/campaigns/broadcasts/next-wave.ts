// Lets the next wave of a broadcast out: at its time, or when a person asks for it.
import type { BroadcastRow } from '../../ledger/broadcast-row.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { OWN_KINDS, OWNER_FORBIDDEN, ownerProblem } from '../owner-hold.ts'
import {
  type Actor,
  type Changed,
  changeBroadcast,
  MAILER,
  type Refusal
} from './change-broadcast.ts'
import { stopCounts } from './measure-broadcast.ts'
import { pauseBroadcast } from './pause-broadcasts.ts'
import { decideNextWave } from './plan-waves.ts'
import { owned } from './schedule-broadcast.ts'
import { breachOf } from './stop-rules.ts'

/** Mails that leave before the next wave does. */
const UNSENT = ['queued', 'sending', 'held'] as const

/**
 * Begins the next wave, whose time has come, once the mails of the wave before have left. In the recipients' own
 * time they leave over a day, so there the time alone counts. Who let the broadcast send must still be allowed to.
 *
 * @returns how much changed
 */
export async function beginNextWave(
  context: MailerContext,
  broadcast: BroadcastRow
): Promise<number> {
  const { _id, respectRecipientTimezone } = broadcast
  if (!respectRecipientTimezone && (await hasUnsent(context, _id))) return 0
  const message = await ownerProblem(context, OWN_KINDS.broadcast, broadcast)
  if (message !== undefined) {
    const pause = { code: 'gate', by: 'owner', cause: OWNER_FORBIDDEN, message } as const
    return (await pauseBroadcast(context, { _id }, pause)).ok ? 1 : 0
  }
  const now = context.clock.now()
  const { ok } = await changeBroadcast(context, { _id }, MAILER, (row) => decideNextWave(row, now))
  return ok ? 1 : 0
}

async function hasUnsent({ collections }: MailerContext, broadcastId: string): Promise<boolean> {
  const one = {
    projection: { _id: 1 },
    hint: { broadcastId: 1, status: 1, externalId: 1 }
  } as const
  const unsent = { broadcastId, status: { $in: [...UNSENT] } } as const
  return (await collections.sends.findOne(unsent, one)) !== null
}

/** Why the next wave did not begin. */
export type NextWaveRefusal =
  | Refusal<'no_wave_waits'>
  | (Refusal<'stop_rule_still_breached'> & { readonly message: string })

/** Begins the next wave before its time, for a person. Stop rules hold it all the same. */
export async function sendNextWave(
  context: MailerContext,
  slug: string,
  by: Actor
): Promise<Changed<NextWaveRefusal>> {
  const read = await context.collections.broadcasts.findOne({ slug })
  if (read === null) return { ok: false, code: 'not_found' }
  const breach = breachOf(read.stopRules, await stopCounts(context, read))
  if (breach !== undefined)
    return { ok: false, code: 'stop_rule_still_breached', message: breach.message }
  const now = context.clock.now()
  return changeBroadcast(context, { slug }, by, (row) =>
    owned(
      decideNextWave(row, now, () => true),
      by
    )
  )
}
