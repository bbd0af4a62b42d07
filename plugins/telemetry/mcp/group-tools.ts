// Tools that group: records by a value, spans by duration, issues, usage, metrics; and the rules of alerts.
import { closed, optional, type Static, Type } from '@keelson/sdk'
import type { McpTools } from '@keelson/sdk/contracts/mcp-tools'
import type { TObject } from '@keelson/sdk/typebox'
import { BREAKDOWN_FIELDS } from '../queries/breakdown.ts'
import { DURATION_FIELDS } from '../queries/durations.ts'
import { ISSUE_ORDERS } from '../queries/issues.ts'
import type { Queries } from '../queries/queries.ts'
import { alertRulesSchema } from '../schemas/alerts.ts'
import { MEASURES } from '../schemas/measures.ts'
import { METRIC_READS, metricSeriesSchema, metricsSchema } from '../schemas/metrics.ts'
import {
  breakdownSchema,
  durationsSchema,
  issuesSchema,
  usageTotalsSchema
} from '../schemas/reads.ts'
import type { Telemetry } from '../telemetry.ts'
import {
  filterArguments,
  filtersOf,
  intervalArgument,
  limitArgument,
  literals,
  rangeArguments,
  rangeOf,
  refList,
  scopeOf,
  text
} from './arguments.ts'
import { defineTool } from './tool.ts'

const orderArgument = {
  sort: optional(literals(ISSUE_ORDERS, 'The greatest first, of all issues. Default lastAt.'))
}

const selection = { ...rangeArguments, ...filterArguments }
const selectionSchema = Type.Object(selection)

const asks = <Own extends Parameters<typeof Type.Object>[0]>(
  own: Own
): TObject<typeof selection & Own> => Type.Object({ ...selection, ...own }, closed)

export function groupTools({ clock, alerts }: Telemetry, queries: Queries): McpTools {
  const selected = (args: Static<typeof selectionSchema>) => ({
    ...rangeOf(args, clock.now()),
    filters: filtersOf(args)
  })
  return [
    ...recordGroups(queries, selected),
    issuesTool(queries, selected),
    ...metricTools(queries, selected),
    defineTool({
      name: 'list_alerts',
      title: 'List alerts',
      description: 'The rules of alerts with their states: what fires now.',
      input: Type.Object({}, closed),
      output: alertRulesSchema,
      run: (_args, viewer) => alerts.list({ ...viewer, role: viewer.role ?? 'viewer' })
    })
  ]
}

type Selected = (args: Static<typeof selectionSchema>) => ReturnType<typeof rangeOf> & {
  readonly filters: ReturnType<typeof filtersOf>
}

function recordGroups(queries: Queries, selected: Selected): McpTools {
  return [
    defineTool({
      name: 'group_records',
      title: 'Records in groups',
      description:
        'Records told apart by one or two of their values, the largest first: who is hit, which route fails.',
      input: asks({
        by: text(`attr:<key>, or one of ${Object.keys(BREAKDOWN_FIELDS).join(', ')}.`, 305),
        alsoBy: optional(text('A second one: a group has one value of each.', 305)),
        measure: optional(text(`Default count: ${MEASURES}.`, 210)),
        ...intervalArgument,
        ...limitArgument
      }),
      output: breakdownSchema,
      run: ({ by, alsoBy, measure, interval, limit, ...args }, viewer) =>
        queries.breakdown(scopeOf(args, viewer), {
          ...selected(args),
          by,
          ...(alsoBy !== undefined && { alsoBy }),
          ...(measure !== undefined && { measure }),
          ...(interval !== undefined && { interval }),
          ...(limit !== undefined && { limit })
        })
    }),
    defineTool({
      name: 'slowest_groups',
      title: 'Durations in groups',
      description:
        'How many, how many failed, p50, p95 and the slowest, by a value: for spans, kind span and by attr:http.route.',
      input: asks({
        by: text(`attr:<key>, or one of ${DURATION_FIELDS.join(', ')}.`, 305),
        ...limitArgument
      }),
      output: durationsSchema,
      run: ({ by, limit, ...args }, viewer) =>
        queries.durations(scopeOf(args, viewer), {
          ...selected(args),
          by,
          ...(limit !== undefined && { limit })
        })
    }),
    defineTool({
      name: 'usage_totals',
      title: 'Usage added up',
      description: 'Billed usage by meter, payer or attribute: quantities and amounts.',
      input: asks({
        by: text('meter, billedTo, tenantId, or attr:<key>.', 305),
        sums: optional(refList('Metrics to add up.', 8)),
        ...limitArgument
      }),
      output: usageTotalsSchema,
      run: ({ by, sums, limit, ...args }, viewer) =>
        queries.usageTotals(scopeOf(args, viewer), {
          ...selected(args),
          by,
          ...(sums !== undefined && { sums }),
          ...(limit !== undefined && { limit })
        })
    })
  ]
}

const issuesTool = (queries: Queries, selected: Selected): McpTools[number] =>
  defineTool({
    name: 'list_issues',
    title: 'List issues',
    description:
      'Errors that are the same as one issue, with first and last time, counts and how many people were hit.',
    input: asks({
      contains: optional(
        text('Only issues whose type, message or fingerprint has these words.', 500)
      ),
      ...intervalArgument,
      ...orderArgument,
      ...limitArgument
    }),
    output: issuesSchema,
    run: ({ contains, interval, sort, limit, ...args }, viewer) =>
      queries.issues(scopeOf(args, viewer), {
        ...selected(args),
        ...(contains !== undefined && { contains }),
        ...(sort !== undefined && { sort }),
        ...(interval !== undefined && { interval }),
        ...(limit !== undefined && { limit })
      })
  })

function metricTools(queries: Queries, selected: Selected): McpTools {
  return [
    defineTool({
      name: 'list_metrics',
      title: 'List metrics',
      description: 'Metrics that came over OTLP, with their kinds and units.',
      input: asks({ contains: optional(text('Part of the name.', 200)), ...limitArgument }),
      output: metricsSchema,
      run: ({ contains, limit, ...args }, viewer) =>
        queries.metrics(scopeOf(args, viewer), {
          ...selected(args),
          ...(contains !== undefined && { contains }),
          ...(limit !== undefined && { limit })
        })
    }),
    defineTool({
      name: 'metric_over_time',
      title: 'A metric over time',
      description: 'Rate of a counter, mean of a gauge, percentiles of a histogram; with traces.',
      input: asks({
        metric: text('Name; see list_metrics.', 300),
        measure: literals(METRIC_READS, 'What is read. Default: what suits the kind.'),
        by: optional(text('attr:<key>, service or tenantId.', 305)),
        ...intervalArgument
      }),
      output: metricSeriesSchema,
      run: ({ metric, measure, by, interval, ...args }, viewer) =>
        queries.metricSeries(scopeOf(args, viewer), {
          ...selected(args),
          metric,
          ...(measure !== undefined && { measure }),
          ...(by !== undefined && { by }),
          ...(interval !== undefined && { interval })
        })
    })
  ]
}
