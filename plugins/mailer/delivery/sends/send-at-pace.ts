// Hands mails over at the pace of their provider: a chunk is recorded just before the provider sees it.

import { messageIdOf } from '../../ledger/message-id.ts'
import type { PastHandOver } from '../../providers/failover.ts'
import type { Recorded } from '../journal/journal-lines.ts'
import { composeAll } from './compose-batch.ts'
import type { SendFacts } from './decide-send.ts'
import { handOver } from './hand-over.ts'
import { heedOutcome } from './heed-outcome.ts'
import { unstopped } from './heed-stops.ts'
import { recordAttempts, senderDomainOf } from './record-attempts.ts'
import { triesWith } from './retried.ts'
import type { Outlet, ReadyMail, SendingBatch } from './sending-batch.ts'
import { deduplicatesUntil } from './settle-interrupted.ts'
import { type HandOver, settleHandOver } from './settle-send.ts'
import { settleGivenUp } from './settle-wait.ts'
import { createWorkInHand, type WorkInHand } from './turns.ts'
import { keepWaiting, mustWait, takesOver } from './wait-for-providers.ts'
import { holdForWarmUp } from './warm-up-holds.ts'
import { yieldToOthers } from './yield-to-others.ts'

/** A mail of a batch on its way: composed when its turn comes. */
export type Candidate = SendFacts | ReadyMail

/** The lease of a batch is 60 s: no hand-over begins after this long. */
const BUDGET_MS = 25_000
/**
 * Mails recorded at a time, an eleventh of a batch of 1,000: so many, those ahead and those in hand may be open when
 * a process dies and its journal cannot be read.
 */
const CHUNK = 92
/** The next chunk is recorded while so many wait for their turn: a database at work takes 50 ms to answer. */
const AHEAD = 52

/** Hands the mails of one provider over, as many as its rate allows; the rest goes back to the queue. */
export async function sendAtPace(
  batch: SendingBatch,
  mails: readonly Candidate[],
  outlet: Outlet
): Promise<void> {
  const [first] = mails
  if (first === undefined) return
  const { lane } = first.send
  const door = outlet.doors[lane]
  const inHand = createWorkInHand()
  await door.take(lane)
  try {
    await sendChunks(batch, mails, outlet, inHand)
    await inHand.untilAtMost(outlet.concurrency + AHEAD)
  } finally {
    door.give()
    // What the provider has seen must have its result before the batch ends.
    await inHand.untilAtMost(0)
  }
  const dueAt = batch.context.clock.now()
  for (const one of mails) {
    const { send } = one
    // A mail that a first provider did not take keeps the result of that.
    if (batch.results.has(send._id)) continue
    const isKept = mustWait(batch, outlet, one) && takesOver(batch, pastWith(outlet)) === undefined
    if (isKept) keepWaiting(batch, outlet, one)
    else batch.results.set(send._id, { state: 'scheduled', dueAt })
  }
}

async function sendChunks(
  batch: SendingBatch,
  mails: readonly Candidate[],
  outlet: Outlet,
  inHand: WorkInHand
): Promise<void> {
  let waiting = mails
  let granted = 0
  while (waiting.length > 0 && mayGoOn(batch)) {
    const [next] = waiting as [Candidate]
    if (mustWait(batch, outlet, next)) return
    if (granted === 0) {
      const taken = await outlet.pace.take(next.send.lane, waiting.length)
      granted = taken.granted
      if (granted === 0 && !(await pause(batch, taken.waitMs))) return
      if (granted === 0) continue
    }
    const chunk = waiting.slice(0, Math.min(granted, CHUNK))
    waiting = waiting.slice(chunk.length)
    granted -= chunk.length
    const ready = await composed(batch, await going(batch, chunk))
    await inHand.untilAtMost(outlet.concurrency + AHEAD)
    if (!mayGoOn(batch)) return
    for (const mail of await yieldToOthers(batch, await recordAttempts(batch, ready)))
      inHand.begin(sendInTurn(batch, mail, outlet))
  }
}

/** Those that nothing stopped since the batch began. */
async function going<T extends Candidate>(
  batch: SendingBatch,
  mails: readonly T[]
): Promise<readonly T[]> {
  const facts = mails.map((one: Candidate) => ('mail' in one ? one.facts : one))
  const free = await unstopped(batch, facts)
  if (free.length === mails.length) return mails
  const left = new Set(free.map(({ send }) => send._id))
  return mails.filter(({ send }) => left.has(send._id))
}

async function composed(
  batch: SendingBatch,
  chunk: readonly Candidate[]
): Promise<readonly ReadyMail[]> {
  // A mail that another provider takes over is ready, and was counted.
  const ready = chunk.flatMap((one) => ('mail' in one ? one : []))
  const facts = chunk.flatMap((one) => ('mail' in one ? [] : one))
  return [...ready, ...(await composeAll(batch, await holdForWarmUp(batch, facts)))]
}

async function sendInTurn(batch: SendingBatch, ready: ReadyMail, outlet: Outlet): Promise<void> {
  await outlet.turns.take(ready.send.lane)
  try {
    if (mustWait(batch, outlet, ready)) passOn(batch, outlet, ready)
    else if ((await going(batch, [ready])).length > 0) await sendOne(batch, ready, outlet)
  } finally {
    outlet.turns.give()
  }
}

/** The provider does not have the mail and takes none: another one gets it, or it waits. */
function passOn(batch: SendingBatch, outlet: Outlet, ready: ReadyMail): void {
  keepWaiting(batch, outlet, ready)
  const next = takenOver(batch, ready)
  if (next !== undefined) batch.moved.push(next)
}

async function sendOne(batch: SendingBatch, ready: ReadyMail, outlet: Outlet): Promise<void> {
  const { context, run, results } = batch
  const { send, attempt, mail } = ready
  const { provider } = outlet
  const messageId = messageIdOf(send._id, attempt, senderDomainOf(ready))
  if (batch.own?.begin(send._id, attempt) === false) {
    results.set(send._id, settleGivenUp(send, context.clock.now()))
    return
  }
  const outcome = await handOver(ready.provider, provider, mail.message, {
    messageId,
    idempotencyKey: send._id,
    signal: run.signal
  })
  const recorded = recordedOf(outcome)
  if (recorded !== undefined) batch.own?.end(send._id, attempt, recorded)
  if (await heedOutcome(batch, outlet, ready, outcome)) {
    const next = takenOver(batch, ready)
    if (next !== undefined && !run.signal.aborted) batch.moved.push(next)
    return
  }
  const now = context.clock.now()
  const rules = {
    now,
    attempt: triesWith(send, attempt),
    maxAttempts: context.config.sendRetryAttempts,
    deduplicatesUntil: deduplicatesUntil(provider, send.firstAttemptAt ?? now)
  }
  results.set(send._id, settleHandOver(mail.handed, outcome, rules))
  const next = outcome.kind === 'failed' ? takenOver(batch, ready) : undefined
  if (next !== undefined) {
    batch.moved.push(next)
    return
  }
  batch.handed.push({ ready, outcome })
  batch.unwritten.add(send._id)
}

/** What the journal has of an answer; a doubt stays one. */
function recordedOf(outcome: HandOver): Recorded | undefined {
  if (outcome.kind === 'unknown') return undefined
  if (outcome.kind !== 'accepted') return { kind: 'refused' }
  return { kind: 'accepted', providerMessageId: outcome.providerMessageId }
}

/** The mail as another provider gets it, which its own one certainly does not have. */
function takenOver(batch: SendingBatch, ready: ReadyMail): ReadyMail | undefined {
  const { provider, attempt } = ready
  const past: readonly PastHandOver[] = [...ready.past, { provider, status: 'retry' }]
  const next = takesOver(batch, past)
  return next === undefined ? undefined : { ...ready, provider: next, attempt: attempt + 1, past }
}

const pastWith = ({ name }: Outlet): readonly PastHandOver[] => [
  { provider: name, status: 'retry' }
]

function mayGoOn({ run, startedAt }: SendingBatch): boolean {
  return !run.signal.aborted && performance.now() - startedAt <= BUDGET_MS
}

/** False when waiting would leave no time to send. */
async function pause(batch: SendingBatch, ms: number): Promise<boolean> {
  const left = BUDGET_MS - (performance.now() - batch.startedAt)
  if (ms >= left) return false
  await new Promise((resolve) => setTimeout(resolve, ms))
  return true
}
