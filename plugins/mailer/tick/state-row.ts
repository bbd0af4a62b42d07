// What the tick leaves behind, for setup status and for the other processes.

/** A row of `mailer_state`: `tick` is the mailer's own work, `task:<name>` a task of another plugin. */
export interface StateRow {
  readonly _id: string
  /** When it last began. */
  readonly startedAt?: Date
  /** No other process may begin it before that time. */
  readonly claimedUntil?: Date
  /** Runs that failed in a row. */
  readonly failures?: number
  /** Why the last run failed. */
  readonly reason?: string
}

/** The row of the mailer's own tick. */
export const TICK_ROW = 'tick'

/** The row of a task. */
export const taskRow = (name: string): string => `task:${name}`
