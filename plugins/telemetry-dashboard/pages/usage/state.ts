// What the Usage page asks for: a family over time, and totals by meter, person and attribute.
import { Load } from '@keelson/ui'
import { chooseInterval, holdsBuckets, type Interval, previousSpan, type Span } from '../buckets.ts'
import { RangedPage } from '../ranged-page.ts'
import { path } from '../requests.ts'
import { describeSubjects } from '../subject-names.ts'
import {
  COUNT,
  type Course,
  courseOfRollups,
  courseOfRows,
  type UsageFamily,
  type UsageTotals,
  usageAttrs,
  usageFamilies,
  usageMetrics
} from './usage.ts'

/** Metrics that one answer adds up. */
const MOST_SUMS = 8

export class UsageState extends RangedPage {
  protected override get pageId(): string {
    return 'usage'
  }

  protected override get usualRange(): string {
    return '30d'
  }

  protected override get windowTitle(): string {
    return this.t('usage.title')
  }

  protected get families(): readonly UsageFamily[] {
    return this.registry.value === undefined ? [] : usageFamilies(this.registry.value)
  }

  /** The family whose course is drawn. */
  protected get family(): UsageFamily | undefined {
    const asked = this.params.get('family')
    return this.families.find(({ as }) => as === asked) ?? this.families[0]
  }

  /** What usage can be measured by: its metrics, and how often. */
  protected get measures(): readonly string[] {
    return [...(this.registry.value === undefined ? [] : usageMetrics(this.registry.value)), COUNT]
  }

  protected get measure(): string {
    const asked = this.params.get('measure')
    return this.measures.find((one) => one === asked) ?? this.measures[0] ?? COUNT
  }

  /** Families have buckets of a day at least: an hour would show gaps that are none. */
  protected override get interval(): Interval {
    const interval = chooseInterval(this.span, this.params.get('interval'))
    return interval === 'hour' ? 'day' : interval
  }

  protected readonly course = new Load(this, {
    args: () => {
      const { family } = this
      if (family === undefined) return null
      const { from, to } = this.span
      const measure = family.sums.includes(this.measure) ? this.measure : COUNT
      const { as, by } = family
      const filters = this.asking.toString()
      // Rollups know of no filters and of no part of a bucket: the rows are told apart instead.
      const isRolledUp = filters === '' && holdsBuckets(this.span, family.bucket)
      return [as, by, from, to, filters, isRolledUp, measure, this.interval] as const
    },
    run: async ([as, by, from, to, filters, isRolledUp, measure, interval], signal) => {
      const ask = async (span: Span): Promise<Course> =>
        isRolledUp
          ? courseOfRollups(
              await this.read(path('rollups', new URLSearchParams({ as }), span, {}), signal),
              interval,
              measure
            )
          : courseOfRows(
              await this.read(
                path('breakdown', new URLSearchParams(filters), span, {
                  kind: 'usage',
                  by,
                  interval,
                  measure: measure === COUNT ? measure : `sum:${measure}`
                }),
                signal
              )
            )
      const span = { from, to }
      const [now, before] = await Promise.all([ask(span), ask(previousSpan(span))])
      return { now, before, span, as, measure, interval }
    }
  })

  #totals(by: () => string | undefined) {
    return new Load(this, {
      args: () => {
        const asked = by()
        if (this.registry.value === undefined || asked === undefined) return null
        const sums = usageMetrics(this.registry.value).slice(0, MOST_SUMS).join()
        return [asked, sums, this.asking.toString(), this.span.from, this.span.to] as const
      },
      run: async ([by, sums, filters, from, to], signal) => {
        const more = { by, ...(sums !== '' && { sums }) }
        const asked = path('usage', new URLSearchParams(filters), { from, to }, more)
        const answer = await this.read<UsageTotals>(asked, signal)
        const refs = answer.groups.flatMap(({ value }) => value ?? [])
        const labels =
          by === 'subject' || by === 'billedTo'
            ? await describeSubjects(refs, (one) => this.read(one, signal))
            : {}
        return { ...answer, by, labels }
      }
    })
  }

  /** The attribute that is told apart; the first when the address names none. */
  protected get attr(): string | undefined {
    const attrs = this.registry.value === undefined ? [] : usageAttrs(this.registry.value)
    const asked = this.params.get('by')
    return attrs.find((one) => one === asked) ?? attrs[0]
  }

  /** Persons by whom it is billed to, or by whom it is about. */
  protected get person(): 'subject' | 'billedTo' {
    return this.params.get('person') === 'billedTo' ? 'billedTo' : 'subject'
  }

  protected readonly meters = this.#totals(() => 'meter')
  protected readonly people = this.#totals(() => this.person)
  protected readonly attrs = this.#totals(() =>
    this.attr === undefined ? undefined : `attr:${this.attr}`
  )

  protected override refresh(): void {
    if (this.isMoving) super.refresh()
    else for (const load of [this.course, this.meters, this.people, this.attrs]) void load.reload()
  }

  protected override get isWaiting(): boolean {
    return this.meters.isPending || this.course.isPending
  }
}
