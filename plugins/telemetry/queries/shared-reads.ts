// Equal reads at the same time are one read, and its answer is good for a moment.
import { createBoundedMap } from '@keelson/sdk'

export interface SharedReads {
  /** Its signal ends `read` when all who wait for the answer have given up. */
  share<T>(
    key: string,
    read: (signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal | undefined
  ): Promise<T>
  /** Forgets every answer. */
  clear(): void
}

interface Answer {
  readonly startedAt: number
  readonly result: Promise<unknown>
  readonly ended: AbortController
  /** Who wait for it. */
  waiting: number
}

const MAX_ANSWERS = 500

/**
 * An answer is good until `ms` after its read began, so that nothing shown is older than that. A failed
 * read is forgotten at once.
 */
export function createSharedReads(ms: number, now: () => number): SharedReads {
  const answers = createBoundedMap<string, Answer>(MAX_ANSWERS)
  const forget = (key: string, answer: Answer): void => {
    if (answers.get(key) === answer) answers.delete(key)
  }
  const begin = <T>(key: string, read: (signal: AbortSignal) => Promise<T>): Answer => {
    const ended = new AbortController()
    const answer = { startedAt: now(), result: read(ended.signal), ended, waiting: 0 }
    answers.set(key, answer)
    answer.result.catch(() => forget(key, answer))
    return answer
  }
  const wait = (key: string, answer: Answer, signal: AbortSignal | undefined): void => {
    answer.waiting++
    if (signal === undefined) return
    const leave = () => {
      if (--answer.waiting > 0) return
      forget(key, answer)
      answer.ended.abort(signal.reason)
    }
    const stay = () => signal.removeEventListener('abort', leave)
    signal.addEventListener('abort', leave, { once: true })
    answer.result.then(stay, stay)
  }
  return {
    share<T>(key: string, read: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal) {
      const at = now()
      const known = answers.get(key)
      const isGood = known !== undefined && at - known.startedAt < ms && at >= known.startedAt
      const answer = isGood ? known : begin(key, read)
      wait(key, answer, signal)
      return answer.result as Promise<T>
    },
    clear: () => answers.clear()
  }
}
