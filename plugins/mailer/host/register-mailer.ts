// The mailer on a host, of the kernel or without it: queues, tick, and what other plugins contribute.
import type { Host } from '@keelson/sdk'
import type { Document } from 'mongodb'
import { drainPendingUnsubscribes } from '../audience/contacts/journal/drain-journal.ts'
import { createCampaignMailer } from '../campaigns/campaign-mailer.ts'
import { mailerCampaignMail } from '../contracts/mailer-campaign-mail.ts'
import { mailerOperations } from '../contracts/mailer-operations.ts'
import type { MailProvider } from '../contracts/mailer-provider.ts'
import { mailerWorkbench } from '../contracts/mailer-workbench.ts'
import type { ContactAdapter } from '../ledger/adapter.ts'
import { checkProviderNames, type ResolvedConfig } from '../ledger/check-config.ts'
import type { MailerContext, MailerQueues } from '../ledger/context.ts'
import type { MailerExtensions, ScheduledTask } from '../ledger/extensions.ts'
import type { QueueHandlers } from '../ledger/queue-handlers.ts'
import { openCollections } from '../ledger/storage/collections.ts'
import { createWorkbench } from '../workbench/workbench.ts'
import { type AssembledMailer, assembleMailer } from './assemble.ts'
import { createOperations, type PermitsActor } from './call-operations.ts'
import { addProviders, checkContributedNames, extensionsOf } from './contributions.ts'
import { type MailerHandle, mailerHandle } from './handle.ts'
import { addTaskJobs, everySeconds } from './tick/task-jobs.ts'
import { tick, tickNow } from './tick/tick.ts'

/** What a mailer is made from. */
export interface MailerSetup {
  readonly config: ResolvedConfig
  readonly adapter: ContactAdapter
  /** Whether the adapter is that of the host's code. Else a plugin provides contacts, or none does. */
  readonly hasOwnContacts: boolean
  /** By name; those that other plugins contribute are added to it. */
  readonly providers: Record<string, MailProvider>
  readonly admits: MailerContext['admits']
  /** Whether a person who acts now has a permission. Default: administrators have each. */
  readonly permits?: PermitsActor
}

/** A mailer that a host runs. */
export interface RegisteredMailer extends AssembledMailer {
  readonly handle: MailerHandle
  /** Runs every part of the tick once, and the tasks of other plugins. */
  tick(signal: AbortSignal): Promise<void>
}

/** Registers everything but routes, which a router of each kind of host serves. */
export function registerMailer(host: Host, setup: MailerSetup): RegisteredMailer {
  const { config, providers } = setup
  const byName = new Map(Object.entries(providers))
  let tasks: readonly ScheduledTask[] = []
  const assembled = assembleOn(host, setup, { providers: byName, tickTasks: () => tasks })
  const { context, core, events } = assembled
  const handle: MailerHandle = { ...core, events, getRunnerContext: () => context }
  host.provide(mailerHandle, handle)
  host.provide(mailerCampaignMail, createCampaignMailer(context))
  const { permits = () => true } = setup
  host.provide(mailerOperations, createOperations({ context, events }, permits))
  const failures = host.metrics.counter('tick_failures_total', 'Failed parts of the tick')
  const run = (signal: AbortSignal) => tick(context, signal, (part) => failures.inc({ part }))
  const { tickIntervalSeconds: tickSeconds } = config
  host.job('tick', ({ signal }) => run(signal), { every: everySeconds(tickSeconds) })
  // The journal is a file of this machine, and the tick runs on one machine of the platform.
  host.job('unsubscribe-journal', async () => {
    await drainPendingUnsubscribes(context)
  })
  host.onRegistered(() => {
    addProviders(host, providers, byName)
    checkProviderNames(config)
    checkContributedNames(host)
    tasks = addTaskJobs(host, core, { tickSeconds })
    assembled.prepare()
  })
  const runTick = (signal: AbortSignal) => tickNow(context, signal)
  const { workbench, close } = createWorkbench({ context, events, runTick })
  host.provide(mailerWorkbench, workbench)
  host.onClose(async () => {
    await close()
    for (const provider of context.providers.values()) await provider.close?.()
  })
  return { ...assembled, handle, tick: runTick }
}

function assembleOn(
  host: Host,
  { config, adapter, hasOwnContacts, admits }: MailerSetup,
  { providers, tickTasks }: Pick<MailerContext, 'providers'> & Pick<MailerExtensions, 'tickTasks'>
): AssembledMailer {
  return assembleMailer({
    config,
    collections: openCollections(<T extends Document>(name: string) => host.collection<T>(name)),
    adapter,
    providers,
    extensions: extensionsOf(host, { hasOwnContacts, tickTasks }),
    clock: host.clock,
    log: host.log,
    withTransaction: (fn) => host.withTransaction(fn),
    limit: (name, options) => host.limit(name, options),
    lease: host.lease,
    notify: host.notify,
    admits,
    openQueues: (handlers) => openQueues(host, handlers)
  })
}

const openQueues = (host: Host, handlers: QueueHandlers): MailerQueues => ({
  urgentSends: host.queue('urgent-sends', handlers.urgentSends),
  bulkSends: host.queue('bulk-sends', handlers.bulkSends),
  events: host.queue('events', handlers.events),
  outbox: host.queue('outbox', handlers.outbox),
  flowRuns: host.queue('flow-runs', handlers.flowRuns),
  webhookEvents: host.queue('webhook-events', handlers.webhookEvents)
})
