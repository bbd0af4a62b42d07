// The errors of programmers who use this package, in one table, and the error of a verifier that cannot answer.

/** Every error that the options of a protector can cause. */
export const errorTable = {
  PRO_OPTION_INVALID: 'The option {path} {problem}.',
  PRO_SCOPES_INVALID: 'protect() takes an array of scopes, but was called with {problem}.'
} as const

/** An option or a call that is invalid; its message names it. */
export class ProtectError extends TypeError {
  override readonly name = 'ProtectError'
  /** A key of the table. */
  readonly code: keyof typeof errorTable

  constructor(code: keyof typeof errorTable, slots: Readonly<Record<string, string>>) {
    super(errorTable[code].replace(/\{(\w+)\}/g, (_, slot: string) => slots[slot] ?? ''))
    this.code = code
  }
}

/** The authorization server cannot be asked now, so a token is neither valid nor invalid. */
export class VerifierUnavailable extends Error {
  override readonly name = 'VerifierUnavailable'
}
