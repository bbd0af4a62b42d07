// Who came back: cohorts by the period of their first time, and how many were active in each period after.

import type { Document } from 'mongodb'
import { findAnonymousRefs } from '../identity/find-links.ts'
import { bucketStart, nextBucket } from '../rollups/bucket.ts'
import type { StoredRollup } from '../rollups/update.ts'
import type { RetentionCohort, RetentionInterval, RetentionResult } from '../schemas/cohorts.ts'
import { requireDistinctFamily, requireMilestoneFamily } from './families.ts'
import { cohortFilter, findMilestones } from './funnel.ts'
import { findPeople } from './people.ts'
import { clampLimit, type Reader } from './reader.ts'
import { scopeFilter } from './row-filter.ts'
import { MAX_TIME_MS } from './row-source.ts'
import { checkInterval } from './series.ts'
import type { TimeRange } from './types.ts'

export interface RetentionParams extends TimeRange {
  /** The lifetime family that begins it, by subject alone. */
  readonly anchor: string
  /** The bucketed family that says who was active, by subject alone. */
  readonly activity: string
  /** Default week. */
  readonly interval?: RetentionInterval
  readonly subjectType?: string
  /** Cap of the cohort. */
  readonly limit?: number
}

const REFS_A_READ = 1000

export interface Active {
  /** Tenant and ref of a person. */
  readonly who: string
  readonly at: number
}

type Seen = Pick<StoredRollup, 'tenantId' | 'dims' | 'firstAt'>
type SeenInBucket = Seen & Pick<StoredRollup, 'bucketAt'>

export async function readRetention(
  reader: Reader,
  scope: string,
  params: RetentionParams
): Promise<RetentionResult> {
  const { anchor, activity, from, to, interval = 'week', subjectType } = params
  checkInterval(interval, ['day', 'week', 'month'])
  requireMilestoneFamily(reader.registry(), anchor)
  requireDistinctFamily(reader.registry(), activity)
  const limit = clampLimit(params.limit, reader.limits.funnel)
  const cohort = { stages: [anchor], from, to, ...(subjectType !== undefined && { subjectType }) }
  const found = await findMilestones(reader, cohortFilter(scope, anchor, cohort), limit + 1)
  const cohortRows = found.slice(0, limit)
  const members = await asPeople(reader, scope, cohortRows, ({ firstAt }) => firstAt)
  const persons = new Set(members.map(({ ref }) => ref))
  const refs = new Set([
    ...cohortRows.map(({ dims }) => dims[0] ?? ''),
    ...persons,
    ...(await findAnonymousRefs(reader.aliases, scope, [...persons]))
  ])
  const read = await readActive(reader, scope, activity, [...refs], from)
  const active = await asPeople(reader, scope, read.rows, ({ bucketAt }) => bucketAt)
  return {
    cohorts: countRetention(members, active, interval, reader.now().getTime()),
    interval,
    truncated: found.length > limit || read.isTruncated,
    dataSource: 'rollups'
  }
}

async function readActive(
  { rollups, limits }: Reader,
  scope: string,
  as: string,
  refs: readonly string[],
  from: Date
): Promise<{ readonly rows: readonly SeenInBucket[]; readonly isTruncated: boolean }> {
  const rows: SeenInBucket[] = []
  for (let at = 0; at < refs.length; at += REFS_A_READ) {
    const left = limits.distinct - rows.length
    const found = await rollups
      .find(activeFilter(scope, as, refs.slice(at, at + REFS_A_READ), from))
      .project<SeenInBucket>({ _id: 0, tenantId: 1, dims: 1, firstAt: 1, bucketAt: 1 })
      .limit(left + 1)
      .maxTimeMS(MAX_TIME_MS)
      .toArray()
    for (const row of found.slice(0, left)) rows.push(row)
    if (found.length > left) return { rows, isTruncated: true }
  }
  return { rows, isTruncated: false }
}

/** Rows under the people whose they are. */
async function asPeople<Row extends Seen>(
  reader: Reader,
  scope: string,
  rows: readonly Row[],
  timeOf: (row: Row) => Date | undefined
): Promise<readonly (Active & { readonly ref: string })[]> {
  const people = await findPeople(
    reader,
    scope,
    rows.map(({ dims }) => dims[0] ?? '')
  )
  return rows.map((row) => {
    const ref = people.refAt(row.tenantId, row.dims[0] ?? '', row.firstAt.getTime())
    return { ref, who: `${row.tenantId}\n${ref}`, at: timeOf(row)?.getTime() ?? 0 }
  })
}

/** What some subjects did since the day the window began. */
export function activeFilter(
  scope: string,
  as: string,
  refs: readonly string[],
  from: Date
): Document {
  return {
    ...scopeFilter(scope),
    dims: { $in: [...refs] },
    as,
    bucketAt: { $gte: new Date(bucketStart(from.getTime(), 'month')) }
  }
}

/** Counts each member once a period, from the period of its first time on. Members: the earliest first. */
export function countRetention(
  members: readonly Active[],
  active: readonly Active[],
  interval: RetentionInterval,
  now: number
): readonly RetentionCohort[] {
  const cohortOf = new Map<string, number>()
  for (const { who, at } of members) {
    // One person may have begun under several refs.
    if (!cohortOf.has(who)) cohortOf.set(who, bucketStart(at, interval))
  }
  const sizes = new Map<number, number>()
  for (const start of cohortOf.values()) sizes.set(start, (sizes.get(start) ?? 0) + 1)
  const seen = new Map<number, Map<number, Set<string>>>()
  for (const { who, at } of active) {
    const start = cohortOf.get(who)
    if (start === undefined) continue
    const periods = seen.get(start) ?? new Map<number, Set<string>>()
    seen.set(start, periods)
    const period = bucketStart(at, interval)
    const people = periods.get(period) ?? new Set()
    periods.set(period, people.add(who))
  }
  return [...sizes]
    .sort(([a], [b]) => a - b)
    .map(([start, subjects]) => {
      const counts: number[] = []
      for (let at = start; at <= now; at = nextBucket(at, interval)) {
        counts.push(seen.get(start)?.get(at)?.size ?? 0)
      }
      return { at: new Date(start), subjects, active: counts }
    })
}
