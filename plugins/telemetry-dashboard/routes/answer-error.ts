// Decides what the caller sees of something that was thrown.
import { errorBody, KeelsonError } from '@keelson/sdk'
import type { ApiAnswer } from './route.ts'

const INTERNAL: ApiAnswer = {
  status: 500,
  body: errorBody({ error: 'internal_error', message: 'The request failed inside the server.' })
}

/** Statuses below 400 or above 599 count as 500. */
function statusOf(error: Error): number {
  const { status, statusCode } = error as { status?: unknown; statusCode?: unknown }
  const given = status ?? statusCode
  return typeof given === 'number' && Number.isInteger(given) && given >= 400 && given <= 599
    ? given
    : 500
}

const codeOf = (error: Error): string => {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : 'invalid_request'
}

/**
 * An error with a status is answered with it and its message as the word, as the document says. Any other
 * is `internal_error`, and its text stays inside.
 */
export function answerError(error: unknown): ApiAnswer {
  if (!(error instanceof Error)) return INTERNAL
  const status = statusOf(error)
  if (status === 500) return INTERNAL
  const { message } = error
  const fix = KeelsonError.is(error) ? error.remedy : undefined
  return { status, body: errorBody({ error: message, code: codeOf(error), message, fix }) }
}
