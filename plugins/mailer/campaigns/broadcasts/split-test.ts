// A split test: who takes part, who gets which variant, and which variant wins. Pure.
import { createHash } from 'node:crypto'
import type { BroadcastRow, SplitTest, VariantResult } from '../../ledger/broadcast-row.ts'

const RANGE = 2 ** 32

/** Two numbers from 0 to below 1 that a mail has in every process. */
function sharesOf(dedupeKey: string): { readonly test: number; readonly variant: number } {
  const digest = createHash('sha256').update(dedupeKey).digest()
  return { test: digest.readUInt32BE(0) / RANGE, variant: digest.readUInt32BE(4) / RANGE }
}

/** The template of a mail; undefined while the contact has to wait for the winner. */
export function templateOfMail(
  { templateSlug, splitTest, splitPhase, winner }: BroadcastRow,
  dedupeKey: string
): string | undefined {
  if (splitTest === undefined) return templateSlug
  if (splitPhase === 'rest') return variantNamed(splitTest, winner).templateSlug
  const shares = sharesOf(dedupeKey)
  if (shares.test * 100 >= splitTest.testPercent) return undefined
  const place = Math.floor(shares.variant * splitTest.variants.length)
  return splitTest.variants[place]?.templateSlug
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

function variantNamed({ variants }: SplitTest, name: string | undefined) {
  return (variants.find((variant) => variant.name === name) ??
    variants[0]) as SplitTest['variants'][number]
}
