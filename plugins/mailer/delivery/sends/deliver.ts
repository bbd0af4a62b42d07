// Delivers one mail to its provider, and says what became of it.
import type { ItemResult } from '@keelson/sdk'
import { messageIdOf } from '../../ledger/message-id.ts'
import type { PastDelivery } from '../../providers/failover.ts'
import type { Recorded } from '../journal/journal-lines.ts'
import { callProvider } from './call-provider.ts'
import { heedAnswer } from './heed-answer.ts'
import { unstopped } from './heed-stops.ts'
import type { ReadyMail } from './ready-mail.ts'
import { senderDomainOf } from './record-attempts.ts'
import { triesWith } from './retried.ts'
import type { Outlet, SendingBatch } from './sending-batch.ts'
import { deduplicatesUntil } from './settle-interrupted.ts'
import { type DeliveryAnswer, settleDelivery } from './settle-send.ts'
import { settleGivenUp } from './settle-wait.ts'
import { type Step, stays } from './step.ts'
import { mustWait, settleKept, takesOver } from './wait-for-providers.ts'

/** Delivers a mail when its turn comes. It goes on where another provider takes it over. */
export async function deliverInTurn(
  batch: SendingBatch,
  ready: ReadyMail,
  outlet: Outlet
): Promise<Step<ReadyMail>> {
  await outlet.turns.take(ready.send.lane)
  try {
    // The provider does not have the mail and takes none: another one gets it, or it waits.
    if (mustWait(batch, outlet, ready))
      return movesOn(batch, ready, settleKept(batch, outlet, ready))
    const isFree = (await unstopped(batch, [ready.facts])).length > 0
    return isFree ? await deliver(batch, ready, outlet) : { go: [], settled: [] }
  } finally {
    outlet.turns.give()
  }
}

async function deliver(
  batch: SendingBatch,
  ready: ReadyMail,
  outlet: Outlet
): Promise<Step<ReadyMail>> {
  const { context, run, own } = batch
  const { send, attempt, mail } = ready
  const messageId = messageIdOf(send._id, attempt, senderDomainOf(ready))
  if (own?.begin(send._id, attempt) === false)
    return stays(send, settleGivenUp(send, context.clock.now()))
  const call = { messageId, idempotencyKey: send._id, signal: run.signal }
  const answer = await callProvider(ready.provider, outlet.provider, mail.message, call)
  const recorded = recordedOf(answer)
  if (recorded !== undefined) own?.end(send._id, attempt, recorded)
  const kept = await heedAnswer(batch, outlet, ready, answer)
  if (kept !== undefined)
    return run.signal.aborted ? stays(send, kept) : movesOn(batch, ready, kept)
  const result = resultOf(batch, ready, { answer, outlet })
  const step = answer.kind === 'failed' ? movesOn(batch, ready, result) : stays(send, result)
  if (step.go.length > 0) return step
  return { go: [], settled: [{ send, result, answered: { ready, answer } }] }
}

function resultOf(
  { context }: SendingBatch,
  { send, attempt, mail }: ReadyMail,
  { answer, outlet }: { readonly answer: DeliveryAnswer; readonly outlet: Outlet }
): ItemResult {
  const now = context.clock.now()
  return settleDelivery(mail.record, answer, {
    now,
    attempt: triesWith(send, attempt),
    maxAttempts: context.config.sendRetryAttempts,
    deduplicatesUntil: deduplicatesUntil(outlet.provider, send.firstAttemptAt ?? now)
  })
}

/** What the journal has of an answer; a doubt stays one. */
function recordedOf(answer: DeliveryAnswer): Recorded | undefined {
  if (answer.kind === 'unknown') return undefined
  if (answer.kind !== 'accepted') return { kind: 'refused' }
  return { kind: 'accepted', providerMessageId: answer.providerMessageId }
}

/** A mail that its provider certainly does not have: another one gets it, where one takes over. */
function movesOn(batch: SendingBatch, ready: ReadyMail, result: ItemResult): Step<ReadyMail> {
  const { send, provider, attempt } = ready
  const past: readonly PastDelivery[] = [...ready.past, { provider, status: 'retry' }]
  const next = takesOver(batch, past)
  const go = next === undefined ? [] : [{ ...ready, provider: next, attempt: attempt + 1, past }]
  return { go, settled: [{ send, result }] }
}
