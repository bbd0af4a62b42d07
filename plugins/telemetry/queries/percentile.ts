// Percentiles of values that were read.

/** Of sorted values, linear between neighbours. `rank`: 0.5 for the median. Pure. */
export function percentileOf(sorted: Float64Array, rank: number): number {
  const place = (sorted.length - 1) * rank
  const low = sorted[Math.floor(place)] ?? 0
  const high = sorted[Math.ceil(place)] ?? low
  return low + (high - low) * (place - Math.floor(place))
}
