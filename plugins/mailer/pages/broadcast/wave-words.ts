// Waves of a broadcast in words: how many, of what size, how far apart.
import type { Broadcast } from '../broadcasts/answers.ts'
import type { Words } from './words.ts'

type Plan = NonNullable<Broadcast['wavePlan']>

const MINUTE = 60_000

/** The people of each wave but the last, of so many in all. */
export const waveSize = ({ people, percent = 100 }: Plan, count: number): number =>
  Math.min(count, people ?? Math.max(1, Math.ceil((count * percent) / 100)))

/** "In 4 waves of 46, 15 mins apart.", after an A/B test of those who are left. Empty without people. */
export function waveWords(
  plan: Plan,
  {
    count,
    splitTest
  }: { readonly count: number; readonly splitTest: Broadcast['splitTest'] | undefined },
  { t, format }: Words
): string {
  const size = waveSize(plan, count)
  if (size === 0) return ''
  const isTested = splitTest != null && splitTest.testPercent < 100
  return t(isTested ? 'broadcast.restInWaves' : 'broadcast.inWaves', {
    count: Math.ceil(count / size),
    size: format.number(size),
    every: format.duration(plan.everyMinutes * MINUTE)
  })
}
