// The workers of a mailer without a kernel: its queues, and the tick at its interval.
import type { MailerContext } from '../ledger/context.ts'
import type { LocalQueues } from '../ledger/storage/local-queues.ts'

/** Starts and ends the work of one process. */
export interface Workers {
  start(): void
  /** Looks for due work at once. */
  wake(): void
  /** Resolves when nothing is in hand any more. Safe to call twice. */
  stop(): Promise<void>
}

/** What workers work on. */
export interface WorkerParts {
  readonly context: MailerContext
  readonly queues: LocalQueues
  tick(signal: AbortSignal): Promise<void>
}

/** Makes the workers; nothing runs before `start`. */
export function createWorkers({ context, queues, tick }: WorkerParts): Workers {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let ticking: Promise<void> = Promise.resolve()
  const isStopped = () => controller.signal.aborted
  const tickSoon = (ms: number) => {
    timer = setTimeout(() => {
      ticking = tick(controller.signal).finally(() => {
        if (!isStopped()) tickSoon(context.config.tickIntervalSeconds * 1000)
      })
    }, ms)
  }
  let isStarted = false
  return {
    start() {
      if (isStarted || isStopped()) return
      isStarted = true
      for (const queue of Object.values(queues)) queue.start()
      tickSoon(0)
    },
    wake() {
      if (!isStarted || isStopped()) return
      clearTimeout(timer)
      void ticking.then(() => tickSoon(0))
    },
    async stop() {
      if (isStopped()) return
      controller.abort()
      clearTimeout(timer)
      await ticking
      if (isStarted) await Promise.all(Object.values(queues).map((queue) => queue.stop()))
    }
  }
}
