// Two states of a document as lines of JSON, to compare them. Pure.

/** Keys in one order, so that an unchanged document has no difference. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, part]) => [key, sorted(part)]))
}

/** The lines of a value; none of one that is missing. */
export function jsonLines(value: unknown): readonly string[] {
  return value === undefined || value === null
    ? []
    : JSON.stringify(sorted(value), null, 2).split('\n')
}
