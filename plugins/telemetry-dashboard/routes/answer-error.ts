// Decides what the caller is told about something that was thrown.
import type { ApiAnswer } from './route.ts'

/** Statuses below 400 or above 599 are none; 500 never tells its text. */
function statusOf(error: unknown): number {
  const { status, statusCode } = error as { status?: unknown; statusCode?: unknown }
  const given = status ?? statusCode
  return typeof given === 'number' && Number.isInteger(given) && given >= 400 && given <= 599
    ? given
    : 500
}

/** An error with a status is answered with it and its message verbatim, any other as internal_error. */
export function answerError(error: unknown): ApiAnswer {
  if (!(error instanceof Error)) return { status: 500, body: { error: 'internal_error' } }
  const status = statusOf(error)
  return { status, body: { error: status === 500 ? 'internal_error' : error.message } }
}
