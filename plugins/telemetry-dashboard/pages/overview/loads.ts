// What the Overview page asks for: counts in groups, people, span durations, issues.
import type { DistinctResult, DistributionResult } from '@keelson/telemetry'
import { type AsJson, Load, type Span } from '@keelson/ui'
import { chooseInterval } from '../buckets.ts'
import { bothPeriods } from '../counts.ts'
import { readIssues } from '../errors/issues.ts'
import type { Look } from '../look.ts'
import { peopleFamily } from '../registry.ts'
import { distinctPath, distributionPath, path } from '../requests.ts'
import { type ActivityAnswer, activityPath } from './activity.ts'

/** Issues that are listed. */
const MOST_ISSUES = 8
const SPANS = new URLSearchParams({ kind: 'span' })

type Distinct = AsJson<DistinctResult>
type Distribution = AsJson<DistributionResult>

/** Answers to `path` for the range and the period before. */
function both<T>(
  { page, range, dashboard: { api, registry } }: Look,
  path: (span: Span) => string | null,
  isOfRegistry = false
) {
  return new Load(page, {
    ...(isOfRegistry && { needs: registry }),
    args: () => {
      const { span } = range
      const asked = path(span)
      return asked === null ? null : ([asked, span.from, span.to] as const)
    },
    run: ([, from, to], signal) =>
      bothPeriods({ from, to }, (span) => api.read<T>(path(span) ?? '', signal))
  })
}

/** Counts by these dimensions, over the whole range. */
export const countsBy = (look: Look, dimensions: Parameters<typeof activityPath>[1]) =>
  both<ActivityAnswer>(look, (span) => activityPath(span, dimensions))

/** Counts by tenant, for a viewer of all tenants. */
export const tenantsOf = (look: Look) =>
  both<ActivityAnswer>(
    look,
    (span) => (look.dashboard.isPlatform ? activityPath(span, ['tenantId']) : null),
    true
  )

/** Counts by kind, over time. */
export const kindsOf = (look: Look) =>
  both<ActivityAnswer>(look, (span) => {
    const buckets = { interval: chooseInterval(span, null), timeZone: look.timeZone }
    return activityPath(span, ['kind'], buckets)
  })

/** The rollup family that counts the people of a span; undefined when no family can. */
export function familyOf({ dashboard: { registry } }: Look, span: Span): string | undefined {
  return registry.value && peopleFamily(registry.value, null, span)
}

/** How many people there were, where a rollup counts them. */
export const peopleOf = (look: Look) =>
  both<Distinct>(
    look,
    (span) => {
      const family = familyOf(look, span)
      return family === undefined ? null : distinctPath(family, span, chooseInterval(span, null))
    },
    true
  )

/** The durations of spans. */
export const spansOf = (look: Look) =>
  both<Distribution>(look, (span) => distributionPath(SPANS, span, 'durationMs'))

/** The latest issues. */
export function issuesOf({ page, range, dashboard: { api } }: Look) {
  return new Load(page, {
    args: () => [range.span.from, range.span.to] as const,
    run: async ([from, to], signal) => {
      const params = new URLSearchParams({ limit: String(MOST_ISSUES) })
      return readIssues(await api.read(path('issues', params, { from, to }, {}), signal)).issues
    }
  })
}
