// A split test: who takes part, who gets which variant, and which variant wins. Pure.
import { createHash } from 'node:crypto'
import type { BroadcastRow, SplitCounts, VariantResult } from '../../ledger/broadcast-row.ts'
import { type Arm, armsOf } from './arms.ts'

const RANGE = 2 ** 32

/** Two numbers from 0 to below 1 that a mail has in every process. */
function sharesOf(dedupeKey: string): { readonly test: number; readonly variant: number } {
  const digest = createHash('sha256').update(dedupeKey).digest()
  return { test: digest.readUInt32BE(0) / RANGE, variant: digest.readUInt32BE(4) / RANGE }
}

/** What the mails of a page are made from. */
export interface PageArms {
  /** The arm of a mail; undefined while the contact has to wait for the winner. */
  of(dedupeKey: string): Arm | undefined
  /** What the split test comes to with the page; left out where none goes on. */
  readonly counts?: SplitCounts
}

/**
 * The arms of a page, by the keys of its mails, each once. A split test takes exactly its share of all contacts
 * so far, and its arms differ by one mail at most. The same page after the same counts has the same arms.
 */
export function armsOfPage(broadcast: BroadcastRow, dedupeKeys: readonly string[]): PageArms {
  const { splitTest, splitPhase, winner, splitCounts } = broadcast
  const arms = armsOf(broadcast)
  const [first] = arms
  if (splitTest === undefined) return { of: () => first }
  if (splitPhase === 'rest') {
    const best = arms.find(({ name }) => name === winner) ?? first
    const rest = best && { ...best, isRest: true as const }
    return { of: () => rest }
  }
  const { testPercent } = splitTest
  const { seen, taken } = splitCounts ?? { seen: 0, taken: 0 }
  const counts = { seen: seen + dedupeKeys.length, taken: 0 }
  counts.taken = Math.round((counts.seen * testPercent) / 100)
  const shuffled = dedupeKeys
    .map((key) => ({ key, ...sharesOf(key) }))
    .sort((left, right) => left.test - right.test)
    .slice(0, counts.taken - taken)
    .sort((left, right) => left.variant - right.variant)
  const chosen = new Map(shuffled.map(({ key }, at) => [key, arms[(taken + at) % arms.length]]))
  return { of: (key) => chosen.get(key), counts }
}

/** The phase that a broadcast starts in. A test of the whole audience needs no winner. */
export function firstPhase({ splitTest }: Pick<BroadcastRow, 'splitTest'>): 'test' | undefined {
  return splitTest !== undefined && splitTest.testPercent < 100 ? 'test' : undefined
}

/** The variant with the highest rate; of equal ones the first. */
export function winnerOf(results: readonly VariantResult[]): string | undefined {
  const rate = ({ handed, reactions }: VariantResult) => (handed === 0 ? 0 : reactions / handed)
  let best: VariantResult | undefined
  for (const result of results) {
    if (best === undefined || rate(result) > rate(best)) best = result
  }
  return best?.name
}
