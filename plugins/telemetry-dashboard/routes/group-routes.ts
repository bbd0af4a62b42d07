// The routes that tell rows and people apart: groups, issues, usage totals, retention, the people of a funnel.
import { FUNNEL_OUTCOMES, MAX_ISSUES } from '@keelson/telemetry'
import { readFilters } from './filters.ts'
import { given } from './given.ts'
import { FUNNEL_INTERVALS, readMeasure, SERIES_INTERVALS } from './measure.ts'
import { type Params, readChoice, readLimit, readList, readOne } from './parameters.ts'
import { accepted, allOf, type Parsed, refused } from './parsed.ts'
import { readRange } from './range.ts'
import { type ApiContext, type ApiRequest, type ApiRoute, get, whenAccepted } from './route.ts'
import { readStages } from './stages.ts'

/** Groups of one answer, and metrics that one answer adds up. */
const MAX_GROUPS = 50
const MAX_SUMS = 8

function readRequired(params: Params, name: string): Parsed<string> {
  const text = readOne(params, name)
  if (!text.ok) return text
  return text.value === undefined ? refused(`${name} required`) : accepted(text.value)
}

const now = ({ telemetry }: ApiContext): Date => telemetry.clock.now()

const breakdown = ({ viewer, params }: ApiRequest, context: ApiContext) =>
  whenAccepted(
    allOf({
      range: readRange(params, now(context)),
      filters: readFilters(params),
      by: readRequired(params, 'by'),
      measure: readMeasure(params),
      interval: readChoice(params, 'interval', SERIES_INTERVALS),
      limit: readLimit(params, MAX_GROUPS)
    }),
    ({ range, interval, ...rest }) =>
      context.queries.breakdown(viewer.tenantId, { ...range, ...rest, ...given({ interval }) })
  )

const usage = ({ viewer, params }: ApiRequest, context: ApiContext) =>
  whenAccepted(
    allOf({
      range: readRange(params, now(context)),
      filters: readFilters(params),
      by: readRequired(params, 'by'),
      sums: readList(params, 'sums', MAX_SUMS),
      limit: readLimit(params, MAX_GROUPS)
    }),
    ({ range, ...rest }) => context.queries.usageTotals(viewer.tenantId, { ...range, ...rest })
  )

const issues = ({ viewer, params }: ApiRequest, context: ApiContext) =>
  whenAccepted(
    allOf({
      range: readRange(params, now(context)),
      filters: readFilters(params),
      interval: readChoice(params, 'interval', SERIES_INTERVALS),
      limit: readLimit(params, MAX_ISSUES)
    }),
    ({ range, interval, ...rest }) =>
      context.queries.issues(viewer.tenantId, { ...range, ...rest, ...given({ interval }) })
  )

const retention = ({ viewer, params }: ApiRequest, context: ApiContext) =>
  whenAccepted(
    allOf({
      range: readRange(params, now(context)),
      anchor: readRequired(params, 'anchor'),
      activity: readRequired(params, 'activity'),
      interval: readChoice(params, 'interval', FUNNEL_INTERVALS),
      subjectType: readOne(params, 'subjectType'),
      limit: readLimit(params, context.limits.funnel)
    }),
    ({ range, anchor, activity, limit, ...rest }) =>
      context.queries.retention(viewer.tenantId, {
        ...range,
        anchor,
        activity,
        limit,
        ...given(rest)
      })
  )

const people = ({ viewer, params }: ApiRequest, context: ApiContext) =>
  whenAccepted(
    allOf({
      range: readRange(params, now(context)),
      stages: readStages(params),
      stage: readRequired(params, 'stage'),
      outcome: readChoice(params, 'outcome', FUNNEL_OUTCOMES),
      anchor: readOne(params, 'anchor'),
      subjectType: readOne(params, 'subjectType'),
      limit: readLimit(params, context.limits.funnel)
    }),
    ({ range, stages, stage, limit, ...rest }) =>
      context.queries.funnelPeople(viewer.tenantId, {
        ...range,
        stages,
        stage,
        limit,
        ...given(rest)
      })
  )

export const groupRoutes: readonly ApiRoute[] = [
  get('/breakdown', 'Rows told apart by one of their values', breakdown),
  get('/issues', 'Errors that are the same, in the range and ever', issues),
  get('/usage', 'Usage added up by meter, person or attribute', usage),
  get('/retention', 'How many of each cohort came back', retention),
  get('/funnel/people', 'Who reached a stage of a funnel, or missed it', people)
]
