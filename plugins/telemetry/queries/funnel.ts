// How far a cohort came: membership from the anchor's rollups, stages from those of its members.

import { startOf } from '@keelson/sdk/zoned-time'
import type { Document } from 'mongodb'
import { encodeKey } from '../field-keys.ts'
import { findAnonymousRefs, linkKey } from '../identity/find-links.ts'
import type { StoredRollup } from '../rollups/update.ts'
import type { FunnelGroup, FunnelResult, FunnelSlice } from '../schemas/cohorts.ts'
import { requireMilestoneFamily } from './families.ts'
import { type Member, summarizeStages } from './funnel-math.ts'
import { findPeople } from './people.ts'
import { clampLimit, type Reader } from './reader.ts'
import { scopeFilter } from './row-filter.ts'
import { MAX_TIME_MS } from './row-source.ts'
import { checkInterval } from './series.ts'
import { checkBuckets } from './time-buckets.ts'
import { type FunnelParams, QueryError } from './types.ts'

const REFS_A_READ = 1000

/** Groups of one answer. */
const MAX_FUNNEL_GROUPS = 50

export type Milestone = Pick<StoredRollup, 'tenantId' | 'as' | 'dims' | 'firstAt' | 'firstCapture'>
const PROJECTION = { _id: 0, tenantId: 1, as: 1, dims: 1, firstAt: 1, firstCapture: 1 } as const

export async function readFunnel(
  reader: Reader,
  scope: string,
  params: FunnelParams
): Promise<FunnelResult> {
  const { stages, exits = [], from, to, endInclusive = false, interval, by } = params
  const [firstStage] = stages
  if (firstStage === undefined) throw new QueryError('funnel stages required')
  checkInterval(interval, ['day', 'week', 'month'])
  checkBuckets(params.timeZone === undefined ? {} : { timeZone: params.timeZone })
  const anchor = params.anchor ?? firstStage
  const families = [...new Set([anchor, ...stages, ...exits])]
  for (const as of families) requireMilestoneFamily(reader.registry(), as)
  checkCaptured(reader, anchor, by)
  const limit = clampLimit(params.limit, reader.limits.funnel)
  const found = await findMilestones(reader, cohortFilter(scope, anchor, params), limit + 1)
  const cohort = await membersOf(reader, scope, found.slice(0, limit), {
    families,
    anchor,
    from
  })
  return {
    cohortSubjects: cohort.length,
    first: cohort.filter(({ reached }) => reached.has(firstStage)).length,
    stages: summarizeStages(cohort, stages),
    exits: exits.map((as) => ({
      key: as,
      as,
      label: as,
      subjects: cohort.filter(({ reached }) => reached.has(as)).length
    })),
    slices: interval === undefined ? null : slicesOf(cohort, params, interval),
    ...(by !== undefined && { groups: groupsOf(cohort, stages, by) }),
    truncated: found.length > limit,
    cohort: { from, to, endInclusive, anchor },
    dataSource: 'rollups'
  }
}

/** Who reached the anchor in the window. */
export function cohortFilter(scope: string, anchor: string, params: FunnelParams): Document {
  const { from, to, endInclusive = false, subjectType } = params
  if (!(from < to)) throw new QueryError('invalid time range')
  return {
    ...scopeFilter(scope),
    as: anchor,
    lifetime: true,
    firstAt: { $gte: from, ...(endInclusive ? { $lte: to } : { $lt: to }) },
    ...(subjectType !== undefined && { subjectType })
  }
}

export function findMilestones(
  { rollups }: Reader,
  filter: Document,
  limit: number
): Promise<readonly Milestone[]> {
  return rollups
    .find(filter)
    .project<Milestone>(PROJECTION)
    .sort({ firstAt: 1, _id: 1 })
    .limit(limit)
    .maxTimeMS(MAX_TIME_MS)
    .toArray()
}

/** A member of a cohort, under the ref that is known. */
export interface CohortMember extends Member {
  readonly tenantId: string
  readonly ref: string
  /** What the record captured that brought them in. */
  readonly captured: StoredRollup['firstCapture']
}

/**
 * The members of a cohort and what they reached. An anonymous ref is the person whose it was: what both
 * reached counts for one member.
 */
export async function membersOf(
  reader: Reader,
  scope: string,
  cohort: readonly Milestone[],
  { families, anchor, from }: { families: readonly string[]; anchor: string; from: Date }
): Promise<readonly CohortMember[]> {
  const cohortRefs = cohort.map(({ dims }) => dims[0] ?? '')
  const people = await findPeople(reader, scope, cohortRefs)
  const members = new Map<string, CohortMember & { readonly reached: Map<string, number> }>()
  for (const { tenantId, dims, firstAt, firstCapture: captured } of cohort) {
    const anchorAt = firstAt.getTime()
    const ref = people.refAt(tenantId, dims[0] ?? '', anchorAt)
    const key = linkKey(tenantId, ref)
    const member = members.get(key) ?? { tenantId, ref, anchorAt, captured, reached: new Map() }
    members.set(key, member)
    note(member.reached, anchor, anchorAt)
  }
  const others = families.filter((as) => as !== anchor)
  if (others.length === 0) return [...members.values()]
  const persons = new Set([...members.values()].map(({ ref }) => ref))
  const anonymous = await findAnonymousRefs(reader.aliases, scope, [...persons])
  const refs = [...new Set([...cohortRefs, ...persons, ...anonymous])]
  for (const { tenantId, as, ref, at } of await findStages(reader, scope, { others, refs, from })) {
    note(members.get(linkKey(tenantId, ref))?.reached, as, at)
  }
  return [...members.values()]
}

interface Stage {
  readonly tenantId: string
  readonly as: string
  readonly ref: string
  readonly at: number
}

/** What some refs reached, under the people whose they were then. */
async function findStages(
  reader: Reader,
  scope: string,
  { others, refs, from }: { others: readonly string[]; refs: readonly string[]; from: Date }
): Promise<readonly Stage[]> {
  const people = await findPeople(reader, scope, refs)
  const stages: Stage[] = []
  for (let at = 0; at < refs.length; at += REFS_A_READ) {
    const part = refs.slice(at, at + REFS_A_READ)
    const found = await reader.rollups
      .find(stagesFilter(scope, others, part, from))
      .project<Milestone>(PROJECTION)
      .maxTimeMS(MAX_TIME_MS)
      .toArray()
    for (const { tenantId, dims, as, firstAt } of found) {
      const at = firstAt.getTime()
      stages.push({ tenantId, as, ref: people.refAt(tenantId, dims[0] ?? '', at), at })
    }
  }
  return stages
}

/** The first time counts. */
function note(reached: Map<string, number> | undefined, as: string, at: number): void {
  if (reached !== undefined && at < (reached.get(as) ?? Infinity)) reached.set(as, at)
}

/** What members reached since the window began; there is no end to it. */
export function stagesFilter(
  scope: string,
  families: readonly string[],
  refs: readonly string[],
  from: Date
): Document {
  return {
    ...scopeFilter(scope),
    dims: { $in: [...refs] },
    as: families.length === 1 ? families[0] : { $in: [...families] },
    firstAt: { $gte: from }
  }
}

/** @throws QueryError for a value that the anchor does not capture, naming those that it does. */
function checkCaptured({ registry }: Reader, anchor: string, by: string | undefined): void {
  const captured = registry().family(anchor)?.capture ?? []
  if (by === undefined || captured.includes(by)) return
  const known = captured.length === 0 ? 'nothing' : captured.join(', ')
  throw new QueryError(`by must be a value that "${anchor}" captures; it captures ${known}`)
}

function groupsOf(
  cohort: readonly CohortMember[],
  stages: readonly string[],
  by: string
): readonly FunnelGroup[] {
  const key = encodeKey(by)
  const groups = new Map<string | null, CohortMember[]>()
  for (const member of cohort) {
    const value = member.captured?.[key] ?? null
    const members = groups.get(value)
    if (members === undefined) groups.set(value, [member])
    else members.push(member)
  }
  return [...groups]
    .map(([value, members]) => ({
      value,
      subjects: members.length,
      stages: summarizeStages(members, stages)
    }))
    .sort((a, b) => b.subjects - a.subjects)
    .slice(0, MAX_FUNNEL_GROUPS)
}

function slicesOf(
  cohort: readonly Member[],
  { stages, timeZone }: FunnelParams,
  interval: 'day' | 'week' | 'month'
): readonly FunnelSlice[] {
  const slices = new Map<number, Member[]>()
  for (const member of cohort) {
    const at = startOf(member.anchorAt, interval, timeZone)
    const members = slices.get(at)
    if (members === undefined) slices.set(at, [member])
    else members.push(member)
  }
  return [...slices]
    .sort(([a], [b]) => a - b)
    .map(([at, members]) => ({
      at: new Date(at),
      subjects: members.length,
      stages: summarizeStages(members, stages)
    }))
}
