// Puts a mailer together from what its host gives: the kernel, or a plain app.
import type { BatchHandler, QueueItem } from '@keelson/sdk'
import type { MailerCore } from '@keelson/sdk/contracts/mailer-core'
import { advanceBroadcasts } from './broadcasts/advance-broadcasts.ts'
import { drainPendingUnsubscribes } from './contacts/journal/drain-journal.ts'
import type { MailerContext, MailerQueues } from './context.ts'
import { createEventHandler } from './flows/event-handler.ts'
import { createEventRegistry, type EventRegistry } from './flows/event-registry.ts'
import { createOutboxHandler } from './flows/fire.ts'
import { recoverParkedRuns } from './flows/recover-parked-runs.ts'
import { createFlowRunHandler } from './flows/runs/run-handler.ts'
import { runCronTriggers, runSegmentTriggers } from './flows/triggers.ts'
import { createCore } from './operations.ts'
import { countHours } from './outcomes/count-hours.ts'
import { resumeLeftBroadcasts } from './pause/marketing-pause.ts'
import { createProgramRunHandler } from './programs/look-handler.ts'
import { createSendHandler } from './sends/hand-off.ts'
import { recoverParked } from './sends/recover-parked.ts'
import { lookUpUnknowns } from './sends/unknown-sends.ts'
import type { QueueHandlers } from './storage/local-queues.ts'
import { transactionsAtOnce } from './storage/transactions-at-once.ts'
import { emitMailEvents } from './telemetry/emit-mail-events.ts'
import { countTemplateOutcomes } from './templates/count-outcomes.ts'
import { createPublishedTemplates } from './templates/published-templates.ts'
import type { TickPart } from './tick/run-tick.ts'
import { promoteSoftBounces } from './webhooks/promote-soft-bounces.ts'
import { createWebhookHandler } from './webhooks/webhook-handler.ts'

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
  const core = createCore(context, events)
  const sends = lazyHandler(() => createSendHandler(context))
  const queues = openQueues({
    urgentSends: sends,
    bulkSends: sends,
    outbox: createOutboxHandler(context),
    events: createEventHandler(context),
    flowRuns: createFlowRunHandler(context),
    programRuns: createProgramRunHandler(context),
    webhookEvents: createWebhookHandler(context)
  })
  return { context, core, events, prepare: sends.prepare }
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
  { name: 'template-stats', run: (context, signal) => countTemplateOutcomes(context, { signal }) },
  { name: 'hours', run: (context, signal) => countHours(context, { signal }) },
  { name: 'telemetry', run: (context, signal) => emitMailEvents(context, { signal }) },
  { name: 'soft-bounces', run: (context) => promoteSoftBounces(context) },
  { name: 'parked-sends', run: (context) => recoverParked(context) },
  { name: 'parked-runs', run: (context) => recoverParkedRuns(context) },
  { name: 'unknown-sends', run: (context) => lookUpUnknowns(context) }
]
