// Tools about people over any events: funnels and retention.
import { closed, optional, Type } from '@keelson/sdk'
import type { McpTools } from '@keelson/sdk/contracts/mcp-tools'
import { MAX_STEPS } from '../queries/person-steps.ts'
import type { Queries } from '../queries/queries.ts'
import { STEP_ORDERS } from '../queries/step-math.ts'
import { COHORT_INTERVALS, eventFunnelSchema, eventRetentionSchema } from '../schemas/cohorts.ts'
import type { Telemetry } from '../telemetry.ts'
import {
  filterArguments,
  filtersOf,
  literals,
  rangeArguments,
  rangeOf,
  scopeOf,
  text
} from './arguments.ts'
import { defineTool } from './tool.ts'

const HOUR_MS = 3_600_000
const event = text('Event name; see describe_telemetry.', 200)

export function eventPeopleTools({ clock }: Telemetry, queries: Queries): McpTools {
  return [
    defineTool({
      name: 'event_funnel',
      title: 'Funnel over events',
      description: 'How far people came through any events, in order or not, within a time.',
      input: Type.Object(
        {
          ...rangeArguments,
          ...filterArguments,
          steps: Type.Array(event, {
            minItems: 1,
            maxItems: MAX_STEPS,
            description: 'Event names, in order.'
          }),
          order: literals(STEP_ORDERS, 'strict (default): each step after the one before.'),
          windowHours: optional(
            Type.Number({ exclusiveMinimum: 0, description: 'From the first step to the last.' })
          ),
          by: optional(text('attr:<key> or a field of the first step: people in groups.', 305))
        },
        closed
      ),
      output: eventFunnelSchema,
      run: ({ steps, order, windowHours, by, ...args }, viewer) =>
        queries.eventFunnel(scopeOf(args, viewer), {
          ...rangeOf(args, clock.now()),
          filters: filtersOf(args),
          steps,
          ...(order !== undefined && { order }),
          ...(windowHours !== undefined && { windowMs: windowHours * HOUR_MS }),
          ...(by !== undefined && { by })
        })
    }),
    defineTool({
      name: 'event_retention',
      title: 'Retention over events',
      description: 'How many people of each period came back, over any two events.',
      input: Type.Object(
        {
          ...rangeArguments,
          ...filterArguments,
          first: event,
          again: optional(text('Event that says who was active. Default: the same.', 200)),
          interval: literals(COHORT_INTERVALS, 'Default week.')
        },
        closed
      ),
      output: eventRetentionSchema,
      run: ({ first, again, interval, ...args }, viewer) =>
        queries.eventRetention(scopeOf(args, viewer), {
          ...rangeOf(args, clock.now()),
          filters: filtersOf(args),
          first,
          ...(again !== undefined && { again }),
          ...(interval !== undefined && { interval })
        })
    })
  ]
}
