// Puts a mailer together from what its host gives: the kernel, or a plain app.
import type { BatchHandler, QueueItem } from '@keelson/sdk'
import { drainPendingUnsubscribes } from '../audience/contacts/journal/drain-journal.ts'
import { advanceBroadcasts } from '../campaigns/broadcasts/advance-broadcasts.ts'
import { createEventHandler } from '../campaigns/flows/event-handler.ts'
import { createEventRegistry, type EventRegistry } from '../campaigns/flows/event-registry.ts'
import { createOutboxHandler } from '../campaigns/flows/fire.ts'
import { recoverParkedRuns } from '../campaigns/flows/recover-parked-runs.ts'
import { createFlowRunHandler } from '../campaigns/flows/runs/run-handler.ts'
import { runCronTriggers, runSegmentTriggers } from '../campaigns/flows/triggers.ts'
import { resumeLeftBroadcasts } from '../campaigns/marketing-pause.ts'
import { createSendHandler } from '../campaigns/send-handler.ts'
import { templateCounts } from '../content/templates/count-outcomes.ts'
import { createPublishedTemplates } from '../content/templates/published-templates.ts'
import type { MailerCore } from '../contracts/mailer-core.ts'
import { wakeWaiting } from '../delivery/outages/wake-waiting.ts'
import { alertOutages } from '../delivery/sends/alert-outages.ts'
import { recoverParked } from '../delivery/sends/recover-parked.ts'
import { lookUpUnknowns } from '../delivery/sends/unknown-sends.ts'
import { emitMailEvents } from '../delivery/telemetry/emit-mail-events.ts'
import { promoteSoftBounces } from '../delivery/webhooks/promote-soft-bounces.ts'
import { createWebhookHandler } from '../delivery/webhooks/webhook-handler.ts'
import type { MailerContext, MailerQueues } from '../ledger/context.ts'
import { hourCounts } from '../ledger/outcomes/count-hours.ts'
import { followOutcomes } from '../ledger/outcomes/follow-outcomes.ts'
import type { QueueHandlers } from '../ledger/queue-handlers.ts'
import { transactionsAtOnce } from '../ledger/storage/transactions-at-once.ts'
import type { MailerActs } from './acting-mailer.ts'
import { createActs, createCore } from './operations.ts'
import type { TickPart } from './tick/run-tick.ts'

const TRANSACTIONS_AT_ONCE = 64

/** What a host gives a mailer. */
export interface MailerSeams extends Omit<MailerContext, 'queues' | 'templates' | 'core'> {
  /** Opens the queues; they may begin at once, or when the host says so. */
  openQueues(handlers: QueueHandlers): MailerQueues
}

/** A mailer, put together. */
export interface AssembledMailer {
  readonly context: MailerContext
  readonly core: MailerCore
  /** For the code of the host alone: they do not ask who acts. */
  readonly acts: MailerActs
  readonly events: EventRegistry
  /** Call it when all providers are there. Else the first mail does. */
  prepare(): void
}

/** Puts a mailer together. Nothing is read, written or sent before it is used. */
export function assembleMailer({ openQueues, ...seams }: MailerSeams): AssembledMailer {
  const events = createEventRegistry()
  const context: MailerContext = {
    ...seams,
    withTransaction: transactionsAtOnce(seams.withTransaction, TRANSACTIONS_AT_ONCE),
    templates: createPublishedTemplates(seams),
    get queues() {
      return queues
    },
    get core() {
      return core
    }
  }
  const acts = createActs(context, events)
  const core = createCore(context, events, acts)
  const sends = lazyHandler(() => createSendHandler(context))
  const queues = openQueues({
    urgentSends: sends,
    bulkSends: sends,
    outbox: createOutboxHandler(context),
    events: createEventHandler(context),
    flowRuns: createFlowRunHandler(context),
    webhookEvents: createWebhookHandler(context)
  })
  return { context, core, acts, events, prepare: sends.prepare }
}

/** The handler of sends asks for the limits of every provider: those of other plugins come later. */
function lazyHandler<T extends QueueItem>(
  make: () => BatchHandler<T>
): BatchHandler<T> & { prepare(): void } {
  let made: BatchHandler<T> | undefined
  const handler = () => {
    made ??= make()
    return made
  }
  return {
    prepare: () => void handler(),
    batch: (items, run) => handler().batch(items, run)
  }
}

/** The parts of the tick, in the order they run. */
export const tickParts: readonly TickPart[] = [
  { name: 'unsubscribe-journal', run: (context) => drainPendingUnsubscribes(context) },
  { name: 'segment-triggers', run: (context) => runSegmentTriggers(context) },
  { name: 'cron-triggers', run: (context) => runCronTriggers(context) },
  { name: 'marketing-pause', run: (context) => resumeLeftBroadcasts(context) },
  { name: 'broadcasts', run: (context, signal) => advanceBroadcasts(context, { signal }) },
  {
    name: 'outcome-counts',
    run: (context, signal) =>
      followOutcomes(context, [templateCounts(context), hourCounts(context)], { signal })
  },
  { name: 'telemetry', run: (context, signal) => emitMailEvents(context, { signal }) },
  { name: 'soft-bounces', run: (context) => promoteSoftBounces(context) },
  { name: 'parked-sends', run: (context) => recoverParked(context) },
  { name: 'waiting-sends', run: (context) => wakeWaiting(context) },
  { name: 'outage-alerts', run: (context) => alertOutages(context) },
  { name: 'parked-runs', run: (context) => recoverParkedRuns(context) },
  { name: 'unknown-sends', run: (context) => lookUpUnknowns(context) }
]
