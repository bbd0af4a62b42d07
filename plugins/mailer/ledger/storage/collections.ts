// The collections of one mailer, opened by name, and their indexes.
import { syncCollections } from '@keelson/sdk'
import type { Collection, Db, Document } from 'mongodb'
import manifest from '../../plugin.json' with { type: 'json' }
import type { AuditRow } from '../audit-row.ts'
import type { BrandRow } from '../brand-row.ts'
import type { BroadcastRow, LeftOutRow } from '../broadcast-row.ts'
import type { ContactTagRow, SubscriptionRow, SuppressionRow } from '../contact-rows.ts'
import type { EventRow, OutboxRow } from '../event-rows.ts'
import type {
  FlowMemberRow,
  FlowRow,
  FlowRunRow,
  FlowVersionRow,
  NotEnteredRow
} from '../flow-rows.ts'
import type { BroadcastHourRow, HourRow } from '../hour-row.ts'
import type { ImageRow } from '../image-row.ts'
import type { FeedReaderRow, OutcomeRow } from '../outcome-row.ts'
import type { SegmentRow } from '../segment-row.ts'
import type { SendRow } from '../send-row.ts'
import type { StateRow } from '../state-row.ts'
import type { TemplateRow, TemplateVersionRow } from '../template-rows.ts'
import type { WarmUpRow } from '../warm-up-row.ts'
import type { WebhookEventRow, WebhookTokenRow } from '../webhook-row.ts'

/** All collections of a mailer, by what they hold. */
export interface MailerCollections {
  readonly sends: Collection<SendRow>
  readonly subscriptions: Collection<SubscriptionRow>
  readonly suppressions: Collection<SuppressionRow>
  readonly contactTags: Collection<ContactTagRow>
  readonly events: Collection<EventRow>
  readonly outbox: Collection<OutboxRow>
  readonly templates: Collection<TemplateRow>
  readonly templateVersions: Collection<TemplateVersionRow>
  readonly brands: Collection<BrandRow>
  readonly images: Collection<ImageRow>
  readonly flows: Collection<FlowRow>
  readonly flowVersions: Collection<FlowVersionRow>
  readonly flowRuns: Collection<FlowRunRow>
  readonly flowMembers: Collection<FlowMemberRow>
  readonly notEntered: Collection<NotEnteredRow>
  readonly segments: Collection<SegmentRow>
  readonly broadcasts: Collection<BroadcastRow>
  readonly leftOut: Collection<LeftOutRow>
  readonly webhookEvents: Collection<WebhookEventRow>
  readonly webhookTokens: Collection<WebhookTokenRow>
  readonly outcomes: Collection<OutcomeRow>
  readonly feedReaders: Collection<FeedReaderRow>
  readonly auditLog: Collection<AuditRow>
  readonly state: Collection<StateRow>
  readonly hours: Collection<HourRow>
  readonly broadcastHours: Collection<BroadcastHourRow>
  readonly warmUp: Collection<WarmUpRow>
}

/** What names begin with when `collectionPrefix` is left out. */
export const DEFAULT_PREFIX = manifest.collectionPrefix

type Open = <T extends Document>(name: string) => Collection<T>

/** Opens every collection. `open` gets the name as the manifest declares it. */
export function openCollections(open: Open): MailerCollections {
  return {
    sends: open('mailer_sends'),
    subscriptions: open('mailer_subscriptions'),
    suppressions: open('mailer_suppressions'),
    contactTags: open('mailer_contact_tags'),
    events: open('mailer_events'),
    outbox: open('mailer_outbox'),
    templates: open('mailer_templates'),
    templateVersions: open('mailer_template_versions'),
    brands: open('mailer_brands'),
    images: open('mailer_images'),
    flows: open('mailer_flows'),
    flowVersions: open('mailer_flow_versions'),
    flowRuns: open('mailer_flow_runs'),
    flowMembers: open('mailer_flow_members'),
    notEntered: open('mailer_not_entered'),
    segments: open('mailer_segments'),
    broadcasts: open('mailer_broadcasts'),
    leftOut: open('mailer_left_out'),
    webhookEvents: open('mailer_webhook_events'),
    webhookTokens: open('mailer_webhook_tokens'),
    outcomes: open('mailer_outcomes'),
    feedReaders: open('mailer_feed_readers'),
    auditLog: open('mailer_audit_log'),
    state: open('mailer_state'),
    hours: open('mailer_hours'),
    broadcastHours: open('mailer_broadcast_hours'),
    warmUp: open('mailer_warm_up')
  }
}

/** The same on a plain database, with another prefix if wanted. */
export function openOnDatabase(db: Db, prefix = DEFAULT_PREFIX): MailerCollections {
  return openCollections((name) => db.collection(prefix + name.slice(DEFAULT_PREFIX.length)))
}

/** Makes collections and indexes on a plain database; under the kernel its plan does. */
export async function syncIndexes(db: Db, prefix = DEFAULT_PREFIX): Promise<void> {
  await syncCollections(db, manifest, { prefix })
}
