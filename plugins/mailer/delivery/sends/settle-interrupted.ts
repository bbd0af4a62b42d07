// Mails that come back from a process that died while it held them: what may be done with each.
import type { MailProvider } from '../../contracts/mailer-provider.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import type { SendingStep } from './sending-batch.ts'
import { settleLost } from './settle-send.ts'
import { settleSome } from './step.ts'

/**
 * Gives mails their end that need none of the usual steps. A mail that comes back in delivery may have reached the
 * provider: it goes on only where the provider drops a second one.
 */
export const settleInterrupted: SendingStep<SendRow> = ({ context, outlets }, sends) => {
  const now = context.clock.now()
  return settleSome(sends, (send) => {
    if (isOver(send)) return { result: { state: 'done' }, recovered: send }
    if (send.handoff !== 'sending' && send.handoff !== 'unknown') return undefined
    const provider = outlets.get(send.attempt?.provider ?? '')?.provider
    const until = provider && deduplicatesUntil(provider, send.firstAttemptAt ?? now)
    if (until !== undefined && now < until) return undefined
    return { result: settleLost({ now, attempt: send.attempt?.number ?? 1, maxAttempts: 1 }) }
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
