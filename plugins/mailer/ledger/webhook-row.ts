// A webhook event as stored: durable before the provider gets its answer, applied by a worker.
import type { ProviderEvent } from '../contracts/mailer-provider.ts'
import type { QueuedRow } from './queued-row.ts'

/** A row of `mailer_webhook_events`, and an item of its queue: `_id` derives from provider and event id. */
export interface WebhookEventRow extends QueuedRow {
  readonly provider: string
  readonly providerEventId: string
  /** `unreadable`: a genuine request whose events could not be read; `details.raw` has its body. */
  readonly type: ProviderEvent['type'] | 'unreadable'
  readonly providerMessageId: string | null
  /** Lower case; empty when the provider named none. */
  readonly email: string
  readonly occurredAt: Date
  readonly receivedAt: Date
  readonly details: ProviderEvent['details']
  /** The send that it names, or to which it belongs once that is found. */
  readonly sendId?: string
  /** Hashes of the addresses in an unreadable body, by which an erasure finds it. */
  readonly mentions?: readonly string[]
  /** true when it is applied, and the queue will not see it again. */
  readonly processed: boolean
}
