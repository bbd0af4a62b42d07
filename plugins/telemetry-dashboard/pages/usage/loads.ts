// What the Usage page asks for: a family over time, and totals by meter, person and attribute.
import { Load } from '@keelson/ui'
import type { Interval } from '../buckets.ts'
import { bothPeriods } from '../counts.ts'
import type { Look } from '../look.ts'
import { bucketParams, path } from '../requests.ts'
import { describeSubjects } from '../subject-names.ts'
import { COUNT, type Course, courseOf, type UsageTotals, usageMetrics } from './usage.ts'

/** Metrics that one answer adds up. */
const MOST_SUMS = 8

/** What the chart draws. */
export interface CourseAsked {
  /** What the lines are grouped by, as in a breakdown. */
  readonly by: string
  /** A metric, or `COUNT`. */
  readonly measure: string
  readonly interval: Interval
}

/**
 * Usage over time, told apart by the family's first dimension: from the rows, as the tiles and tables are, so
 * that their figures are the same.
 */
export function courseOfUsage(look: Look, asked: () => CourseAsked | null) {
  const { page, filters, range, dashboard } = look
  const { api, registry } = dashboard
  return new Load(page, {
    needs: registry,
    args: () => {
      const course = asked()
      if (course === null) return null
      const { from, to } = range.span
      const { by, measure, interval } = course
      return [by, from, to, filters.params.toString(), measure, interval, look.timeZone] as const
    },
    run: async ([by, from, to, params, measure, interval, timeZone], signal) => {
      const more = {
        kind: 'usage',
        measure: measure === COUNT ? measure : `sum:${measure}`,
        ...bucketParams({ interval, timeZone })
      }
      const both = await bothPeriods({ from, to }, async (span): Promise<Course> => {
        const read = (name: string, extra: Record<string, string>) =>
          path(name, new URLSearchParams(params), span, { ...more, ...extra })
        const [all, lines] = await Promise.all([
          api.read<Parameters<typeof courseOf>[0]>(read('series', {}), signal),
          api.read<Parameters<typeof courseOf>[1]>(read('breakdown', { by }), signal)
        ])
        return courseOf(all, lines)
      })
      return { ...both, by, measure, interval }
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
