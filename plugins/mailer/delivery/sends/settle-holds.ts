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
import { type Settlement, type Step, settleSome } from './step.ts'

/** Seconds until a gate that names no time is asked again. */
const ASK_AGAIN_SECONDS = 60

/** A hold with the domain of the From address that its gate was asked about; those of the mailer itself have none. */
type GateHold = NamedHold & { readonly senderDomain?: string | null }

/** Asks gates about mails that have the same kind, sender, provider, template and origin. */
export async function holdForGates(
  batch: SendingBatch,
  facts: readonly SendFacts[]
): Promise<Step<SendFacts>> {
  const paused = holdPaused(batch, facts)
  const owned = await holdForOwners(batch, paused.go)
  const asked = await askGates(batch, owned.go)
  return { go: asked.go, settled: [...paused.settled, ...owned.settled, ...asked.settled] }
}

async function askGates(
  { context }: SendingBatch,
  facts: readonly SendFacts[]
): Promise<Step<SendFacts>> {
  if (context.extensions.sendGates().length === 0) return { go: facts, settled: [] }
  const held = new Map<SendFacts, GateHold>()
  const groups = groupedBy(facts, (one) => JSON.stringify(gatedBatch(context, one, 0)))
  for (const group of groups.values()) {
    const [first] = group as [SendFacts]
    const asked = gatedBatch(context, first, group.length)
    const hold = await holdOfBatch(context, asked)
    if (hold === undefined) continue
    for (const one of group) held.set(one, { ...hold, senderDomain: asked.senderDomain })
  }
  return settleSome(facts, (one) => settleHold(context, one.send, held.get(one)))
}

/** Holds marketing mail while all of it is paused. */
function holdPaused(
  { context, watch }: SendingBatch,
  facts: readonly SendFacts[]
): Step<SendFacts> {
  const { pause } = watch.stops
  if (pause === null) return { go: facts, settled: [] }
  const hold = holdOfPause(pause)
  return settleSome(facts, ({ send }) =>
    send.kind === 'marketing' ? settleHold(context, send, hold) : undefined
  )
}

/** Holds mails of campaigns that a person let send who may no longer send. */
async function holdForOwners(
  { context, campaigns }: SendingBatch,
  facts: readonly SendFacts[]
): Promise<Step<SendFacts>> {
  const sends = facts.map(({ send }) => send)
  const holds = await campaigns.holds(context, sends)
  if (holds.size === 0) return { go: facts, settled: [] }
  return settleSome(facts, ({ send }) => settleHold(context, send, holds.get(send._id)))
}

/** The hold of a composed mail: its broadcast's, or that of a gate which looks at single mails. */
export async function holdOfComposed(
  { context, pauses }: SendingBatch,
  facts: SendFacts,
  { message }: ComposedMail
): Promise<GateHold | undefined> {
  const { send } = facts
  const paused = pauses.get(send.broadcastId ?? '')
  if (paused !== undefined) return paused
  if (!hasMailGates(context, send.kind)) return undefined
  const { count: _count, ...common } = gatedBatch(context, facts, 1)
  const { to, subject, text, html, fromEmail } = message
  const hold = await holdOfMail(context, {
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
  return hold && { ...hold, senderDomain: common.senderDomain }
}

/** Makes a mail wait as a hold asks. */
export function settleHold(
  { clock }: MailerContext,
  send: SendRow,
  hold: GateHold | undefined
): Omit<Settlement, 'send'> | undefined {
  if (hold === undefined) return undefined
  const now = clock.now()
  const seconds = hold.retryAfterSeconds ?? ASK_AGAIN_SECONDS
  const until = new Date(now.getTime() + seconds * 1000)
  const { error: cause, message, senderDomain } = hold
  const wait = { handoff: 'held', cause, message, until, senderDomain } as const
  const result = settleWait(send, wait, now)
  const isPause = hold.pauseBroadcast === true && send.broadcastId !== undefined
  return { result, ...(isPause && { pause: hold }) }
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
