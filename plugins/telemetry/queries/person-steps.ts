// Who did which events, and when: what funnels, retention and cohorts over any events are made of.
import type { Document } from 'mongodb'
import type { RecordFilters } from '../schemas/filters.ts'
import { breakdownField } from './breakdown.ts'
import { findPeople, type People } from './people.ts'
import type { Reader } from './reader.ts'
import { rowFilter } from './row-filter.ts'
import { NEWEST_FIRST } from './row-source.ts'
import { inSlices } from './slices.ts'
import type { Done } from './step-math.ts'
import { QueryError, type TimeRange } from './types.ts'

/** Names of one read. */
export const MAX_STEPS = 12

export interface StepsRead extends TimeRange {
  readonly names: readonly string[]
  readonly filters?: RecordFilters
  /** A value of records, as a breakdown names it. */
  readonly by?: string | undefined
}

export interface Person {
  readonly tenantId: string
  readonly ref: string
  /** By event name. */
  readonly doings: Map<string, Done[]>
}

export interface PersonSteps {
  readonly people: readonly Person[]
  /** Only the newest records were read. */
  readonly isCut: boolean
  readonly missing: readonly TimeRange[]
}

interface Group {
  readonly _id: {
    readonly tenant: string
    readonly ref: unknown
    readonly step: string
    readonly v?: unknown
  }
  readonly at: ArrayLike<Date | number>
}

/** One document a person, event and value of the newest records, up to the cap. */
export function stepsPipeline(scope: string, read: StepsRead, cap: number): Document[] {
  const { name: _name, ...filters } = read.filters ?? {}
  const filter = rowFilter(scope, read, filters)
  return [
    { $match: { subjectKeys: { $exists: true }, ...filter, name: { $in: [...read.names] } } },
    { $sort: NEWEST_FIRST },
    { $limit: cap },
    {
      $group: {
        _id: {
          tenant: '$tenantId',
          // A record of several subjects belongs to its first.
          ref: { $first: '$subjectKeys' },
          step: '$name',
          ...(read.by !== undefined && { v: `$${breakdownField(read.by)}` })
        },
        at: { $push: '$occurredAt' }
      }
    }
  ]
}

/** An anonymous ref is the person whose it was at the time. */
export async function readSteps(
  reader: Reader,
  scope: string,
  read: StepsRead
): Promise<PersonSteps> {
  checkNames(read.names)
  const cap = reader.limits.distribution
  const pipeline = stepsPipeline(scope, read, cap)
  const { items, missing } = await reader.rows.aggregate<Group>(pipeline)
  const refs = items.flatMap(({ _id: { ref } }) => (typeof ref === 'string' ? [ref] : []))
  const behind = await findPeople(reader, scope, refs)
  const people = new Map<string, Person>()
  for await (const some of inSlices(items)) for (const group of some) take(people, group, behind)
  const count = items.reduce((sum, { at }) => sum + at.length, 0)
  return { people: [...people.values()], isCut: count >= cap, missing }
}

/** Puts the times of a group to the people who did it. */
function take(
  people: Map<string, Person>,
  { _id: { tenant: tenantId, ref, step, v }, at: times }: Group,
  behind: People
): void {
  if (typeof ref !== 'string') return
  const value = typeof v === 'string' ? v : null
  const isLinked = behind.isLinked(tenantId, ref)
  let last: string | undefined
  let done: Done[] = []
  for (let index = 0; index < times.length; index++) {
    const at = Number(times[index])
    const own = isLinked ? behind.refAt(tenantId, ref, at) : ref
    if (own !== last) done = doneOf(personOf(people, tenantId, own), step)
    last = own
    done.push({ at, value })
  }
}

function doneOf({ doings }: Person, step: string): Done[] {
  const known = doings.get(step)
  if (known !== undefined) return known
  const done: Done[] = []
  doings.set(step, done)
  return done
}

function personOf(people: Map<string, Person>, tenantId: string, ref: string): Person {
  const key = `${tenantId}\n${ref}`
  const known = people.get(key)
  if (known !== undefined) return known
  const person = { tenantId, ref, doings: new Map() }
  people.set(key, person)
  return person
}

/** @throws QueryError */
function checkNames(names: readonly string[]): void {
  if (names.length === 0) throw new QueryError('steps required')
  if (names.length > MAX_STEPS) throw new QueryError(`steps must name at most ${MAX_STEPS}`)
  if (names.some((name) => typeof name !== 'string' || name === '' || name.length > 200)) {
    throw new QueryError('each step must be the name of an event')
  }
}
