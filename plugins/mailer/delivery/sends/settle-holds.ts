// Mails that the pause of marketing mail or a gate holds: before they are composed, by what they have in common, and after it one by one.

import type { SendBatch } from '../../contracts/mailer-send-gate.ts'
import { domainOf } from '../../ledger/address.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { groupedBy } from '../../ledger/grouped-by.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import { hasMailGates, holdOfBatch, holdOfMail, type NamedHold } from './ask-gates.ts'
import type { ComposedMail } from './compose-mail.ts'
import type { SendFacts } from './decide-send.ts'
import { holdOfPause } from './hold-of-pause.ts'
import type { SendingBatch } from './sending-batch.ts'
import { settleWait } from './settle-send.ts'

/** Seconds until a gate that names no time is asked again. */
const ASK_AGAIN_SECONDS = 60

/** Asks gates about mails that have the same kind, sender, provider, template and origin. */
export async function settleBatchHolds(
  batch: SendingBatch,
  facts: readonly SendFacts[]
): Promise<readonly SendFacts[]> {
  const unpaused = await settleOwners(batch, settlePaused(batch, facts))
  if (batch.context.extensions.sendGates().length === 0) return unpaused
  const groups = groupedBy(unpaused, (one) => JSON.stringify(gatedBatch(batch.context, one, 0)))
  const free: SendFacts[] = []
  for (const group of groups.values()) {
    const [first] = group as [SendFacts]
    const hold = await holdOfBatch(batch.context, gatedBatch(batch.context, first, group.length))
    if (hold === undefined) free.push(...group)
    else for (const one of group) settleHold(batch, one.send, hold)
  }
  return free
}

/** Holds marketing mail while all of it is paused. */
function settlePaused(batch: SendingBatch, facts: readonly SendFacts[]): readonly SendFacts[] {
  const isMarketing = ({ send }: SendFacts) => send.kind === 'marketing'
  const pause = facts.some(isMarketing) ? batch.watch.stops.pause : null
  if (pause === null) return facts
  const hold = holdOfPause(pause)
  for (const one of facts.filter(isMarketing)) settleHold(batch, one.send, hold)
  return facts.filter((one) => !isMarketing(one))
}

/** Holds mails of campaigns that a person let send who may no longer send. */
async function settleOwners(
  batch: SendingBatch,
  facts: readonly SendFacts[]
): Promise<readonly SendFacts[]> {
  const sends = facts.map(({ send }) => send)
  const holds = await batch.campaigns.holds(batch.context, sends)
  if (holds.size === 0) return facts
  for (const send of sends) {
    const hold = holds.get(send._id)
    if (hold !== undefined) settleHold(batch, send, hold)
  }
  return facts.filter(({ send }) => !holds.has(send._id))
}

/** The hold of a composed mail: its broadcast's, or that of a gate which looks at single mails. */
export async function holdOfComposed(
  { context, pauses }: SendingBatch,
  facts: SendFacts,
  { message }: ComposedMail
): Promise<NamedHold | undefined> {
  const { send } = facts
  const paused = pauses.get(send.broadcastId ?? '')
  if (paused !== undefined) return paused
  if (!hasMailGates(context, send.kind)) return undefined
  const { count: _count, ...common } = gatedBatch(context, facts, 1)
  const { to, subject, text, html, fromEmail } = message
  return holdOfMail(context, {
    ...common,
    sendId: send._id,
    externalId: send.externalId,
    to,
    recipientDomain: domainOf(to),
    fromEmail,
    subject,
    text,
    ...(html !== undefined && { html })
  })
}

/** Makes a mail wait as a gate asks. */
export function settleHold(batch: SendingBatch, send: SendRow, hold: NamedHold): void {
  const { context, results, pauses } = batch
  if (hold.pauseBroadcast === true && send.broadcastId !== undefined)
    pauses.set(send.broadcastId, hold)
  const now = context.clock.now()
  const seconds = hold.retryAfterSeconds ?? ASK_AGAIN_SECONDS
  const until = new Date(now.getTime() + seconds * 1000)
  const { error: cause, message } = hold
  results.set(send._id, settleWait(send, { handoff: 'held', cause, message, until }, now))
}

/** Pauses the broadcasts that gates want to be paused. Safe to repeat. */
export async function pauseForGates({ context, campaigns, pauses }: SendingBatch): Promise<void> {
  for (const [id, hold] of pauses) await campaigns.pause(context, id, hold)
}

function gatedBatch(
  { config }: MailerContext,
  { send, template, provider = '' }: SendFacts,
  count: number
): SendBatch {
  const fromEmail = template?.fromEmail || config.fromDefaults?.email
  return {
    kind: send.kind,
    senderDomain: fromEmail === undefined ? null : domainOf(fromEmail),
    provider,
    templateSlug: send.templateSlug,
    broadcastSlug: send.broadcastSlug ?? null,
    flowSlug: send.flowSlug ?? null,
    count
  }
}
