// The times that a filter leaves in, as far as they can be read off it. Pure.
import type { Document } from 'mongodb'

/** Times of rows, half-open; without bounds all. */
export interface TimeBounds {
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** Every row that fits is within. */
export function timesOf({ occurredAt, $or }: Document): TimeBounds {
  if (typeof occurredAt === 'object' && occurredAt !== null) {
    const { $gte, $gt, $lt, $lte } = occurredAt as Readonly<Record<string, Date | undefined>>
    return { from: timeOf($gte ?? $gt), to: timeOf($lt) ?? afterOf(timeOf($lte)) }
  }
  if (!Array.isArray($or) || $or.length === 0) return {}
  const each = ($or as Document[]).map(timesOf)
  return {
    from: boundOf(
      each.map(({ from }) => from),
      Math.min
    ),
    to: boundOf(
      each.map(({ to }) => to),
      Math.max
    )
  }
}

const timeOf = (date: Date | undefined): number | undefined => date?.getTime()
const afterOf = (at: number | undefined): number | undefined => (at === undefined ? at : at + 1)

/** Without a bound when one of them has none. */
function boundOf(
  bounds: readonly (number | undefined)[],
  pick: (...values: number[]) => number
): number | undefined {
  const known = bounds.filter((one) => one !== undefined)
  return known.length < bounds.length ? undefined : pick(...known)
}
