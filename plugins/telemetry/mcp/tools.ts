// createMcpTools: the read-only tools over one telemetry instance.

import { closed, optional, Type } from '@keelson/sdk'
import type { McpTools } from '@keelson/sdk/contracts/mcp-tools'
import { KINDS } from '../contracts/telemetry-registry.ts'
import { createQueries } from '../create-queries.ts'
import type { Queries } from '../queries/queries.ts'
import { QueryError } from '../queries/types.ts'
import { INDEX_BUDGET } from '../storage/payload-indexes.ts'
import type { Telemetry } from '../telemetry.ts'
import {
  describedTelemetry,
  healthAnswer,
  reportAnswer,
  reportsAnswer,
  tenantsAnswer
} from './answers.ts'
import { rangeArguments, scopeOf, text } from './arguments.ts'
import { eventPeopleTools } from './event-people-tools.ts'
import { groupTools } from './group-tools.ts'
import { listTenants } from './list-tenants.ts'
import { numberTools } from './number-tools.ts'
import type { McpToolsOptions } from './options.ts'
import { recordTools } from './record-tools.ts'
import { type Redact, redactData, showAll } from './redact.ts'
import { listReports } from './reports.ts'
import { rollupTools } from './rollup-tools.ts'
import { runReport } from './run-report.ts'
import { defineTool } from './tool.ts'

/** Tools for `mcp.tools/v1`. Each is scoped by the viewer who calls it. */
export function createMcpTools(options: McpToolsOptions): McpTools {
  const { telemetry } = options
  const queries = options.queries ?? createQueries({ telemetry })
  const redact = redactOf(options.redact)
  return [
    ...recordTools(options, queries, redact),
    ...numberTools(telemetry, queries),
    ...groupTools(telemetry, queries),
    ...eventPeopleTools(telemetry, queries),
    ...rollupTools(telemetry, queries),
    ...reportTools(options, queries, redact),
    ...platformTools(telemetry)
  ]
}

function redactOf(given: boolean | Redact | undefined): Redact {
  if (typeof given === 'function') return given
  return given === false ? showAll : redactData
}

function reportTools(options: McpToolsOptions, queries: Queries, redact: Redact): McpTools {
  const { telemetry, reports = [] } = options
  return [
    defineTool({
      name: 'list_reports',
      title: 'List reports',
      description: 'Named views that people saved, the host set up, or the registry gives.',
      input: Type.Object({}, closed),
      output: reportsAnswer,
      async run(_args, viewer) {
        const found = await listReports(telemetry, viewer, reports)
        return {
          reports: found.map(({ name, page, origin, shared, query }) => ({
            name,
            page,
            origin,
            ...(shared !== undefined && { shared }),
            display: query['display'] ?? null
          }))
        }
      }
    }),
    defineTool({
      name: 'run_report',
      title: 'Run a report',
      description: 'Answers a report of list_reports with the numbers or records it shows.',
      input: Type.Object(
        { name: text('Name of the report.', 300), tenant: rangeArguments.tenant },
        closed
      ),
      output: reportAnswer,
      async run({ name, ...args }, viewer) {
        const found = await listReports(telemetry, viewer, reports)
        const report = found.find((one) => one.name === name)
        if (report === undefined) throw new QueryError(`no report "${name}"`)
        const now = telemetry.clock.now()
        return {
          report,
          result: await runReport(queries, scopeOf(args, viewer), report, now, redact)
        }
      }
    })
  ]
}

function platformTools(telemetry: Telemetry): McpTools {
  return [
    defineTool({
      name: 'describe_telemetry',
      title: 'What is recorded',
      description: 'Event names with their attributes, metrics and rollup families. Start here.',
      input: Type.Object({}, closed),
      output: describedTelemetry,
      run: async (_args, { tenantId }) => ({
        kinds: KINDS,
        scope: tenantId,
        registry: telemetry.registry.project()
      })
    }),
    defineTool({
      name: 'list_tenants',
      title: 'List tenants',
      description:
        'Tenants with records in the last 30 days, the busiest first. A tenant sees itself.',
      input: Type.Object(
        {
          limit: optional(
            Type.Integer({
              minimum: 1,
              maximum: 1000,
              description: 'At most so many. Default: 200.'
            })
          )
        },
        closed
      ),
      output: tenantsAnswer,
      run: ({ limit = 200 }, { tenantId }) => listTenants(telemetry, tenantId, limit)
    }),
    defineTool({
      name: 'telemetry_health',
      title: 'Health of telemetry',
      description:
        'Counters of this process, the newest refused writes by reason, and the index budget.',
      input: Type.Object({}, closed),
      output: healthAnswer,
      async run(_args, { tenantId }) {
        const refused = await telemetry.quarantine(tenantId)
        return {
          counters: telemetry.counters,
          // What was sent may hold anything; it is on the System page for people.
          quarantine: refused.map(({ at, name, reason, tenantId }) => ({
            at,
            name,
            reason,
            tenantId
          })),
          indexCount: await telemetry.indexCount(),
          indexBudget: INDEX_BUDGET
        }
      }
    })
  ]
}
