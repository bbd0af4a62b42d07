// The code that a person types from a device: letters that are hard to confuse, and no words (RFC 8628 §6.1). Pure.
import { randomInt } from 'node:crypto'

const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8

/** Eight letters, of some 34 bits: with the limits on tries, enough for ten minutes. */
export const newUserCode = (): string =>
  Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')

/** As it is shown: `BCDF-GHJK`. */
export const shownUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** What was typed as a code; undefined for text that cannot be one. */
export function readUserCode(typed: string): string | undefined {
  if (typed.length > 40) return undefined
  const code = typed.toUpperCase().replace(/[^A-Z]/g, '')
  return code.length === LENGTH && [...code].every((letter) => LETTERS.includes(letter))
    ? code
    : undefined
}
