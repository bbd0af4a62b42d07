// The answer of a refusal: error, code, message, fix, docs.
import { errorBody, type Refused, refusalAnswer } from '@keelson/sdk'
import { docsOf, type ErrorDocs } from './error-docs.ts'
import { type RefusalCode, refusals } from './refusals.ts'

/** A status and a body. */
export interface ErrorAnswer {
  readonly status: number
  readonly body: object
}

/** The answer of a refusal by its word. */
export function errorAnswer(refused: Refused<RefusalCode>, docs: ErrorDocs): ErrorAnswer {
  const { status, body } = refusalAnswer({ id: 'agent', errors: refusals.table }, refused)
  return { status, body: withDocs(body, docs) as object }
}

/** Adds the link of a refusal, and a remedy where there is none. Other payloads stay. */
export function withDocs(payload: unknown, docs: ErrorDocs): unknown {
  const { error, fix, ...rest } = (payload ?? {}) as {
    readonly error?: unknown
    readonly fix?: string
  }
  if (typeof error !== 'string') return payload
  const remedy = fix ?? docs.byWord.get(error)?.fix ?? UNKNOWN_FIX
  return { error, ...rest, fix: remedy, docs: docsOf(docs, error) }
}

/** The answer of an error that carries its code and status, as plugins throw. */
export function foreignAnswer(
  { code, message, fix, status }: ForeignError,
  docs: ErrorDocs
): ErrorAnswer {
  return { status, body: withDocs(errorBody({ error: code, message, fix }), docs) as object }
}

/** An error that is not of the table. */
export interface ForeignError {
  readonly code: string
  readonly message: string
  readonly fix?: string | undefined
  readonly status: number
}

const UNKNOWN_FIX = 'Correct what the message names, then try again.'
