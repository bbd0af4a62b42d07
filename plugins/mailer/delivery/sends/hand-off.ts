// The hand-off of a claimed batch: read what is known, decide, compose, hand over, record.
import type { BatchHandler, BatchRun, ClaimedItem, ItemResult } from '@keelson/sdk'
import type { MailerContext } from '../../ledger/context.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import { openHandOverJournal } from '../journal/hand-over-journal.ts'
import { journalFolder } from '../journal/journal-folder.ts'
import type { CampaignRules } from './campaign-rules.ts'
import type { SendFacts } from './decide-send.ts'
import { stopOf } from './decide-send.ts'
import { gatherFacts } from './gather-batch.ts'
import { readShared } from './heed-stops.ts'
import { takeHealth, unknownHealth } from './outlet-health.ts'
import { createPace } from './pace.ts'
import { policyWaits } from './policy-waits.ts'
import { recordHandOff } from './record-hand-off.ts'
import { recoverInterrupted } from './recover-interrupted.ts'
import { sendWithFallbacks } from './send-with-fallbacks.ts'
import type { Outlet, SendingBatch } from './sending-batch.ts'
import { pauseForGates, settleBatchHolds } from './settle-holds.ts'
import { settleInterrupted } from './settle-interrupted.ts'
import { settleStop, settleUnready } from './settle-send.ts'
import { createTurns } from './turns.ts'
import { waitForProviders } from './wait-for-providers.ts'

/** A pause takes effect within a second. */
const FRESH_MS = 800

/**
 * Makes the handler of a queue of sends. Both lanes may share one. The tries of the queue count processes that
 * died; a mail may have waited behind others of its batch in each of them, so the manifest allows many.
 */
export function createHandOff(
  context: MailerContext,
  campaigns: CampaignRules,
  { freshMs = FRESH_MS }: { readonly freshMs?: number } = {}
): BatchHandler<SendRow> {
  const { config, providers } = context
  const outlets = new Map<string, Outlet>()
  for (const [name, provider] of providers) {
    const rate = provider.sendRatePerSecond ?? config.sendRatePerSecond
    const pace = createPace(context.limit, name, rate)
    const concurrency = provider.concurrency ?? config.sendConcurrency
    const doors = { urgent: createTurns(1), bulk: createTurns(1) }
    const health = unknownHealth()
    const turns = createTurns(concurrency)
    outlets.set(name, { name, provider, health, pace, concurrency, turns, doors })
  }
  const lastRead = { read: undefined, startedAt: 0 }
  const shared = { campaigns, outlets, freshMs, journal: journalOf(context), lastRead }
  return { batch: (items, run) => handOffBatch(context, shared, items, run) }
}

/** What the batches of a handler share. */
interface Shared extends Pick<SendingBatch, 'campaigns' | 'outlets' | 'journal' | 'lastRead'> {
  readonly freshMs: number
}

function journalOf({ config, log }: MailerContext): SendingBatch['journal'] {
  const folder = journalFolder(config)
  if (folder === undefined) return undefined
  return openHandOverJournal(folder, (error) =>
    log.error({ err: error, folder }, 'mailer: hand-overs cannot be written to their journal')
  )
}

async function handOffBatch(
  context: MailerContext,
  { campaigns, outlets, freshMs, journal, lastRead }: Shared,
  items: readonly ClaimedItem<SendRow>[],
  run: BatchRun
): Promise<ReadonlyMap<string, ItemResult>> {
  const startedAt = performance.now()
  const batch: SendingBatch = {
    context,
    run,
    campaigns,
    outlets,
    probes: new Map(),
    results: new Map(),
    journal,
    own: undefined,
    unwritten: new Set(),
    handed: [],
    moved: [],
    recovered: [],
    pauses: new Map(),
    lastRead,
    watch: {
      freshMs,
      readAt: Number.NEGATIVE_INFINITY,
      stops: { changes: 0, pause: null, outages: new Map() },
      facts: [],
      stopped: new Set(),
      reading: undefined
    },
    startedAt
  }
  const sends = items.map(({ item }) => item)
  try {
    await handOff(batch, sends)
  } catch (error) {
    context.log.error({ err: error }, 'mailer: a batch of mails waits')
    const now = context.clock.now()
    for (const send of sends) {
      if (!batch.results.has(send._id)) batch.results.set(send._id, settleUnready(send, error, now))
    }
  }
  batch.own?.close()
  await recordHandOff(batch)
  return batch.results
}

async function handOff(batch: SendingBatch, sends: readonly SendRow[]): Promise<void> {
  const { context, outlets, watch } = batch
  // Before the facts: what is paused after this is seen as a change.
  const { stops, at: askedAt } = await readShared(context, batch.lastRead)
  watch.stops = stops
  watch.readAt = askedAt
  const due = await settleEndedMails(
    batch,
    settleInterrupted(batch, outlets, await recoverInterrupted(batch, sends))
  )
  const facts = await gatherFacts(context, due)
  for (const { name, health } of outlets.values())
    takeHealth(health, watch.stops.outages.get(name), askedAt)
  const free = await settleBatchHolds(batch, settleStops(batch, facts))
  await pauseForGates(batch)
  watch.facts = await waitForProviders(batch, await settleWaits(batch, free))
  await sendWithFallbacks(batch, watch.facts)
}

/** Mails of campaigns whose reason is gone do not leave. */
async function settleEndedMails(
  { context, campaigns, results }: SendingBatch,
  due: readonly SendRow[]
): Promise<readonly SendRow[]> {
  const ended = await campaigns.results(context, due)
  for (const [id, result] of ended) results.set(id, result)
  return ended.size === 0 ? due : due.filter(({ _id }) => !ended.has(_id))
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

async function settleWaits(
  { context, results }: SendingBatch,
  facts: readonly SendFacts[]
): Promise<readonly SendFacts[]> {
  const waits = await policyWaits(context, facts)
  for (const [id, result] of waits) results.set(id, result)
  return waits.size === 0 ? facts : facts.filter(({ send }) => !waits.has(send._id))
}
