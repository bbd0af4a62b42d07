// The records in groups, each over time. Loaded when records are grouped.
import type {
  ActivityGroup,
  ActivityResult,
  BreakdownGroup,
  BreakdownResult
} from '@keelson/telemetry'
import type { AsJson, ChartSeries } from '@keelson/ui'
import { type Bucket, fillBuckets } from '../buckets.ts'
import { groupTones } from '../group-tones.ts'

export interface Group {
  /** Empty: records without the value. */
  readonly value: string
  /** The measure; the records when they are counted. */
  readonly figure: number
  readonly buckets: readonly Bucket[]
  /** Of all groups. */
  readonly share: number
}

export interface Groups {
  /** The largest first. */
  readonly groups: readonly Group[]
  readonly source: 'raw' | 'rollup'
  readonly truncated: boolean
  readonly sampled: boolean
}

/** Lines of a chart that can still be told apart. */
const MOST_LINES = 5

type ActivityAnswer = Pick<AsJson<ActivityResult>, 'truncated'> & {
  readonly groups: readonly Pick<AsJson<ActivityGroup>, 'group' | 'at' | 'count'>[]
}
type BreakdownAnswer = Pick<AsJson<BreakdownResult>, 'truncated' | 'sampled'> & {
  readonly groups: readonly Pick<AsJson<BreakdownGroup>, 'value' | 'figure' | 'buckets'>[]
}

/** Either answer to `groupsPath`, in one shape. */
export function readGroups(answer: ActivityAnswer | BreakdownAnswer, by: string): Groups {
  const found = new Map<string, { figure: number; buckets: Bucket[] }>()
  const add = (value: string, figure: number, buckets: readonly Bucket[]) => {
    const known = found.get(value) ?? { figure: 0, buckets: [] }
    known.figure += figure
    known.buckets.push(...buckets)
    found.set(value, known)
  }
  const isRaw = 'sampled' in answer
  if (isRaw) {
    for (const { value, figure, buckets = [] } of answer.groups) add(value ?? '', figure, buckets)
  } else {
    for (const { group, at, count } of answer.groups) {
      add(
        (group as Record<string, string>)[by] ?? '',
        count,
        at === undefined ? [] : [{ at, value: count }]
      )
    }
  }
  const groups = [...found].sort(
    ([a, one], [b, two]) => two.figure - one.figure || (a < b ? -1 : 1)
  )
  const all = Math.max(
    1,
    groups.reduce((sum, [, { figure }]) => sum + figure, 0)
  )
  return {
    groups: groups.map(([value, one]) => ({ value, ...one, share: one.figure / all })),
    source: isRaw ? 'raw' : 'rollup',
    truncated: answer.truncated,
    sampled: isRaw && answer.sampled
  }
}

/** Lines over buckets with these starts. */
export type GroupLines = (
  starts: readonly number[],
  options: { readonly nameless: string; readonly missing: 0 | null }
) => ChartSeries[]

/** The largest groups as lines of a chart. */
export const groupSeries = (
  { groups }: Groups,
  ...[starts, { nameless, missing }]: Parameters<GroupLines>
): ChartSeries[] => {
  const shown = groups.slice(0, MOST_LINES)
  const tones = groupTones(shown.map(({ value }) => value).sort())
  return shown.map(({ value, buckets }) => ({
    id: `group ${value}`,
    label: value === '' ? nameless : value,
    values: fillBuckets(buckets, starts, missing),
    tone: tones.get(value)
  }))
}
