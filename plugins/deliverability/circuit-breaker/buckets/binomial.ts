// How likely a count is by chance alone. Pure.

/** Terms below this share of the sum no longer change it. */
const NEGLIGIBLE = 1e-12

/**
 * The probability of at least `count` events in `tries`, each with probability `rate`: the exact upper tail
 * of the binomial distribution.
 */
export function chanceOfAtLeast(count: number, tries: number, rate: number): number {
  if (count <= 0) return 1
  if (count > tries || rate <= 0) return 0
  if (rate >= 1) return 1
  // Below the mean the terms still grow, and what is asked is whether the count is unlikely.
  if (count <= tries * rate) return 1
  let term = Math.exp(logTerm(count, tries, rate))
  let sum = term
  for (let at = count + 1; at <= tries && term > sum * NEGLIGIBLE; at++) {
    term *= (((tries - at + 1) / at) * rate) / (1 - rate)
    sum += term
  }
  return Math.min(sum, 1)
}

/** The logarithm of the probability of exactly `count` events. */
function logTerm(count: number, tries: number, rate: number): number {
  let log = count * Math.log(rate) + (tries - count) * Math.log1p(-rate)
  for (let at = 1; at <= count; at++) log += Math.log((tries - count + at) / at)
  return log
}
