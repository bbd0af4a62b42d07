// Long work in slices: others have their turn in between, and a deadline or a kill ends it.

import type { OperationContext } from '../engine.ts'
import { TakesLong } from '../expressions/long-expression.ts'
import { TurnOver } from '../expressions/turn-clock.ts'
import { Held } from '../storage/scope.ts'
import { evaluateElsewhere } from './expression-threads.ts'
import { checkInterrupt } from './interrupt.ts'

/** Longest time in milliseconds that one operation keeps the turn. */
export const SLICE_MS = 4
/** Steps between two looks at the clock. */
export const STEPS_PER_LOOK = 64

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

/** Whether an error only says that an expression takes long: after `pauseFor` the same works. */
export function isPause(error: unknown): boolean {
  return error instanceof TurnOver || error instanceof TakesLong
}

/**
 * Gives others their turn; a long expression is evaluated meanwhile. Fails with the reason when it
 * is an error of another kind, and when the operation must end.
 */
export async function pauseFor(reason: unknown, context: OperationContext): Promise<void> {
  if (reason instanceof TakesLong) reason.settle(await evaluateElsewhere(reason.request, context))
  else if (reason === undefined || reason instanceof TurnOver) await giveTurn()
  else throw reason
  checkInterrupt(context)
}

/** What an interrupted write waits for before it is tried again; undefined for any other error. */
export function waitOf(error: unknown, context: OperationContext): Promise<unknown> | undefined {
  if (error instanceof Held) return error.ended
  return isPause(error) ? pauseFor(error, context) : undefined
}

/** Calls `act`, and again after each pause that an expression needs. */
export async function untilDone<T>(
  context: OperationContext,
  act: () => T | Promise<T>
): Promise<T> {
  for (;;) {
    try {
      return await act()
    } catch (error) {
      await pauseFor(error, context)
    }
  }
}

/**
 * Calls `step` until it answers true. Between slices `pause` is called, others have their turn, and
 * the operation may be ended. A step that an expression interrupts is called again.
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
    let reason: unknown
    try {
      do {
        for (let i = 0; i < STEPS_PER_LOOK; i++) if (step()) return
      } while (performance.now() < until)
    } catch (error) {
      reason = error
    } finally {
      pause()
    }
    await pauseFor(reason, context)
    resume?.()
  }
}
