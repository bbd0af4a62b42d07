// When to send again: pure.

/** What an answer means for the batch that was sent. */
export type Verdict = 'taken' | 'again' | 'smaller' | 'refused'

/** What ingest says of a batch. */
export interface IngestAnswer {
  readonly accepted?: number
  readonly rejected?: number
  /** The last so many were over the rate of the key. */
  readonly overRate?: number
  /** The most that the key may write at once. */
  readonly max?: number
}

const AGAIN: ReadonlySet<number> = new Set([0, 401, 403, 408, 429])

/**
 * 0 stands for a connection that broke. A key that is refused may be put right, so its records wait: a publishable
 * one is answered 202 for nothing at all.
 */
export function verdictOf(status: number, answer: IngestAnswer = {}): Verdict {
  if (status === 413) return 'smaller'
  if (AGAIN.has(status) || status >= 500) return 'again'
  if (status < 200 || status >= 300) return 'refused'
  return answer.accepted === 0 && answer.rejected === 0 ? 'again' : 'taken'
}

/** Bytes of a batch: ingest takes 512 kB. */
export const BATCH_BYTES = 400_000
/** Records of a batch: ingest takes no more. */
export const BATCH_RECORDS = 100

/** How many records, from the first, fit a batch of so many bytes; at least one. */
export function countWithin(records: readonly object[], most: number, maxBytes: number): number {
  const encoder = new TextEncoder()
  let bytes = 0
  let count = 0
  for (const record of records.slice(0, most)) {
    bytes += encoder.encode(JSON.stringify(record)).length + 1
    if (count > 0 && bytes > maxBytes) break
    count++
  }
  return count
}

/** Why records were lost, or wait; undefined when there is nothing to tell. */
export function troubleOf(status: number, count: number, answer: IngestAnswer): Error | undefined {
  const { accepted, rejected = 0, overRate = 0 } = answer
  const refused = rejected - overRate
  if (status >= 200 && status < 300) {
    if (accepted === 0 && rejected === 0) {
      return new Error(`ingest takes nothing with this key from here: ${count} records wait`)
    }
    return refused > 0 ? new Error(`ingest refused ${refused} of ${count} records`) : undefined
  }
  const isKey = status === 401 || status === 403
  return isKey ? new Error(`ingest refused the key (${status}): ${count} records wait`) : undefined
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
