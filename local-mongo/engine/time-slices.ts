// Long work in slices: others have their turn in between, and a deadline or a kill ends it.

import type { OperationContext } from '../engine.ts'
import { commandError } from '../errors.ts'

/** Longest time in milliseconds that one operation keeps the turn. */
export const SLICE_MS = 4
/** Steps between two looks at the clock. */
export const STEPS_PER_LOOK = 64

/** Fails with MaxTimeMSExpired (50) or Interrupted (11601) when the operation must end. */
export function checkInterrupt(context: OperationContext): void {
  if (context.signal.aborted) throw commandError('Interrupted', 'operation was interrupted')
  if (context.deadlineMs !== undefined && Date.now() > context.deadlineMs) {
    throw commandError('MaxTimeMSExpired', 'operation exceeded time limit')
  }
}

/** What a job of the write queue waits for: the end of who holds it, or of itself. */
export function waitFor(
  heldBy: Promise<unknown>,
  { signal, deadlineMs }: OperationContext
): { readonly waitFor: Promise<void>; readonly untilMs?: number } {
  const wait = new Promise<void>((resolve) => {
    const end = () => {
      signal.removeEventListener('abort', end)
      resolve()
    }
    signal.addEventListener('abort', end)
    heldBy.then(end, end)
    if (signal.aborted) end()
  })
  return deadlineMs === undefined ? { waitFor: wait } : { waitFor: wait, untilMs: deadlineMs }
}

/** Gives the turn away once. */
export function giveTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/**
 * Calls `step` until it answers true. Between slices `pause` is called, others have their turn, and
 * the operation may be ended.
 */
export async function runInSlices(
  context: OperationContext,
  step: () => boolean,
  pause: () => void,
  resume?: () => void
): Promise<void> {
  checkInterrupt(context)
  for (;;) {
    const until = performance.now() + SLICE_MS
    try {
      do {
        for (let i = 0; i < STEPS_PER_LOOK; i++) if (step()) return
      } while (performance.now() < until)
    } finally {
      pause()
    }
    await giveTurn()
    checkInterrupt(context)
    resume?.()
  }
}
