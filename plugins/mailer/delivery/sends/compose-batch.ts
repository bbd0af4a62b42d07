// Composes some mails of a batch, just before they leave; what cannot be composed or is held gets its result.
import type { MailerContext } from '../../ledger/context.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import type { PastDelivery } from '../../providers/failover.ts'
import { type Composed, composeMail, composeOperatorMail } from './compose-mail.ts'
import type { SendFacts } from './decide-send.ts'
import { hostRoots } from './host-roots.ts'
import type { ReadyMail } from './ready-mail.ts'
import type { SendingBatch } from './sending-batch.ts'
import { holdOfComposed, pauseForGates, settleHold } from './settle-holds.ts'
import { settleStop, settleUnready } from './settle-send.ts'
import { type Step, stays } from './step.ts'

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
    // Written at once: a hold of one mail may be one of the next.
    ready.push(...batch.settle(await composeOne(batch, one)))
  }
  if (batch.pauses.size > pausesBefore) await pauseForGates(batch)
  return ready
}

async function composeOne(batch: SendingBatch, facts: SendFacts): Promise<Step<ReadyMail>> {
  const { context } = batch
  const { send, subscription } = facts
  const composed = await compose(context, facts).catch((error: unknown) => ({ error }))
  const now = context.clock.now()
  // The variables of the host may be away for a while: such a mail is tried again.
  if ('error' in composed) return stays(send, settleUnready(send, composed.error, now))
  if (!composed.ok) {
    const { code: reason, message } = composed
    return stays(send, settleStop({ handoff: 'failed', reason, message }, now))
  }
  const { mail } = composed
  const held = settleHold(context, send, await holdOfComposed(batch, facts, mail))
  if (held !== undefined) return { go: [], settled: [{ send, ...held }] }
  const ready: ReadyMail = {
    send,
    facts,
    attempt: (send.attempt?.number ?? 0) + 1,
    provider: facts.provider as string,
    past: pastOf(send),
    mail,
    isFirst: subscription !== undefined && subscription.firstSentAt === undefined
  }
  return { go: [ready], settled: [] }
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
function pastOf({ handoff, attempt }: SendRow): readonly PastDelivery[] {
  const isOpen = handoff === 'unknown' || handoff === 'sending'
  return isOpen && attempt !== undefined ? [{ provider: attempt.provider, status: 'unknown' }] : []
}
