// What happened to mails by the hour, as stored.

/** What is counted: mails, each once per hour's field. */
export interface HourCounts {
  readonly sent: number
  readonly delivered: number
  readonly bounced: number
  readonly failed: number
  /** By people or machines. */
  readonly opened: number
  readonly openedByPeople: number
  /** By people. */
  readonly clicked: number
}

/** A row of `mailer_hours`; a count that is left out is 0. Kept for 60 days. */
export interface HourRow extends Partial<HourCounts> {
  /** `2026-11-23T01`, in UTC. */
  readonly _id: string
  readonly at: Date
  /** When a provider last took a mail, and when a mail last failed or bounced. */
  readonly lastSentAt?: Date
  readonly lastFailedAt?: Date
}
