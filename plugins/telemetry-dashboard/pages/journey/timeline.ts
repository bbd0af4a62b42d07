// One subject's journey as a line of time: records and milestones together, and what can be said of both.

import type { JourneyResult } from '@keelson/telemetry'
import type { AsJson } from '@keelson/ui'
import type { RecordRow } from '../records/record.ts'
import type { RollupAnswer } from '../requests.ts'

/** The answer of `/api/journey/:ref` as far as it is shown. */
export type JourneyAnswer = Omit<AsJson<JourneyResult>, 'dataSource'>

export interface TimelineItem {
  readonly id: string
  readonly at: string
  readonly tenantId: string
  /** One of the two. */
  readonly record?: RecordRow
  readonly milestone?: RollupAnswer
}

/** Records and the milestones of the same time, newest first; a milestone is above its record. */
export function timelineOf(
  { records, milestones }: JourneyAnswer,
  span: { readonly from: number; readonly to: number }
): TimelineItem[] {
  const items: TimelineItem[] = records.map((record) => ({
    id: `${record.tenantId} ${record._id}`,
    at: record.occurredAt,
    tenantId: record.tenantId,
    record
  }))
  for (const milestone of milestones) {
    const at = Date.parse(milestone.firstAt)
    if (at < span.from || at >= span.to) continue
    const { firstAt, tenantId, _id } = milestone
    items.push({ id: `milestone ${_id}`, at: firstAt, tenantId, milestone })
  }
  return items.sort(
    (a, b) =>
      Date.parse(b.at) - Date.parse(a.at) ||
      Number(a.milestone === undefined) - Number(b.milestone === undefined)
  )
}

export interface Transition {
  readonly id: string
  readonly key: string
  readonly from: string
  readonly to: string
  readonly count: number
  /** How long the state before had lasted, at the median of those that are known, ms. */
  readonly median: number | undefined
}

function medianOf(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b)
  const high = sorted[sorted.length >> 1]
  if (high === undefined || sorted.length % 2 === 1) return high
  return ((sorted[(sorted.length >> 1) - 1] ?? high) + high) / 2
}

/** Which states followed which, the most frequent first. */
export function transitionsOf(records: readonly RecordRow[]): Transition[] {
  const found = new Map<
    string,
    { key: string; from: string; to: string; waits: number[]; n: number }
  >()
  for (const { state } of records) {
    if (state === undefined) continue
    const { key, from = '', to, previousSinceMs } = state
    const id = JSON.stringify([key, from, to])
    const known = found.get(id) ?? { key, from, to, waits: [], n: 0 }
    known.n += 1
    if (previousSinceMs !== undefined) known.waits.push(previousSinceMs)
    found.set(id, known)
  }
  return [...found]
    .map(([id, { waits, n, ...rest }]) => ({ id, ...rest, count: n, median: medianOf(waits) }))
    .sort((a, b) => b.count - a.count)
}

/** Time between two moments in days, as text for people: how long after the first milestone. */
export const sinceFirst = (
  milestones: readonly RollupAnswer[],
  { firstAt }: RollupAnswer
): number => Date.parse(firstAt) - Date.parse(milestones[0]?.firstAt ?? firstAt)

/** An item as a line of a file. */
export const timelineCells = ({ at, tenantId, record, milestone }: TimelineItem) => ({
  at,
  tenantId,
  kind: record?.kind ?? 'milestone',
  name: record?.name ?? milestone?.as,
  id: record?._id,
  service: record?.service
})
