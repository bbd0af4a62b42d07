// The one way errors are born in Keelson: a table of rows per package, and constructors made from it.

/** One row of an error table. `message` and `remedy` may hold `{slots}` that are filled when it is raised. */
export interface ErrorRow {
  /** What happened and where, as one sentence with `{slots}`. */
  readonly message: string
  /** What to do about it, in one line. */
  readonly remedy: string
  /** The HTTP status it is answered with when it reaches the wire. */
  readonly status: number
}

/** An error table: code → row. Codes carry the package's prefix (`KRN_`, `TEL_`, …). */
export type ErrorTable = Readonly<Record<string, ErrorRow>>

/** Values for the slots of a row, and the error that caused this one. */
export interface ErrorDetails {
  readonly [slot: string]: unknown
  readonly cause?: unknown
}

const BRAND = Symbol.for('keelson.error')

/**
 * Every error that Keelson or a plugin raises. The message says what, where and what to do.
 * `KeelsonError.is` works across copies of this package.
 */
export class KeelsonError extends Error {
  override readonly name = 'KeelsonError'
  readonly code: string
  readonly status: number
  /** Read by Fastify's error handling. */
  readonly statusCode: number
  /** The plugin concerned, when there is one. */
  readonly plugin: string | undefined
  readonly remedy: string
  /** The values the message was made from; never holds secrets. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: string, row: ErrorRow, details: ErrorDetails) {
    const { cause, ...slots } = details
    const remedy = fill(row.remedy, slots)
    super(`${fill(row.message, slots)} ${remedy}`, cause === undefined ? {} : { cause })
    this.code = code
    this.status = row.status
    this.statusCode = row.status
    this.remedy = remedy
    this.plugin = typeof slots['plugin'] === 'string' ? slots['plugin'] : undefined
    this.details = slots
    Object.defineProperty(this, BRAND, { value: true })
  }

  static is(value: unknown): value is KeelsonError {
    return typeof value === 'object' && value !== null && BRAND in value
  }
}

function fill(template: string, slots: Readonly<Record<string, unknown>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = slots[name]
    return value === undefined ? whole : String(value)
  })
}

/** Constructors made from a table, one per code: `throw errors.KRN_X({ plugin, path })`. */
export type ErrorConstructors<T extends ErrorTable> = {
  readonly [Code in keyof T]: (details?: ErrorDetails) => KeelsonError
}

/**
 * Makes the constructors of a package's error table.
 *
 * @example
 * export const errors = defineErrors({
 *   DMR_TOO_LARGE: { message: 'The report is {size} bytes.', remedy: 'Split it.', status: 413 }
 * })
 * throw errors.DMR_TOO_LARGE({ size, cause })
 */
export function defineErrors<const T extends ErrorTable>(table: T): ErrorConstructors<T> {
  const made = Object.entries(table).map(([code, row]) => [
    code,
    (details: ErrorDetails = {}) => new KeelsonError(code, row, details)
  ])
  return Object.freeze(Object.fromEntries(made)) as ErrorConstructors<T>
}
