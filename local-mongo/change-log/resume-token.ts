// Where a change stream goes on: a place in the log, and which log.
import { type Doc, isDoc, type Value } from '../bson/value.ts'
import { type CommandError, commandError } from '../errors.ts'

/** A place in the log: after the event of this number. */
export interface Place {
  /** 16 hexadecimal digits that name the log. */
  readonly log: string
  readonly number: number
  /** True for the token of `invalidate`. */
  readonly isInvalidate: boolean
}

const FORM = /^82([0-9A-F]{16})([0-9A-F]{16})(00|01)$/

function hex(number: number): string {
  return number.toString(16).toUpperCase().padStart(16, '0')
}

/** The token of a place; tokens of one log are ordered as texts. */
export function tokenOf({ log, number, isInvalidate }: Place): Doc {
  return new Map([['_data', `82${log}${hex(number)}${isInvalidate ? '01' : '00'}`]])
}

function invalidToken(): CommandError {
  return commandError(
    'InvalidResumeToken',
    'Invalid resume token: it was not made by this database'
  )
}

/** Fails with InvalidResumeToken (260), TypeMismatch (14) or, for another log, ChangeStreamHistoryLost (286). */
export function placeOf(token: Value, log: string): Place {
  if (!isDoc(token)) throw commandError('TypeMismatch', 'A resume token must be an object')
  const data = token.get('_data')
  const found = typeof data === 'string' ? FORM.exec(data) : null
  if (found === null) throw invalidToken()
  const [, own = '', digits = '', kind] = found
  if (own !== log) throw historyLost()
  return { log, number: Number.parseInt(digits, 16), isInvalidate: kind === '01' }
}

/** The log no longer has what the stream asks for. */
export function historyLost(): CommandError {
  return commandError(
    'ChangeStreamHistoryLost',
    'Resume of change stream was not possible, as the resume point may no longer be in the log.',
    { labels: ['NonResumableChangeStreamError'] }
  )
}
