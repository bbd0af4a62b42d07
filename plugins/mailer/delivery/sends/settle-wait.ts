// What becomes of a mail whose provider takes no mail: it waits, without a try being counted. Pure.
import type { ItemResult } from '@keelson/sdk'
import type { SendRow } from '../../ledger/send-row.ts'
import { sendUpdate } from '../../ledger/send-update.ts'
import type { Outage } from '../../ledger/state-row.ts'
import { takeBack } from './take-back.ts'

/** What the wait of a mail depends on. */
export interface ProviderWait {
  readonly provider: string
  readonly outage: Pick<Outage, 'reason' | 'nextProbeAt'>
  readonly now: Date
  /** How long it may wait. */
  readonly patienceMs: number
  /** It is the next probe, and due at its time. Default: it waits until it is woken. */
  readonly isNextProbe?: boolean
}

/** The queue's result. A mail that a provider may have keeps that state, and is looked at with the next probe. */
export function settleProviderWait(send: SendRow, wait: ProviderWait): ItemResult {
  const { provider, outage, now, patienceMs, isNextProbe = false } = wait
  const { reason: errorMessage, nextProbeAt } = outage
  if (send.handoff === 'sending' || send.handoff === 'unknown')
    return { state: 'scheduled', dueAt: nextProbeAt }
  const since = send.waiting?.since ?? now
  const until = new Date(since.getTime() + patienceMs)
  const back = takeBack(send)
  if (until <= now) {
    const end = { handoff: 'failed', exitReason: 'provider_unavailable', errorMessage } as const
    return { state: 'done', update: [...back, ...sendUpdate(end, ['hold'])] }
  }
  const waiting = { provider, since }
  const fields = { handoff: 'queued', waitingFor: 'provider', waiting, errorMessage } as const
  const dueAt = isNextProbe && nextProbeAt < until ? nextProbeAt : until
  return { state: 'scheduled', dueAt, update: [...back, ...sendUpdate(fields, ['hold'])] }
}

/** The queue's result for a mail that was given up because its process ends: due again, at no cost. */
export function settleGivenUp(send: SendRow, now: Date): ItemResult {
  const update = [...takeBack(send), ...sendUpdate({ handoff: send.handoff })]
  return { state: 'scheduled', dueAt: now, update }
}
