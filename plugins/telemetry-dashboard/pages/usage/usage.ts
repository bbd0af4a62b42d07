// What the Usage page makes of answers: which families cost, series by dimension, groups with their amounts.

import type {
  BreakdownGroup,
  BreakdownResult,
  RollupsResult,
  UsageTotal,
  UsageTotalsResult
} from '@keelson/telemetry'
import type { AsJson, ChartSeries } from '@keelson/ui'
import { type Bucket, bucketStart, fillBuckets, type Interval, total } from '../buckets.ts'
import type { RegistryAnswer } from '../registry.ts'
import type { RollupAnswer } from '../requests.ts'

export type UsageTotals = Omit<AsJson<UsageTotalsResult>, 'dataSource'>

/** A rollup of usage over time. */
export interface UsageFamily {
  readonly as: string
  readonly label: string
  readonly sums: readonly string[]
  readonly bucket: Interval
  /** Its first dimension, as a breakdown of rows is asked for. */
  readonly by: string
}

const entriesOf = ({ registry }: RegistryAnswer) =>
  Object.values(registry).filter(({ kind }) => kind === 'usage')

/** A dimension of a family as rows are told apart by it. */
const breakdownBy = (dimension = ''): string => dimension.replace(/^field:(usage\.)?/, '')

/** Families of usage that have a bucket, not by subject: what a chart can stack. */
export const usageFamilies = (registry: RegistryAnswer): UsageFamily[] => [
  ...new Map(
    entriesOf(registry)
      .flatMap(({ rollups }) => rollups)
      .flatMap(({ as, label, sum, by, bucket }): [string, UsageFamily][] =>
        bucket === null || by.includes('subject')
          ? []
          : [[as, { as, label, sums: sum, bucket, by: breakdownBy(by[0]) }]]
      )
  ).values()
]

/** Metrics of usage, money first. */
export const usageMetrics = (registry: RegistryAnswer): string[] => {
  const names = [...new Set(entriesOf(registry).flatMap(({ metricKeys }) => metricKeys))].sort()
  return [
    ...names.filter((name) => name.endsWith('_usd')),
    ...names.filter((name) => !name.endsWith('_usd'))
  ]
}

/** What usage can be told apart by, beside person and meter: its attributes. */
export const usageAttrs = (registry: RegistryAnswer): string[] =>
  [...new Set(entriesOf(registry).flatMap(({ attrKeys }) => attrKeys))].sort()

export const COUNT = 'count'

/** The figure of a document: how many, or the sum of a metric. */
const figureOf = ({ count, sums }: RollupAnswer, measure: string): number =>
  measure === COUNT ? count : (sums[measure] ?? 0)

/** How usage went: lines of buckets, and where they come from. */
export interface Course {
  readonly lines: readonly { readonly name: string; readonly buckets: readonly Bucket[] }[]
  readonly source: 'raw' | 'rollup'
  readonly truncated: boolean
  readonly sampled: boolean
}

type RollupsAnswer = Pick<AsJson<RollupsResult>, 'rows' | 'truncated'>
type BreakdownAnswer = Pick<AsJson<BreakdownResult>, 'truncated' | 'sampled'> & {
  readonly groups: readonly Pick<AsJson<BreakdownGroup>, 'value' | 'buckets'>[]
}

/** A line for each combination of dimensions. */
export function courseOfRollups(
  { rows, truncated }: RollupsAnswer,
  interval: Interval,
  measure: string
): Course {
  const lines = new Map<string, Map<number, number>>()
  for (const row of rows) {
    const name = row.dims.map((dim) => dim.slice(dim.indexOf('=') + 1)).join(' · ')
    const at = lines.get(name) ?? new Map<number, number>()
    const start = bucketStart(Date.parse(row.bucketAt ?? row.firstAt), interval)
    at.set(start, (at.get(start) ?? 0) + figureOf(row, measure))
    lines.set(name, at)
  }
  return {
    lines: [...lines].map(([name, at]) => ({ name, buckets: bucketsOf(at) })),
    source: 'rollup',
    truncated,
    sampled: false
  }
}

/** A line for each value that the rows have. */
export const courseOfRows = ({ groups, truncated, sampled }: BreakdownAnswer): Course => ({
  lines: groups.map(({ value, buckets = [] }) => ({ name: value ?? '–', buckets })),
  source: 'raw',
  truncated,
  sampled
})

const bucketsOf = (at: ReadonlyMap<number, number>): Bucket[] =>
  [...at].map(([start, value]) => ({ at: new Date(start).toISOString(), value }))

/** Lines of a chart that can still be told apart; the others become one. */
const MOST_LINES = 4

export interface Stack {
  readonly series: readonly ChartSeries[]
  readonly total: number
}

/** The lines along the buckets of the range, the largest first. */
export function stackOf({ lines }: Course, starts: readonly number[], others: string): Stack {
  const sums = lines.map((line) => ({
    ...line,
    sum: total(line.buckets.map(({ value }) => value))
  }))
  const sorted = sums.sort((a, b) => b.sum - a.sum)
  const series: ChartSeries[] = sorted.slice(0, MOST_LINES).map(({ name, buckets }) => ({
    id: `group ${name}`,
    label: name,
    values: fillBuckets(buckets, starts, 0)
  }))
  const rest = sorted.slice(MOST_LINES)
  if (rest.length > 0) {
    series.push({ id: 'others', label: others, values: fillBuckets(addedUp(rest), starts, 0) })
  }
  return { series, total: total(sorted.map(({ sum }) => sum)) }
}

/** All lines as one. */
export function addedUp(lines: Course['lines']): Bucket[] {
  const found = new Map<number, number>()
  for (const { at, value } of lines.flatMap(({ buckets }) => buckets)) {
    found.set(Date.parse(at), (found.get(Date.parse(at)) ?? 0) + value)
  }
  return bucketsOf(found)
}

export interface UsageRow extends UsageTotal {
  readonly id: string
  /** Of the largest. */
  readonly share: number
}

/** Persons are a tenant's own: for a viewer of all tenants two may be named alike. */
const idOf = ({ tenantId, value }: UsageTotal): string =>
  [...(tenantId === undefined ? [] : [tenantId]), value ?? ''].join(' ')

/** Groups ordered by a metric or the count, the largest first. */
export function usageRows({ groups }: UsageTotals, measure: string): UsageRow[] {
  const figure = (group: UsageTotal) =>
    measure === COUNT ? group.count : (group.sums[measure] ?? 0)
  const most = Math.max(0, ...groups.map(figure)) || 1
  return [...groups]
    .sort((a, b) => figure(b) - figure(a) || b.count - a.count)
    .map((group) => ({ ...group, id: idOf(group), share: figure(group) / most }))
}

/** A group as a line of a file. */
export const usageCells = ({
  tenantId,
  value,
  count,
  unbilled,
  quantities,
  amounts,
  sums
}: UsageRow) => ({
  value,
  ...(tenantId !== undefined && { tenantId }),
  count,
  unbilled,
  ...Object.fromEntries(Object.entries(quantities).map(([unit, n]) => [`quantity ${unit}`, n])),
  ...Object.fromEntries(Object.entries(amounts).map(([unit, n]) => [`amount ${unit}`, n])),
  ...sums
})

/** All billed amounts of all groups by currency, for the figure above them; cents are enough there. */
export function billed(groups: readonly UsageTotal[]): { currency: string; amount: number }[] {
  const found = new Map<string, number>()
  for (const { amounts } of groups) {
    for (const [currency, amount] of Object.entries(amounts)) {
      found.set(currency, (found.get(currency) ?? 0) + Number(amount))
    }
  }
  return [...found].map(([currency, amount]) => ({ currency, amount }))
}
