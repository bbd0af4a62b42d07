// What an answer says about its provider: an outage begins, goes on, or ends.
import type { ItemResult } from '@keelson/sdk'
import { messageOf } from '../../ledger/send-update.ts'
import { beginningOutage, isDown, type ProviderFault } from '../outages/outage-rules.ts'
import { beginOutage, endOutage, noteProbe } from '../outages/outages.ts'
import { releaseWaiting, wakeProbe } from '../outages/wake-waiting.ts'
import { changeHealth } from './outlet-health.ts'
import { providerFaultOf } from './provider-fault.ts'
import type { ReadyMail } from './ready-mail.ts'
import type { Outlet, SendingBatch } from './sending-batch.ts'
import type { DeliveryAnswer } from './settle-send.ts'
import { settleGivenUp } from './settle-wait.ts'
import { settleKept } from './wait-for-providers.ts'

/**
 * The result of a mail that the provider does not have, through no fault of the mail: it waits without a try being
 * counted. Undefined for every other one.
 */
export async function heedAnswer(
  batch: SendingBatch,
  outlet: Outlet,
  ready: ReadyMail,
  answer: DeliveryAnswer
): Promise<ItemResult | undefined> {
  const { context, run } = batch
  const { send } = ready
  if (answer.kind === 'failed' && run.signal.aborted)
    return settleGivenUp(send, context.clock.now())
  const isProbe = batch.probes.get(outlet.name) === send._id
  const fault = providerFaultOf(answer)
  if (fault === undefined) {
    if (isProbe) await endProbed(batch, outlet)
    return undefined
  }
  const isNext = isProbe ? await goOn(batch, outlet, fault) : await begin(batch, outlet, fault)
  return answer.kind === 'failed' ? settleKept(batch, outlet, ready, isNext) : undefined
}

/** @returns whether the outage begins with this mail, which then is the first probe */
async function begin(
  { context }: SendingBatch,
  { name, health }: Outlet,
  fault: ProviderFault
): Promise<boolean> {
  if (isDown(health.outage)) return false
  const outage = beginningOutage(fault, context.clock.now())
  await changeHealth(health, outage, () => beginOutage(context, name, outage))
  return true
}

/** @returns whether the mail is the next probe, too: no other one waits */
async function goOn(
  { context }: SendingBatch,
  { name, health }: Outlet,
  fault: ProviderFault
): Promise<boolean> {
  if (health.outage === undefined) return true
  health.outage = await noteProbe(context, name, health.outage, fault)
  return !(await wakeProbe(context, name, health.outage))
}

async function endProbed({ context, probes }: SendingBatch, { name, health }: Outlet) {
  probes.delete(name)
  try {
    await changeHealth(health, undefined, () => endOutage(context, name))
    await releaseWaiting(context, name, 'urgent')
  } catch (error) {
    // The next batch reads the outage again, and probes.
    context.log.error({ err: error }, `mailer: an end was not noted: ${messageOf(error)}`)
  }
}
