// What stands in place of an erased subject: stable for one ref, and not to be turned back.
import { createHmac } from 'node:crypto'

/** Erased refs to their replacements. */
export type Pseudonyms = ReadonlyMap<string, string>

const DIGITS = 16

/** `<type>:redacted_<16 hex>`. */
export function pseudonymOf(ref: string, pepper: string): string {
  const type = ref.slice(0, ref.indexOf(':'))
  const hash = createHmac('sha256', pepper).update(ref).digest('hex').slice(0, DIGITS)
  return `${type}:redacted_${hash}`
}

/** The id part of a ref. */
export const idOf = (ref: string): string => ref.slice(ref.indexOf(':') + 1)
