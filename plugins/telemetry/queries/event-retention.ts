// Who came back, over any events: cohorts by the first time of one event, active by the times of another.
import {
  COHORT_INTERVALS,
  type EventRetentionResult,
  type RetentionInterval
} from '../schemas/cohorts.ts'
import type { RecordFilters } from '../schemas/filters.ts'
import { type PersonSteps, readSteps } from './person-steps.ts'
import type { Reader } from './reader.ts'
import { type Active, countRetention } from './retention.ts'
import { gapsOf } from './row-source.ts'
import { checkInterval } from './series.ts'
import type { TimeRange } from './types.ts'

export interface EventRetentionParams extends TimeRange {
  /** The event whose first time in the range begins it. */
  readonly first: string
  /** The event that says who was active, up to now. Default: the same. */
  readonly again?: string
  /** Default week. */
  readonly interval?: RetentionInterval
  readonly filters?: RecordFilters
}

export async function readEventRetention(
  reader: Reader,
  scope: string,
  params: EventRetentionParams
): Promise<EventRetentionResult> {
  const { first, again = first, interval = 'week', from, to, filters } = params
  checkInterval(interval, COHORT_INTERVALS)
  const read = (name: string, range: TimeRange) =>
    readSteps(reader, scope, { ...range, names: [name], ...(filters && { filters }) })
  const now = reader.now()
  const [begun, active] = await Promise.all([
    read(first, { from, to }),
    read(again, { from, to: now > to ? now : to })
  ])
  const members = timesOf(begun, first).sort((a, b) => a.at - b.at)
  const missing = [...begun.missing, ...active.missing]
  return {
    cohorts: countRetention(members, timesOf(active, again), interval, now.getTime()),
    interval,
    truncated: begun.isCut || active.isCut || missing.length > 0,
    ...gapsOf(missing),
    dataSource: 'raw'
  }
}

const timesOf = ({ people }: PersonSteps, name: string): Active[] =>
  people.flatMap(({ tenantId, ref, doings }) =>
    (doings.get(name) ?? []).map(({ at }) => ({ who: `${tenantId}\n${ref}`, at }))
  )
