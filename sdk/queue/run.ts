// One run of a plugin's handler: within its time, under its own signal, never throwing.

import type { FastifyBaseLogger } from 'fastify'
import type { JobRun } from '../job.ts'

/** How one run of a handler ended. */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The handler did not end within its time. It may still be at work. */
  | { readonly kind: 'timeout'; readonly error: Error }
  /** The host closes, and the handler did not finish before that. */
  | { readonly kind: 'returned' }

export interface Run {
  /** Never rejects. */
  readonly outcome: Promise<Outcome>
  /** Resolves when the handler has really ended, which may be never. */
  readonly ended: Promise<void>
}

/** What bounds one run of a handler. */
export interface RunLimits {
  readonly seconds: number
  readonly log: FastifyBaseLogger
  /** Aborted when the host cuts what is in hand. */
  readonly cut: AbortSignal
  readonly timeoutError: () => Error
}

/** What a handler gets after the cut to finish or give up. */
export const CUT_GRACE_MS = 500

/** Starts a handler. */
export function startRun(limits: RunLimits, act: (run: JobRun) => unknown): Run {
  const controller = new AbortController()
  const { signal } = controller
  const work = Promise.resolve().then(() => act({ signal, log: limits.log }))
  const ended = work.then(
    () => {},
    () => {}
  )
  const outcome = new Promise<Outcome>((settle) => {
    let grace: NodeJS.Timeout | undefined
    const resolve = (outcome: Outcome) => {
      // A handler that never ends must not leave timers that keep the process alive.
      clearTimeout(timer)
      clearTimeout(grace)
      limits.cut.removeEventListener('abort', cut)
      settle(outcome)
    }
    const timer = setTimeout(() => {
      const error = limits.timeoutError()
      resolve({ kind: 'timeout', error })
      controller.abort(error)
    }, limits.seconds * 1000)
    const cut = () => {
      grace = setTimeout(() => resolve({ kind: 'returned' }), CUT_GRACE_MS)
      controller.abort(limits.cut.reason)
    }
    if (limits.cut.aborted) cut()
    else limits.cut.addEventListener('abort', cut)
    work.then(
      () => resolve({ kind: 'done' }),
      // What fails because it was cut is not to blame for it.
      (error) => resolve(limits.cut.aborted ? { kind: 'returned' } : { kind: 'failed', error })
    )
  })
  return { outcome, ended }
}
