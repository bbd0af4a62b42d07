// Why an operation on programs was refused: a value that the admin API maps to its wire.
import type { ProgramIssue } from './lint-program.ts'

/** Codes of refusals. */
export type ProgramRefusalCode =
  | 'not_found'
  | 'slug_taken'
  | 'conflict'
  | 'draft_conflict'
  | 'no_draft'
  | 'invalid_program'
  | 'not_published'
  | 'already_entered'

/** Why an operation was refused. Nothing was changed. */
export interface ProgramRefusal<Code extends ProgramRefusalCode = ProgramRefusalCode> {
  readonly ok: false
  readonly code: Code
  /** One sentence for people. */
  readonly message: string
  /** Of `invalid_program`. */
  readonly issues?: readonly ProgramIssue[]
}

/** Makes a refusal. */
export const refused = <Code extends ProgramRefusalCode>(
  code: Code,
  message: string,
  issues?: readonly ProgramIssue[]
): ProgramRefusal<Code> => ({ ok: false, code, message, ...(issues && { issues }) })
