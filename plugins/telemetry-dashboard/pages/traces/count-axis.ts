// The scale of counts beside the histogram: round numbers at the places where a chart would have them. Pure.

/** Room above the last tick, as charts have it. */
const ROOM = 1.02
/** Ticks above zero, at most. */
const MOST_TICKS = 4

/** The count at the upper edge of the plot. */
export const axisTop = (most: number): number => (countTicks(most).at(-1) ?? 1) * ROOM

/** Counts from zero to the highest or above it, by steps of 1, 2 or 5 and their tens. At a highest count of 1: 0 and 1. */
export function countTicks(most: number): readonly number[] {
  const least = Math.max(1, most) / MOST_TICKS
  const ten = 10 ** Math.floor(Math.log10(least))
  const step = Math.max(1, [1, 2, 5, 10].map((one) => one * ten).find((one) => one >= least) ?? 1)
  return Array.from({ length: Math.ceil(Math.max(1, most) / step) + 1 }, (_, at) => at * step)
}
