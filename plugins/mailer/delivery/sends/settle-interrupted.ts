// Mails that come back from a process that died while it held them: what may be done with each.
import type { MailProvider } from '../../contracts/mailer-provider.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import type { Outlet, SendingBatch } from './sending-batch.ts'
import { settleLost } from './settle-send.ts'

/**
 * Gives mails their end that need none of the usual steps, and returns the others. A mail that comes back
 * in hand-over may have reached the provider: it goes on only where the provider drops a second one.
 */
export function settleInterrupted(
  { context, results, recovered }: SendingBatch,
  outlets: ReadonlyMap<string, Outlet>,
  sends: readonly SendRow[]
): readonly SendRow[] {
  const now = context.clock.now()
  return sends.filter((send) => {
    if (isOver(send)) {
      recovered.push(send)
      results.set(send._id, { state: 'done' })
      return false
    }
    if (send.handoff !== 'sending' && send.handoff !== 'unknown') return true
    const provider = outlets.get(send.attempt?.provider ?? '')?.provider
    const until = provider && deduplicatesUntil(provider, send.firstAttemptAt ?? now)
    if (until !== undefined && now < until) return true
    const rules = { now, attempt: send.attempt?.number ?? 1, maxAttempts: 1 }
    results.set(send._id, settleLost(rules))
    return false
  })
}

/** Its outcome is written; only its end in the queue is not. */
function isOver({ handoff, exitReason }: SendRow): boolean {
  return handoff === 'sent' || (handoff === 'failed' && exitReason !== undefined)
}

/** How long a second mail with the same key is dropped by the provider; undefined: it does not drop any. */
export function deduplicatesUntil(
  { capabilities = {} }: MailProvider,
  firstAttemptAt: Date
): Date | undefined {
  const { idempotencyKeys = false, idempotencyHours = 24 } = capabilities
  if (!idempotencyKeys) return undefined
  return new Date(firstAttemptAt.getTime() + idempotencyHours * 3_600_000)
}
