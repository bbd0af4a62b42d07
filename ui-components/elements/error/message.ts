// What an error means to the person who looks at it.
import type { MessageValues } from '../../locales/catalog.ts'

/** One field of a form that the server refused. */
export interface FieldError {
  /** Where the field is in what was sent: `redirectUris`, `steps.2.value`. */
  readonly path: string
  readonly message: string
}

/**
 * An answer of the server that is not 2xx, as `KeelsonPage.json` throws it.
 *
 * It reads the platform's error body `{error, code, message, fix?, fields?}`, and bodies of standards
 * (`error_description`) and older APIs (a sentence in `error`).
 */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  /** The HTTP status. */
  readonly status: number
  /** The `error` of the body, a word: `forbidden`, `bad_cursor`; undefined when there is none. */
  readonly code: string | undefined
  /** What to do about it, in the words of the server. */
  readonly fix: string | undefined
  /** The fields that were refused. */
  readonly fields: readonly FieldError[]
  /** The whole body. */
  readonly detail: Readonly<Record<string, unknown>>
  /** Where to sign in, on a 401 whose host gives an address. */
  signIn: string | undefined

  constructor(status: number, body: unknown) {
    const detail: Record<string, unknown> =
      typeof body === 'object' && body !== null ? { ...body } : {}
    const word = textOf(detail['error'])
    const isSentence = word?.includes(' ') === true
    const message = textOf(detail['message']) ?? textOf(detail['error_description'])
    super(message ?? (isSentence ? word : `${status}`))
    this.status = status
    this.code = isSentence ? textOf(detail['code']) : (word ?? textOf(detail['code']))
    this.fix = textOf(detail['fix'])
    this.fields = fieldsOf(detail['fields'])
    this.detail = detail
  }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

function fieldsOf(value: unknown): readonly FieldError[] {
  if (!Array.isArray(value)) return []
  return value.filter(
    (field): field is FieldError =>
      typeof field?.path === 'string' && typeof field.message === 'string'
  )
}

/** The server of another origin did not answer, or its answer may not be read here. */
export class BlockedError extends Error {
  override readonly name = 'BlockedError'
  /** The origin that was called. */
  readonly server: string
  /** The origin of this document. */
  readonly origin: string

  constructor(server: string, origin: string, cause: unknown) {
    super(`${server} cannot be reached from ${origin}`, { cause })
    this.server = server
    this.origin = origin
  }
}

const BY_STATUS: Readonly<Record<number, string>> = {
  401: 'error.unauthenticated',
  403: 'error.forbidden',
  404: 'error.notFound',
  429: 'error.tooMany',
  503: 'error.unavailable'
}

/**
 * One or two sentences for a person: those of the language for the code of the error, `code.<code>`, else the words of
 * the server, which are English. On 401 they are of the language.
 */
export function errorText(
  error: unknown,
  t: (key: string, values?: MessageValues) => string
): string {
  if (isNamed<RequestError>(error, 'RequestError')) return requestText(error, t)
  if (isNamed<BlockedError>(error, 'BlockedError')) {
    return t('error.blocked', { server: error.server, origin: error.origin })
  }
  // What fetch throws when there is no answer at all.
  if (error instanceof TypeError && /fetch|network|load failed/i.test(error.message)) {
    return t('error.offline')
  }
  return error instanceof Error ? error.message : String(error)
}

function requestText(error: RequestError, t: (key: string, values?: MessageValues) => string) {
  const { status, code, message, fix } = error
  const key = BY_STATUS[status]
  if (status === 401 && key !== undefined) return t(key)
  const words = t(`code.${code}`, { message })
  if (words !== `code.${code}`) return words
  if (message !== String(status)) return fix === undefined ? message : `${message} ${fix}`
  return key === undefined ? t('error.status', { status: String(status) }) : t(key)
}

/** By name, so that it works across copies of this package. */
function isNamed<T extends Error>(error: unknown, name: T['name']): error is T {
  return error instanceof Error && error.name === name
}
