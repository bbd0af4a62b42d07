// What the Usage page makes of answers: which families cost, series by dimension, groups with their amounts.

import type { UsageTotal } from '@keelson/telemetry'
import type { ChartSeries } from '@keelson/ui'
import { bucketStart, fillBuckets, type Interval } from '../buckets.ts'
import type { RegistryAnswer } from '../registry.ts'
import type { RollupAnswer } from '../requests.ts'

export interface UsageTotals {
  readonly groups: readonly UsageTotal[]
  readonly values: number
  readonly truncated: boolean
}

/** A rollup of usage over time. */
export interface UsageFamily {
  readonly as: string
  readonly label: string
  readonly sums: readonly string[]
}

const entriesOf = ({ registry }: RegistryAnswer) =>
  Object.values(registry).filter(({ kind }) => kind === 'usage')

/** Families of usage that have a bucket, not by subject: what a chart can stack. */
export const usageFamilies = (registry: RegistryAnswer): UsageFamily[] => [
  ...new Map(
    entriesOf(registry)
      .flatMap(({ rollups }) => rollups)
      .filter(({ by, bucket }) => bucket !== null && !by.includes('subject'))
      .map(({ as, label, sum }) => [as, { as, label, sums: sum }])
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

/** Lines of a chart that can still be told apart; the others become one. */
const MOST_LINES = 4

export interface Stack {
  readonly series: readonly ChartSeries[]
  readonly total: number
}

/** Documents by their dimension, the largest first, along the buckets of the range. */
export function stackOf(
  rows: readonly RollupAnswer[],
  starts: readonly number[],
  interval: Interval,
  measure: string,
  others: string
): Stack {
  const groups = new Map<string, { total: number; at: Map<number, number> }>()
  for (const row of rows) {
    const name = row.dims.map((dim) => dim.slice(dim.indexOf('=') + 1)).join(' · ')
    const group = groups.get(name) ?? { total: 0, at: new Map<number, number>() }
    const start = bucketStart(Date.parse(row.bucketAt ?? row.firstAt), interval)
    const figure = figureOf(row, measure)
    group.total += figure
    group.at.set(start, (group.at.get(start) ?? 0) + figure)
    groups.set(name, group)
  }
  const sorted = [...groups].sort(([, a], [, b]) => b.total - a.total)
  const rest = sorted.slice(MOST_LINES)
  const buckets = (at: ReadonlyMap<number, number>) =>
    fillBuckets(
      [...at].map(([start, value]) => ({ at: new Date(start).toISOString(), value })),
      starts,
      0
    )
  const series: ChartSeries[] = sorted
    .slice(0, MOST_LINES)
    .map(([label, { at }]) => ({ id: `group ${label}`, label, values: buckets(at) }))
  if (rest.length > 0) {
    const all = new Map<number, number>()
    for (const [, { at }] of rest)
      for (const [start, value] of at) all.set(start, (all.get(start) ?? 0) + value)
    series.push({ id: 'others', label: others, values: buckets(all) })
  }
  return { series, total: sorted.reduce((sum, [, { total }]) => sum + total, 0) }
}

/** One line per bucket of a family over any dimension: the time before, as a ghost. */
export function totalsAt(
  rows: readonly RollupAnswer[],
  interval: Interval,
  measure: string
): { readonly at: string; readonly value: number }[] {
  const found = new Map<number, number>()
  for (const row of rows) {
    const start = bucketStart(Date.parse(row.bucketAt ?? row.firstAt), interval)
    found.set(start, (found.get(start) ?? 0) + figureOf(row, measure))
  }
  return [...found].map(([start, value]) => ({ at: new Date(start).toISOString(), value }))
}

export interface UsageRow extends UsageTotal {
  readonly id: string
  /** Of the largest. */
  readonly share: number
}

/** Groups ordered by a metric or the count, the largest first. */
export function usageRows({ groups }: UsageTotals, measure: string): UsageRow[] {
  const figure = (group: UsageTotal) =>
    measure === COUNT ? group.count : (group.sums[measure] ?? 0)
  const most = Math.max(0, ...groups.map(figure)) || 1
  return [...groups]
    .sort((a, b) => figure(b) - figure(a) || b.count - a.count)
    .map((group) => ({ ...group, id: group.value ?? '', share: figure(group) / most }))
}

/** A group as a line of a file. */
export const usageCells = ({ value, count, unbilled, quantities, amounts, sums }: UsageRow) => ({
  value,
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
