// What callers get when something is refused: the word, its status, and what to do next.
import { ADMIN_REFUSALS } from './admin-refusals.ts'
import { REFUSALS, type RefusalRow } from './refusals.ts'

/** A word of the table. */
export type RefusalCode = keyof typeof REFUSALS

/** A refusal of an operation. */
export interface Refusal {
  readonly ok: false
  readonly error: string
  readonly status: number
  readonly message: string
  readonly fix: string
  /** Further fields of the answer. */
  readonly more?: object
}

/** A refusal by its word. `message` is more exact than that of the table. */
export function refused(
  error: RefusalCode,
  { message, more }: { readonly message?: string; readonly more?: object } = {}
): Refusal {
  const row: RefusalRow = REFUSALS[error]
  const made = { ok: false, error, ...row, message: message ?? row.message } as const
  return more === undefined ? made : { ...made, more }
}

const KNOWN: Readonly<Record<string, RefusalRow>> = { ...ADMIN_REFUSALS, ...REFUSALS }

/** A refusal whose word comes from elsewhere: a gate, an operation of the mailer. `fix`: its own remedy. */
export function refusedAs(
  error: string,
  message: string,
  { status, more, fix }: { readonly status: number; readonly more?: object; readonly fix?: string }
): Refusal {
  const row = Object.hasOwn(KNOWN, error) ? KNOWN[error] : undefined
  const made = {
    ok: false,
    error,
    status: row?.status ?? status,
    message: message || (row?.message ?? 'The request was refused.'),
    fix: row?.fix ?? fix ?? 'Correct what the message names, then try again.'
  } as const
  return more === undefined ? made : { ...made, more }
}
