// The seam between the schedule and whatever tells it that a job is due.

/** When a job is due, and what to do then. */
export interface Tick {
  /** `<plugin>/<job>`, unique on the platform. */
  readonly name: string
  readonly when:
    | { readonly kind: 'every'; readonly intervalMs: number }
    | { readonly kind: 'cron'; readonly expression: string }
  /** `platform`: one process of all runs it. `process`: each process runs it. */
  readonly scope: 'platform' | 'process'
  /** Resolves when the run is over; never rejects. */
  run(): Promise<void>
}

/** A job that never ran is due at once, one with a cron expression at its next instant. */
export interface Ticker {
  start(ticks: readonly Tick[]): Promise<void>
  /** No tick starts after it resolves. Does not wait for runs in hand. */
  stop(): Promise<void>
}
