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

/** Keys of rare records are in no list, and may be asked for all the same. */
const isAttr = (by: string): boolean => by.startsWith('attr:')

/** Where OpenTelemetry keeps the route of a request, and the name of a span. */
const OF_OPENTELEMETRY = ['http.route', 'span.name']

/** The chosen grouping alone, else those to try: indexed attributes (a route), what OTLP has, names. */
export function groupingsToTry(spans: RegistryAnswer, chosen: string | null): readonly string[] {
  if (chosen !== null && (isAttr(chosen) || groupings(spans).includes(chosen))) return [chosen]
  const known = attrKeys(spans, null)
  const indexed = Object.values(spans.registry).flatMap(({ indexedAttrs }) => indexedAttrs)
  const keys = [...new Set([...indexed, ...OF_OPENTELEMETRY])].filter((key) => known.includes(key))
  return [...keys.map((key) => `attr:${key}`), 'name']
}

/** The part of the spans that have the value that they are grouped by. */
export function coverageOf({ groups }: Pick<Durations, 'groups'>): number {
  const count = (some: readonly SpanGroup[]) => some.reduce((sum, { n }) => sum + n, 0)
  const all = count(groups)
  return all === 0 ? 0 : count(groups.filter(({ value }) => value !== null)) / all
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
