// What the Journeys page asks for: the funnel and its people, retention, one rollup family.
import type { FunnelPeopleResult } from '@keelson/telemetry'
import { Load } from '@keelson/ui'
import type { Span } from '../buckets.ts'
import { RangedPage } from '../ranged-page.ts'
import { path, type RollupAnswer } from '../requests.ts'
import { describeSubjects } from '../subject-names.ts'
import {
  activityFamilies,
  type Family,
  followingStages,
  labelOf,
  milestoneFamilies,
  type Stages,
  stagesOf
} from './families.ts'
import type { FunnelAnswer, Outcome } from './funnel.ts'
import type { RetentionAnswer } from './retention.ts'

type Dates = 'anchorAt' | 'lastAt'
export type Person = Omit<FunnelPeopleResult['people'][number], Dates> & Record<Dates, string>

interface PeopleAnswer {
  readonly people: readonly Person[]
  readonly total: number
  readonly truncated: boolean
}

interface RollupsAnswer {
  readonly rows: readonly RollupAnswer[]
  readonly bucketed: boolean
  readonly truncated: boolean
}

const WEEK = 7 * 86_400_000
export class JourneysState extends RangedPage {
  protected override get pageId(): string {
    return 'journeys'
  }

  /** Weeks are compared here: a longer look than elsewhere. */
  protected override get usualRange(): string {
    return '30d'
  }

  protected override get windowTitle(): string {
    const title = this.t('journeys.title')
    return this.family === null ? title : `${this.family} · ${title}`
  }

  /** The rollup family that is looked into. */
  protected get family(): string | null {
    return this.params.get('rollup')
  }

  get #isOverview(): boolean {
    return this.family === null
  }

  protected get isPlatform(): boolean {
    return this.registry.value?.platform === true
  }

  protected labelOf(as: string): string {
    return this.registry.value === undefined ? as : labelOf(this.registry.value, as)
  }

  protected get milestones(): readonly Family[] {
    return this.registry.value === undefined ? [] : milestoneFamilies(this.registry.value)
  }

  protected get chosen(): Stages {
    return stagesOf(this.milestones, this.params, this.following.value)
  }

  /** Which milestones follow on each other: told by those who began, not by their names. */
  protected readonly following = new Load(this, {
    args: () => {
      const stages = this.milestones.map(({ as }) => as)
      if (stages.length === 0 || !this.#isOverview) return null
      return [stages.join(), this.span.from, this.span.to] as const
    },
    run: async ([stages, from, to], signal) => {
      const asked = path('funnel', new URLSearchParams({ stages }), { from, to }, {})
      return followingStages((await this.read<FunnelAnswer>(asked, signal)).stages)
    }
  })

  /** The number whose people are listed. */
  protected get wanted(): { stage: string; outcome: Outcome; week: string | null } | null {
    const stage = this.params.get('stage')
    const { stages, exits } = this.chosen
    if (stage === null || !this.#isOverview || ![...stages, ...exits].includes(stage)) return null
    const outcome = this.params.get('outcome') === 'missed' ? 'missed' : 'reached'
    return { stage, outcome, week: this.params.get('week') }
  }

  protected readonly funnel = new Load(this, {
    args: () => {
      const { stages, exits } = this.chosen
      if (stages.length === 0 || !this.#isOverview) return null
      return [stages.join(), exits.join(), this.span.from, this.span.to] as const
    },
    run: ([stages, exits, from, to], signal) => {
      const params = new URLSearchParams({ stages, ...(exits !== '' && { exits }) })
      return this.read<FunnelAnswer>(
        path('funnel', params, { from, to }, { interval: 'week' }),
        signal
      )
    }
  })

  protected readonly retention = new Load(this, {
    args: () => {
      const registry = this.registry.value
      const [activity] = registry === undefined ? [] : activityFamilies(registry)
      const [anchor] = this.chosen.stages
      if (activity === undefined || anchor === undefined || !this.#isOverview) return null
      return [anchor, activity.as, this.span.from, this.span.to] as const
    },
    run: ([anchor, activity, from, to], signal) => {
      const params = new URLSearchParams({ anchor, activity, interval: 'week' })
      return this.read<RetentionAnswer>(path('retention', params, { from, to }, {}), signal)
    }
  })

  /** The cohort of one week, cut to the range; the whole range without a week. */
  protected cohortSpan(week: string | null): Span {
    const start = week === null ? Number.NaN : Date.parse(week)
    if (Number.isNaN(start)) return this.span
    const from = Math.max(this.span.from, start)
    return { from, to: Math.max(from + 1, Math.min(this.span.to, start + WEEK)) }
  }

  protected readonly people = new Load(this, {
    args: () => {
      const { wanted } = this
      if (wanted === null) return null
      const { from, to } = this.cohortSpan(wanted.week)
      const { stages } = this.chosen
      // People of a milestone beside the stages are asked for as if it were the last.
      const asked = stages.includes(wanted.stage) ? stages : [...stages, wanted.stage]
      return [wanted.stage, wanted.outcome, asked.join(), from, to] as const
    },
    run: async ([stage, outcome, stages, from, to], signal) => {
      const params = new URLSearchParams({ stages, stage, outcome })
      const answer = await this.read<PeopleAnswer>(
        path('funnel/people', params, { from, to }, {}),
        signal
      )
      const labels = await describeSubjects(
        answer.people.map(({ ref }) => ref),
        (asked) => this.read(asked, signal)
      )
      return { ...answer, labels, asked: `${stage} ${outcome} ${from} ${to}` }
    }
  })

  /** Whether the people that are there are those that were asked for. */
  protected get shownPeople() {
    const { wanted } = this
    if (wanted === null) return undefined
    const { from, to } = this.cohortSpan(wanted.week)
    const people = this.people.value
    return people?.asked === `${wanted.stage} ${wanted.outcome} ${from} ${to}` ? people : undefined
  }

  protected readonly rollups = new Load(this, {
    args: () =>
      this.family === null ? null : ([this.family, this.span.from, this.span.to] as const),
    run: ([as, from, to], signal) =>
      this.read<RollupsAnswer>(
        path('rollups', new URLSearchParams({ as }), { from, to }, {}),
        signal
      )
  })

  protected override refresh(): void {
    if (this.isMoving) super.refresh()
    else
      for (const load of [this.following, this.funnel, this.retention, this.rollups])
        void load.reload()
  }

  protected override get isWaiting(): boolean {
    return this.funnel.isPending || this.rollups.isPending
  }
}
