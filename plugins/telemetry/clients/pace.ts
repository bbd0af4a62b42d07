// When to send again: pure.

/** What an answer means for the batch that was sent. */
export type Verdict = 'taken' | 'again' | 'smaller' | 'refused'

/** 0 stands for a connection that broke. */
export function verdictOf(status: number): Verdict {
  if (status >= 200 && status < 300) return 'taken'
  if (status === 413) return 'smaller'
  return status === 0 || status === 408 || status === 429 || status >= 500 ? 'again' : 'refused'
}

const FIRST_MS = 1000
const LONGEST_MS = 300_000

/**
 * Milliseconds to wait after so many failures in a row: doubled each time, the upper half of it at random,
 * never less than `Retry-After` says.
 */
export function pauseMs(
  failures: number,
  retryAfter: string | null | undefined,
  random: number
): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1))
  const asked = Number(retryAfter ?? 0) * 1000 || 0
  return Math.max(longest * (0.5 + random / 2), Math.min(asked, LONGEST_MS))
}
