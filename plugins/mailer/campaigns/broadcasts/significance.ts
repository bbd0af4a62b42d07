// Whether the arms of a split test differ by more than chance. Pure.

/** An arm as it is compared. */
export interface ArmResult {
  readonly name: string
  /** Mails that were handed over. */
  readonly handed: number
  /** Mails of those that a person reacted to. */
  readonly reactions: number
}

/**
 * What the numbers say about the best arm and the next one. `better`: chance alone would make such a difference
 * in less than 5 of 100 tests. `open`: it might be chance. `too_few`: too few mails to say.
 */
export interface Significance {
  readonly verdict: 'better' | 'open' | 'too_few'
  /** The arm with the highest rate. */
  readonly best: string
  /** The arm with the next one. */
  readonly next: string
  /** How often chance alone makes a difference as large; with more than two arms times the others (Bonferroni). */
  readonly pValue: number
  /** Rate of the best less that of the next, from 0 to 1. */
  readonly difference: number
  /** Where the difference is in 95 of 100 tests (Agresti and Caffo). */
  readonly low: number
  readonly high: number
  /** Mails of each arm that tell such a difference apart, 8 of 10 times; null without a difference. */
  readonly needed: number | null
}

const LEVEL = 0.05
/** Below so many expected in any cell of the table the normal distribution is no good approximation. */
const FEWEST = 5

/** Compares the two best arms by a two-sided test of two proportions; undefined with fewer than two arms. */
export function significanceOf(arms: readonly ArmResult[]): Significance | undefined {
  const [best, next] = [...arms].sort((left, right) => rateOf(right) - rateOf(left))
  if (best === undefined || next === undefined) return undefined
  const pValue = Math.min(1, pValueOf(best, next) * (arms.length - 1))
  const names = { best: best.name, next: next.name, pValue, ...differenceOf(best, next) }
  if (fewestExpected(best, next) < FEWEST) return { verdict: 'too_few', ...names }
  return { verdict: pValue < LEVEL ? 'better' : 'open', ...names }
}

const rateOf = ({ handed, reactions }: ArmResult): number => (handed === 0 ? 0 : reactions / handed)

/** The rate of two arms together. */
const pooled = (one: ArmResult, other: ArmResult): number =>
  rateOf({
    name: '',
    handed: one.handed + other.handed,
    reactions: one.reactions + other.reactions
  })

function fewestExpected(one: ArmResult, other: ArmResult): number {
  const rate = pooled(one, other)
  return Math.min(one.handed, other.handed) * Math.min(rate, 1 - rate)
}

/** Two-sided level of 5 %, and a power of 80 %. */
const QUANTILES = { level: 1.959964, power: 0.841621 }

/** The difference, its interval, and how many mails would tell it apart. */
function differenceOf(
  best: ArmResult,
  next: ArmResult
): Pick<Significance, 'difference' | 'low' | 'high' | 'needed'> {
  const [p, q] = [rateOf(best), rateOf(next)]
  const difference = p - q
  // With a success and a failure more in each arm the interval holds for small arms, too.
  const [left, right] = [best, next].map(({ handed, reactions }) => {
    const rate = (reactions + 1) / (handed + 2)
    return { rate, variance: (rate * (1 - rate)) / (handed + 2) }
  }) as [{ rate: number; variance: number }, { rate: number; variance: number }]
  const reach = QUANTILES.level * Math.sqrt(left.variance + right.variance)
  const middle = left.rate - right.rate
  const spread = p * (1 - p) + q * (1 - q)
  const needed = ((QUANTILES.level + QUANTILES.power) ** 2 * spread) / difference ** 2
  return {
    difference,
    low: middle - reach,
    high: middle + reach,
    needed: difference > 0 ? Math.ceil(needed) : null
  }
}

function pValueOf(one: ArmResult, other: ArmResult): number {
  const rate = pooled(one, other)
  const variance = rate * (1 - rate) * (1 / one.handed + 1 / other.handed)
  if (!(variance > 0) || !Number.isFinite(variance)) return 1
  return twoSided((rateOf(one) - rateOf(other)) / Math.sqrt(variance))
}

/**
 * How often a normally distributed value is as far from zero: erfc(|z| / √2), by Abramowitz and Stegun 7.1.26,
 * with an error of at most 1.5e-7.
 */
function twoSided(z: number): number {
  const x = Math.abs(z) / Math.SQRT2
  const t = 1 / (1 + 0.3275911 * x)
  const series =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
  return series * Math.exp(-x * x)
}
