// Strikes secrets out of texts, values and errors.

export const CENSORED = '[secret]'
/** Shorter values would strike out half of every line; they are still struck out by field. */
const MIN_SECRET_LENGTH = 4

/** Replaces every secret in a text: as it is, as it looks inside JSON, and as it looks in an address. */
export function createRedactor(values: readonly string[]): (text: string) => string {
  const distinct = values
    .filter((value) => value.length >= MIN_SECRET_LENGTH)
    .flatMap(formsOf)
    .sort((a, b) => b.length - a.length)
  if (distinct.length === 0) return (text) => text
  const pattern = new RegExp([...new Set(distinct)].map(patternOf).join('|'), 'g')
  return (text) => text.replace(pattern, CENSORED)
}

function formsOf(value: string): string[] {
  const inJson = JSON.stringify(value).slice(1, -1)
  // A lone surrogate cannot be encoded.
  const whole = value.replace(/\p{Surrogate}/gu, '\ufffd')
  return [
    value,
    inJson,
    // JSON inside a text of JSON.
    JSON.stringify(inJson).slice(1, -1),
    encodeURIComponent(whole),
    new URLSearchParams({ value: whole }).toString().slice('value='.length)
  ]
}

/** A number is struck out only by itself: not as a part of a longer one, as of a time. */
function patternOf(form: string): string {
  const isNumber = /^-?\d+(\.\d+)?$/.test(form)
  return isNumber ? `(?<![\\d.])${escapePattern(form)}(?!\\.?\\d)` : escapePattern(form)
}

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The value with every text and number in it redacted, names of fields too. */
export function redactDeep(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value)
  if (typeof value === 'number') return redact(String(value)) === String(value) ? value : CENSORED
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, redact))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, child]) => [
    redact(key),
    redactDeep(child, redact)
  ])
  return Object.fromEntries(entries)
}

/**
 * The error itself, or a copy without secrets where its message, its stack, its details or those of
 * its causes hold one. The copy has the class and the code of the original.
 */
export function redactError(error: unknown, redact: (text: string) => string): unknown {
  if (typeof error === 'string') return redact(error)
  if (!(error instanceof Error)) return error
  const own = Object.getOwnPropertyDescriptors(error)
  let isChanged = false
  for (const [key, descriptor] of Object.entries(own)) {
    // The stack is an accessor in some versions of V8.
    const before: unknown = (error as unknown as Readonly<Record<string, unknown>>)[key]
    const after = redactPart(before, redact)
    if (after === before) continue
    isChanged = true
    own[key as keyof typeof own] = {
      value: after,
      enumerable: descriptor.enumerable === true,
      configurable: true,
      writable: true
    }
  }
  return isChanged ? Object.create(Object.getPrototypeOf(error), own) : error
}

function redactPart(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string' || value instanceof Error) return redactError(value, redact)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => redactPart(item, redact))
    return items.some((item, at) => item !== value[at]) ? items : value
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  const entries = Object.entries(value)
  const changed = entries.map(([key, child]) => [key, redactPart(child, redact)] as const)
  return changed.some(([, child], at) => child !== entries[at]?.[1])
    ? Object.fromEntries(changed)
    : value
}
