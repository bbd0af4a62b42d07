// What an error means to the person who looks at it.
import type { MessageValues } from '../../locales/catalog.ts'

/** An answer of the server that says no, as `KeelsonPage.json` throws it. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly status: number
  /** The `error` of the body: `forbidden`, `bad_cursor`, … */
  readonly code: string | undefined
  /** The rest of the body. */
  readonly detail: Readonly<Record<string, unknown>>

  constructor(status: number, body: unknown) {
    const detail = typeof body === 'object' && body !== null ? body : {}
    const { error, message } = detail as { error?: unknown; message?: unknown }
    super(typeof message === 'string' ? message : `${status}`)
    this.status = status
    this.code = typeof error === 'string' ? error : undefined
    this.detail = detail as Record<string, unknown>
  }
}

const BY_STATUS: Readonly<Record<number, string>> = {
  401: 'error.unauthenticated',
  403: 'error.forbidden',
  404: 'error.notFound',
  429: 'error.tooMany',
  503: 'error.unavailable'
}

/** One sentence for a person. The words of the server win when it gave any. */
export function errorText(
  error: unknown,
  t: (key: string, values?: MessageValues) => string
): string {
  if (isRequestError(error)) {
    if (error.message !== String(error.status)) return error.message
    const key = BY_STATUS[error.status]
    return key === undefined ? t('error.status', { status: String(error.status) }) : t(key)
  }
  // What fetch throws when there is no answer at all.
  if (error instanceof TypeError && /fetch|network|load failed/i.test(error.message)) {
    return t('error.offline')
  }
  return error instanceof Error ? error.message : String(error)
}

/** By shape, so that it works across copies of this package. */
function isRequestError(error: unknown): error is RequestError {
  return error instanceof Error && error.name === 'RequestError' && 'status' in error
}
