// The documents in the database.
import type { AggregateRecord, AggregateReport } from '../aggregate/report.ts'
import type { FeedbackReport } from '../failures/feedback-report.ts'
import type { TlsReport } from '../tls/parse-tls-report.ts'

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
  readonly receivedAt: Date
  readonly rangeEnd: Date
  /** The day in the middle of the report's range, as `2026-11-20`. */
  readonly day: string
}

/** A large report that is being stored: its records do not count yet. */
export interface IngestRow {
  readonly _id: string
  readonly touchedAt: Date
  /** The sweep removes its records: the ingest must not end any more. */
  readonly abandoned?: true
}

/** A mail that a receiver reported. `_id` derives from the report. */
export interface FailureRow extends FeedbackReport {
  readonly _id: string
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
