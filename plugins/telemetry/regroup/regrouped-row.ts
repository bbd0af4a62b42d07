// The row of an error as the rule of today groups it. Pure.
import { readError } from '../envelope/read-parts.ts'
import { framesOf } from '../envelope/stack-frames.ts'
import type { StoredRow } from '../envelope/stored-row.ts'

/** Those that were made here; others were named by who sent the error, and stay. */
const MADE_HERE = /^[0-9a-f]{16}$/
/** Keeps its stack trace as text, which may be of a language that was not read when it came. */
const KEEPS_STACK = 'otlp.exception'

/** Undefined where the issue stays the same, and for errors of erased people, whose frames are gone. */
export function regroupedRow(row: StoredRow): StoredRow | undefined {
  const { error, redactedAt, name, body } = row
  if (error === undefined || redactedAt !== undefined) return undefined
  if (!MADE_HERE.test(error.fingerprint ?? '')) return undefined
  const stack = name === KEEPS_STACK ? (body ?? '') : ''
  const frames = error.frames ?? framesOf(stack)
  const read = readError({ type: error.type, message: error.message, frames })
  if (!read.ok || read.value.fingerprint === error.fingerprint) return undefined
  const { fingerprint, frames: kept } = read.value
  return {
    ...row,
    error: {
      ...error,
      ...(fingerprint !== undefined && { fingerprint }),
      ...(kept !== undefined && { frames: kept })
    }
  }
}
