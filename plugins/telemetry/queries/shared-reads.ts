// Equal reads at the same time are one read, and its answer is good for a moment.
import { createBoundedMap } from '@keelson/sdk'

export interface SharedReads {
  share<T>(key: string, read: () => Promise<T>): Promise<T>
  /** Forgets every answer. */
  clear(): void
}

interface Answer {
  readonly startedAt: number
  readonly result: Promise<unknown>
}

const MAX_ANSWERS = 500

/**
 * An answer is good until `ms` after its read began, so that nothing shown is older than that. A failed
 * read is forgotten at once.
 */
export function createSharedReads(ms: number, now: () => number): SharedReads {
  const answers = createBoundedMap<string, Answer>(MAX_ANSWERS)
  return {
    share<T>(key: string, read: () => Promise<T>): Promise<T> {
      const at = now()
      const known = answers.get(key)
      if (known !== undefined && at - known.startedAt < ms && at >= known.startedAt) {
        return known.result as Promise<T>
      }
      const answer: Answer = { startedAt: at, result: read() }
      answers.set(key, answer)
      answer.result.catch(() => {
        if (answers.get(key) === answer) answers.delete(key)
      })
      return answer.result as Promise<T>
    },
    clear: () => answers.clear()
  }
}
