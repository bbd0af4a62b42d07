// MongoDB's regular expressions as JavaScript's.

export interface CompiledRegex {
  readonly pattern: string
  readonly options: string
  readonly test: (text: string) => boolean
  /** The literal beginning that every match has, when the expression is anchored and case-sensitive. */
  readonly prefix: string | undefined
  /** True when the expression says no more than its prefix (`^abc`). */
  readonly isPrefixOnly: boolean
}
