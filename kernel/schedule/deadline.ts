// Time that is left of a limit, shared by several waits.

/** Milliseconds that are left; below zero when the time is over. */
export type TimeLeft = () => number

/**
 * Starts a limit. It runs in real time, as the timers of the waits do: a clock that tests move or hold
 * still would cut them short or never end them.
 */
export function startDeadline(ms: number): TimeLeft {
  const endsAt = performance.now() + ms
  return () => endsAt - performance.now()
}
