// The texts a registry may use as names, and the dimensions that are made of them.
import { encodeKey } from '../field-keys.ts'
import type { CompiledDimension } from './types.ts'

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,99}$/
const KEY = /^[A-Za-z0-9_][A-Za-z0-9_./-]{0,99}$/
const TYPE = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/

/** Record fields that a `field:` dimension may start from. */
const FIELD_ROOTS: ReadonlySet<string> = new Set([
  'actor',
  'client',
  'env',
  'error',
  'onBehalfOf',
  'origin',
  'release',
  'service',
  'severity',
  'state',
  'traceId',
  'usage'
])

/** Prefix of names that only this package declares. */
export const BUILTIN_PREFIX = 'otlp.'

/** Event names and family names. `$` is never first: system families and `$identify` have it. */
export const isName = (value: unknown): value is string =>
  typeof value === 'string' && NAME.test(value)

/** Attribute and metric keys. Dots are allowed; storage encodes them. */
export const isKey = (value: unknown): value is string =>
  typeof value === 'string' && KEY.test(value) && value !== '__proto__'

export const isSubjectType = (value: unknown): value is string =>
  typeof value === 'string' && TYPE.test(value)

/** A dimension taken apart, or undefined when the text is none. */
export function parseDimension(text: unknown): CompiledDimension | undefined {
  if (text === 'subject') return { source: 'subject', dimension: text, label: text }
  if (typeof text !== 'string') return undefined
  const rest = text.slice(text.indexOf(':') + 1)
  if (text.startsWith('attr:') && isKey(rest)) {
    return { source: 'attr', dimension: text, label: rest, key: rest, field: encodeKey(rest) }
  }
  if (!text.startsWith('field:') || !isKey(rest)) return undefined
  const path = rest.split('.')
  if (path.length > 3 || !FIELD_ROOTS.has(path[0] ?? '')) return undefined
  return { source: 'field', dimension: text, label: rest, path }
}
