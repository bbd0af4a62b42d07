// Fields of JSON that a service sent: what has not the expected type counts as missing.

export type Fields = Readonly<Record<string, unknown>>

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, 256) : null

/** A share from 0 to 1. */
export function ratioOf(value: unknown): number | null {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && number >= 0 && number <= 1 ? number : null
}

/** `YYYY-MM-DD` of a day that exists; null for anything else. */
export function dateOf(year: unknown, month: unknown, day: unknown): string | null {
  const parts = [year, month, day].map(Number)
  const [y = 0, m = 0, d = 0] = parts
  if (!parts.every(Number.isInteger) || y < 2000 || y > 9999) return null
  const date = new Date(Date.UTC(y, m - 1, d))
  if (date.getUTCMonth() !== m - 1 || date.getUTCDate() !== d) return null
  return date.toISOString().slice(0, 10)
}
