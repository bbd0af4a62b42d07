// The numbers of a funnel: pure, from who reached what and when.

const DAY_MS = 86_400_000

/** Someone in the cohort. */
import type { FunnelStage } from '../schemas/cohorts.ts'
export interface Member {
  readonly anchorAt: number
  /** Family to the time it was first reached, within the window. */
  readonly reached: ReadonlyMap<string, number>
}

/** The middle value, or the mean of the middle two; null without values. */
export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const high = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? 0) + high) / 2
}

/**
 * Counts are literal: who skipped a stage and reached a later one is counted there and not here. Medians
 * keep their sign, for stages that came before the anchor.
 */
export function summarizeStages(
  members: readonly Member[],
  stages: readonly string[]
): readonly FunnelStage[] {
  const first = members.filter(({ reached }) => reached.has(stages[0] ?? '')).length
  return stages.map((as, index) => {
    const here = members.filter(({ reached }) => reached.has(as))
    const before = stages[index - 1]
    const after = stages[index + 1]
    const had = before === undefined ? [] : members.filter(({ reached }) => reached.has(before))
    return {
      order: index + 1,
      key: as,
      as,
      label: as,
      subjects: here.length,
      pctOfFirst: share(here.length, first),
      pctOfPrevious: before === undefined ? null : share(here.length, had.length),
      medianDaysFromAnchor: median(
        here.map(({ anchorAt, reached }) => days(anchorAt, reached.get(as)))
      ),
      medianDaysFromPrevious:
        before === undefined
          ? null
          : median(
              here
                .filter(({ reached }) => reached.has(before))
                .map(({ reached }) => days(reached.get(before), reached.get(as)))
            ),
      notReached: had.filter(({ reached }) => !reached.has(as)).length,
      stalledAt:
        after === undefined ? null : here.filter(({ reached }) => !reached.has(after)).length
    }
  })
}

const share = (part: number, whole: number) => (whole === 0 ? null : (part / whole) * 100)

const days = (from: number | undefined, to: number | undefined) =>
  ((to ?? 0) - (from ?? 0)) / DAY_MS
