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
import { leastOf } from './step-math.ts'
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
  const later = { from, to: now > to ? now : to }
  const [active, others] = await Promise.all([
    read(again, later),
    again === first ? undefined : read(first, { from, to })
  ])
  const begun = others ?? (hasAllBefore(active, to) ? active : await read(first, { from, to }))
  const missing = begun === active ? active.missing : [...begun.missing, ...active.missing]
  return {
    cohorts: countRetention(
      firstTimes(begun, first, to),
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

/** Whether a read that goes on after a time has as much before it as one that ends there. */
const hasAllBefore = ({ people, isCut }: PersonSteps, to: Date): boolean =>
  !isCut ||
  people.every(({ doings }) =>
    [...doings.values()].every((done) =>
      done.every(({ times }) => leastOf(times, to.getTime()) === Infinity)
    )
  )

/** Of who did it before a time. */
const firstTimes = ({ people }: PersonSteps, name: string, to: Date): readonly Active[] =>
  people.flatMap((person) => {
    const done = person.doings.get(name) ?? []
    const at = done.reduce((least, { times }) => Math.min(least, leastOf(times)), Infinity)
    return at < to.getTime() ? { who: whoOf(person), at } : []
  })

/** Each period in which a person was active, once. */
const periodsOf = (
  { people }: PersonSteps,
  name: string,
  interval: RetentionInterval
): readonly Active[] =>
  people.flatMap((person) => {
    const who = whoOf(person)
    const starts = new Set<number>()
    for (const { times } of person.doings.get(name) ?? []) {
      for (let index = 0; index < times.length; index++) {
        starts.add(bucketStart(times[index] as number, interval))
      }
    }
    return Array.from(starts, (at) => ({ who, at }))
  })
