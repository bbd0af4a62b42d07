// A seeded source of chance (mulberry32): the same seed tells the same story.

export interface Chance {
  /** A number in [0, 1). */
  next(): number
  /** A whole number in [0, below). */
  below(limit: number): number
  /** True with this probability. */
  happens(probability: number): boolean
  /** One of a list, by weight. */
  oneOf<T>(choices: readonly (readonly [T, number])[]): T
  /** Around `middle`, long-tailed as waiting times are; never below a tenth of it. */
  around(middle: number): number
  /** Lower-case hex digits. */
  hex(digits: number): string
}

export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    below: (limit) => Math.floor(next() * limit),
    happens: (probability) => next() < probability,
    oneOf: (choices) => pick(choices, next()),
    around: (middle) => Math.max(middle / 10, -Math.log(1 - next()) * middle * 0.6 + middle * 0.4),
    hex: (digits) =>
      Array.from({ length: digits }, () => Math.floor(next() * 16).toString(16)).join('')
  }
}

function pick<T>(choices: readonly (readonly [T, number])[], at: number): T {
  let left = at * choices.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [choice, weight] of choices) {
    left -= weight
    if (left < 0) return choice
  }
  const last = choices.at(-1)
  if (last === undefined) throw new Error('There is nothing to choose from.')
  return last[0]
}
