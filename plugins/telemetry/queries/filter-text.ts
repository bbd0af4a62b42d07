// Filters as the text of an address: `attrs=key:value,key:value`, `metrics=key>1,key<2`.
import type { MetricFilter } from '../schemas/filters.ts'

/**
 * Splits a comma list. `\,` is a comma that belongs to its part; before a comma or the end, `\\` is one
 * backslash. Any other backslash is itself.
 */
export function splitTerms(text: string): readonly string[] {
  const parts: string[] = []
  let part = ''
  for (const { 0: piece, 1: slashes = '', 2: comma, index } of text.matchAll(PIECES)) {
    const isLast = index + piece.length === text.length
    const isEscape = slashes !== '' && (comma !== undefined || isLast)
    const isOdd = slashes.length % 2 === 1
    if (isEscape) part += '\\'.repeat(slashes.length >> 1) + (isOdd ? (comma ?? '\\') : '')
    else if (piece !== ',') part += piece
    if (piece === ',' || (comma !== undefined && !isOdd)) {
      parts.push(part)
      part = ''
    }
  }
  return [...parts, part].filter((one) => one.trim() !== '')
}

const PIECES = /[^\\,]+|(\\+)(,)?|,/g

/** Key and value of `key:value`; the first colon splits. Undefined for anything else. */
export function parsePair(term: string): readonly [key: string, value: string] | undefined {
  const colon = term.indexOf(':')
  const key = term.slice(0, colon).trim()
  if (colon < 0 || key === '' || key.includes('\0')) return undefined
  return [key, term.slice(colon + 1)]
}

const METRIC_TERM = /^([\w.]+)([<>])(-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?)$/

/** A bound; both ends are inclusive. Undefined for anything else: such a term is ignored. */
export function parseMetricTerm(term: string): MetricFilter | undefined {
  const match = METRIC_TERM.exec(term.trim())
  if (match === null) return undefined
  const [, key = '', sign, number] = match
  const value = Number(number)
  if (!Number.isFinite(value)) return undefined
  return { key, op: sign === '>' ? 'gte' : 'lte', value }
}
