// A split test: who takes part, who gets which variant, and which variant wins. Pure.
import { createHash } from 'node:crypto'
import type {
  BroadcastRow,
  SplitCounts,
  SplitTest,
  VariantResult
} from '../../ledger/broadcast-row.ts'

const RANGE = 2 ** 32

/** Two numbers from 0 to below 1 that a mail has in every process. */
function sharesOf(dedupeKey: string): { readonly test: number; readonly variant: number } {
  const digest = createHash('sha256').update(dedupeKey).digest()
  return { test: digest.readUInt32BE(0) / RANGE, variant: digest.readUInt32BE(4) / RANGE }
}

/** What the mails of a page are made from. */
export interface PageTemplates {
  /** The template of a mail; undefined while the contact has to wait for the winner. */
  of(dedupeKey: string): string | undefined
  /** What the split test comes to with the page; left out where none goes on. */
  readonly counts?: SplitCounts
}

/**
 * The templates of a page, by the keys of its mails, each once. A split test takes exactly its share of all contacts
 * so far, and its arms differ by one mail at most. The same page after the same counts has the same templates.
 */
export function templatesOfPage(
  { templateSlug, splitTest, splitPhase, winner, splitCounts }: BroadcastRow,
  dedupeKeys: readonly string[]
): PageTemplates {
  if (splitTest === undefined) return { of: () => templateSlug }
  if (splitPhase === 'rest') {
    const { templateSlug: best } = variantNamed(splitTest, winner)
    return { of: () => best }
  }
  const { variants, testPercent } = splitTest
  const { seen, taken } = splitCounts ?? { seen: 0, taken: 0 }
  const counts = { seen: seen + dedupeKeys.length, taken: 0 }
  counts.taken = Math.round((counts.seen * testPercent) / 100)
  const shuffled = dedupeKeys
    .map((key) => ({ key, ...sharesOf(key) }))
    .sort((left, right) => left.test - right.test)
    .slice(0, counts.taken - taken)
    .sort((left, right) => left.variant - right.variant)
  const templates = new Map(
    shuffled.map(({ key }, at) => [key, variants[(taken + at) % variants.length]?.templateSlug])
  )
  return { of: (key) => templates.get(key), counts }
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
