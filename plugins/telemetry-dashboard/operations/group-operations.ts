// The routes that group rows, people and rollups: breakdowns, issues, totals, retention, the people of a funnel.
import { Type } from '@keelson/sdk'
import {
  breakdownSchema,
  COHORT_INTERVALS,
  DURATION_FIELDS,
  durationsSchema,
  FUNNEL_OUTCOMES,
  funnelPeopleSchema,
  INTERVALS,
  issuesSchema,
  MAX_GROUPS,
  MAX_ISSUES,
  MAX_SUMS,
  retentionSchema,
  rollupTotalsSchema,
  usageTotalsSchema
} from '@keelson/telemetry'
import { readFilters } from './filters.ts'
import { given } from './given.ts'
import {
  capped,
  choice,
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
import { allOf } from './parsed.ts'
import { readRange } from './range.ts'
import { type ApiContext, get, whenAccepted } from './route.ts'

const now = ({ telemetry }: ApiContext): Date => telemetry.clock.now()

const by = required('A field of records, or `attr:<key>`.')
const rowsParameter = Type.Optional(
  Type.Integer({
    minimum: 1,
    description: 'Rows to read, the newest; more than the cap is the cap.',
    'x-refusal': 'newest must be a whole number from 1 on'
  })
)
const subjectType = optionalText('Only subjects of this type.')

const breakdown = get({
  path: '/api/breakdown',
  summary: 'Rows grouped by one of their values',
  query: query({
    by,
    ...rangeParameters,
    ...filterParameters,
    ...measureParameter,
    ...intervalParameter(INTERVALS),
    ...timeZoneParameter,
    newest: rowsParameter,
    contains: optionalText('Only values that contain this text, in upper or lower case.'),
    ...limitParameter
  }),
  response: breakdownSchema,
  answer: ({ viewer, query }, context) =>
    whenAccepted(
      allOf({ range: readRange(query, now(context)), filters: readFilters(query) }),
      ({ range, filters }) => {
        const { by, measure = 'count', interval, limit, timeZone, newest, contains } = query
        return context.queries.breakdown(viewer.tenantId, {
          ...range,
          by,
          filters,
          measure,
          limit: capped(limit, MAX_GROUPS),
          ...given({ interval, timeZone, newest, contains })
        })
      }
    )
})

const durations = get({
  path: '/api/durations',
  summary: 'How long rows take, grouped by one of their values',
  query: query({
    by: required(`One of ${DURATION_FIELDS.join(', ')}, or \`attr:<key>\`.`),
    ...rangeParameters,
    ...filterParameters,
    ...limitParameter
  }),
  response: durationsSchema,
  answer: ({ viewer, query }, context) =>
    whenAccepted(
      allOf({ range: readRange(query, now(context)), filters: readFilters(query) }),
      ({ range, filters }) =>
        context.queries.durations(viewer.tenantId, {
          ...range,
          by: query.by,
          filters,
          limit: capped(query.limit, MAX_GROUPS)
        })
    )
})

const usage = get({
  path: '/api/usage',
  summary: 'Usage added up by meter, person or attribute',
  query: query({
    by,
    ...rangeParameters,
    ...filterParameters,
    sums: optionalText(`Metrics to add up, comma-separated, at most ${MAX_SUMS}.`),
    ...limitParameter
  }),
  response: usageTotalsSchema,
  answer: ({ viewer, query }, context) =>
    whenAccepted(
      allOf({
        range: readRange(query, now(context)),
        filters: readFilters(query),
        sums: readList(query.sums, 'sums', MAX_SUMS)
      }),
      ({ range, filters, sums }) =>
        context.queries.usageTotals(viewer.tenantId, {
          ...range,
          by: query.by,
          filters,
          sums,
          limit: capped(query.limit, MAX_GROUPS)
        })
    )
})

const rollupTotals = get({
  path: '/api/rollups/totals',
  summary: 'Documents of a rollup family added up by their dimensions',
  query: query({
    as: required('The rollup family.', 'rollup family required'),
    ...rangeParameters,
    ...limitParameter
  }),
  response: rollupTotalsSchema,
  answer: ({ viewer, query }, context) =>
    whenAccepted(readRange(query, now(context)), (range) =>
      context.queries.rollupTotals(viewer.tenantId, {
        as: query.as,
        ...range,
        limit: capped(query.limit, context.limits.rollups)
      })
    )
})

const issues = get({
  path: '/api/issues',
  summary: 'Errors grouped by fingerprint, in the range and ever',
  query: query({
    ...rangeParameters,
    ...filterParameters,
    ...intervalParameter(INTERVALS),
    ...timeZoneParameter,
    ...limitParameter
  }),
  response: issuesSchema,
  answer: ({ viewer, query }, context) =>
    whenAccepted(
      allOf({ range: readRange(query, now(context)), filters: readFilters(query) }),
      ({ range, filters }) =>
        context.queries.issues(viewer.tenantId, {
          ...range,
          filters,
          limit: capped(query.limit, MAX_ISSUES),
          ...given({ interval: query.interval, timeZone: query.timeZone })
        })
    )
})

const retention = get({
  path: '/api/retention',
  summary: 'How many of each cohort came back',
  query: query({
    anchor: required('The lifetime family that begins it.'),
    activity: required('The bucketed family that says who was active.'),
    ...rangeParameters,
    ...intervalParameter(COHORT_INTERVALS),
    subjectType,
    ...limitParameter
  }),
  response: retentionSchema,
  answer: ({ viewer, query }, context) =>
    whenAccepted(readRange(query, now(context)), (range) => {
      const { anchor, activity, interval, subjectType, limit } = query
      return context.queries.retention(viewer.tenantId, {
        ...range,
        anchor,
        activity,
        limit: capped(limit, context.limits.funnel),
        ...given({ interval, subjectType })
      })
    })
})

const people = get({
  path: '/api/funnel/people',
  summary: 'Who reached a stage of a funnel, or missed it',
  query: query({
    stages: list(`Lifetime families in order, at most ${MAX_STAGES}.`, NO_STAGES),
    stage: required('One of the stages.'),
    outcome: choice(FUNNEL_OUTCOMES),
    anchor: optionalText('The family that begins it. Default: the first stage.'),
    ...rangeParameters,
    subjectType,
    ...limitParameter
  }),
  response: funnelPeopleSchema,
  answer: ({ viewer, query }, context) =>
    whenAccepted(
      allOf({ stages: readStages(query.stages), range: readRange(query, now(context)) }),
      ({ stages, range }) => {
        const { stage, outcome, anchor, subjectType, limit } = query
        return context.queries.funnelPeople(viewer.tenantId, {
          ...range,
          stages,
          stage,
          limit: capped(limit, context.limits.funnel),
          ...given({ outcome, anchor, subjectType })
        })
      }
    )
})

export const groupRoutes = [breakdown, durations, rollupTotals, issues, usage, retention, people]
