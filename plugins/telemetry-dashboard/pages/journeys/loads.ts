// What the Journeys page asks for: the funnel and its people, retention.

import { nextStart } from '@keelson/sdk/zoned-time'
import type { FunnelPeopleResult } from '@keelson/telemetry'
import { type AsJson, Load, type Span } from '@keelson/ui'
import type { Look } from '../look.ts'
import { bucketParams, path } from '../requests.ts'
import { describeSubjects } from '../subject-names.ts'
import {
  activityFamilies,
  type Family,
  followingStages,
  possibleFunnels,
  type Stages
} from './families.ts'
import type { FunnelAnswer, Outcome } from './funnel.ts'
import type { RetentionAnswer } from './retention.ts'

type PeopleAnswer = AsJson<FunnelPeopleResult>

/** A number of the funnel whose people are listed. */
export interface WantedPeople {
  readonly stage: string
  readonly outcome: Outcome
  /** When a week starts; `null` for the whole range. */
  readonly week: string | null
}

/** Which milestones follow each other, by the subjects that reached them. */
export function followingOf({ page, range, dashboard }: Look, milestones: () => readonly Family[]) {
  return new Load(page, {
    needs: dashboard.registry,
    args: () => {
      const stages = milestones().map(({ as }) => as)
      return stages.length === 0 ? null : ([stages.join(), range.span.from, range.span.to] as const)
    },
    run: async ([stages, from, to], signal) => {
      const read = (names: readonly string[]) => {
        const asked = new URLSearchParams({ stages: names.join() })
        return dashboard.api.read<FunnelAnswer>(path('funnel', asked, { from, to }, {}), signal)
      }
      const funnels = await Promise.all(possibleFunnels(stages.split(',')).map(read))
      const [most] = funnels.sort((a, b) => b.first - a.first)
      return followingStages(most?.stages ?? [])
    }
  })
}

/** The funnel of the chosen stages, by week. */
export function funnelOf(look: Look, chosen: () => Stages, needs: ReturnType<typeof followingOf>) {
  const { page, range, dashboard } = look
  return new Load(page, {
    needs,
    args: () => {
      const { stages, exits } = chosen()
      if (stages.length === 0) return null
      return [stages.join(), exits.join(), range.span.from, range.span.to, look.timeZone] as const
    },
    run: ([stages, exits, from, to, timeZone], signal) => {
      const params = new URLSearchParams({ stages, ...(exits !== '' && { exits }) })
      const asked = path(
        'funnel',
        params,
        { from, to },
        bucketParams({ interval: 'week', timeZone })
      )
      return dashboard.api.read<FunnelAnswer>(asked, signal)
    }
  })
}

/** Weekly retention of those who reached the first chosen stage. */
export function retentionOf(
  { page, range, dashboard }: Look,
  chosen: () => Stages,
  needs: ReturnType<typeof followingOf>
) {
  return new Load(page, {
    needs,
    args: () => {
      const registry = dashboard.registry.value
      const [activity] = registry === undefined ? [] : activityFamilies(registry)
      const [anchor] = chosen().stages
      if (activity === undefined || anchor === undefined) return null
      return [anchor, activity.as, range.span.from, range.span.to] as const
    },
    run: ([anchor, activity, from, to], signal) => {
      const params = new URLSearchParams({ anchor, activity, interval: 'week' })
      const asked = path('retention', params, { from, to }, {})
      return dashboard.api.read<RetentionAnswer>(asked, signal)
    }
  })
}

/** The cohort of one week, cut to the range; the whole range without a valid week. */
export function cohortSpan(range: Span, week: string | null, timeZone: string): Span {
  const start = week === null ? Number.NaN : Date.parse(week)
  if (Number.isNaN(start)) return range
  const from = Math.max(range.from, start)
  return { from, to: Math.max(from + 1, Math.min(range.to, nextStart(start, 'week', timeZone))) }
}

/** The people behind a number of the funnel. */
export function peopleOf(
  { page, range, dashboard: { api } }: Look,
  chosen: () => Stages,
  wanted: () => WantedPeople | null
) {
  return new Load(page, {
    args: () => {
      const asked = wanted()
      if (asked === null) return null
      const { stage, outcome, week } = asked
      const { from, to } = cohortSpan(range.span, week, page.format.timeZone)
      const { stages } = chosen()
      // People of a milestone besides the stages are asked for as if it were the last stage.
      const listed = stages.includes(stage) ? stages : [...stages, stage]
      return [stage, outcome, listed.join(), from, to] as const
    },
    run: async ([stage, outcome, stages, from, to], signal) => {
      const params = new URLSearchParams({ stages, stage, outcome })
      const asked = path('funnel/people', params, { from, to }, {})
      const answer = await api.read<PeopleAnswer>(asked, signal)
      const refs = answer.people.map(({ ref }) => ref)
      const labels = await describeSubjects(refs, (one) => api.read(one, signal))
      return { ...answer, labels, asked: `${stage} ${outcome} ${from} ${to}` }
    }
  })
}
