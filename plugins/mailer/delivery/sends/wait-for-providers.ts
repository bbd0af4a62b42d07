// Keeps the mails of a batch from providers that take none: another provider takes over, one mail probes, the others wait.
import { fallbackFor, type PastHandOver } from '../../providers/failover.ts'
import { isDown, isProbeDue, probeDelay } from '../outages/outage-rules.ts'
import { claimProbe } from '../outages/outages.ts'
import type { SendFacts } from './decide-send.ts'
import type { Outlet, ReadyMail, SendingBatch } from './sending-batch.ts'
import { settleGivenUp, settleProviderWait } from './settle-wait.ts'

const HOUR_MS = 3_600_000

/** The mails that may be handed over now, each with the provider that gets it. */
export async function waitForProviders(
  batch: SendingBatch,
  facts: readonly SendFacts[]
): Promise<readonly SendFacts[]> {
  const { outlets } = batch
  if (![...outlets.values()].some(({ health }) => isDown(health.outage))) return facts
  const free: SendFacts[] = []
  for (const one of facts) {
    const outlet = outlets.get(one.provider ?? '')
    if (outlet === undefined || !isDown(outlet.health.outage)) free.push(one)
    else {
      const provider = takesOver(batch, pastOf(one))
      if (provider !== undefined) free.push({ ...one, provider })
      else if (await isProbe(batch, outlet, one)) free.push(one)
      else keepWaiting(batch, outlet, one)
    }
  }
  return free
}

/** A provider that may have the mail keeps it from every other one. */
function pastOf({ send, provider = '' }: SendFacts): readonly PastHandOver[] {
  const isOpen = send.handoff === 'sending' || send.handoff === 'unknown'
  return [{ provider, status: isOpen ? 'unknown' : 'retry' }]
}

/** The first provider down the chain that takes mail. */
export function takesOver(batch: SendingBatch, past: readonly PastHandOver[]): string | undefined {
  const next = fallbackFor(past, batch.context.config.providerFallbacks ?? {})
  if (next === undefined || !isDown(batch.outlets.get(next)?.health.outage)) return next
  return takesOver(batch, [...past, { provider: next, status: 'retry' }])
}

/** Whether this mail finds out if the provider is back. */
async function isProbe(
  batch: SendingBatch,
  { name, health }: Outlet,
  { send, template }: SendFacts
): Promise<boolean> {
  const { outage } = health
  const now = batch.context.clock.now()
  if (!isDown(outage) || !isProbeDue(outage, now)) return false
  const { since = now } = send.waiting ?? {}
  if (now.getTime() - since.getTime() >= patienceOf(batch, { send, template })) return false
  const claimed = await claimProbe(batch.context, name, outage)
  // Another process has the probe: the next batch reads when the one after is.
  const later = new Date(now.getTime() + probeDelay(0))
  health.outage = claimed ?? { ...outage, nextProbeAt: later }
  if (claimed !== undefined) batch.probes.set(name, send._id)
  return claimed !== undefined
}

/** Templates of transactional mail may say how long theirs waits. */
function patienceOf({ context }: SendingBatch, mail: WaitingMail): number {
  const template = 'facts' in mail ? mail.facts.template : mail.template
  const own = mail.send.kind === 'transactional' ? template?.providerPatienceHours : undefined
  return (own ?? context.config.providerPatienceHours) * HOUR_MS
}

/** A mail before or after it is composed. */
type WaitingMail = Pick<SendFacts, 'send' | 'template'> | Pick<ReadyMail, 'send' | 'facts'>

/** Whether mails of this batch wait for the provider; its probe does not. */
export const mustWait = (
  { probes }: SendingBatch,
  { name, health }: Outlet,
  { send }: Pick<ReadyMail, 'send'>
): boolean => isDown(health.outage) && probes.get(name) !== send._id

/** Gives a mail that the provider does not have its wait. */
export function keepWaiting(
  batch: SendingBatch,
  { name, health }: Outlet,
  mail: WaitingMail,
  isNextProbe = false
): void {
  const now = batch.context.clock.now()
  const { send } = mail
  // A probe of another batch found it back meanwhile: the provider does not have this mail, and takes it now.
  if (health.outage === undefined) {
    batch.results.set(send._id, settleGivenUp(send, now))
    return
  }
  const wait = { provider: name, outage: health.outage, now, patienceMs: patienceOf(batch, mail) }
  batch.results.set(send._id, settleProviderWait(send, { ...wait, isNextProbe }))
}
