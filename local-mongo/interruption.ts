// The errors of an operation that must end before it is done.
import { CommandError, commandError } from './errors.ts'

/** Interrupted (11601), or the error that the signal names: the time limit of a read ends it by its signal, too. */
export function wasKilled({ reason }: AbortSignal): CommandError {
  if (reason instanceof CommandError) return reason
  return commandError('Interrupted', 'operation was interrupted', { cause: reason })
}

/** MaxTimeMSExpired (50). */
export function wasLate(): CommandError {
  return commandError('MaxTimeMSExpired', 'operation exceeded time limit')
}
