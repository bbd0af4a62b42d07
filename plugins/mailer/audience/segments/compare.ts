// How fields and event properties are compared with a number or a date. Pure.

/** Comparisons besides equality. */
export const COMPARISONS = ['gt', 'gte', 'lt', 'lte'] as const

/** One of `COMPARISONS`. */
export type Comparison = (typeof COMPARISONS)[number]

/** What is compared with: a number, or a date as ISO text. */
export type Bound = number | string

const HOLDS: Readonly<Record<Comparison, (left: number, right: number) => boolean>> = {
  gt: (left, right) => left > right,
  gte: (left, right) => left >= right,
  lt: (left, right) => left < right,
  lte: (left, right) => left <= right
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}/

/** The time of a date, or of a text that begins with one; undefined for anything else. */
export function timeOfValue(value: unknown): number | undefined {
  if (value instanceof Date) return definedTime(value.getTime())
  return typeof value === 'string' && ISO_DATE.test(value)
    ? definedTime(Date.parse(value))
    : undefined
}

const definedTime = (time: number) => (Number.isNaN(time) ? undefined : time)

/** A number compares with numbers alone, a date with dates: what cannot be compared never holds. */
export function compares(value: unknown, operator: Comparison, bound: Bound): boolean {
  if (typeof bound === 'number') return typeof value === 'number' && HOLDS[operator](value, bound)
  const [left, right] = [timeOfValue(value), timeOfValue(bound)]
  return left !== undefined && right !== undefined && HOLDS[operator](left, right)
}

/** Whether a value is a date of the last days, or of the days to come. */
export function isNear(
  value: unknown,
  { days, direction = 'past' }: { readonly days: number; readonly direction?: 'past' | 'future' },
  now: Date
): boolean {
  const time = timeOfValue(value)
  if (time === undefined) return false
  const ahead = time - now.getTime()
  const age = direction === 'past' ? -ahead : ahead
  return age >= 0 && age <= days * 86_400_000
}
