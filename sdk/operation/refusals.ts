// Refusals: what untrusted input may get wrong, as values of one table per package.
import type { FieldFault } from '../http/error-body.ts'

/** One row of a table of refusals. */
export interface RefusalRow {
  /** From 400. */
  readonly status: number
  /** What is wrong, as a sentence. An answer may be more exact. */
  readonly message: string
  /** What to do about it, as a sentence. */
  readonly fix: string
  /** `error` is the sentence word for word, where the document of an API says so. `code` is the word. */
  readonly isVerbatim?: true
}

/** Refusals by their word: snake_case, as clients read it in `error`. */
export type RefusalTable = Readonly<Record<string, RefusalRow>>

/** A call that is refused: returned by `run`, mapped to the wire by the operation's `errors`. */
export interface Refused<Word extends string = string> {
  readonly ok: false
  readonly code: Word
  /** More exact than the sentence of the table. */
  readonly message?: string
  /** More exact than the remedy of the table. */
  readonly fix?: string
  readonly fields?: readonly FieldFault[]
  /** Sent as Retry-After, too. */
  readonly retryAfterSeconds?: number
  /** Further fields of the answer, as `expected`; those beside `code` are such fields, too. */
  readonly more?: Readonly<Record<string, unknown>>
}

/** A table with what operations and code take from it. */
export interface Refusals<T extends RefusalTable> {
  readonly table: T
  /** Some rows, for the `errors` of an operation. */
  only<Word extends keyof T & string>(...words: readonly Word[]): Pick<T, Word>
  /** A refusal by its word. */
  refuse<Word extends keyof T & string>(
    word: Word,
    parts?: Omit<Refused, 'ok' | 'code'>
  ): Refused<Word>
}

/**
 * Makes the refusals of a package.
 *
 * @example
 * export const refusals = defineRefusals({
 *   not_found: { status: 404, message: 'It was not found.', fix: 'Use an id that a list answered.' }
 * })
 * errors: refusals.only('not_found')
 * return refusals.refuse('not_found', { message: 'The template was not found.' })
 */
export function defineRefusals<const T extends RefusalTable>(table: T): Refusals<T> {
  return Object.freeze({
    table,
    only: <Word extends keyof T & string>(...words: readonly Word[]) =>
      Object.fromEntries(words.map((word) => [word, table[word]])) as Pick<T, Word>,
    refuse: <Word extends keyof T & string>(
      word: Word,
      parts: Omit<Refused, 'ok' | 'code'> = {}
    ): Refused<Word> => ({ ok: false, code: word, ...parts })
  })
}

/** Whether a value that `run` returned is a refusal. */
export function isRefused(value: unknown): value is Refused {
  if (typeof value !== 'object' || value === null) return false
  const { ok, code } = value as { readonly ok?: unknown; readonly code?: unknown }
  return ok === false && typeof code === 'string'
}
