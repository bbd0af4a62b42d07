// Tools that answer with records: search, errors, traces, journeys.

import { closed, optional, Type } from '@keelson/sdk'
import type { McpTools } from '@keelson/sdk/contracts/mcp-tools'
import type { Queries } from '../queries/queries.ts'
import type { Envelope } from '../schemas/envelope.ts'
import { openObject } from '../schemas/parts.ts'
import { journeySchema, recordsSchema, traceSchema } from '../schemas/reads.ts'
import {
  cursorArgument,
  filterArguments,
  filtersOf,
  limitArgument,
  rangeArguments,
  rangeOf,
  scopeOf,
  text
} from './arguments.ts'
import type { McpToolsOptions } from './options.ts'
import type { Redact } from './redact.ts'
import { shortRecord } from './short-record.ts'
import { defineTool } from './tool.ts'

/** Whether records are shown with all that they hold. */
const wholeArgument = {
  whole: optional(
    Type.Boolean({
      description: 'Records with all that they hold: frames, resource, client. Default short.'
    })
  )
}

/** Records with the labels of their subjects. */
function labelled({ describe }: McpToolsOptions, redact: Redact) {
  return async <Page extends object>(
    page: Page,
    { items, as, whole = false }: { items: readonly Envelope[]; as: string; whole?: boolean }
  ) => {
    const shownAs: Redact = (record) => (whole ? redact(record) : shortRecord(redact(record)))
    const refs = [
      ...new Set(items.flatMap(({ subject }) => (subject === undefined ? [] : [subject])))
    ]
    const subjects =
      describe === undefined || refs.length === 0 ? {} : await describe(refs.slice(0, 100))
    return { ...page, [as]: items.map(shownAs), subjects }
  }
}

/** Records are as `redact` of the host leaves them. */
const shown = Type.Array(openObject('A record, as agents may see it.'))
const recordsAnswer = Type.Object({ ...recordsSchema.properties, items: shown })
const traceAnswer = Type.Object({ ...traceSchema.properties, items: shown })
const journeyAnswer = Type.Object({ ...journeySchema.properties, records: shown })

type SearchArguments = Parameters<typeof filtersOf>[0] & {
  from?: string
  to?: string
  tenant?: string
  limit?: number
  cursor?: string
  whole?: boolean
}

export function recordTools(options: McpToolsOptions, queries: Queries, redact: Redact): McpTools {
  const { clock } = options.telemetry
  const show = labelled(options, redact)
  return [...searchTools(queries, show, clock), ...pathTools(queries, show, clock)]
}

type Show = ReturnType<typeof labelled>
type Clock = McpToolsOptions['telemetry']['clock']

function searchTools(queries: Queries, show: Show, clock: Clock): McpTools {
  const search = {
    ...rangeArguments,
    ...filterArguments,
    ...limitArgument,
    ...cursorArgument,
    ...wholeArgument
  }
  const page = async (args: SearchArguments, scope: string, kind?: string) => {
    const { limit, cursor } = args
    const result = await queries.records(scope, {
      ...rangeOf(args, clock.now()),
      filters: { ...filtersOf(args), ...(kind !== undefined && { kind }) },
      ...(limit !== undefined && { limit }),
      ...(cursor !== undefined && { cursor })
    })
    const { whole = false } = args
    return show(result, { items: result.items, as: 'items', whole })
  }
  const { kind: _kind, ...errorSearch } = search
  return [
    defineTool({
      name: 'search_events',
      title: 'Search events',
      description: 'Records of any kind, newest first, by filters. Page with nextCursor.',
      input: Type.Object(search, closed),
      output: recordsAnswer,
      run: (args, viewer) => page(args, scopeOf(args, viewer))
    }),
    defineTool({
      name: 'list_errors',
      title: 'List errors',
      description: 'Error records, newest first, with type, message, fingerprint and place.',
      input: Type.Object(errorSearch, closed),
      output: recordsAnswer,
      run: (args, viewer) => page(args, scopeOf(args, viewer), 'error')
    })
  ]
}

function pathTools(queries: Queries, show: Show, clock: Clock): McpTools {
  return [
    defineTool({
      name: 'inspect_trace',
      title: 'Inspect a trace',
      description: 'Everything with one trace id, oldest first: spans, errors, events.',
      input: Type.Object(
        {
          traceId: text('Trace id.', 64),
          tenant: rangeArguments.tenant,
          ...limitArgument,
          ...wholeArgument
        },
        closed
      ),
      output: traceAnswer,
      async run({ traceId, limit, whole = false, ...args }, viewer) {
        const trace = await queries.trace(scopeOf(args, viewer), traceId, limit)
        return show(trace, { items: trace.items, as: 'items', whole })
      }
    }),
    defineTool({
      name: 'user_journey',
      title: "A subject's journey",
      description: 'What one subject did, newest first, and its milestones of all times.',
      input: Type.Object(
        {
          subject: text('Subject ref, <type>:<id>.'),
          ...rangeArguments,
          ...limitArgument,
          ...wholeArgument
        },
        closed
      ),
      output: journeyAnswer,
      async run({ subject, limit, whole = false, ...args }, viewer) {
        const journey = await queries.journey(scopeOf(args, viewer), {
          ...rangeOf(args, clock.now()),
          ref: subject,
          ...(limit !== undefined && { limit })
        })
        return show(journey, { items: journey.records, as: 'records', whole })
      }
    })
  ]
}
