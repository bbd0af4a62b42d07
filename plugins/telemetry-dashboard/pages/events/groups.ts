// The records in groups, each over time. Loaded when records are grouped.
import type {
  ActivityGroup,
  ActivityResult,
  BreakdownGroup,
  BreakdownResult
} from '@keelson/telemetry'
import type { AsJson, ChartSeries, Span } from '@keelson/ui'
import { type Bucket, fillBuckets } from '../buckets.ts'
import { groupTones } from '../group-tones.ts'
import { type Buckets, bucketParams, path, ROLLED_UP } from '../requests.ts'

export interface Group {
  /** Different for each group. */
  readonly id: string
  /** Empty: records without the value. */
  readonly value: string
  /** The value of the second dimension, when there is one. */
  readonly also?: string
  /** The measure; the records when they are counted. */
  readonly figure: number
  readonly buckets: readonly Bucket[]
  /** Of all groups, those left out included. */
  readonly share: number
}

export interface Groups {
  /** The largest first. */
  readonly groups: readonly Group[]
  /** How many there are, those left out included. */
  readonly values: number
  readonly source: 'raw' | 'rollup'
  readonly truncated: boolean
  readonly sampled: boolean
}

/** Lines of a chart that can still be told apart. */
const MOST_LINES = 5

const dimensionParams = ({ by, also, measure }: Pick<GroupsAsked, 'by' | 'also' | 'measure'>) => ({
  by,
  ...(also !== null && { alsoBy: also }),
  ...(measure !== null && { measure })
})

/** Groups by a field or attribute, or two, over time too; from rollups where they can answer. */
export function groupsPath(
  params: URLSearchParams,
  span: Span,
  { by, also, measure, ...buckets }: GroupsAsked
): string {
  const names = [by, ...(also === null ? [] : [also])]
  const isRolledUp =
    measure === null && [...names, ...params.keys()].every((one) => ROLLED_UP.has(one))
  return isRolledUp
    ? path('activity', params, span, { ...bucketParams(buckets), groupBy: names.join() })
    : path('breakdown', params, span, {
        ...bucketParams(buckets),
        ...dimensionParams({ by, also, measure })
      })
}

export interface GroupsAsked extends Buckets, GroupedBy {
  readonly measure: string | null
}

export interface GroupsWanted extends GroupsAsked {
  readonly params: URLSearchParams
  readonly span: Span
  /** As many groups as one answer may have, beyond those that have lines in the chart. */
  readonly isWhole: boolean
}

/** Groups of one answer that does not tell them over time. */
const MOST_GROUPS = '1000'

/** The groups for a table, with the lines of the largest for a chart. */
export async function loadGroups(
  read: (path: string) => Promise<unknown>,
  { params, span, isWhole, ...asked }: GroupsWanted
) {
  const answer = await read(groupsPath(params, span, asked))
  const timed = readGroups(answer as BreakdownAnswer, asked)
  const more = { ...dimensionParams(asked), limit: MOST_GROUPS }
  const groups =
    isWhole && timed.values > timed.groups.length
      ? readGroups((await read(path('breakdown', params, span, more))) as BreakdownAnswer, asked)
      : timed
  const lines = (...given: Parameters<GroupLines>) => groupSeries(timed, ...given)
  return { ...groups, ...asked, span, lines }
}

type ActivityAnswer = Pick<AsJson<ActivityResult>, 'truncated'> & {
  readonly groups: readonly Pick<AsJson<ActivityGroup>, 'group' | 'at' | 'count'>[]
}
type BreakdownAnswer = Pick<
  AsJson<BreakdownResult>,
  'values' | 'total' | 'truncated' | 'sampled'
> & {
  readonly groups: readonly Pick<AsJson<BreakdownGroup>, 'value' | 'also' | 'figure' | 'buckets'>[]
}

type Values = Pick<Group, 'value' | 'also'>

/** What records are grouped by, and what by besides. */
export interface GroupedBy {
  readonly by: string
  readonly also: string | null
}

/** Either answer to `groupsPath`, in one shape. */
export function readGroups(
  answer: ActivityAnswer | BreakdownAnswer,
  { by, also }: GroupedBy
): Groups {
  const found = new Map<string, Values & { figure: number; buckets: Bucket[] }>()
  const add = (values: Values, figure: number, buckets: readonly Bucket[]) => {
    const id = JSON.stringify([values.value, values.also])
    const known = found.get(id) ?? { ...values, figure: 0, buckets: [] }
    known.figure += figure
    known.buckets.push(...buckets)
    found.set(id, known)
  }
  const isRaw = 'sampled' in answer
  if (isRaw) {
    for (const { value, also, figure, buckets = [] } of answer.groups) {
      add({ value: value ?? '', ...(also !== undefined && { also: also ?? '' }) }, figure, buckets)
    }
  } else {
    for (const { group, at, count } of answer.groups) {
      const named = group as Record<string, string>
      add(
        { value: named[by] ?? '', ...(also !== null && { also: named[also] ?? '' }) },
        count,
        at === undefined ? [] : [{ at, value: count }]
      )
    }
  }
  const groups = [...found].sort(
    ([a, one], [b, two]) => two.figure - one.figure || (a < b ? -1 : 1)
  )
  const total = isRaw ? answer.total : groups.reduce((sum, [, { figure }]) => sum + figure, 0)
  return {
    groups: groups.map(([id, one]) => ({ id, ...one, share: total > 0 ? one.figure / total : 0 })),
    values: isRaw ? answer.values : groups.length,
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
  const tones = groupTones(shown.map(({ id }) => id).sort())
  return shown.map(({ id, value, also, buckets }) => ({
    id: `group ${id}`,
    label: [value, ...(also === undefined ? [] : [also])].map((one) => one || nameless).join(' · '),
    values: fillBuckets(buckets, starts, missing),
    tone: tones.get(id)
  }))
}
