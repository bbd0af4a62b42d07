// The body of an error answer: error, message, fix, docs.
import { errorBody } from '@keelson/sdk'
import { docsOf } from './error-docs.ts'
import { type Refusal, refusedAs } from './refusal.ts'

/** The body of a refusal. */
export function errorAnswer({ error, message, fix, more }: Refusal, mount: string): object {
  return errorBody({ error, message, fix }, { ...more, docs: docsOf(mount, error) })
}

/** Adds what an answer of the admin API lacks. Other payloads stay. */
export function withFix(payload: unknown, status: number, mount: string): unknown {
  const {
    error,
    message = '',
    fix
  } = payload as {
    readonly error?: unknown
    readonly message?: string
    readonly fix?: string
  }
  if (typeof error !== 'string') return payload
  const remedy = fix ?? refusedAs(error, message, { status }).fix
  return { ...(payload as object), fix: remedy, docs: docsOf(mount, error) }
}
