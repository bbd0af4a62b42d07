// Who came back: cohorts by the period of their first time, and how many were active in each period after.

import type { Document } from 'mongodb'
import { bucketStart, nextBucket } from '../rollups/bucket.ts'
import type { StoredRollup } from '../rollups/update.ts'
import type { RetentionCohort, RetentionInterval, RetentionResult } from '../schemas/cohorts.ts'
import { requireDistinctFamily, requireMilestoneFamily } from './families.ts'
import { cohortFilter, findMilestones } from './funnel.ts'
import { clampLimit, MAX_TIME_MS, type Reader } from './reader.ts'
import { scopeFilter } from './row-filter.ts'
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
  readonly who: string
  readonly at: number
}

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
  const members = found.slice(0, limit).map(({ tenantId, dims, firstAt }) => ({
    ref: dims[0] ?? '',
    who: `${tenantId}\n${dims[0]}`,
    at: firstAt.getTime()
  }))
  const refs = [...new Set(members.map(({ ref }) => ref))]
  const read = await readActive(reader, scope, activity, refs, from)
  return {
    cohorts: countRetention(members, read.active, interval, reader.now().getTime()),
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
): Promise<{ readonly active: readonly Active[]; readonly isTruncated: boolean }> {
  const active: Active[] = []
  for (let at = 0; at < refs.length; at += REFS_A_READ) {
    const left = limits.distinct - active.length
    const found = await rollups
      .find(activeFilter(scope, as, refs.slice(at, at + REFS_A_READ), from))
      .project<Pick<StoredRollup, 'tenantId' | 'dims' | 'bucketAt'>>({
        _id: 0,
        tenantId: 1,
        dims: 1,
        bucketAt: 1
      })
      .limit(left + 1)
      .maxTimeMS(MAX_TIME_MS)
      .toArray()
    for (const { tenantId, dims, bucketAt } of found.slice(0, left)) {
      active.push({ who: `${tenantId}\n${dims[0]}`, at: bucketAt?.getTime() ?? 0 })
    }
    if (found.length > left) return { active, isTruncated: true }
  }
  return { active, isTruncated: false }
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

/** Counts each member once a period, from the period of its first time on. */
export function countRetention(
  members: readonly Active[],
  active: readonly Active[],
  interval: RetentionInterval,
  now: number
): readonly RetentionCohort[] {
  const cohortOf = new Map(members.map(({ who, at }) => [who, bucketStart(at, interval)]))
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
