// Delivers mails at the pace of their provider: a chunk is recorded just before the provider sees it.

import { composeAll } from './compose-batch.ts'
import type { SendFacts } from './decide-send.ts'
import { deliverInTurn } from './deliver.ts'
import { unstopped } from './heed-stops.ts'
import type { ReadyMail } from './ready-mail.ts'
import { recordAttempts } from './record-attempts.ts'
import type { Outlet, SendingBatch } from './sending-batch.ts'
import { type Step, settleSome } from './step.ts'
import { createWorkInHand, type WorkInHand } from './turns.ts'
import { mustWait, settleKept, takesOver } from './wait-for-providers.ts'
import { holdForWarmUp } from './warm-up-holds.ts'
import { yieldToOthers } from './yield-to-others.ts'

/** A mail of a batch on its way: composed when its turn comes. */
export type Candidate = SendFacts | ReadyMail

/** The lease of a batch is 60 s: no delivery begins after this long. */
const BUDGET_MS = 25_000
/**
 * Mails recorded at a time, a tenth of a batch of 1,000: so many, those ahead and those in hand may be open when
 * a process dies and its journal cannot be read.
 */
const CHUNK = 100
/** The next chunk is recorded while so many wait for their turn: a database at work takes 50 ms to answer. */
const AHEAD = 44

/** What one call delivers. */
interface Delivering {
  readonly batch: SendingBatch
  readonly outlet: Outlet
  readonly inHand: WorkInHand
  /** Mails that another provider takes over. */
  readonly moved: ReadyMail[]
}

/**
 * Delivers the mails of one provider, as many as its rate allows; the rest goes back to the queue.
 *
 * @returns the mails that another provider takes over
 */
export async function deliverAtPace(
  batch: SendingBatch,
  mails: readonly Candidate[],
  outlet: Outlet
): Promise<readonly ReadyMail[]> {
  const [first] = mails
  if (first === undefined) return []
  const { lane } = first.send
  const door = outlet.doors[lane]
  const inHand = createWorkInHand()
  const moved: ReadyMail[] = []
  await door.take(lane)
  try {
    await deliverChunks({ batch, outlet, inHand, moved }, mails)
    await inHand.untilAtMost(outlet.concurrency + AHEAD)
  } finally {
    door.give()
    // What the provider has seen must have its result before the batch ends.
    await inHand.untilAtMost(0)
  }
  batch.settle(settleRest(batch, mails, outlet))
  return moved
}

/** A mail that a first provider did not take keeps the result of that. */
function settleRest(
  batch: SendingBatch,
  mails: readonly Candidate[],
  outlet: Outlet
): Step<Candidate> {
  const dueAt = batch.context.clock.now()
  const next = takesOver(batch, [{ provider: outlet.name, status: 'retry' }])
  const open = mails.filter(({ send }) => !batch.results.has(send._id))
  return settleSome(open, (one) => {
    const isKept = next === undefined && mustWait(batch, outlet, one)
    return { result: isKept ? settleKept(batch, outlet, one) : { state: 'scheduled', dueAt } }
  })
}

async function deliverChunks(delivering: Delivering, mails: readonly Candidate[]): Promise<void> {
  const { batch, outlet, inHand } = delivering
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
    await deliverReady(delivering, ready)
  }
}

/** Records the mails as attempted, and begins with each. Ends before their provider has answered. */
async function deliverReady(
  { batch, outlet, inHand, moved }: Delivering,
  ready: readonly ReadyMail[]
): Promise<void> {
  const recorded = batch.settle(await recordAttempts(batch, ready))
  for (const mail of batch.settle(await yieldToOthers(batch, recorded))) {
    const delivery = deliverInTurn(batch, mail, outlet)
    inHand.begin(delivery.then((step) => void moved.push(...batch.settle(step))))
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
  const free = batch.settle(await holdForWarmUp(batch, facts))
  return [...ready, ...(await composeAll(batch, free))]
}

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
