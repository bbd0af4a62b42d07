// The documents in the database.
import type { MailFeedback } from '@keelson/mailer/contracts'
import type { AggregateRecord, AggregateReport } from '../aggregate/report.ts'
import type { Monitoring } from '../config/monitoring-schema.ts'
import type { ReverseFacts } from '../dns/check-reverse.ts'
import type { DkimFacts, DnsFinding, DomainFacts } from '../dns/judge-domain.ts'
import type { FeedbackReport } from '../failures/feedback-report.ts'
import type { TlsReport } from '../tls/parse-tls-report.ts'
import type { Condition } from './condition.ts'

/** How a report came in. */
export type Via = 'upload' | 'inbound'

/** An aggregate report. `_id` derives from report id, organisation and domain. */
export interface ReportRow extends AggregateReport {
  readonly _id: string
  /** Names the records of this report. */
  readonly ingest: string
  /** Of `policy.domain`, for indexes. */
  readonly domain: string
  readonly receivedAt: Date
  readonly via: Via
  readonly filename: string
}

/** A record of an aggregate report; `_id` is the ingest and the record's number. */
export interface RecordRow extends AggregateRecord {
  readonly _id: string
  readonly ingest: string
  readonly domain: string
  /** Who reported it. Rows of older versions have none. */
  readonly orgName?: string
  readonly receivedAt: Date
  readonly rangeEnd: Date
  /** The day in the middle of the report's range, as `2026-11-20`. */
  readonly day: string
}

/** A large report that is being stored: its records do not count yet, or not all in the sums of sources. */
export interface IngestRow {
  readonly _id: string
  readonly touchedAt: Date
  /** The report is stored; so many of its records are in the sums of sources. */
  readonly summing?: { readonly domain: string; readonly done: number; readonly records: number }
  /** The sweep removes its records: the ingest must not end any more. */
  readonly abandoned?: true
}

/** What the failing mail of a source sums up to, over all records that are kept. */
export interface SourceRow {
  /** Domain and address. */
  readonly _id: string
  readonly domain: string
  readonly sourceIp: string
  /** Above 0. */
  readonly messages: number
  /** The end of its latest range. */
  readonly rangeEnd: Date
  /** The oldest first. */
  readonly days: readonly SourceDay[]
  /** Who reported these messages, those who report most. Rows of older versions have none. */
  readonly reporters?: readonly SourceReporter[]
}

/** What one reporter says of a source. */
export interface SourceReporter {
  readonly orgName: string
  readonly messages: number
}

/** One day of a source. */
export interface SourceDay extends Pick<AggregateRecord, 'dkim' | 'spf' | 'disposition'> {
  readonly day: string
  readonly messages: number
}

/** A mail that a receiver reported. `_id` derives from the report. */
export interface FailureRow extends Omit<FeedbackReport, 'recipients'> {
  readonly _id: string
  /** Rows of older versions have none. */
  readonly recipients?: readonly string[]
  /** What followed for the recipient of the mail; left out when the report names no mail of ours. */
  readonly effect?: MailFeedback['type']
  readonly receivedAt: Date
  readonly via: Via
}

/** A TLS report. `_id` derives from organisation and report id. */
export interface TlsRow extends TlsReport {
  readonly _id: string
  readonly domains: readonly string[]
  readonly receivedAt: Date
  readonly via: Via
}

/** What operators say about a source. `_id` is an address, or a range in CIDR notation. */
export interface SourceTagRow {
  readonly _id: string
  readonly label: string
  readonly ignored: boolean
  readonly setBy: string
  readonly setAt: Date
}

/** The name that a reverse look-up found. */
export interface ReverseNameRow {
  /** The address. */
  readonly _id: string
  readonly name: string | null
  readonly lookedUpAt: Date
}

/** What operators set for monitoring. */
export interface SettingsRow {
  readonly _id: string
  readonly values: Partial<Monitoring>
}

/** An alert: what is or was wrong, and the message about it that waits. */
export interface AlertRow extends Condition {
  readonly _id: string
  readonly state: 'open' | 'resolved'
  /** Grows with every change: writes of several instances do not cross. */
  readonly revision: number
  readonly openedAt: Date
  readonly updatedAt: Date
  readonly resolvedAt: Date | null
  /** When it fired last. */
  readonly firedAt: Date
  readonly fireCount: number
  readonly pending?: {
    readonly event: 'open' | 'updated' | 'reminder' | 'resolved'
    /** When to try. */
    readonly at: Date
    readonly tries: number
  }
  readonly lastDelivery?: {
    readonly status: 'delivered' | 'no_handler' | 'failed'
    readonly problem?: string
    readonly at: Date
  }
}

/** The newest DNS check of a domain. */
export interface DnsCheckRow extends Pick<DomainFacts, 'mtaSts' | 'tlsRpt' | 'bimi'> {
  /** The domain. */
  readonly _id: string
  readonly checkedAt: Date
  readonly findings: readonly DnsFinding[]
  /** The DMARC record that applies, and where it is. */
  readonly record: string | null
  readonly recordAt: string | null
  readonly organisation: string
  /** Of the tree walk. */
  readonly questions: number
  readonly spf: {
    readonly record: string | null
    readonly lookups: number
    readonly voidLookups: number
  }
  readonly dkim: readonly DkimFacts[]
  /** Of the addresses that send the domain's mail. Rows of older versions have none. */
  readonly reverse?: readonly ReverseFacts[]
}
