// Tools over rollup families: breakdowns, distinct subjects, funnels.

import { type Clock, closed, optional, Type } from '@keelson/sdk'
import type { McpTools } from '@keelson/sdk/contracts/mcp-tools'
import type { Queries } from '../queries/queries.ts'
import { ROLLUP_SORTS, ROLLUP_TIMES } from '../queries/types.ts'
import { funnelSchema } from '../schemas/cohorts.ts'
import { distinctSchema, rollupsSchema } from '../schemas/reads.ts'
import type { Telemetry } from '../telemetry.ts'
import {
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

const family = text('Rollup family; see describe_telemetry.', 200)
const subjectType = optional(text('Only subjects of this type.', 100))

export function rollupTools({ clock }: Telemetry, queries: Queries): McpTools {
  return [
    defineTool({
      name: 'rollup_breakdown',
      title: 'Documents of a rollup family',
      description:
        'Counts and sums kept at write time, by the dimensions of the family. Cheap at any size.',
      input: Type.Object(
        {
          as: family,
          dims: optional(
            refList('Only documents with any of these dimensions, <key>=<value>.', 100)
          ),
          subjectType,
          on: literals(ROLLUP_TIMES, 'What from and to apply to.'),
          sort: literals(ROLLUP_SORTS, 'Order.'),
          ...rangeArguments,
          ...limitArgument
        },
        closed
      ),
      output: rollupsSchema,
      run({ from, to, tenant, ...args }, viewer) {
        const isRanged = from !== undefined || to !== undefined
        const range = isRanged
          ? rangeOf(
              { ...(from !== undefined && { from }), ...(to !== undefined && { to }) },
              clock.now()
            )
          : {}
        const scope = scopeOf(tenant === undefined ? {} : { tenant }, viewer)
        return queries.rollups(scope, { ...args, ...range } as Parameters<Queries['rollups']>[1])
      }
    }),
    defineTool({
      name: 'active_users',
      title: 'Distinct subjects over time',
      description:
        'How many different subjects a family saw, by interval and over the whole range.',
      input: Type.Object(
        { as: family, subjectType, ...intervalArgument, ...rangeArguments },
        closed
      ),
      output: distinctSchema,
      run: ({ as, subjectType, interval, ...args }, viewer) =>
        queries.distinctCount(scopeOf(args, viewer), {
          ...rangeOf(args, clock.now()),
          as,
          ...(subjectType !== undefined && { subjectType }),
          ...(interval !== undefined && { interval })
        })
    }),
    funnelTool(clock, queries)
  ]
}

const funnelTool = (clock: Clock, queries: Queries) =>
  defineTool({
    name: 'funnel_analysis',
    title: 'Funnel',
    description: 'How far a cohort came: lifetime families as stages, with drop-off and medians.',
    input: Type.Object(
      {
        stages: Type.Array(family, {
          minItems: 1,
          maxItems: 12,
          description: 'Families, in order.'
        }),
        exits: optional(refList('Families that end it; counted only.', 12)),
        anchor: optional(text('Family that begins it; the first stage when left out.', 200)),
        subjectType,
        interval: literals(['day', 'week', 'month'], 'Slices the cohort.'),
        endInclusive: optional(
          Type.Boolean({ description: 'Whether the range holds `to` itself.' })
        ),
        ...rangeArguments,
        ...limitArgument
      },
      closed
    ),
    output: funnelSchema,
    run({ from, to, tenant, ...args }, viewer) {
      const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
      const scope = scopeOf(tenant === undefined ? {} : { tenant }, viewer)
      return queries.funnel(scope, {
        ...args,
        ...rangeOf(range, clock.now())
      } as Parameters<Queries['funnel']>[1])
    }
  })
