// The routes that read the store: records, series, rollups, traces, journeys, cohorts.
import {
  BUCKETS,
  KINDS,
  PLATFORM_SCOPE,
  ROLLUP_SORTS,
  ROLLUP_TIMES,
  type RollupsParams
} from '@keelson/telemetry'
import { readFilters } from './filters.ts'
import { given } from './given.ts'
import { FUNNEL_INTERVALS, readField, readMeasure, SERIES_INTERVALS } from './measure.ts'
import {
  type Params,
  readChoice,
  readDims,
  readFlag,
  readLimit,
  readList,
  readOne
} from './parameters.ts'
import { accepted, allOf, type Parsed, refused } from './parsed.ts'
import { readOptionalRange, readRange } from './range.ts'
import { type ApiContext, type ApiRequest, type ApiRoute, get, ok, whenAccepted } from './route.ts'
import { MAX_STAGES, readStages } from './stages.ts'

function readFamily(params: Params): Parsed<string> {
  const family = readOne(params, 'as')
  if (!family.ok) return family
  return family.value === undefined ? refused('rollup family required') : accepted(family.value)
}

const GROUPS = ['tenantId', 'kind', 'name', 'service'] as const
type Group = (typeof GROUPS)[number]

function readGroups(params: Params): Parsed<readonly Group[]> {
  const names = readList(params, 'groupBy', GROUPS.length)
  if (!names.ok) return names
  const isKnown = names.value.every((name) => GROUPS.some((group) => group === name))
  return isKnown
    ? accepted(names.value as readonly Group[])
    : refused(`groupBy must be of ${GROUPS.join(', ')}`)
}

const now = (context: ApiContext): Date => context.telemetry.clock.now()

const registry: ApiRoute['answer'] = ({ viewer }, { telemetry }) =>
  ok({
    registry: telemetry.registry.project(),
    kinds: KINDS,
    role: viewer.role,
    scope: viewer.tenantId,
    platform: viewer.tenantId === PLATFORM_SCOPE
  })

const records = ({ viewer, params }: ApiRequest, context: ApiContext) =>
  whenAccepted(
    allOf({
      range: readRange(params, now(context)),
      filters: readFilters(params),
      limit: readLimit(params, context.limits.records),
      cursor: readOne(params, 'cursor')
    }),
    ({ range, filters, limit, cursor }) =>
      context.queries.records(viewer.tenantId, { ...range, filters, limit, ...given({ cursor }) })
  )

const series = ({ viewer, params }: ApiRequest, context: ApiContext) =>
  whenAccepted(
    allOf({
      range: readRange(params, now(context)),
      filters: readFilters(params),
      interval: readChoice(params, 'interval', SERIES_INTERVALS),
      measure: readMeasure(params)
    }),
    ({ range, filters, interval = 'day', measure }) =>
      context.queries.series(viewer.tenantId, { ...range, filters, interval, measure })
  )

const distribution = ({ viewer, params }: ApiRequest, context: ApiContext) =>
  whenAccepted(
    allOf({
      range: readRange(params, now(context)),
      filters: readFilters(params),
      measure: readField(params)
    }),
    ({ range, filters, measure }) =>
      context.queries.distribution(viewer.tenantId, { ...range, filters, measure })
  )

const activity = ({ viewer, params }: ApiRequest, context: ApiContext) =>
  whenAccepted(
    allOf({
      range: readRange(params, now(context)),
      kind: readChoice(params, 'kind', KINDS),
      name: readOne(params, 'name'),
      service: readOne(params, 'service'),
      interval: readChoice(params, 'interval', BUCKETS),
      groupBy: readGroups(params)
    }),
    ({ range, groupBy, ...rest }) =>
      context.queries.activity(viewer.tenantId, { ...range, groupBy, ...given(rest) })
  )

const rollups = ({ viewer, params }: ApiRequest, context: ApiContext) =>
  whenAccepted(
    allOf({
      as: readFamily(params),
      dims: readDims(params),
      subjectType: readOne(params, 'subjectType'),
      on: readChoice(params, 'on', ROLLUP_TIMES),
      range: readOptionalRange(params, now(context)),
      sort: readChoice(params, 'sort', ROLLUP_SORTS),
      limit: readLimit(params, context.limits.rollups)
    }),
    ({ as, dims, subjectType, on, range, sort, limit }) => {
      const asked: RollupsParams = {
        as,
        limit,
        ...(dims.length > 0 && { dims }),
        ...range,
        ...given({ subjectType, on, sort })
      }
      return context.queries.rollups(viewer.tenantId, asked)
    }
  )

const trace = async ({ viewer, subject }: ApiRequest, { queries, limits }: ApiContext) =>
  ok(await queries.trace(viewer.tenantId, subject, limits.trace))

const journey = ({ viewer, params, subject }: ApiRequest, context: ApiContext) =>
  whenAccepted(
    allOf({
      range: readRange(params, now(context)),
      limit: readLimit(params, context.limits.journey)
    }),
    ({ range, limit }) =>
      context.queries.journey(viewer.tenantId, { ...range, ref: subject, limit })
  )

const distinct = ({ viewer, params }: ApiRequest, context: ApiContext) =>
  whenAccepted(
    allOf({
      as: readFamily(params),
      range: readRange(params, now(context)),
      subjectType: readOne(params, 'subjectType'),
      interval: readChoice(params, 'interval', BUCKETS)
    }),
    ({ as, range, ...rest }) =>
      context.queries.distinctCount(viewer.tenantId, { as, ...range, ...given(rest) })
  )

const funnel = ({ viewer, params }: ApiRequest, context: ApiContext) =>
  whenAccepted(
    allOf({
      stages: readStages(params),
      exits: readList(params, 'exits', MAX_STAGES),
      anchor: readOne(params, 'anchor'),
      range: readRange(params, now(context)),
      endInclusive: readFlag(params, 'endInclusive'),
      subjectType: readOne(params, 'subjectType'),
      interval: readChoice(params, 'interval', FUNNEL_INTERVALS),
      limit: readLimit(params, context.limits.funnel)
    }),
    ({ stages, exits, range, endInclusive, limit, ...rest }) =>
      context.queries.funnel(viewer.tenantId, {
        stages,
        exits,
        ...range,
        endInclusive,
        limit,
        ...given(rest)
      })
  )

export const readRoutes: readonly ApiRoute[] = [
  get('/registry', 'The registered events, the kinds, and who is looking', registry),
  get('/records', 'Stored records, newest first, by cursor', records),
  get('/series', 'Records counted or measured by interval', series),
  get('/distribution', 'Percentiles and histogram of a duration or metric', distribution),
  get('/activity', 'Counts by kind, name or service, from rollups', activity),
  get('/rollups', 'Documents of a rollup family', rollups),
  get('/trace/*', 'Everything that carries one trace id, oldest first', trace),
  get('/journey/*', 'Records and milestones of one subject', journey),
  get('/distinct', 'Distinct subjects by interval and over the range', distinct),
  get('/funnel', 'Stages that a cohort reached', funnel)
]
