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

/** What one provider did with mails. */
export type ProviderCounts = Partial<
  Pick<HourCounts, 'sent' | 'delivered' | 'bounced' | 'failed'>
> &
  LastTimes

/** When a provider last took a mail, and when a mail last failed or bounced. */
export interface LastTimes {
  readonly lastSentAt?: Date
  readonly lastFailedAt?: Date
}

/** A row of `mailer_hours`; a count that is left out is 0. Kept for 60 days. */
export interface HourRow extends Partial<HourCounts>, LastTimes {
  /** `2026-11-23T01`, in UTC. */
  readonly _id: string
  readonly at: Date
  /** By name. */
  readonly providers?: Readonly<Record<string, ProviderCounts>>
}

/** A row of `mailer_broadcast_hours`; a count that is left out is 0. Kept for 60 days. */
export interface BroadcastHourRow extends Partial<HourCounts> {
  /** `<slug>:2026-11-23T01`, in UTC. */
  readonly _id: string
  readonly at: Date
  /** Mails handed over, by the minute: `07`. */
  readonly minutes?: Readonly<Record<string, number>>
}
