// The hand-off of a claimed batch: read what is known, decide, compose, hand over, record.
import type { BatchHandler, BatchRun, ClaimedItem, ItemResult } from '@keelson/sdk'
import type { SendBatch } from '@keelson/sdk/contracts/mailer-send-gate'
import { pauseBroadcast } from '../broadcasts/pause-broadcasts.ts'
import { domainOf } from '../contacts/address.ts'
import type { MailerContext } from '../context.ts'
import { groupedBy } from '../grouped-by.ts'
import { hasMailGates, holdOfBatch, holdOfMail, type NamedHold } from './ask-gates.ts'
import { type Composed, composeMail, composeOperatorMail } from './compose-mail.ts'
import { type SendFacts, stopOf } from './decide-send.ts'
import { gatherFacts } from './gather-batch.ts'
import { hostRoots } from './host-roots.ts'
import { createPace } from './pace.ts'
import { policyWaits } from './policy-waits.ts'
import { recordHandOff } from './record-hand-off.ts'
import {
  deduplicatesUntil,
  type PacedProvider,
  type ReadyMail,
  type SendingBatch
} from './send-at-pace.ts'
import type { SendRow } from './send-row.ts'
import { pastOf, sendWithFallbacks } from './send-with-fallbacks.ts'
import { settleLost, settleStop, settleUnready, settleWait } from './settle-send.ts'

/** Mails composed before other work gets a turn. */
const COMPOSED_AT_ONCE = 25
/** Seconds until a gate that names no time is asked again. */
const ASK_AGAIN_SECONDS = 60

/** Makes the handler of a queue of sends. Both lanes may share one. */
export function createSendHandler(context: MailerContext): BatchHandler<SendRow> {
  const { config, providers } = context
  const paced = new Map<string, PacedProvider>()
  for (const [name, provider] of providers) {
    const rate = provider.sendRatePerSecond ?? config.sendRatePerSecond
    const pace = createPace(context.limit, name, rate)
    const concurrency = provider.concurrency ?? config.sendConcurrency
    paced.set(name, { provider, pace, concurrency })
  }
  return { batch: (items, run) => handOffBatch(context, paced, items, run) }
}

async function handOffBatch(
  context: MailerContext,
  paced: ReadonlyMap<string, PacedProvider>,
  items: readonly ClaimedItem<SendRow>[],
  run: BatchRun
): Promise<ReadonlyMap<string, ItemResult>> {
  const startedAt = performance.now()
  const batch: SendingBatch = {
    context,
    run,
    results: new Map(),
    handed: [],
    pauses: new Map(),
    startedAt
  }
  try {
    await handOff(batch, paced, items)
  } catch (error) {
    context.log.error({ err: error }, 'mailer: a batch of mails waits')
    const now = context.clock.now()
    for (const { item } of items) {
      if (!batch.results.has(item._id)) batch.results.set(item._id, settleUnready(item, error, now))
    }
  }
  return batch.results
}

async function handOff(
  batch: SendingBatch,
  paced: ReadonlyMap<string, PacedProvider>,
  items: readonly ClaimedItem<SendRow>[]
): Promise<void> {
  const due = settleLostMails(batch, paced, items)
  const facts = await gatherFacts(batch.context, due)
  const free = settleStops(batch, facts)
  const allowed = await settleWaits(batch, await settleBatchHolds(batch, free))
  const ready = await composeAll(batch, allowed)
  await pauseForGates(batch)
  await sendWithFallbacks(batch, paced, ready)
  await recordHandOff(batch)
}

/** A mail that comes back in hand-over was held by a process that died: the provider may have it. */
function settleLostMails(
  { context, results }: SendingBatch,
  paced: ReadonlyMap<string, PacedProvider>,
  items: readonly ClaimedItem<SendRow>[]
): readonly SendRow[] {
  const now = context.clock.now()
  return items.flatMap(({ item }) => {
    if (item.handoff !== 'sending') return item
    const provider = paced.get(item.attempt?.provider ?? '')?.provider
    const until = provider && deduplicatesUntil(provider, item.firstAttemptAt ?? now)
    if (until !== undefined && now < until) return item
    const rules = { now, attempt: item.attempt?.number ?? 1, maxAttempts: 1 }
    results.set(item._id, settleLost(rules))
    return []
  })
}

function settleStops(
  { context, results }: SendingBatch,
  facts: readonly SendFacts[]
): readonly SendFacts[] {
  const now = context.clock.now()
  return facts.filter((one) => {
    const stop = stopOf(one)
    if (stop !== undefined) results.set(one.send._id, settleStop(stop, now))
    return stop === undefined
  })
}

/** Asks gates about mails that have the same kind, sender, provider, template and origin. */
async function settleBatchHolds(
  batch: SendingBatch,
  facts: readonly SendFacts[]
): Promise<readonly SendFacts[]> {
  if (batch.context.extensions.sendGates().length === 0) return facts
  const groups = groupedBy(facts, (one) => JSON.stringify(gatedBatch(batch, one, 0)))
  const free: SendFacts[] = []
  for (const group of groups.values()) {
    const [first] = group as [SendFacts]
    const hold = await holdOfBatch(batch.context, gatedBatch(batch, first, group.length))
    if (hold === undefined) free.push(...group)
    else for (const one of group) settleHold(batch, one.send, hold)
  }
  return free
}

function gatedBatch(
  { context }: SendingBatch,
  { send, template, provider = '' }: SendFacts,
  count: number
): SendBatch {
  const { fromDefaults } = context.config
  const fromEmail = template?.fromEmail || fromDefaults?.email
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

function settleHold(batch: SendingBatch, send: SendRow, hold: NamedHold): void {
  const { context, results, pauses } = batch
  if (hold.pauseBroadcast === true && send.broadcastId !== undefined)
    pauses.set(send.broadcastId, hold)
  const now = context.clock.now()
  const seconds = hold.retryAfterSeconds ?? ASK_AGAIN_SECONDS
  const until = new Date(now.getTime() + seconds * 1000)
  const { error: cause, message } = hold
  results.set(send._id, settleWait(send, { handoff: 'held', cause, message, until }, now))
}

async function pauseForGates({ context, pauses }: SendingBatch): Promise<void> {
  for (const [_id, { gate: by, message }] of pauses)
    await pauseBroadcast(context, { _id }, { code: 'gate', by, message })
}

async function settleWaits(
  { context, results }: SendingBatch,
  facts: readonly SendFacts[]
): Promise<readonly SendFacts[]> {
  const waits = await policyWaits(context, facts)
  for (const [id, result] of waits) results.set(id, result)
  return waits.size === 0 ? facts : facts.filter(({ send }) => !waits.has(send._id))
}

async function composeAll(
  batch: SendingBatch,
  facts: readonly SendFacts[]
): Promise<readonly ReadyMail[]> {
  const ready: ReadyMail[] = []
  for (const [at, one] of facts.entries()) {
    if (at % COMPOSED_AT_ONCE === 0) await new Promise(setImmediate)
    const mail = await composeOne(batch, one)
    if (mail !== undefined) ready.push(mail)
  }
  return ready
}

async function composeOne(batch: SendingBatch, facts: SendFacts): Promise<ReadyMail | undefined> {
  const { context, results } = batch
  const { send, provider } = facts
  const composed = await composedOrFailure(batch, facts)
  if (composed === undefined) return undefined
  if (!composed.ok) {
    const { code: reason, message } = composed
    results.set(send._id, settleStop({ handoff: 'failed', reason, message }, context.clock.now()))
    return undefined
  }
  const hold = batch.pauses.get(send.broadcastId ?? '') ?? (await holdOf(batch, facts, composed))
  if (hold !== undefined) {
    settleHold(batch, send, hold)
    return undefined
  }
  const attempt = (send.attempt?.number ?? 0) + 1
  const past = pastOf(send)
  return { send, attempt, provider: provider as string, past, mail: composed.mail }
}

/** The variables of the host may be away for a while: such a mail is tried again. */
async function composedOrFailure(
  { context, results }: SendingBatch,
  facts: SendFacts
): Promise<Composed | undefined> {
  try {
    return await compose(context, facts)
  } catch (error) {
    results.set(facts.send._id, settleUnready(facts.send, error, context.clock.now()))
    return undefined
  }
}

async function compose(context: MailerContext, facts: SendFacts): Promise<Composed> {
  const { send, contact, template } = facts
  const { config, clock } = context
  if (contact === undefined || template === undefined) return composeOperatorMail(config, send)
  const roots = await hostRoots(context, contact, send)
  const { vars = {} } = send
  return composeMail({ config, send, contact, template, vars, roots, now: clock.now() })
}

async function holdOf(
  batch: SendingBatch,
  facts: SendFacts,
  { mail }: Extract<Composed, { ok: true }>
): Promise<NamedHold | undefined> {
  const { context } = batch
  const { send } = facts
  if (!hasMailGates(context, send.kind)) return undefined
  const { count: _count, ...common } = gatedBatch(batch, facts, 1)
  const { to, subject, text, html, fromEmail } = mail.message
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
