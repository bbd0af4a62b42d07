// Hands one mail to its provider, and reads the answer without trusting it.
import { setMaxListeners } from 'node:events'
import { within } from '@keelson/sdk'
import type { MailProvider, ProviderMessage } from '../../contracts/mailer-provider.ts'
import { messageOf } from '../../ledger/send-update.ts'
import { isBounceClass } from '../../providers/bounces/judge-bounce.ts'
import type { DeliveryAnswer } from './settle-send.ts'

/** A provider gives up after this long. */
const TIMEOUT_MS = 30_000
/** A provider that does not even give up is left after this much more. */
const GRACE_MS = 5_000

/** Hand-overs that begin within this time share a signal: one for each mail would cost more than a mail. */
const SHARED_MS = 1_000

/** More than the deliveries of a batch. */
const MANY_LISTENERS = 10_000

const shared = new WeakMap<AbortSignal, { readonly signal: AbortSignal; readonly since: number }>()

/** Aborted when the batch is, and after 30 s or a little more. */
function endOf(batch: AbortSignal): AbortSignal {
  const now = performance.now()
  const known = shared.get(batch)
  if (known !== undefined && now - known.since < SHARED_MS) return known.signal
  const signal = AbortSignal.any([batch, AbortSignal.timeout(TIMEOUT_MS + SHARED_MS)])
  // Not 0: Node 20 then throws when undici's fetch asks for the limit.
  setMaxListeners(MANY_LISTENERS, signal)
  shared.set(batch, { signal, since: now })
  return signal
}

/** What a delivery takes beside the mail. */
export interface CallContext {
  readonly messageId: string
  /** The same for every try of a mail. */
  readonly idempotencyKey: string
  /** Aborted when the host closes. */
  readonly signal: AbortSignal
}

/** Never throws. A provider that does not answer in time may have the mail. */
export async function callProvider(
  name: string,
  provider: MailProvider,
  message: ProviderMessage,
  context: CallContext
): Promise<DeliveryAnswer> {
  const signal = endOf(context.signal)
  let isOverdue = false
  const overdue = () => {
    isOverdue = true
    return new Error('the provider did not answer')
  }
  try {
    const sending = provider.send(message, { ...context, signal })
    const result: unknown = await within(sending, {
      deadline: { ms: TIMEOUT_MS + SHARED_MS + GRACE_MS, overdue }
    })
    return outcomeOf(name, result, context.messageId)
  } catch (error) {
    if (isOverdue)
      return { kind: 'unknown', provider: name, reason: messageOf(error), isDown: true }
    return { kind: 'failed', provider: name, error }
  }
}

/** An answer that is none of the three may mean anything: the mail may be on its way. */
function outcomeOf(provider: string, result: unknown, messageId: string): DeliveryAnswer {
  const { status, providerId, reason, bounce, bounceClass, isDown } = (result ?? {}) as Readonly<
    Record<string, unknown>
  >
  switch (status) {
    case 'accepted':
      return { kind: 'accepted', provider, providerMessageId: textOf(providerId) ?? messageId }
    case 'rejected':
      return {
        kind: 'rejected',
        provider,
        reason: textOf(reason) ?? 'The provider refused it.',
        ...((bounce === 'hard' || bounce === 'soft') && { bounce }),
        ...(isBounceClass(bounceClass) && { bounceClass })
      }
    case 'unknown':
      return {
        kind: 'unknown',
        provider,
        reason: textOf(reason) ?? 'The outcome is unknown.',
        ...(isDown === true && { isDown })
      }
    default:
      return { kind: 'unknown', provider, reason: 'The provider gave no valid answer.' }
  }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, 512) : undefined
