// What the outcome of a delivery says about its provider. Pure.

import { messageOf } from '../../ledger/send-update.ts'
import { faultOfFailure } from '../../providers/fault-of-failure.ts'
import type { ProviderFault } from '../outages/outage-rules.ts'
import type { DeliveryAnswer } from './settle-send.ts'

/** Undefined when the provider did its work, whatever became of the mail. */
export function providerFaultOf(outcome: DeliveryAnswer): ProviderFault | undefined {
  if (outcome.kind === 'unknown')
    return outcome.isDown === true ? { reason: messageOf(outcome.reason) } : undefined
  if (outcome.kind !== 'failed' || faultOfFailure(outcome.error) === 'mail') return undefined
  const { retryAfterSeconds } = (outcome.error ?? {}) as { readonly retryAfterSeconds?: unknown }
  const reason = messageOf(outcome.error)
  return typeof retryAfterSeconds === 'number' ? { reason, retryAfterSeconds } : { reason }
}
