// How long a recurring read of somewhere else waits after failures.

/** Less than ten minutes, a usual period of jobs: a run that began late must not make the next one skip. */
const FIRST_PAUSE_MS = 9.5 * 60_000

/**
 * The pause in ms until something is read again: `intervalMs` when the last read went well; after failures
 * in a row a little under ten minutes, doubled each time, at most the interval.
 */
export const pauseAfter = (failures: number, intervalMs: number): number =>
  failures === 0 ? intervalMs : Math.min(intervalMs, FIRST_PAUSE_MS * 2 ** (failures - 1))
