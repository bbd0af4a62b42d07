// What ends an operation before it is done: its client, an operator, or its time limit.
import type { OperationContext } from '../engine.ts'
import { wasKilled, wasLate } from '../interruption.ts'

/** Fails with MaxTimeMSExpired (50) or Interrupted (11601) when the operation must end. */
export function checkInterrupt({ signal, deadlineMs }: OperationContext): void {
  if (signal.aborted) throw wasKilled(signal)
  if (deadlineMs !== undefined && Date.now() > deadlineMs) throw wasLate()
}

/** A promise that fails with the same errors at the moment when the operation must end. */
export function interruptedBy({ signal, deadlineMs }: OperationContext): {
  readonly happened: Promise<never>
  forget(): void
} {
  let forget: () => void = () => undefined
  const happened = new Promise<never>((_resolve, reject) => {
    const kill = () => reject(wasKilled(signal))
    signal.addEventListener('abort', kill)
    const timer =
      deadlineMs === undefined
        ? undefined
        : setTimeout(() => reject(wasLate()), Math.max(0, deadlineMs - Date.now()))
    forget = () => {
      signal.removeEventListener('abort', kill)
      clearTimeout(timer)
    }
    if (signal.aborted) kill()
  })
  happened.catch(() => undefined)
  return { happened, forget: () => forget() }
}
