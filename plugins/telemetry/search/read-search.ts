// Reads what people search for: words, "quoted texts", `-` before what must not be there, and /expressions/. Pure.
import { textPattern } from './pattern-text.ts'
import { safePattern } from './safe-pattern.ts'

/** Characters of a search. */
export const MAX_SEARCH = 500
const MAX_TERMS = 10

export interface SearchTerm {
  /** As every engine reads it. */
  readonly pattern: string
  /** It must not be there. */
  readonly isNot: boolean
}

export type Search =
  | { readonly ok: true; readonly terms: readonly SearchTerm[] }
  | { readonly ok: false; readonly problem: string }

/** A term: its sign, then an expression, a quoted text that may end with the search, or a word. */
const TERM = /(-?)(?:\/((?:[^/\\]|\\.)+)\/(i?)(?=\s|$)|"((?:[^"\\]|\\.)*)(?:"|$)|(\S+))/gs

/** Every term must hold; none of an empty search. */
export function readSearch(text: string): Search {
  if (text.length > MAX_SEARCH) {
    return { ok: false, problem: `q must have at most ${MAX_SEARCH} characters` }
  }
  const terms: SearchTerm[] = []
  for (const [, sign = '', source, flag, quoted, word] of text.matchAll(TERM)) {
    const isNot = sign === '-'
    if (source !== undefined) {
      const safe = safePattern(source, flag === 'i')
      if (!safe.ok)
        return { ok: false, problem: `q has an expression /${source}/: ${safe.problem}` }
      terms.push({ pattern: safe.pattern, isNot })
      continue
    }
    const wanted = quoted === undefined ? word : quoted.replace(/\\(.)/gs, '$1')
    if (wanted !== undefined && wanted !== '') terms.push({ pattern: textPattern(wanted), isNot })
  }
  return terms.length > MAX_TERMS
    ? { ok: false, problem: `q must have at most ${MAX_TERMS} terms` }
    : { ok: true, terms }
}
