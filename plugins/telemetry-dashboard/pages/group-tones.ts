// The colours of groups in a chart. Pure.
import type { ChartTone } from '@keelson/ui'

const TONES = 5

/** Names that differ in one letter, as releases do, have different sums. */
const sumOf = (name: string): number => [...name].reduce((sum, char) => sum + char.charCodeAt(0), 0)

/**
 * A tone for each of at most five names; no two share one. A name has the same tone in every range, unless one
 * before it in the list takes it.
 */
export function groupTones(names: readonly string[]): ReadonlyMap<string, ChartTone> {
  const taken = new Set<number>()
  return new Map(
    names.map((name) => {
      let tone = sumOf(name) % TONES
      while (taken.has(tone) && taken.size < TONES) tone = (tone + 1) % TONES
      taken.add(tone)
      return [name, (tone + 1) as ChartTone]
    })
  )
}
