// Answers errors that are not refusals of an operation: from a parser, a plugin, or a failure.
import { KeelsonError, refusalOf } from '@keelson/sdk'
import type { FastifyBaseLogger } from 'fastify'
import { type ErrorAnswer, errorAnswer, foreignAnswer } from './error-answer.ts'
import type { ErrorDocs } from './error-docs.ts'
import { refusals } from './refusals.ts'

/** Faults of the caller are refusals; everything else is one refusal, and a line of the log. */
export function faultAnswer(error: unknown, log: FastifyBaseLogger, docs: ErrorDocs): ErrorAnswer {
  const fault = refusalOf(error)
  if (fault?.code === 'validation_failed') {
    return errorAnswer(refusals.refuse('validation_failed', fault), docs)
  }
  const { statusCode = 500, message = '' } = error as { statusCode?: number; message?: string }
  if (statusCode < 400 || statusCode >= 500) {
    log.error({ err: error }, 'agent: an operation failed')
    return errorAnswer(refusals.refuse('internal_error'), docs)
  }
  if (statusCode === 400)
    return errorAnswer(refusals.refuse('validation_failed', { message }), docs)
  const known = KeelsonError.is(error) ? error : undefined
  const fix = known?.remedy ?? refusals.table.request_refused.fix
  const code = known?.code ?? 'request_refused'
  return foreignAnswer({ code, message, fix, status: statusCode }, docs)
}
