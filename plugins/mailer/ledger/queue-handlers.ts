// What works on each queue of a mailer.
import type { BatchHandler } from '@keelson/sdk'
import type { EventRow, OutboxRow } from './event-rows.ts'
import type { FlowRunRow } from './flow-rows.ts'
import type { SendRow } from './send-row.ts'
import type { WebhookEventRow } from './webhook-row.ts'

/** What works on each queue. */
export interface QueueHandlers {
  readonly urgentSends: BatchHandler<SendRow>
  readonly bulkSends: BatchHandler<SendRow>
  readonly events: BatchHandler<EventRow>
  readonly outbox: BatchHandler<OutboxRow>
  readonly flowRuns: BatchHandler<FlowRunRow>
  readonly webhookEvents: BatchHandler<WebhookEventRow>
}
