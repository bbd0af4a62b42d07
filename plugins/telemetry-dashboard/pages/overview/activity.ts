// What the overview makes of counts by kind, name and service.
import type { ActivityResult, ActivityGroup as StoredGroup } from '@keelson/telemetry'
import type { AsJson, Span } from '@keelson/ui'
import { type Bucket, change, fillBuckets } from '../buckets.ts'
import { type Buckets, bucketParams } from '../requests.ts'

/** One group of `/api/activity` as JSON brings it. */
export type ActivityGroup = AsJson<StoredGroup>
export type ActivityAnswer = Pick<AsJson<ActivityResult>, 'groups' | 'truncated'>

type Dimension = keyof ActivityGroup['group']

/** The path of counts in groups; with an interval by time too. */
export function activityPath(span: Span, groupBy: readonly Dimension[], buckets?: Buckets): string {
  const asked = new URLSearchParams({
    from: new Date(span.from).toISOString(),
    to: new Date(span.to).toISOString(),
    groupBy: groupBy.join(),
    ...(buckets !== undefined && bucketParams(buckets))
  })
  return `/api/activity?${asked}`
}

/** Kinds in the order of a stack, the largest part at the bottom of most products. */
export const STACK = ['span', 'event', 'state', 'usage', 'error'] as const
export type StackKind = (typeof STACK)[number]

/** The colour of a kind in a chart, close to its tag's. */
export const KIND_SERIES = {
  span: 1,
  event: 2,
  state: 'warn',
  usage: 'good',
  error: 'bad'
} as const satisfies Record<StackKind, unknown>

const bucketsOf = (groups: readonly ActivityGroup[], kind: string): Bucket[] =>
  groups
    .filter(({ group }) => group.kind === kind)
    .map(({ at = '', count }) => ({ at, value: count }))

export interface KindSeries {
  readonly kind: StackKind
  readonly values: readonly number[]
}

/** One series per kind that occurs, along buckets. */
export function seriesByKind(
  groups: readonly ActivityGroup[],
  starts: readonly number[]
): KindSeries[] {
  return STACK.map((kind) => ({
    kind,
    values: fillBuckets(bucketsOf(groups, kind), starts, 0)
  })).filter(({ values }) => values.some((value) => value > 0))
}

export const countOf = (groups: readonly ActivityGroup[], kind?: string): number =>
  groups
    .filter(({ group }) => kind === undefined || group.kind === kind)
    .reduce((sum, { count }) => sum + count, 0)

/** Money spent: the sums of usage whose name ends in `_usd`; undefined when there is no such metric. */
export function spendOf(groups: readonly ActivityGroup[]): number | undefined {
  const sums = groups
    .filter(({ group }) => group.kind === 'usage')
    .flatMap((group) => Object.entries(group.sums))
    .filter(([metric]) => metric.endsWith('_usd'))
  return sums.length === 0 ? undefined : sums.reduce((sum, [, value]) => sum + value, 0)
}

export type RankedBy = 'name' | 'service' | 'tenantId'

export interface RankedRow {
  readonly id: string
  readonly name: string
  readonly kind: string | undefined
  readonly count: number
  /** Against the time before, as a fraction; null when there was nothing. */
  readonly change: number | null
  /** The count of the time before. */
  readonly before: number
  /** Of all records. */
  readonly share: number
}

/** Groups by one dimension, the largest first. */
export function rank(
  now: readonly ActivityGroup[],
  before: readonly ActivityGroup[],
  by: RankedBy
): RankedRow[] {
  const earlier = new Map(before.map(({ group, count }) => [group[by], count]))
  const all = Math.max(1, countOf(now))
  return now
    .map(({ group, count }) => {
      const name = group[by] ?? ''
      return {
        id: name,
        name,
        kind: group.kind,
        count,
        change: change(count, earlier.get(name) ?? 0),
        before: earlier.get(name) ?? 0,
        share: count / all
      }
    })
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
}
