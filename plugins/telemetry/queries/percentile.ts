// Percentiles of values that were read.

/** Of sorted values, linear between neighbours. `rank`: 0.5 for the median. Pure. */
export function percentileOf(sorted: Float64Array, rank: number): number {
  const place = (sorted.length - 1) * rank
  const low = sorted[Math.floor(place)] ?? 0
  const high = sorted[Math.ceil(place)] ?? low
  return low + (high - low) * (place - Math.floor(place))
}

/**
 * As `percentileOf`, of values in any order, which it moves: a sort of all would cost more. `turns`: how often values
 * are divided at most. Pure but for that.
 */
export function percentileIn(
  values: Float64Array,
  rank: number,
  turns = 2 * Math.log2(values.length)
): number {
  const place = (values.length - 1) * rank
  const below = Math.floor(place)
  const low = moveToPlace(values, below, turns)
  if (place === below) return low
  let high = Infinity
  for (let at = below + 1; at < values.length; at++) high = Math.min(high, values[at] as number)
  return low + (high - low) * (place - below)
}

/** Fewer are sorted. */
const FEW = 16

/**
 * The value that has a place in order; lesser ones are before it then, and greater ones after it (C. A. R. Hoare,
 * "Find"). Values that divide badly are sorted after a bounded number of divisions.
 */
function moveToPlace(values: Float64Array, place: number, turns: number): number {
  let [low, high] = [0, values.length - 1]
  for (let turn = 0; turn < turns && high - low > FEW; turn++) {
    const [before, after] = divide(values, low, high)
    if (place <= before) high = before
    else if (place >= after) low = after
    else return values[place] as number
  }
  values.subarray(low, high + 1).sort()
  return values[place] as number
}

/** Where the lesser values end and the greater ones begin; what is between is equal. */
function divide(values: Float64Array, low: number, high: number): readonly [number, number] {
  const first = values[low] as number
  const middle = values[(low + high) >> 1] as number
  const last = values[high] as number
  const pivot = Math.max(Math.min(first, middle), Math.min(Math.max(first, middle), last))
  let [up, down] = [low, high]
  while (up <= down) {
    while ((values[up] as number) < pivot) up++
    while ((values[down] as number) > pivot) down--
    if (up > down) break
    const value = values[up] as number
    values[up++] = values[down] as number
    values[down--] = value
  }
  return [down, up]
}

/** The finite numbers of all lists together, in order. Lists of doubles are not changed. Pure. */
export const sortedNumbers = (lists: readonly ArrayLike<unknown>[]): Float64Array =>
  finiteNumbers(lists).sort()

/** As `sortedNumbers`, in any order. */
export function finiteNumbers(lists: readonly ArrayLike<unknown>[]): Float64Array {
  const all = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const list of lists) {
    all.set(list instanceof Float64Array ? list : Float64Array.from(list, Number), at)
    at += list.length
  }
  let count = 0
  for (const value of all) if (Number.isFinite(value)) all[count++] = value
  return all.subarray(0, count)
}
