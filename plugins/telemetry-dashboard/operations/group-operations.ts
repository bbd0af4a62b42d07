// Reads that group rows, people and rollups: breakdowns, issues, totals, retention, the people of a funnel.
import { type Call, isRefused, type Operation, operation, Type } from '@keelson/sdk'
import {
  breakdownSchema,
  COHORT_INTERVALS,
  DURATION_FIELDS,
  durationsSchema,
  FUNNEL_OUTCOMES,
  funnelPeopleSchema,
  INTERVALS,
  ISSUE_ORDERS,
  issuesSchema,
  MAX_GROUPS,
  MAX_ISSUES,
  MAX_SUMS,
  MOST_GROUPS,
  MOST_ISSUES,
  MOST_PEOPLE,
  retentionSchema,
  rollupTotalsSchema,
  usageTotalsSchema
} from '@keelson/telemetry'
import { type DashboardHost, reading } from './dashboard-operation.ts'
import { readSelection } from './filters.ts'
import {
  capped,
  choice,
  familyParameter,
  filterParameters,
  given,
  intervalParameter,
  limitParameter,
  measureParameter,
  optionalText,
  rangeParameters,
  readList,
  readStages,
  required,
  stagesParameter,
  timeZoneParameter
} from './parameters.ts'
import { readRange } from './time-range.ts'

const by = required('A field of records, or `attr:<key>`.')
const subjectType = optionalText('Only subjects of this type.')

const breakdown = operation({
  ...reading,
  id: 'telemetry-dashboard.breakdowns.read',
  path: '/api/breakdown',
  summary: 'Rows grouped by one or two of their values',
  query: Type.Object({
    by,
    alsoBy: optionalText('A second one: a group has one value of each.'),
    ...rangeParameters,
    ...filterParameters,
    ...measureParameter,
    ...intervalParameter(INTERVALS),
    ...timeZoneParameter,
    newest: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Rows to read, the newest; more than the cap is the cap.'
      })
    ),
    contains: optionalText('Only values that contain this text, in upper or lower case.'),
    ...limitParameter
  }),
  answer: breakdownSchema,
  run({ query }, { host, actor, signal }: Call<DashboardHost>) {
    const selection = readSelection(query, host.telemetry.clock.now())
    if (isRefused(selection)) return selection
    const { by, alsoBy, measure = 'count', interval, limit, timeZone, newest, contains } = query
    return host.queries.within(signal).breakdown(actor.tenantId, {
      ...selection,
      by,
      measure,
      limit: capped(limit ?? MAX_GROUPS, interval === undefined ? MOST_GROUPS : MAX_GROUPS),
      ...given({ alsoBy, interval, timeZone, newest, contains })
    })
  }
})

const durations = operation({
  ...reading,
  id: 'telemetry-dashboard.durations.read',
  path: '/api/durations',
  summary: 'How long rows take, grouped by one of their values',
  query: Type.Object({
    by: required(`One of ${DURATION_FIELDS.join(', ')}, or \`attr:<key>\`.`),
    ...rangeParameters,
    ...filterParameters,
    ...limitParameter
  }),
  answer: durationsSchema,
  run({ query: { by, limit, ...query } }, { host, actor, signal }: Call<DashboardHost>) {
    const selection = readSelection(query, host.telemetry.clock.now())
    if (isRefused(selection)) return selection
    const asked = { ...selection, by, limit: capped(limit, MAX_GROUPS) }
    return host.queries.within(signal).durations(actor.tenantId, asked)
  }
})

const usage = operation({
  ...reading,
  id: 'telemetry-dashboard.usage.read',
  path: '/api/usage',
  summary: 'Usage added up by meter, person or attribute',
  query: Type.Object({
    by,
    ...rangeParameters,
    ...filterParameters,
    sums: optionalText(`Metrics to add up, comma-separated, at most ${MAX_SUMS}.`),
    ...limitParameter
  }),
  answer: usageTotalsSchema,
  run({ query: { by, limit, ...query } }, { host, actor, signal }: Call<DashboardHost>) {
    const selection = readSelection(query, host.telemetry.clock.now())
    if (isRefused(selection)) return selection
    const sums = readList(query.sums, 'sums', MAX_SUMS)
    if (isRefused(sums)) return sums
    const asked = { ...selection, by, sums, limit: capped(limit, MAX_GROUPS) }
    return host.queries.within(signal).usageTotals(actor.tenantId, asked)
  }
})

const rollupTotals = operation({
  ...reading,
  id: 'telemetry-dashboard.rollups.total',
  path: '/api/rollups/totals',
  summary: 'Documents of a rollup family added up by their dimensions',
  query: Type.Object({ ...familyParameter, ...rangeParameters, ...limitParameter }),
  answer: rollupTotalsSchema,
  run({ query: { as, limit, ...query } }, { host, actor, signal }: Call<DashboardHost>) {
    const range = readRange(query, host.telemetry.clock.now())
    if (isRefused(range)) return range
    const asked = { as, ...range, limit: capped(limit, host.limits.rollups) }
    return host.queries.within(signal).rollupTotals(actor.tenantId, asked)
  }
})

const issues = operation({
  ...reading,
  id: 'telemetry-dashboard.issues.list',
  path: '/api/issues',
  summary: 'Errors grouped by fingerprint, in the range and ever',
  query: Type.Object({
    ...rangeParameters,
    ...filterParameters,
    ...intervalParameter(INTERVALS),
    ...timeZoneParameter,
    sort: Type.Optional(
      choice(ISSUE_ORDERS, 'The greatest first, of all issues. Default `lastAt`.')
    ),
    contains: optionalText(
      'Only issues whose type, message or fingerprint has this; written as `q`.'
    ),
    ...limitParameter
  }),
  answer: issuesSchema,
  run({ query }, { host, actor, signal }: Call<DashboardHost>) {
    const selection = readSelection(query, host.telemetry.clock.now())
    if (isRefused(selection)) return selection
    const { interval, timeZone, limit, sort, contains } = query
    return host.queries.within(signal).issues(actor.tenantId, {
      ...selection,
      limit: capped(limit ?? MAX_ISSUES, MOST_ISSUES),
      ...given({ interval, timeZone, sort, contains })
    })
  }
})

const retention = operation({
  ...reading,
  id: 'telemetry-dashboard.retention.read',
  path: '/api/retention',
  summary: 'How many of each cohort came back',
  query: Type.Object({
    anchor: required('The lifetime family that begins it.'),
    activity: required('The bucketed family that says who was active.'),
    ...rangeParameters,
    ...intervalParameter(COHORT_INTERVALS),
    subjectType,
    ...limitParameter
  }),
  answer: retentionSchema,
  run({ query }, { host, actor, signal }: Call<DashboardHost>) {
    const range = readRange(query, host.telemetry.clock.now())
    if (isRefused(range)) return range
    const { anchor, activity, interval, subjectType, limit } = query
    return host.queries.within(signal).retention(actor.tenantId, {
      ...range,
      anchor,
      activity,
      limit: capped(limit, host.limits.funnel),
      ...given({ interval, subjectType })
    })
  }
})

const people = operation({
  ...reading,
  id: 'telemetry-dashboard.funnels.listPeople',
  path: '/api/funnel/people',
  summary: 'Who reached a stage of a funnel, or missed it',
  query: Type.Object({
    ...stagesParameter,
    stage: required('One of the stages.'),
    outcome: choice(FUNNEL_OUTCOMES),
    anchor: optionalText('The family that begins it. Default: the first stage.'),
    ...rangeParameters,
    subjectType,
    cohort: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'Members of the cohort that are looked at, the earliest; more than the cap is the cap.'
      })
    ),
    ...limitParameter
  }),
  answer: funnelPeopleSchema,
  run({ query }, { host, actor, signal }: Call<DashboardHost>) {
    const stages = readStages(query.stages)
    if (isRefused(stages)) return stages
    const range = readRange(query, host.telemetry.clock.now())
    if (isRefused(range)) return range
    const { stage, outcome, anchor, subjectType, cohort, limit } = query
    return host.queries.within(signal).funnelPeople(actor.tenantId, {
      ...range,
      stages,
      stage,
      limit: capped(cohort, host.limits.funnel),
      most: capped(limit, MOST_PEOPLE),
      ...given({ outcome, anchor, subjectType })
    })
  }
})

/** The operations that group. */
export const groupOperations: readonly Operation<DashboardHost>[] = [
  breakdown,
  durations,
  rollupTotals,
  issues,
  usage,
  retention,
  people
]
