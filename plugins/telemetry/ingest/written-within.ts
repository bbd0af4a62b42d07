// Waits for a write, but not longer than its sender does.
import { within } from '@keelson/sdk'
import { errors } from '../errors.ts'

/**
 * The result of a write, or TEL_WRITE_FAILED when it takes longer than `ms`. The write goes on: sending
 * the same records again does no harm.
 */
export function writtenWithin<T>(write: Promise<T>, ms: number): Promise<T> {
  const overdue = () => errors.TEL_WRITE_FAILED({ reason: `it took longer than ${ms} ms` })
  return within(write, { deadline: { ms, overdue } })
}
