// The routes that read the store: records, series, rollups, traces, journeys, cohorts.
import { Type } from '@keelson/sdk'
import {
  activitySchema,
  BUCKETS,
  COHORT_INTERVALS,
  distinctSchema,
  distributionSchema,
  funnelSchema,
  INTERVALS,
  journeySchema,
  KINDS,
  PLATFORM_SCOPE,
  ROLLUP_SORTS,
  ROLLUP_TIMES,
  recordsSchema,
  registryEntrySchema,
  rollupsSchema,
  seriesSchema,
  traceSchema
} from '@keelson/telemetry'
import { readFilters } from './filters.ts'
import { given } from './given.ts'
import {
  capped,
  choice,
  dimsParameter,
  fieldParameter,
  filterParameters,
  intervalParameter,
  limitParameter,
  list,
  MAX_STAGES,
  measureParameter,
  NO_STAGES,
  optionalText,
  query,
  rangeParameters,
  readList,
  readStages,
  required,
  timeZoneParameter
} from './parameters.ts'
import { accepted, allOf, type Parsed, refused } from './parsed.ts'
import { readOptionalRange, readRange } from './range.ts'
import { type ApiContext, get, ok, whenAccepted } from './route.ts'

const now = (context: ApiContext): Date => context.telemetry.clock.now()

const subjectType = optionalText('Only subjects of this type.')
const family = required('The rollup family.', 'rollup family required')

const registry = get({
  path: '/api/registry',
  summary: 'The registered events, the kinds, and who is looking',
  response: Type.Object({
    registry: Type.Unsafe({ type: 'object', additionalProperties: registryEntrySchema }),
    kinds: Type.Array(Type.String()),
    role: Type.String(),
    scope: Type.String({ description: 'The tenant, or `*` for all.' }),
    platform: Type.Boolean()
  }),
  answer: ({ viewer }, { telemetry }) =>
    ok({
      registry: telemetry.registry.project(),
      kinds: KINDS,
      role: viewer.role,
      scope: viewer.tenantId,
      platform: viewer.tenantId === PLATFORM_SCOPE
    })
})

const records = get({
  path: '/api/records',
  summary: 'Stored records, newest first, by cursor',
  query: query({
    ...rangeParameters,
    ...filterParameters,
    ...limitParameter,
    cursor: optionalText('`nextCursor` of the page before.')
  }),
  response: recordsSchema,
  answer: ({ viewer, query }, context) =>
    whenAccepted(
      allOf({ range: readRange(query, now(context)), filters: readFilters(query) }),
      ({ range, filters }) =>
        context.queries.records(viewer.tenantId, {
          ...range,
          filters,
          limit: capped(query.limit, context.limits.records),
          ...given({ cursor: query.cursor })
        })
    )
})

const series = get({
  path: '/api/series',
  summary: 'Records counted or measured by interval',
  query: query({
    ...rangeParameters,
    ...filterParameters,
    ...intervalParameter(INTERVALS),
    ...timeZoneParameter,
    ...measureParameter
  }),
  response: seriesSchema,
  answer: ({ viewer, query }, context) =>
    whenAccepted(
      allOf({ range: readRange(query, now(context)), filters: readFilters(query) }),
      ({ range, filters }) => {
        const { interval = 'day', measure = 'count', timeZone } = query
        const asked = { ...range, filters, interval, measure, ...given({ timeZone }) }
        return context.queries.series(viewer.tenantId, asked)
      }
    )
})

const distribution = get({
  path: '/api/distribution',
  summary: 'Percentiles and histogram of a duration or metric',
  query: query({ ...rangeParameters, ...filterParameters, ...fieldParameter }),
  response: distributionSchema,
  answer: ({ viewer, query }, context) =>
    whenAccepted(
      allOf({ range: readRange(query, now(context)), filters: readFilters(query) }),
      ({ range, filters }) => {
        const { measure = 'durationMs' } = query
        return context.queries.distribution(viewer.tenantId, { ...range, filters, measure })
      }
    )
})

const GROUPS = ['tenantId', 'kind', 'name', 'service'] as const
type Group = (typeof GROUPS)[number]

function readGroups(text: string | undefined): Parsed<readonly Group[]> {
  const names = readList(text, 'groupBy', GROUPS.length)
  if (!names.ok) return names
  const isKnown = names.value.every((name) => GROUPS.some((group) => group === name))
  return isKnown
    ? accepted(names.value as readonly Group[])
    : refused(`groupBy must be of ${GROUPS.join(', ')}`)
}

const activity = get({
  path: '/api/activity',
  summary: 'Counts by kind, name or service, from rollups',
  query: query({
    ...rangeParameters,
    kind: choice(KINDS),
    name: optionalText('Registered event name.'),
    service: optionalText('Service that sent it.'),
    ...intervalParameter(INTERVALS),
    ...timeZoneParameter,
    groupBy: optionalText(`Of ${GROUPS.join(', ')}, comma-separated. Default: one group.`)
  }),
  response: activitySchema,
  answer: ({ viewer, query }, context) =>
    whenAccepted(
      allOf({ range: readRange(query, now(context)), groupBy: readGroups(query.groupBy) }),
      ({ range, groupBy }) => {
        const { kind, name, service, interval, timeZone } = query
        const asked = { ...range, groupBy, ...given({ kind, name, service, interval, timeZone }) }
        return context.queries.activity(viewer.tenantId, asked)
      }
    )
})

const rollups = get({
  path: '/api/rollups',
  summary: 'Documents of a rollup family',
  query: query({
    as: family,
    ...dimsParameter,
    subjectType,
    on: choice(ROLLUP_TIMES, 'What from and to apply to.'),
    ...rangeParameters,
    sort: choice(ROLLUP_SORTS),
    ...limitParameter
  }),
  response: rollupsSchema,
  answer: ({ viewer, query }, context) =>
    whenAccepted(readOptionalRange(query, now(context)), (range) => {
      const { as, dims, subjectType, on, sort, limit } = query
      return context.queries.rollups(viewer.tenantId, {
        as,
        limit: capped(limit, context.limits.rollups),
        ...range,
        ...given({ dims, subjectType, on, sort })
      })
    })
})

const trace = get({
  path: '/api/trace/*',
  summary: 'Everything that carries one trace id, oldest first',
  response: traceSchema,
  answer: async ({ viewer, subject }, { queries, limits }) =>
    ok(await queries.trace(viewer.tenantId, subject, limits.trace))
})

const journey = get({
  path: '/api/journey/*',
  summary: 'Records and milestones of one subject',
  query: query({ ...rangeParameters, ...limitParameter }),
  response: journeySchema,
  answer: ({ viewer, query, subject }, context) =>
    whenAccepted(readRange(query, now(context)), (range) =>
      context.queries.journey(viewer.tenantId, {
        ...range,
        ref: subject,
        limit: capped(query.limit, context.limits.journey)
      })
    )
})

const distinct = get({
  path: '/api/distinct',
  summary: 'Distinct subjects by interval and over the range',
  query: query({ as: family, ...rangeParameters, subjectType, ...intervalParameter(BUCKETS) }),
  response: distinctSchema,
  answer: ({ viewer, query }, context) =>
    whenAccepted(readRange(query, now(context)), (range) => {
      const { as, subjectType, interval } = query
      const asked = { as, ...range, ...given({ subjectType, interval }) }
      return context.queries.distinctCount(viewer.tenantId, asked)
    })
})

const funnel = get({
  path: '/api/funnel',
  summary: 'Stages that a cohort reached',
  query: query({
    stages: list(`Lifetime families in order, at most ${MAX_STAGES}.`, NO_STAGES),
    exits: optionalText('Families that are counted but are no stage, comma-separated.'),
    anchor: optionalText('The family that begins it. Default: the first stage.'),
    ...rangeParameters,
    endInclusive: Type.Optional(
      Type.Boolean({
        description: '`to` is included. Default false.',
        'x-refusal': 'endInclusive must be true or false'
      })
    ),
    subjectType,
    by: optionalText('A value that the anchor captures, as `attr:source`: the cohort in groups.'),
    ...intervalParameter(COHORT_INTERVALS),
    ...timeZoneParameter,
    ...limitParameter
  }),
  response: funnelSchema,
  answer: ({ viewer, query }, context) =>
    whenAccepted(
      allOf({
        stages: readStages(query.stages),
        exits: readList(query.exits, 'exits', MAX_STAGES),
        range: readRange(query, now(context))
      }),
      ({ stages, exits, range }) => {
        const { endInclusive = false, limit, anchor, subjectType, by, interval, timeZone } = query
        return context.queries.funnel(viewer.tenantId, {
          stages,
          exits,
          ...range,
          endInclusive,
          limit: capped(limit, context.limits.funnel),
          ...given({ anchor, subjectType, by, interval, timeZone })
        })
      }
    )
})

export const readRoutes = [
  registry,
  records,
  series,
  distribution,
  activity,
  rollups,
  trace,
  journey,
  distinct,
  funnel
]
