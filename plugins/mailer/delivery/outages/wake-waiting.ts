// Mails that wait for a provider: one is woken for each probe, all when the provider is back, urgent ones first.
import type { MailerContext } from '../../ledger/context.ts'
import { sendUpdate } from '../../ledger/send-update.ts'
import type { Outage } from '../../ledger/state-row.ts'
import { providerRow } from '../../ledger/state-row.ts'
import { readOutages } from './outages.ts'

/** A row is kept this long after the outage: until then a batch that began before its end may bring mails. */
const KEPT_MS = 300_000
/** Probes that no mail came for in this time are begun by the tick. */
const MISSED_MS = 5_000
/** One mail that a provider cannot take does not decide every probe. */
const CANDIDATES = 10

const LANES = ['urgent', 'bulk'] as const

/** Wakes one mail that waits, an urgent one if there is any; it is the next probe. */
export async function wakeProbe(
  { collections, queues }: Pick<MailerContext, 'collections' | 'queues'>,
  provider: string,
  { probes, nextProbeAt: dueAt }: Pick<Outage, 'probes' | 'nextProbeAt'>
): Promise<boolean> {
  for (const lane of LANES) {
    const found = await collections.sends
      .find({ 'waiting.provider': provider, lane }, { projection: { _id: 1 } })
      .limit(CANDIDATES)
      .toArray()
    const chosen = found[probes % Math.max(found.length, 1)]
    if (chosen === undefined) continue
    const queue = lane === 'urgent' ? queues.urgentSends : queues.bulkSends
    const { rescheduled } = await queue.reschedule({ _id: chosen._id }, { dueAt })
    if (rescheduled > 0) return true
  }
  return false
}

/** Lets the mails of a lane go. */
export async function releaseWaiting(
  { queues }: Pick<MailerContext, 'queues'>,
  provider: string,
  lane: (typeof LANES)[number]
): Promise<number> {
  const queue = lane === 'urgent' ? queues.urgentSends : queues.bulkSends
  const { rescheduled } = await queue.reschedule(
    { 'waiting.provider': provider, lane, status: 'queued' },
    { update: sendUpdate({ handoff: 'queued' }, ['errorMessage']) }
  )
  return rescheduled
}

/** Called with each tick: releases what waits for providers that are back, and begins probes that were missed. */
export async function wakeWaiting(context: MailerContext): Promise<void> {
  for (const [provider, outage] of await readOutages(context)) {
    if (outage.backAt === undefined) await beginMissed(context, provider, outage)
    else await releaseBack(context, provider, outage.backAt)
  }
}

async function beginMissed(context: MailerContext, provider: string, outage: Outage) {
  const now = context.clock.now()
  if (now.getTime() - outage.nextProbeAt.getTime() < MISSED_MS) return
  await wakeProbe(context, provider, { probes: outage.probes, nextProbeAt: now })
}

async function releaseBack(context: MailerContext, provider: string, backAt: Date) {
  const { collections, clock } = context
  // Bulk mail follows when no urgent mail waits any more.
  const urgent = await releaseWaiting(context, provider, 'urgent')
  if (urgent > 0) return
  await releaseWaiting(context, provider, 'bulk')
  if (clock.now().getTime() - backAt.getTime() < KEPT_MS) return
  await collections.state.deleteOne({ _id: providerRow(provider), 'outage.backAt': backAt })
}
