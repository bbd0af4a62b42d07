// Why an operation on programs was refused: a value that the admin API maps to its wire.
import type { ProgramIssue } from './lint-program.ts'

/** Why an operation was refused. Nothing was changed. */
export interface ProgramRefusal {
  readonly ok: false
  readonly code:
    | 'not_found'
    | 'slug_taken'
    | 'draft_conflict'
    | 'validation_failed'
    | 'no_draft'
    | 'invalid_program'
    | 'not_published'
    | 'run_not_active'
    | 'run_busy'
    | 'already_entered'
  /** One sentence for people. */
  readonly message: string
  /** Of `invalid_program`. */
  readonly issues?: readonly ProgramIssue[]
}

/** Makes a refusal. */
export const refused = (
  code: ProgramRefusal['code'],
  message: string,
  issues?: readonly ProgramIssue[]
): ProgramRefusal => ({ ok: false, code, message, ...(issues && { issues }) })

/** The refusal of a slug that is unknown. */
export const unknownProgram = (slug: string): ProgramRefusal =>
  refused('not_found', `There is no program ${slug}.`)
