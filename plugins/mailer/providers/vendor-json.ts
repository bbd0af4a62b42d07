// Reads JSON of vendors, which may hold anything: a value of the wrong type is one that is missing.

/** The JSON of a request body; undefined when it is none. */
export function parsed(rawBody: Buffer): unknown {
  try {
    return JSON.parse(rawBody.toString('utf8'))
  } catch {
    return undefined
  }
}

/** An object; anything else has no members. */
export function members(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}

/** A list; anything else is empty. */
export const items = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A text that says something, cut at 2,000 characters. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, 2000) : undefined
}

/** An id: a text of at most 500 characters, or a whole number. */
export function id(value: unknown): string | undefined {
  if (Number.isSafeInteger(value)) return String(value)
  return typeof value === 'string' && value !== '' && value.length <= 500 ? value : undefined
}

/** A time as text, as ISO 8601. */
export const time = (value: unknown): Date | undefined =>
  typeof value === 'string' ? validTime(Date.parse(value)) : undefined

/** A time in seconds since 1970. */
export const unixTime = (value: unknown): Date | undefined =>
  typeof value === 'number' ? validTime(value * 1000) : undefined

function validTime(ms: number): Date | undefined {
  const date = new Date(ms)
  const year = date.getUTCFullYear()
  return year >= 2000 && year < 2100 ? date : undefined
}
