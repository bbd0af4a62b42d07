// What all processes of a mailer share: what the tick leaves behind, and the pause of marketing mail.

/** What is known about a provider that takes no mail. */
export interface Outage {
  readonly since: Date
  /** The words of the failure. */
  readonly reason: string
  /** One mail is handed over then; the others wait. */
  readonly nextProbeAt: Date
  /** Probes that began. */
  readonly probes: number
  /** When it took mail again. */
  readonly backAt?: Date
}

/** A pause of all marketing mail that lasts. */
export interface MarketingPause {
  readonly reason: string
  /** Who put it, as the audit log names them. */
  readonly by: string
  readonly at: Date
}

/**
 * A row of `mailer_state`: `tick` is the mailer's own work, `marketing-pause` the pause of all marketing mail, `provider:<name>` a provider that takes no mail,
 * `stops` how often something was paused.
 */
export interface StateRow {
  readonly _id: string
  /** When it last began. */
  readonly startedAt?: Date
  /** Runs that failed in a row. */
  readonly failures?: number
  /** Why the last run failed. */
  readonly reason?: string
  readonly outage?: Outage
  /** Of `stops`: counts pauses and cancellations, so that batches under way see them with one look. */
  readonly changes?: number
  readonly pause?: MarketingPause
}

/** The row of the mailer's own tick. */
export const TICK_ROW = 'tick'

/** The row of a provider that takes no mail. */
export const providerRow = (name: string): string => `provider:${name}`

/** The row of the pause of all marketing mail. */
export const PAUSE_ROW = 'marketing-pause'

/** The row that counts pauses and cancellations. */
export const STOPS_ROW = 'stops'
