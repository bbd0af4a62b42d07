// The life of a queue item, decided as a pure function: what becomes of it after a run.
import type { ManifestQueue } from '../manifest/schema.ts'
import type { ItemResult, ItemUpdate } from './queue.ts'
import type { Outcome } from './run.ts'

/** A queue's limits with the defaults of the manifest's schema. */
export interface QueueLimits {
  /** Items claimed at a time. */
  readonly batch: number
  /** How long an item is held without a sign of life, and how long its handler may take. */
  readonly leaseSeconds: number
  /** Tries before an item is parked. */
  readonly attempts: number
  /** Seconds before the second try; doubled for each further one. */
  readonly backoff: number
}

/** The limits of a queue as its manifest declares them: 50 items, 60 s, 5 tries and 5 s where it says nothing. */
export function queueLimits(spec: ManifestQueue): QueueLimits {
  const { batch = 50, leaseSeconds = 60, attempts = 5, backoff = 5 } = spec
  return { batch, leaseSeconds, attempts, backoff }
}

/** What is written about an item. `due`, `leased`, `done` and `parked` are the states that it can be in. */
export type Settlement =
  | { readonly state: 'done'; readonly update?: ItemUpdate }
  /** To be tried again later. */
  | {
      readonly state: 'due'
      readonly dueAt: Date
      readonly reason: string
      readonly update?: ItemUpdate
    }
  /** To go on later: due, with its tries counted anew. */
  | { readonly state: 'scheduled'; readonly dueAt: Date; readonly update?: ItemUpdate }
  | { readonly state: 'parked'; readonly reason: string; readonly update?: ItemUpdate }
  /** Handed back as if it had not been claimed. */
  | { readonly state: 'returned' }

const MAX_BACKOFF_MS = 24 * 3_600_000
const MAX_REASON = 500

/** `attempts` counts this try. An outcome of undefined means that the item was never started. */
export function settle(
  attempts: number,
  outcome: Outcome | undefined,
  limits: QueueLimits,
  now: Date
): Settlement {
  if (outcome === undefined || outcome.kind === 'returned') return { state: 'returned' }
  if (outcome.kind === 'done') return { state: 'done' }
  const reason = reasonOf(outcome.error)
  if (attempts >= limits.attempts) return { state: 'parked', reason }
  const own = limits.backoff * 1000 * 2 ** (attempts - 1)
  const delay = Math.min(Math.max(own, wantedDelayMs(outcome.error)), MAX_BACKOFF_MS)
  return { state: 'due', dueAt: new Date(now.getTime() + delay), reason }
}

/** What the result of a batch handler means for an item; `attempts` counts this try. */
export function settleResult(
  attempts: number,
  result: ItemResult | undefined,
  limits: QueueLimits,
  now: Date
): Settlement {
  if (result !== undefined && result.state !== 'failed') return result
  const error = result?.error ?? new Error('the batch handler gave no result for it')
  const settlement = settle(attempts, { kind: 'failed', error }, limits, now)
  const isKept = settlement.state === 'due' || settlement.state === 'parked'
  return isKept && result?.update !== undefined
    ? { ...settlement, update: result.update }
    : settlement
}

/** An error may ask for a later try: the far end said when it wants to be called again. */
function wantedDelayMs(error: unknown): number {
  const { retryAfterSeconds } = (error ?? {}) as { readonly retryAfterSeconds?: unknown }
  return typeof retryAfterSeconds === 'number' && retryAfterSeconds > 0
    ? retryAfterSeconds * 1000
    : 0
}

/**
 * An item that comes with more tries than it may have was held by processes that died. It is not run
 * again: whatever kills a process must not do so for ever.
 */
export function exhausted(attempts: number, limits: QueueLimits): Settlement | undefined {
  if (attempts <= limits.attempts) return undefined
  const reason = `its lease ran out ${limits.attempts} times: no process that held it finished`
  return { state: 'parked', reason }
}

/** An error as one short line for an operator. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error && error.message !== '' ? error.message : String(error)
  return text.length > MAX_REASON ? `${text.slice(0, MAX_REASON - 1)}…` : text
}
