// The people behind a number of a funnel: who reached a stage, or stopped before the next.
import type { FunnelPeopleResult, FunnelPerson } from '../schemas/cohorts.ts'
import { requireMilestoneFamily } from './families.ts'
import { cohortFilter, findMilestones, membersOf } from './funnel.ts'
import { clampLimit, type Reader } from './reader.ts'
import { type FunnelParams, QueryError } from './types.ts'

export const FUNNEL_OUTCOMES = ['reached', 'missed'] as const

export interface FunnelPeopleParams
  extends Pick<
    FunnelParams,
    'from' | 'to' | 'anchor' | 'stages' | 'endInclusive' | 'subjectType' | 'limit'
  > {
  /** One of the stages. */
  readonly stage: string
  /** `reached` (default) it, or had the stage before and `missed` it. */
  readonly outcome?: (typeof FUNNEL_OUTCOMES)[number]
  /** People of one answer, of those the newest members; at most, and by default, 500. `limit` caps the cohort. */
  readonly most?: number
}

export const MOST_PEOPLE = 500

export async function readFunnelPeople(
  reader: Reader,
  scope: string,
  params: FunnelPeopleParams
): Promise<FunnelPeopleResult> {
  const { stages, stage, outcome = 'reached', from } = params
  const [first] = stages
  if (first === undefined) throw new QueryError('funnel stages required')
  const place = stages.indexOf(stage)
  if (place < 0) throw new QueryError('stage must be one of the stages')
  if (!FUNNEL_OUTCOMES.includes(outcome)) {
    throw new QueryError(`outcome must be one of ${FUNNEL_OUTCOMES.join(', ')}`)
  }
  const anchor = params.anchor ?? first
  const families = [...new Set([anchor, ...stages])]
  for (const as of families) requireMilestoneFamily(reader.registry(), as)
  const limit = clampLimit(params.limit, reader.limits.funnel)
  const found = await findMilestones(reader, cohortFilter(scope, anchor, params), limit + 1)
  const cohort = found.slice(0, limit)
  const members = await membersOf(reader, scope, cohort, { families, anchor, from })
  const before = stages[place - 1]
  const people = members.flatMap(({ tenantId, ref, anchorAt, reached }): FunnelPerson[] => {
    const isWanted =
      outcome === 'reached'
        ? reached.has(stage)
        : !reached.has(stage) && (before === undefined || reached.has(before))
    if (!isWanted) return []
    const steps = [...reached].sort(([, a], [, b]) => a - b)
    const [last, lastAt] = steps[steps.length - 1] ?? [anchor, anchorAt]
    return [{ tenantId, ref, anchorAt: new Date(anchorAt), last, lastAt: new Date(lastAt) }]
  })
  return {
    people: people.reverse().slice(0, clampLimit(params.most, MOST_PEOPLE)),
    total: people.length,
    truncated: found.length > limit,
    dataSource: 'rollups'
  }
}
