// What the dashboard refuses, and what a caller reads of an error that the store throws.
import { defineRefusals, KeelsonError, type Refused, refusalOf } from '@keelson/sdk'
import { unfinishedRead } from '@keelson/telemetry'
import type { FastifyBaseLogger } from 'fastify'

/** `error` of an invalid request is its sentence: the document of the API says so. */
export const dashboardRefusals = defineRefusals({
  validation_failed: {
    status: 400,
    message: 'The request is invalid.',
    fix: 'Correct what the message names.',
    isVerbatim: true
  },
  not_found: {
    status: 404,
    message: 'It was not found.',
    fix: 'Use an id that a list answered.',
    isVerbatim: true
  },
  unavailable: {
    status: 503,
    message: 'The server cannot do this now.',
    fix: 'Try again later.',
    isVerbatim: true
  },
  read_unfinished: {
    status: 422,
    message: 'This read cannot be finished.',
    fix: 'Narrow the range or add a filter.',
    isVerbatim: true
  },
  internal_error: {
    status: 500,
    message: 'The request failed inside the server.',
    fix: 'Try again; the log of the server says what went wrong.'
  }
})

/** A request that cannot be answered as asked. */
export type Invalid = Refused<'validation_failed'>

export const invalid = (message: string): Invalid =>
  dashboardRefusals.refuse('validation_failed', { message })

const WORDS: ReadonlyMap<number, string> = new Map([
  [400, 'validation_failed'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [422, 'read_unfinished'],
  [429, 'unavailable'],
  [503, 'unavailable']
])

/** The status that an error was given for the caller; 500 for any other error. */
export function statusOf(error: unknown): number {
  const { status, statusCode } = (error ?? {}) as { status?: unknown; statusCode?: unknown }
  const given = error instanceof Error ? (status ?? statusCode) : undefined
  const isFailure = typeof given === 'number' && Number.isInteger(given) && given >= 400
  return isFailure && given <= 599 ? given : 500
}

/** An error with a status is answered in its words; of any other the text stays in the log. */
export function refusalOfThrown(thrown: unknown, log: FastifyBaseLogger): Refused {
  const error = unfinishedRead(thrown)
  const status = statusOf(error)
  if (status === 500) {
    log.error({ err: error }, 'a dashboard request failed')
    return dashboardRefusals.refuse('internal_error')
  }
  const code = WORDS.get(status)
  if (code === undefined) throw error
  return refusalOf(error) ?? { ok: false, code, ...sentencesOf(error as Error) }
}

function sentencesOf(error: Error): Pick<Refused, 'message' | 'fix' | 'more'> {
  if (!KeelsonError.is(error)) return { message: error.message }
  const { message, remedy: fix, code } = error
  return { message: message.replace(fix, '').trim(), fix, more: { code } }
}
