// The seam between the schedule and the clock that starts its jobs.

import { type Cron, nextAfter } from '@keelson/sdk/schedule'

export type TickTimes =
  | { readonly kind: 'every'; readonly intervalMs: number }
  | { readonly kind: 'cron'; readonly expression: string; readonly cron: Cron }

/** When a job is due, and what to do then. */
export interface Tick {
  /** `<plugin>/<job>`, unique on the platform. */
  readonly name: string
  readonly times: TickTimes
  /** `platform`: one process of all runs it. `process`: each process runs it. */
  readonly scope: 'platform' | 'process'
  /** Resolves when the next run may start; never rejects. */
  run(): Promise<void>
}

/**
 * Starts ticks when they are due. Every ticker keeps the same rules, held by one case file: a job with an interval that
 * never ran is due at once, one with a cron expression at its next instant; a job is due again one
 * interval after it last started; runs of one tick do not overlap; a missed tick is made up once.
 */
export interface Ticker {
  start(ticks: readonly Tick[]): Promise<void>
  /** No tick starts after it resolves. Does not wait for runs in hand. */
  stop(): Promise<void>
  /** After `stop` and the runs in hand: waits for what the ticker itself still writes. Nothing is sent after it. */
  settle?(): Promise<void>
}

/** The test kit's ticker: nothing happens by itself. */
export interface ManualTicker extends Ticker {
  /** Runs everything that is due at `now`, side by side, and waits for it. */
  runDue(now: Date): Promise<void>
  /** When the next tick is due. */
  nextDueAt(): Date | undefined
}

/** When a tick is due: counted from its last start, or from the start of the ticker. */
export function dueAt(times: TickTimes, lastRun: Date | undefined, startedAt: Date): Date {
  if (times.kind === 'every') {
    return lastRun === undefined ? startedAt : new Date(lastRun.getTime() + times.intervalMs)
  }
  // parseCron has refused expressions that never come.
  return nextAfter(times.cron, lastRun ?? startedAt) ?? new Date(8.64e15)
}
