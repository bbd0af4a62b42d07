// Hits on their way to the database: an answer never waits for them, and they are written in batches.
import { settledWithin } from '@keelson/sdk'
import type { FastifyBaseLogger } from 'fastify'
import { MongoServerError } from 'mongodb'
import type { Hit } from './hit.ts'

/** Takes hits; made once per process. */
export interface HitLog {
  add(hit: Hit): void
  /** Writes what is waiting. Resolves at the latest after five seconds. */
  close(): Promise<void>
}

/** What `createHitLog` takes. */
export interface HitLogOptions {
  readonly apply: (hits: readonly Hit[]) => Promise<void>
  readonly log: FastifyBaseLogger
  /** Hits that wait at most; later ones are dropped and reported. Default 20,000. */
  readonly limit?: number
}

const BATCH = 500
const DELAY_MS = 100
const RETRY_MS = 1000
const CLOSE_MS = 5000

/** Makes the log; nothing runs before the first hit. */
export function createHitLog({ apply, log, limit = 20_000 }: HitLogOptions): HitLog {
  let waiting: Hit[] = []
  let dropped = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<boolean> | undefined
  let isClosed = false

  const schedule = (ms: number) => {
    if (!isClosed) timer ??= setTimeout(() => void start(), ms)
  }
  /** One batch at a time; the next is due at once while there are more, and later after a failure. */
  const start = (): Promise<boolean> => {
    clearTimeout(timer)
    timer = undefined
    writing ??= write().then((isWritten) => {
      writing = undefined
      if (waiting.length > 0) schedule(isWritten ? 0 : RETRY_MS)
      return isWritten
    })
    return writing
  }
  const write = async (): Promise<boolean> => {
    const batch = waiting.splice(0, BATCH)
    if (dropped > 0) log.warn({ dropped }, 'mailer: opens and clicks were dropped, too many waited')
    dropped = 0
    try {
      await apply(batch)
      return true
    } catch (error) {
      return isRefused(error, batch)
    }
  }
  /** What the database refuses is given up; what it could not take is tried again. */
  const isRefused = (error: unknown, batch: readonly Hit[]): boolean => {
    const isFinal = error instanceof MongoServerError && !error.hasErrorLabel('RetryableWriteError')
    if (isFinal) {
      log.error({ err: error, lost: batch.length }, 'mailer: opens and clicks could not be written')
      return true
    }
    waiting = [...batch, ...waiting]
    log.warn({ err: error, waiting: waiting.length }, 'mailer: opens and clicks wait to be written')
    return false
  }
  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0 || writing !== undefined) if (!(await start())) return
  }
  return {
    add(hit) {
      if (waiting.length < limit) waiting.push(hit)
      else dropped++
      schedule(DELAY_MS)
    },
    async close() {
      await settledWithin(writeAll(), CLOSE_MS)
      // A write that fails from now on is not tried again, and no hit keeps the process.
      isClosed = true
      clearTimeout(timer)
      if (waiting.length > 0)
        log.error({ lost: waiting.length }, 'mailer: opens and clicks are lost')
    }
  }
}
