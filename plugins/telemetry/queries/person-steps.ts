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
  /** By event name; none without a time. */
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
  const pipeline = stepsPipeline(scope, read, reader.limits.distribution)
  const { items, missing, isCut } = await reader.rows.aggregateNewest<Group>(
    pipeline,
    ({ at }) => at.length
  )
  const refs = items.flatMap(({ _id: { ref } }) => (typeof ref === 'string' ? [ref] : []))
  const behind = await findPeople(reader, scope, refs)
  const people = new Map<string, Person>()
  for await (const some of inSlices(items)) for (const group of some) take(people, group, behind)
  return { people: [...people.values()], isCut, missing }
}

/** Puts the times of a group to the people who did it. */
function take(
  people: Map<string, Person>,
  { _id: { tenant: tenantId, ref, step, v }, at: times }: Group,
  behind: People
): void {
  if (typeof ref !== 'string' || times.length === 0) return
  const value = typeof v === 'string' ? v : null
  const put = (own: string, some: ArrayLike<number>) =>
    addDone(personOf(people, tenantId, own), step, { times: some, value })
  const all = numbersOf(times)
  if (!behind.isLinked(tenantId, ref)) {
    put(ref, all)
    return
  }
  const parts = new Map<string, number[]>()
  for (let index = 0; index < all.length; index++) {
    const at = all[index] as number
    const own = behind.refAt(tenantId, ref, at)
    const part = parts.get(own)
    if (part === undefined) parts.set(own, [at])
    else part.push(at)
  }
  for (const [own, part] of parts) put(own, part)
}

/** Columns answer numbers, documents dates. */
const numbersOf = (times: ArrayLike<Date | number>): ArrayLike<number> =>
  typeof times[0] === 'number' ? (times as ArrayLike<number>) : Array.from(times, Number)

function addDone({ doings }: Person, step: string, done: Done): void {
  const known = doings.get(step)
  if (known === undefined) doings.set(step, [done])
  else known.push(done)
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
