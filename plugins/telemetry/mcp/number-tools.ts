// Tools that count and measure records.

import { closed, optional, Type } from '@keelson/sdk'
import type { McpTools } from '@keelson/sdk/contracts/mcp-tools'
import type { Queries } from '../queries/queries.ts'
import { MEASURES } from '../schemas/measures.ts'
import { distributionSchema, seriesSchema } from '../schemas/reads.ts'
import type { Telemetry } from '../telemetry.ts'
import {
  filterArguments,
  filtersOf,
  intervalArgument,
  rangeArguments,
  rangeOf,
  scopeOf,
  text
} from './arguments.ts'
import { defineTool } from './tool.ts'

const measure = (description: string) => optional(text(description, 210))

export function numberTools({ clock }: Telemetry, queries: Queries): McpTools {
  return [
    defineTool({
      name: 'event_trends',
      title: 'Trends over time',
      description: 'Records counted, or a metric summed or averaged, by hour, day, week or month.',
      input: Type.Object(
        {
          ...rangeArguments,
          ...filterArguments,
          ...intervalArgument,
          measure: measure(`Default count: ${MEASURES}.`)
        },
        closed
      ),
      output: seriesSchema,
      run: ({ interval, measure, ...args }, viewer) =>
        queries.series(scopeOf(args, viewer), {
          ...rangeOf(args, clock.now()),
          filters: filtersOf(args),
          ...(interval !== undefined && { interval }),
          ...(measure !== undefined && { measure })
        })
    }),
    defineTool({
      name: 'metric_distribution',
      title: 'Distribution of a metric',
      description:
        'Percentiles and histogram of durations or of a metric. Absent when nothing matches.',
      input: Type.Object(
        {
          ...rangeArguments,
          ...filterArguments,
          measure: measure('durationMs (default) or a metric.')
        },
        closed
      ),
      output: distributionSchema,
      run: ({ measure, ...args }, viewer) =>
        queries.distribution(scopeOf(args, viewer), {
          ...rangeOf(args, clock.now()),
          filters: filtersOf(args),
          ...(measure !== undefined && { measure })
        })
    })
  ]
}
