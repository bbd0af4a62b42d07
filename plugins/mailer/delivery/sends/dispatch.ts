// Dispatches a claimed batch of mails: reads what is known, decides, composes, delivers, records.
import type { BatchHandler, BatchRun, ClaimedItem, ItemResult } from '@keelson/sdk'
import type { MailerContext } from '../../ledger/context.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import { openDeliveryJournal } from '../journal/delivery-journal.ts'
import { journalFolder } from '../journal/journal-folder.ts'
import type { CampaignRules } from './campaign-rules.ts'
import type { SendFacts } from './decide-send.ts'
import { stopOf } from './decide-send.ts'
import { deliverWithFallbacks } from './deliver-with-fallbacks.ts'
import { gatherFacts } from './gather-batch.ts'
import { readShared } from './heed-stops.ts'
import { openBatch } from './open-batch.ts'
import { takeHealth, unknownHealth } from './outlet-health.ts'
import { createPace } from './pace.ts'
import { waitForPolicy } from './policy-waits.ts'
import { recordDispatch } from './record-dispatch.ts'
import { recoverInterrupted } from './recover-interrupted.ts'
import type { BatchParts, Outlet, SendingBatch, SendingStep } from './sending-batch.ts'
import { holdForGates, pauseForGates } from './settle-holds.ts'
import { settleInterrupted } from './settle-interrupted.ts'
import { settleStop, settleUnready } from './settle-send.ts'
import { settleKnown, settleSome } from './step.ts'
import { createTurns } from './turns.ts'
import { waitForProviders } from './wait-for-providers.ts'

/** A pause takes effect within a second. */
const FRESH_MS = 800

/**
 * Makes the handler of a queue of sends. Both lanes may share one. The tries of the queue count processes that
 * died; a mail may have waited behind others of its batch in each of them, so the manifest allows many.
 */
export function createDispatch(
  context: MailerContext,
  campaigns: CampaignRules,
  { freshMs = FRESH_MS }: { readonly freshMs?: number } = {}
): BatchHandler<SendRow> {
  const outlets = outletsOf(context)
  const lastRead = { read: undefined, startedAt: 0 }
  const shared = { context, campaigns, outlets, freshMs, journal: journalOf(context), lastRead }
  return { batch: (items, run) => dispatchBatch({ ...shared, run }, items) }
}

function outletsOf({ config, providers, limit }: MailerContext): ReadonlyMap<string, Outlet> {
  const outlets = new Map<string, Outlet>()
  for (const [name, provider] of providers) {
    const pace = createPace(limit, name, provider.sendRatePerSecond ?? config.sendRatePerSecond)
    const concurrency = provider.concurrency ?? config.sendConcurrency
    const doors = { urgent: createTurns(1), bulk: createTurns(1) }
    const health = unknownHealth()
    const turns = createTurns(concurrency)
    outlets.set(name, { name, provider, health, pace, concurrency, turns, doors })
  }
  return outlets
}

function journalOf({ config, log }: MailerContext): BatchParts['journal'] {
  const folder = journalFolder(config)
  if (folder === undefined) return undefined
  return openDeliveryJournal(folder, (error) =>
    log.error({ err: error, folder }, 'mailer: deliveries cannot be written to their journal')
  )
}

async function dispatchBatch(
  parts: BatchParts & { readonly freshMs: number; readonly run: BatchRun },
  items: readonly ClaimedItem<SendRow>[]
): Promise<ReadonlyMap<string, ItemResult>> {
  const batch = openBatch(parts)
  const { context, results } = batch
  const sends = items.map(({ item }) => item)
  try {
    await dispatch(batch, sends)
  } catch (error) {
    context.log.error({ err: error }, 'mailer: a batch of mails waits')
    const now = context.clock.now()
    const open = sends.filter(({ _id }) => !results.has(_id))
    batch.settle(settleSome(open, (send) => ({ result: settleUnready(send, error, now) })))
  }
  batch.own?.close()
  batch.settle(await recordDispatch(batch))
  return results
}

async function dispatch(batch: SendingBatch, sends: readonly SendRow[]): Promise<void> {
  const { context, outlets, watch } = batch
  // Before the facts: what is paused after this is seen as a change.
  const { stops, at: askedAt } = await readShared(context, batch.lastRead)
  watch.stops = stops
  watch.readAt = askedAt
  const due = await through(batch, sends, [recoverInterrupted, settleInterrupted, askCampaigns])
  const facts = await gatherFacts(context, due)
  for (const { name, health } of outlets.values())
    takeHealth(health, watch.stops.outages.get(name), askedAt)
  const free = await through(batch, facts, [stopUnfit, holdForGates])
  await pauseForGates(batch)
  watch.facts = await through(batch, free, [waitForPolicy, waitForProviders])
  await deliverWithFallbacks(batch, watch.facts)
}

/** The mails that go on after all steps. */
async function through<Mail>(
  batch: SendingBatch,
  mails: readonly Mail[],
  steps: readonly SendingStep<Mail>[]
): Promise<readonly Mail[]> {
  let going = mails
  for (const step of steps) going = batch.settle(await step(batch, going))
  return going
}

/** Mails of campaigns whose reason is gone do not leave. */
const askCampaigns: SendingStep<SendRow> = async ({ context, campaigns }, sends) =>
  settleKnown(sends, await campaigns.results(context, sends))

const stopUnfit: SendingStep<SendFacts> = ({ context }, facts) => {
  const now = context.clock.now()
  return settleSome(facts, (one) => {
    const stop = stopOf(one)
    return stop && { result: settleStop(stop, now) }
  })
}
