// Percentiles of values that were read.

/** Of sorted values, linear between neighbours. `rank`: 0.5 for the median. Pure. */
export function percentileOf(sorted: Float64Array, rank: number): number {
  const place = (sorted.length - 1) * rank
  const low = sorted[Math.floor(place)] ?? 0
  const high = sorted[Math.ceil(place)] ?? low
  return low + (high - low) * (place - Math.floor(place))
}

/** The finite numbers of all lists together, in order. Lists of doubles are not changed. Pure. */
export function sortedNumbers(lists: readonly ArrayLike<unknown>[]): Float64Array {
  const all = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const list of lists) {
    all.set(list instanceof Float64Array ? list : Float64Array.from(list, Number), at)
    at += list.length
  }
  const sorted = all.sort()
  // Infinite ones are at both ends, and what is no number after them.
  let first = 0
  while (sorted[first] === Number.NEGATIVE_INFINITY) first++
  let end = sorted.length
  while (end > first && !Number.isFinite(sorted[end - 1])) end--
  return sorted.subarray(first, end)
}
