// What every part of a mailer works with: settings, storage, contacts, queues, providers, time.
import type { Actor, Clock, Limit, LimitOptions, Notify, Queue, TakeLease } from '@keelson/sdk'
import type { FastifyBaseLogger } from 'fastify'
import type { ClientSession } from 'mongodb'
import type { MailerCore } from '../contracts/mailer-core.ts'
import type { MailProvider } from '../contracts/mailer-provider.ts'
import type { ContactAdapter } from './adapter.ts'
import type { ResolvedConfig } from './check-config.ts'
import type { EventRow, OutboxRow } from './event-rows.ts'
import type { MailerExtensions } from './extensions.ts'
import type { FlowRunRow } from './flow-rows.ts'
import type { PublishedTemplates } from './prepared-template.ts'
import type { SendRow } from './send-row.ts'
import type { MailerCollections } from './storage/collections.ts'
import type { WebhookEventRow } from './webhook-row.ts'

/** The queues of a mailer. The kernel works on them, or `Mailer.startWorkers`. */
export interface MailerQueues {
  readonly urgentSends: Queue<SendRow>
  readonly bulkSends: Queue<SendRow>
  readonly events: Queue<EventRow>
  readonly outbox: Queue<OutboxRow>
  readonly flowRuns: Queue<FlowRunRow>
  readonly webhookEvents: Queue<WebhookEventRow>
}

/** What every part of a mailer works with. Functions take it first. */
export interface MailerContext {
  readonly config: ResolvedConfig
  readonly collections: MailerCollections
  readonly adapter: ContactAdapter
  /** By the name they have in settings and webhook addresses. */
  readonly providers: ReadonlyMap<string, MailProvider>
  readonly queues: MailerQueues
  readonly templates: PublishedTemplates
  readonly extensions: MailerExtensions
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  /** Majority, journaled; retried on conflict. */
  withTransaction<T>(fn: (session: ClientSession) => Promise<T>): Promise<T>
  /** A limit that all processes share. Ask for it once, when the part is made. */
  limit(name: string, options: LimitOptions): Limit
  /** What only one process may do at a time. */
  readonly lease: TakeLease
  /** Sends webhooks to public addresses, which people name. */
  readonly notify: Notify
  /**
   * Whether an actor may change or send now. What a person has set up needs a permission besides, as
   * `mailer.publish`; one who acts in a session was asked for it by the operation.
   */
  admits(actor: Actor, permission?: string): Promise<boolean>
  /** The mailer as gates and other plugins see it. */
  readonly core: MailerCore
}
