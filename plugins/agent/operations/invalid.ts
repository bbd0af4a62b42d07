// Faults of a body that its schema cannot name.
import type { Refused } from '@keelson/sdk'
import { refusals } from '../answers/refusals.ts'

/** A value that does not fit. */
export function invalid(path: string, problem: string): Refused<'validation_failed'> {
  const fields = [{ path, message: problem }]
  return refusals.refuse('validation_failed', { message: `${path} ${problem}.`, fields })
}

/** Whether a text is a time. */
export const isDate = (text: string): boolean => !Number.isNaN(Date.parse(text))
