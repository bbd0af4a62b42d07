// What the Usage page makes of answers: which families cost, series by dimension, groups with their amounts.

import type {
  BreakdownGroup,
  BreakdownResult,
  SeriesResult,
  UsageTotal,
  UsageTotalsResult
} from '@keelson/telemetry'
import type { AsJson, ChartSeries, Format } from '@keelson/ui'
import { type Bucket, fillBuckets, type Interval, total } from '../buckets.ts'
import { groupTones } from '../group-tones.ts'
import type { RegistryAnswer } from '../registry.ts'

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

/** How usage went: all of it, and each line, in buckets. */
export interface Course {
  readonly all: readonly Bucket[]
  readonly lines: readonly { readonly name: string; readonly buckets: readonly Bucket[] }[]
  readonly source: 'raw'
  readonly truncated: boolean
  readonly sampled: boolean
}

type BreakdownAnswer = Pick<AsJson<BreakdownResult>, 'truncated' | 'sampled'> & {
  readonly groups: readonly Pick<AsJson<BreakdownGroup>, 'value' | 'buckets'>[]
}

/** Before an answer. */
export const NO_USAGE: UsageTotals['total'] = {
  count: 0,
  unbilled: 0,
  quantities: {},
  amounts: {},
  sums: {}
}

/** Before an answer. */
export const NO_COURSE: Course = {
  all: [],
  lines: [],
  source: 'raw',
  truncated: false,
  sampled: false
}

type SeriesAnswer = Pick<AsJson<SeriesResult>, 'buckets'>

/** A line for each value that the rows have, and the whole, which the chart, the tile and the tables share. */
export const courseOf = (
  { buckets }: SeriesAnswer,
  { groups, truncated, sampled }: BreakdownAnswer
): Course => ({
  all: buckets,
  lines: groups.map(({ value, buckets = [] }) => ({ name: value ?? '–', buckets })),
  source: 'raw',
  truncated,
  sampled
})

/** Lines of a chart that can still be told apart; the others become one. */
const MOST_LINES = 4

export interface Stack {
  readonly series: readonly ChartSeries[]
  readonly total: number
}

/** The lines along the buckets of the range, the largest first; what they leave is one line. */
export function stackOf({ all, lines }: Course, starts: readonly number[], others: string): Stack {
  const sums = lines.map((line) => ({
    ...line,
    sum: total(line.buckets.map(({ value }) => value))
  }))
  const sorted = sums.sort((a, b) => b.sum - a.sum)
  const shown = sorted.slice(0, MOST_LINES)
  const tones = groupTones([...shown.map(({ name }) => name).sort(), others])
  const series: ChartSeries[] = shown.map(({ name, buckets }) => ({
    id: `group ${name}`,
    label: name,
    values: fillBuckets(buckets, starts, 0),
    tone: tones.get(name)
  }))
  const whole = fillBuckets(all, starts, 0)
  const rest = whole.map((value, at) => {
    const left = value - total(series.map(({ values }) => values[at] ?? 0))
    // What sums of fractions leave is nothing.
    return left > Math.abs(value) * 1e-9 ? left : 0
  })
  if (rest.some((value) => value > 0)) {
    series.push({ id: 'others', label: others, values: rest, tone: tones.get(others) })
  }
  return { series, total: total(whole) }
}

export interface UsageRow extends UsageTotal {
  readonly id: string
  /** Of all. */
  readonly share: number
}

/** Persons are a tenant's own: for a viewer of all tenants two may be named alike. */
const idOf = ({ tenantId, value }: UsageTotal): string =>
  [...(tenantId === undefined ? [] : [tenantId]), value ?? ''].join(' ')

/** Groups ordered by a metric or the count, the largest first. */
export function usageRows(
  { groups, total: whole }: Pick<UsageTotals, 'groups' | 'total'>,
  measure: string
): UsageRow[] {
  const figure = (group: UsageTotals['total']) =>
    measure === COUNT ? group.count : (group.sums[measure] ?? 0)
  const all = figure(whole) || 1
  return [...groups]
    .sort((a, b) => figure(b) - figure(a) || b.count - a.count)
    .map((group) => ({ ...group, id: idOf(group), share: figure(group) / all }))
}

const amountOf = ({ amounts }: UsageTotal): number => total(Object.values(amounts).map(Number))

/** Lines in the order that a reader chose, by the id of a column. Names follow the alphabet. */
export function sortUsage(
  rows: readonly UsageRow[],
  { column, direction }: { readonly column: string; readonly direction: 'asc' | 'desc' },
  measure: string
): UsageRow[] {
  const figures: Readonly<Record<string, (row: UsageRow) => number>> = {
    figure: ({ sums }) => sums[measure] ?? 0,
    count: ({ count }) => count,
    billed: amountOf
  }
  const figure = figures[column]
  const compare = (a: UsageRow, b: UsageRow): number =>
    figure === undefined ? (a.value ?? '').localeCompare(b.value ?? '') : figure(a) - figure(b)
  return rows.toSorted((a, b) => (direction === 'asc' ? compare(a, b) : compare(b, a)))
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

/** All billed amounts as one text, where cents are enough; a dash without any. */
export const billedText = ({ amounts }: UsageTotals['total'], format: Format): string =>
  Object.entries(amounts)
    .map(([currency, amount]) =>
      /^[A-Z]{3}$/.test(currency) ? format.money(Number(amount), currency) : amount
    )
    .join(' + ') || '–'
