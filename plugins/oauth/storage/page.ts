// The bounds of a list: 50 rows by default, 200 at most.

export interface PageOptions {
  /** Default 50, at most 200. */
  readonly limit?: number
  readonly skip?: number
}

const MAX_SKIP = 100_000

export function pageOf(
  { limit, skip }: PageOptions,
  { usual, most }: { readonly usual: number; readonly most: number } = { usual: 50, most: 200 }
): { readonly limit: number; readonly skip: number } {
  return { limit: within(limit, usual, 1, most), skip: within(skip, 0, 0, MAX_SKIP) }
}

function within(value: unknown, usual: number, least: number, most: number): number {
  const number = value === undefined ? usual : Number(value)
  if (!Number.isFinite(number)) return usual
  return Math.min(most, Math.max(least, Math.trunc(number)))
}
