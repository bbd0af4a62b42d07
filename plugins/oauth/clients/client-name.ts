// Names that clients are shown by. Pure.

/** Controls, and marks that turn the direction of text: with them a name could pretend to be another. */
const TRICKS = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\u2028\u2029]/u

/** Why a name is refused; undefined when it can be shown. */
export const nameProblem = (name: string): string | undefined =>
  TRICKS.test(name) ? 'must not have control characters or marks of direction' : undefined
