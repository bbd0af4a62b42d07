// Spans in groups: what they can be grouped by, and in which order the groups are shown. Pure.
import type { DurationGroup, DurationsResult } from '@keelson/telemetry'
import type { AsJson } from '@keelson/ui'
import { groupKey } from '../figures.ts'
import { attrKeys, type RegistryAnswer } from '../registry.ts'

export type Durations = AsJson<DurationsResult>
export type SpanGroup = AsJson<DurationGroup>

/** The figures of a group; the list is sorted by one of them, the largest first. */
export const FIGURES = ['n', 'failed', 'p50', 'p95', 'max'] as const
export type GroupFigure = (typeof FIGURES)[number]

export const readFigure = (text: string | null): GroupFigure =>
  FIGURES.find((figure) => figure === text) ?? 'p95'

/** What spans can be grouped by: `name`, `service`, and the attributes of spans as `attr:<key>`. */
export const groupings = (spans: RegistryAnswer): readonly string[] => [
  ...attrKeys(spans, null).map((key) => `attr:${key}`),
  'name',
  'service'
]

/** The chosen grouping, else the first indexed attribute of spans (a route), else their names. */
export function groupingOf(spans: RegistryAnswer, chosen: string | null): string {
  if (chosen !== null && groupings(spans).includes(chosen)) return chosen
  const [key] = Object.values(spans.registry).flatMap(({ indexedAttrs }) => indexedAttrs)
  return key === undefined ? 'name' : `attr:${key}`
}

/** For an export: figures in milliseconds. */
export const groupCells = (groups: readonly SpanGroup[], by: string) =>
  groups.map(({ value, n, failed, p50, p95, max, slowest }) => ({
    [groupKey(by)]: value ?? '',
    n,
    failed,
    p50,
    p95,
    max,
    slowestTrace: slowest.traceId ?? ''
  }))

export const sortGroups = (
  groups: readonly SpanGroup[],
  figure: GroupFigure
): readonly SpanGroup[] => groups.toSorted((a, b) => b[figure] - a[figure])
