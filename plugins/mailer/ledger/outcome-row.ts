// The feed of what happened to mails, as stored.
import type { MailOutcome } from '../contracts/mailer-core.ts'

/** A row of `mailer_outcomes`; kept for 30 days. */
export interface OutcomeRow extends MailOutcome {
  /** `<sendId>:<type>[:<event id>]`: recording an outcome twice changes nothing. */
  readonly _id: string
  readonly recordedAt: Date
  /** The place in the feed; given when the feed is read, so that no place is ever skipped. */
  readonly place?: number
  /** true until it has a place. */
  readonly unplaced?: true
}

/** A row of `mailer_feed_readers`. */
export interface FeedReaderRow {
  /** The reader's name. */
  readonly _id: string
  /** Of the last outcome that it has taken. */
  readonly place: number
}
