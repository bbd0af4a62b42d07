// Hands mails over; what a provider certainly does not have may go to the one that takes over from it.
import { groupedBy } from '../grouped-by.ts'
import { fallbackFor, type PastHandOver } from '../providers/failover.ts'
import {
  type PacedProvider,
  type ReadyMail,
  type SendingBatch,
  sendAtPace
} from './send-at-pace.ts'
import type { SendRow } from './send-row.ts'

/** Ends when no mail has another provider to go to. */
export async function sendWithFallbacks(
  batch: SendingBatch,
  paced: ReadonlyMap<string, PacedProvider>,
  mails: readonly ReadyMail[]
): Promise<void> {
  let waiting = mails
  while (waiting.length > 0) {
    const before = batch.handed.length
    const byProvider = groupedBy(waiting, ({ provider }) => provider)
    await Promise.all(
      [...byProvider].map(([name, group]) =>
        sendAtPace(batch, group, paced.get(name) as PacedProvider)
      )
    )
    waiting = takeOver(batch, before)
  }
}

/** Takes the mails that another provider may have off the list of those that are handed over. */
function takeOver({ context, handed }: SendingBatch, from: number): readonly ReadyMail[] {
  const { providerFallbacks = {} } = context.config
  const moved: ReadyMail[] = []
  const kept = handed.splice(from).filter(({ ready, outcome }) => {
    if (outcome.kind !== 'failed') return true
    const { provider } = ready
    const past: readonly PastHandOver[] = [...ready.past, { provider, status: 'retry' }]
    const next = fallbackFor(past, providerFallbacks)
    if (next === undefined) return true
    moved.push({ ...ready, provider: next, attempt: ready.attempt + 1, past })
    return false
  })
  handed.push(...kept)
  return moved
}

/** What earlier batches leave open: a provider that may have the mail keeps it from every other one. */
export function pastOf({ handoff, attempt }: SendRow): readonly PastHandOver[] {
  const isOpen = handoff === 'unknown' || handoff === 'sending'
  return isOpen && attempt !== undefined ? [{ provider: attempt.provider, status: 'unknown' }] : []
}
