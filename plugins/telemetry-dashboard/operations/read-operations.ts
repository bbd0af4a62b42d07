// Reads of the store: records, series, rollups, traces, journeys, cohorts.
import { type Call, isRefused, type Operation, operation, Type } from '@keelson/sdk'
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
  type Queries,
  type RegistryEntry,
  ROLLUP_SORTS,
  ROLLUP_TIMES,
  recordsSchema,
  registryEntrySchema,
  rollupsSchema,
  type SeenKeys,
  seriesSchema,
  traceSchema
} from '@keelson/telemetry'
import { type Invalid, invalid } from '../refusals.ts'
import { type DashboardHost, reading, viewerOf } from './dashboard-operation.ts'
import { readSelection } from './filters.ts'
import {
  capped,
  choice,
  dimsParameter,
  familyParameter,
  fieldParameter,
  filterParameters,
  given,
  hasBracketedDims,
  intervalParameter,
  limitParameter,
  MAX_STAGES,
  measureParameter,
  optionalText,
  rangeParameters,
  readList,
  readStages,
  stagesParameter,
  timeZoneParameter
} from './parameters.ts'
import { readOptionalRange, readRange } from './time-range.ts'

const subjectType = optionalText('Only subjects of this type.')

/** The answer of `GET /api/registry`. */
export const registryAnswer = Type.Object(
  {
    /** An open event (OTLP) shows the keys of its newest records. */
    registry: Type.Unsafe<Readonly<Record<string, RegistryEntry>>>({
      type: 'object',
      additionalProperties: registryEntrySchema
    }),
    kinds: Type.Array(Type.String()),
    role: Type.String(),
    scope: Type.String({ description: 'The tenant, or `*` for all.' }),
    platform: Type.Boolean()
  },
  { title: 'TelemetryRegistry' }
)

/** An id or ref in an address: longer than a host may allow for parameters. */
const idParams = Type.Object({ id: Type.String() })

/** An open event declares no keys: those of its newest records are shown. Pure. */
const withSeenKeys = (
  declared: Readonly<Record<string, RegistryEntry>>,
  seen: Awaited<ReturnType<Queries['seenKeys']>>
): Readonly<Record<string, RegistryEntry>> =>
  Object.fromEntries(
    Object.entries(declared).map(([name, entry]) => [name, withKeys(entry, seen[name])])
  )

const withKeys = (
  entry: RegistryEntry,
  { attrKeys = [], metricKeys = [] }: Partial<SeenKeys> = {}
): RegistryEntry => ({
  ...entry,
  attrKeys: [...new Set([...entry.attrKeys, ...attrKeys])],
  metricKeys: [...new Set([...entry.metricKeys, ...metricKeys])]
})

const registry = operation({
  ...reading,
  id: 'telemetry-dashboard.registry.read',
  path: '/api/registry',
  summary: 'The registered events, the kinds, and who is looking',
  answer: registryAnswer,
  async run(_input, { host: { telemetry, queries }, actor, signal }: Call<DashboardHost>) {
    const { role, tenantId } = viewerOf(actor)
    return {
      registry: withSeenKeys(
        telemetry.registry.project(),
        await queries.within(signal).seenKeys(tenantId)
      ),
      kinds: KINDS,
      role,
      scope: tenantId,
      platform: tenantId === PLATFORM_SCOPE
    }
  }
})

const records = operation({
  ...reading,
  id: 'telemetry-dashboard.records.list',
  path: '/api/records',
  summary: 'Stored records, newest first, by cursor',
  query: Type.Object({
    ...rangeParameters,
    ...filterParameters,
    ...limitParameter,
    cursor: optionalText('`nextCursor` of the page before.')
  }),
  answer: recordsSchema,
  run({ query }, { host, actor, signal }: Call<DashboardHost>) {
    const selection = readSelection(query, host.telemetry.clock.now())
    if (isRefused(selection)) return selection
    return host.queries.within(signal).records(actor.tenantId, {
      ...selection,
      limit: capped(query.limit, host.limits.records),
      ...given({ cursor: query.cursor })
    })
  }
})

const series = operation({
  ...reading,
  id: 'telemetry-dashboard.series.read',
  path: '/api/series',
  summary: 'Records counted or measured by interval',
  query: Type.Object({
    ...rangeParameters,
    ...filterParameters,
    ...intervalParameter(INTERVALS),
    ...timeZoneParameter,
    ...measureParameter
  }),
  answer: seriesSchema,
  run({ query }, { host, actor, signal }: Call<DashboardHost>) {
    const selection = readSelection(query, host.telemetry.clock.now())
    if (isRefused(selection)) return selection
    const { interval = 'day', measure = 'count', timeZone } = query
    const asked = { ...selection, interval, measure, ...given({ timeZone }) }
    return host.queries.within(signal).series(actor.tenantId, asked)
  }
})

const distribution = operation({
  ...reading,
  id: 'telemetry-dashboard.distribution.read',
  path: '/api/distribution',
  summary: 'Percentiles and histogram of a duration or metric',
  query: Type.Object({ ...rangeParameters, ...filterParameters, ...fieldParameter }),
  answer: distributionSchema,
  run({ query }, { host, actor, signal }: Call<DashboardHost>) {
    const selection = readSelection(query, host.telemetry.clock.now())
    if (isRefused(selection)) return selection
    const { measure = 'durationMs' } = query
    return host.queries.within(signal).distribution(actor.tenantId, { ...selection, measure })
  }
})

const GROUPS = ['tenantId', 'kind', 'name', 'service'] as const
type Group = (typeof GROUPS)[number]

const isGroup = (name: string): name is Group => GROUPS.some((group) => group === name)

function readGroups(text: string | undefined): readonly Group[] | Invalid {
  const names = readList(text, 'groupBy', GROUPS.length)
  if (isRefused(names)) return names
  return names.every(isGroup) ? names : invalid(`groupBy must be of ${GROUPS.join(', ')}`)
}

const activity = operation({
  ...reading,
  id: 'telemetry-dashboard.activity.read',
  path: '/api/activity',
  summary: 'Counts by kind, name or service, from rollups',
  query: Type.Object({
    ...rangeParameters,
    kind: choice(KINDS),
    name: optionalText('Registered event name.'),
    service: optionalText('Service that sent it.'),
    ...intervalParameter(INTERVALS),
    ...timeZoneParameter,
    groupBy: optionalText(`Of ${GROUPS.join(', ')}, comma-separated. Default: one group.`)
  }),
  answer: activitySchema,
  run({ query }, { host, actor, signal }: Call<DashboardHost>) {
    const range = readRange(query, host.telemetry.clock.now())
    if (isRefused(range)) return range
    const groupBy = readGroups(query.groupBy)
    if (isRefused(groupBy)) return groupBy
    const { kind, name, service, interval, timeZone } = query
    const asked = { ...range, groupBy, ...given({ kind, name, service, interval, timeZone }) }
    return host.queries.within(signal).activity(actor.tenantId, asked)
  }
})

const rollups = operation({
  ...reading,
  id: 'telemetry-dashboard.rollups.list',
  path: '/api/rollups',
  summary: 'Documents of a rollup family',
  query: Type.Object({
    ...familyParameter,
    ...dimsParameter,
    subjectType,
    on: choice(ROLLUP_TIMES, 'What from and to apply to.'),
    ...rangeParameters,
    sort: choice(ROLLUP_SORTS),
    ...limitParameter
  }),
  answer: rollupsSchema,
  run({ query }, { host, actor, signal }: Call<DashboardHost>) {
    const range = readOptionalRange(query, host.telemetry.clock.now())
    if (isRefused(range)) return range
    if (hasBracketedDims(query)) return invalid('dims must be plain texts')
    const { as, dims, subjectType, on, sort, limit } = query
    return host.queries.within(signal).rollups(actor.tenantId, {
      as,
      limit: capped(limit, host.limits.rollups),
      ...range,
      ...given({ dims, subjectType, on, sort })
    })
  }
})

const trace = operation({
  ...reading,
  id: 'telemetry-dashboard.traces.read',
  path: '/api/trace/:id',
  longParam: true,
  summary: 'Everything that carries one trace id, oldest first',
  params: idParams,
  answer: traceSchema,
  run: ({ params: { id } }, { host, actor, signal }: Call<DashboardHost>) =>
    host.queries.within(signal).trace(actor.tenantId, id, host.limits.trace)
})

const journey = operation({
  ...reading,
  id: 'telemetry-dashboard.journeys.read',
  path: '/api/journey/:id',
  longParam: true,
  summary: 'Records and milestones of one subject',
  params: idParams,
  query: Type.Object({ ...rangeParameters, ...limitParameter }),
  answer: journeySchema,
  run({ params, query }, { host, actor, signal }: Call<DashboardHost>) {
    const range = readRange(query, host.telemetry.clock.now())
    if (isRefused(range)) return range
    return host.queries.within(signal).journey(actor.tenantId, {
      ...range,
      ref: params.id,
      limit: capped(query.limit, host.limits.journey)
    })
  }
})

const distinct = operation({
  ...reading,
  id: 'telemetry-dashboard.distinct.read',
  path: '/api/distinct',
  summary: 'Distinct subjects by interval and over the range',
  query: Type.Object({
    ...familyParameter,
    ...rangeParameters,
    subjectType,
    ...intervalParameter(BUCKETS)
  }),
  answer: distinctSchema,
  run({ query }, { host, actor, signal }: Call<DashboardHost>) {
    const range = readRange(query, host.telemetry.clock.now())
    if (isRefused(range)) return range
    const { as, subjectType, interval } = query
    const asked = { as, ...range, ...given({ subjectType, interval }) }
    return host.queries.within(signal).distinctCount(actor.tenantId, asked)
  }
})

const funnel = operation({
  ...reading,
  id: 'telemetry-dashboard.funnels.read',
  path: '/api/funnel',
  summary: 'Stages that a cohort reached',
  query: Type.Object({
    ...stagesParameter,
    exits: optionalText('Families that are counted but are no stage, comma-separated.'),
    anchor: optionalText('The family that begins it. Default: the first stage.'),
    ...rangeParameters,
    endInclusive: Type.Optional(Type.Boolean({ description: '`to` is included. Default false.' })),
    subjectType,
    by: optionalText('A value that the anchor captures, as `attr:source`: the cohort in groups.'),
    ...intervalParameter(COHORT_INTERVALS),
    ...timeZoneParameter,
    ...limitParameter
  }),
  answer: funnelSchema,
  run({ query }, { host, actor, signal }: Call<DashboardHost>) {
    const stages = readStages(query.stages)
    if (isRefused(stages)) return stages
    const exits = readList(query.exits, 'exits', MAX_STAGES)
    if (isRefused(exits)) return exits
    const range = readRange(query, host.telemetry.clock.now())
    if (isRefused(range)) return range
    const { endInclusive = false, limit, anchor, subjectType, by, interval, timeZone } = query
    return host.queries.within(signal).funnel(actor.tenantId, {
      stages,
      exits,
      ...range,
      endInclusive,
      limit: capped(limit, host.limits.funnel),
      ...given({ anchor, subjectType, by, interval, timeZone })
    })
  }
})

/** The operations that read the store. */
export const readOperations: readonly Operation<DashboardHost>[] = [
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
