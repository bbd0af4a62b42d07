// Where a text mentions an erased subject: by its ref, or by its id when that can be nothing else.

import { idOf, type Pseudonyms } from './pseudonym.ts'

/** Ids shorter than this are ordinary words and numbers: only the whole text or the ref is a mention. */
const TELLING_LENGTH = 4
/** Not an ordinary word: what names it is about the subject, and not about all who have the same plan or page. */
export const UNMISTAKABLE = /@|(?=.*\d).{12}/
/** Refs of one pattern: servers take patterns of 32 kB. */
const REFS_A_PATTERN = 50

const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
const inJson = (text: string) => JSON.stringify(text).slice(1, -1)
const bounded = (words: readonly string[]) =>
  words.map((word) => `(?<![A-Za-z0-9])${word}(?![A-Za-z0-9])`).join('|')

/** What mentions a ref in a record that is about it. */
export function mentionOf(ref: string): RegExp {
  const id = idOf(ref)
  const words = [escapeRegExp(ref), `^${escapeRegExp(id)}$`]
  if (id.length >= TELLING_LENGTH) words.push(escapeRegExp(id))
  return new RegExp(bounded(words), 'i')
}

/** Words that mention a ref wherever they stand. */
function wordsOf(ref: string): readonly string[] {
  const id = idOf(ref)
  return UNMISTAKABLE.test(id) ? [ref, id] : [ref]
}

/** Mentions in texts that people wrote: names, filters, rules. */
export interface Mentions {
  /** The text with each mention replaced by the pseudonym. */
  replaceIn(text: string): string
  /** A JSON text with the mentions in its texts and keys replaced. */
  replaceInJson(json: string): string
  /** Patterns that find them, for filters of a database. */
  readonly patterns: readonly string[]
}

export function mentionsOf(pseudonyms: Pseudonyms): Mentions {
  const replacements = [...pseudonyms].map(([ref, pseudonym]) => ({
    pattern: new RegExp(bounded(wordsOf(ref).map(escapeRegExp)), 'gi'),
    pseudonym
  }))
  const replaceIn = (text: string) =>
    replacements.reduce((left, { pattern, pseudonym }) => left.replace(pattern, pseudonym), text)
  return {
    replaceIn,
    replaceInJson: (json) => JSON.stringify(mapTexts(JSON.parse(json), replaceIn)),
    patterns: patternsOf([...pseudonyms.keys()].flatMap(wordsOf))
  }
}

/** Patterns for filters of a database: of texts, as they are and as JSON writes them. */
export function patternsOf(words: readonly string[]): readonly string[] {
  const all = [...new Set(words.flatMap((word) => [word, inJson(word)]))]
  const patterns: string[] = []
  for (let from = 0; from < all.length; from += REFS_A_PATTERN) {
    const some = all.slice(from, from + REFS_A_PATTERN).map(escapeRegExp)
    patterns.push(`(?<![A-Za-z0-9])(?:${some.join('|')})(?![A-Za-z0-9])`)
  }
  return patterns
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [change(key), mapTexts(one, change)])
  )
}
