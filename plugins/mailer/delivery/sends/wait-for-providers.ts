// Keeps the mails of a batch from providers that take none: another provider takes over, one mail probes, the others wait.
import type { ItemResult } from '@keelson/sdk'
import { fallbackFor, type PastDelivery } from '../../providers/failover.ts'
import { isDown, isProbeDue, probeDelay } from '../outages/outage-rules.ts'
import { claimProbe } from '../outages/outages.ts'
import type { SendFacts } from './decide-send.ts'
import type { ReadyMail } from './ready-mail.ts'
import type { Outlet, SendingBatch } from './sending-batch.ts'
import { settleGivenUp, settleProviderWait } from './settle-wait.ts'
import type { Settlement, Step } from './step.ts'

const HOUR_MS = 3_600_000

/** The mails that may be delivered now, each with the provider that gets it. */
export async function waitForProviders(
  batch: SendingBatch,
  facts: readonly SendFacts[]
): Promise<Step<SendFacts>> {
  const { outlets } = batch
  const isAllUp = ![...outlets.values()].some(({ health }) => isDown(health.outage))
  if (isAllUp) return { go: facts, settled: [] }
  const go: SendFacts[] = []
  const settled: Settlement[] = []
  for (const one of facts) {
    const { send } = one
    const outlet = outlets.get(one.provider ?? '')
    const isReached = outlet === undefined || !isDown(outlet.health.outage)
    const provider = isReached ? one.provider : takesOver(batch, pastOf(one))
    if (provider !== undefined || isReached) go.push({ ...one, provider })
    else if (await isProbe(batch, outlet, one)) go.push(one)
    else settled.push({ send, result: settleKept(batch, outlet, one) })
  }
  return { go, settled }
}

/** A provider that may have the mail keeps it from every other one. */
function pastOf({ send, provider = '' }: SendFacts): readonly PastDelivery[] {
  const isOpen = send.handoff === 'sending' || send.handoff === 'unknown'
  return [{ provider, status: isOpen ? 'unknown' : 'retry' }]
}

/** The first provider down the chain that takes mail. */
export function takesOver(batch: SendingBatch, past: readonly PastDelivery[]): string | undefined {
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

/** The wait of a mail that the provider does not have. */
export function settleKept(
  batch: SendingBatch,
  { name, health }: Outlet,
  mail: WaitingMail,
  isNextProbe = false
): ItemResult {
  const now = batch.context.clock.now()
  const { send } = mail
  // A probe of another batch found it back meanwhile: the provider does not have this mail, and takes it now.
  if (health.outage === undefined) return settleGivenUp(send, now)
  const wait = { provider: name, outage: health.outage, now, patienceMs: patienceOf(batch, mail) }
  return settleProviderWait(send, { ...wait, isNextProbe })
}
