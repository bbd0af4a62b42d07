// Composes some mails of a batch, just before they leave; what cannot be composed or is held gets its result.
import type { MailerContext } from '../../ledger/context.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import type { PastHandOver } from '../../providers/failover.ts'
import { type Composed, composeMail, composeOperatorMail } from './compose-mail.ts'
import type { SendFacts } from './decide-send.ts'
import { hostRoots } from './host-roots.ts'
import type { ReadyMail, SendingBatch } from './sending-batch.ts'
import { holdOfComposed, pauseForGates, settleHold } from './settle-holds.ts'
import { settleStop, settleUnready } from './settle-send.ts'

/** Mails composed before other work gets a turn. */
const COMPOSED_AT_ONCE = 25

/** The mails that may leave. */
export async function composeAll(
  batch: SendingBatch,
  facts: readonly SendFacts[]
): Promise<readonly ReadyMail[]> {
  const ready: ReadyMail[] = []
  const pausesBefore = batch.pauses.size
  for (const [at, one] of facts.entries()) {
    if (at % COMPOSED_AT_ONCE === 0) await new Promise(setImmediate)
    const mail = await composeOne(batch, one)
    if (mail !== undefined) ready.push(mail)
  }
  if (batch.pauses.size > pausesBefore) await pauseForGates(batch)
  return ready
}

async function composeOne(batch: SendingBatch, facts: SendFacts): Promise<ReadyMail | undefined> {
  const { context, results } = batch
  const { send, subscription } = facts
  const composed = await composedOrFailure(batch, facts)
  if (composed === undefined) return undefined
  if (!composed.ok) {
    const { code: reason, message } = composed
    results.set(send._id, settleStop({ handoff: 'failed', reason, message }, context.clock.now()))
    return undefined
  }
  const hold = await holdOfComposed(batch, facts, composed.mail)
  if (hold !== undefined) {
    settleHold(batch, send, hold)
    return undefined
  }
  return {
    send,
    facts,
    attempt: (send.attempt?.number ?? 0) + 1,
    provider: facts.provider as string,
    past: pastOf(send),
    mail: composed.mail,
    isFirst: subscription !== undefined && subscription.firstSentAt === undefined
  }
}

/** The variables of the host may be away for a while: such a mail is tried again. */
async function composedOrFailure(
  { context, results }: SendingBatch,
  facts: SendFacts
): Promise<Composed | undefined> {
  try {
    return await compose(context, facts)
  } catch (error) {
    results.set(facts.send._id, settleUnready(facts.send, error, context.clock.now()))
    return undefined
  }
}

async function compose(context: MailerContext, facts: SendFacts): Promise<Composed> {
  const { send, contact, template } = facts
  const { config, clock } = context
  if (contact === undefined || template === undefined) return composeOperatorMail(config, send)
  const roots = await hostRoots(context, contact, send)
  const { vars = {} } = send
  return composeMail({ config, send, contact, template, vars, roots, now: clock.now() })
}

/** What earlier batches leave open: a provider that may have the mail keeps it from every other one. */
function pastOf({ handoff, attempt }: SendRow): readonly PastHandOver[] {
  const isOpen = handoff === 'unknown' || handoff === 'sending'
  return isOpen && attempt !== undefined ? [{ provider: attempt.provider, status: 'unknown' }] : []
}
