// Who came back, over any events: cohorts by the first time of one event, active by the times of another.

import { bucketStart } from '../rollups/bucket.ts'
import {
  COHORT_INTERVALS,
  type EventRetentionResult,
  type RetentionInterval
} from '../schemas/cohorts.ts'
import type { RecordFilters } from '../schemas/filters.ts'
import { type Person, type PersonSteps, readSteps } from './person-steps.ts'
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
  const reading = read(first, { from, to })
  const isSame = again === first && now <= to
  const [begun, active] = await Promise.all([
    reading,
    isSame ? reading : read(again, { from, to: now > to ? now : to })
  ])
  const missing = [...begun.missing, ...active.missing]
  return {
    cohorts: countRetention(
      firstTimes(begun, first),
      periodsOf(active, again, interval),
      interval,
      now.getTime()
    ),
    interval,
    truncated: begun.isCut || active.isCut || missing.length > 0,
    ...gapsOf(missing),
    dataSource: 'raw'
  }
}

const whoOf = ({ tenantId, ref }: Person): string => `${tenantId}\n${ref}`

const firstTimes = ({ people }: PersonSteps, name: string): readonly Active[] =>
  people.flatMap((person) => {
    const times = person.doings.get(name)
    if (times === undefined) return []
    return {
      who: whoOf(person),
      at: times.reduce((least, { at }) => Math.min(least, at), Infinity)
    }
  })

/** Each period in which a person was active, once. */
const periodsOf = (
  { people }: PersonSteps,
  name: string,
  interval: RetentionInterval
): readonly Active[] =>
  people.flatMap((person) => {
    const who = whoOf(person)
    const times = person.doings.get(name) ?? []
    const starts = new Set(times.map(({ at }) => bucketStart(at, interval)))
    return Array.from(starts, (at) => ({ who, at }))
  })
