// What the Usage page asks for: a family over time, and totals by meter, person and attribute.
import { Load, type Span } from '@keelson/ui'
import { holdsBuckets, type Interval } from '../buckets.ts'
import { bothPeriods } from '../counts.ts'
import type { Look } from '../look.ts'
import { path } from '../requests.ts'
import { describeSubjects } from '../subject-names.ts'
import {
  COUNT,
  type Course,
  courseOfRollups,
  courseOfRows,
  type UsageFamily,
  type UsageTotals,
  usageMetrics
} from './usage.ts'

/** Metrics that one answer adds up. */
const MOST_SUMS = 8

/** What the chart draws. */
export interface CourseAsked {
  readonly family: UsageFamily
  /** A metric, or `COUNT`. */
  readonly measure: string
  readonly interval: Interval
}

/** The family over time. Rollups answer without filters and for whole buckets, the rows otherwise. */
export function courseOf(
  { page, filters, range, dashboard: { api, registry } }: Look,
  asked: () => CourseAsked | null
) {
  return new Load(page, {
    needs: registry,
    args: () => {
      const course = asked()
      if (course === null) return null
      const { as, by, sums, bucket } = course.family
      const measure = sums.includes(course.measure) ? course.measure : COUNT
      const params = filters.params.toString()
      const isRolledUp = params === '' && holdsBuckets(range.span, bucket)
      const { from, to } = range.span
      return [as, by, from, to, params, isRolledUp, measure, course.interval] as const
    },
    run: async ([as, by, from, to, params, isRolledUp, measure, interval], signal) => {
      const value = measure === COUNT ? measure : `sum:${measure}`
      const rollups = (span: Span) => path('rollups', new URLSearchParams({ as }), span, {})
      const rows = (span: Span) =>
        path('breakdown', new URLSearchParams(params), span, {
          kind: 'usage',
          by,
          interval,
          measure: value
        })
      const both = await bothPeriods(
        { from, to },
        async (span): Promise<Course> =>
          isRolledUp
            ? courseOfRollups(await api.read(rollups(span), signal), interval, measure)
            : courseOfRows(await api.read(rows(span), signal))
      )
      return { ...both, as, measure, interval }
    }
  })
}

/** Totals by what `by` names; undefined: nothing to load. */
export function totalsOf(
  { page, filters, range, dashboard: { api, registry } }: Look,
  by: () => string | undefined
) {
  return new Load(page, {
    needs: registry,
    args: () => {
      const asked = by()
      if (registry.value === undefined || asked === undefined) return null
      const sums = usageMetrics(registry.value).slice(0, MOST_SUMS).join()
      return [asked, sums, filters.params.toString(), range.span.from, range.span.to] as const
    },
    run: async ([by, sums, params, from, to], signal) => {
      const more = { by, ...(sums !== '' && { sums }) }
      const asked = path('usage', new URLSearchParams(params), { from, to }, more)
      const answer = await api.read<UsageTotals>(asked, signal)
      const refs = answer.groups.flatMap(({ value }) => value ?? [])
      const isPerson = by === 'subject' || by === 'billedTo'
      const labels = isPerson ? await describeSubjects(refs, (one) => api.read(one, signal)) : {}
      return { ...answer, by, labels }
    }
  })
}
