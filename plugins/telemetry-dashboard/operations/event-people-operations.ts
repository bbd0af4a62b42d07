// Reads about people over any events: funnels and retention that no family was declared for.
import { type Call, isRefused, type Operation, operation, Type } from '@keelson/sdk'
import {
  COHORT_INTERVALS,
  eventFunnelSchema,
  eventRetentionSchema,
  MAX_STEPS,
  STEP_ORDERS
} from '@keelson/telemetry'
import { type DashboardHost, reading } from './dashboard-operation.ts'
import { readSelection } from './filters.ts'
import {
  choice,
  filterParameters,
  given,
  intervalParameter,
  optionalText,
  rangeParameters,
  readList,
  required
} from './parameters.ts'

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `30m`, `12h`, `7d` in milliseconds; undefined without one. */
const millisOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text.slice(0, -1)) * (UNIT_MS[text.slice(-1)] ?? 0)

const funnel = operation({
  ...reading,
  id: 'telemetry-dashboard.eventFunnels.read',
  path: '/api/funnel/events',
  summary: 'How far people came through any events',
  query: Type.Object({
    steps: required(
      `Event names in order, comma-separated, at most ${MAX_STEPS}.`,
      'steps required'
    ),
    order: choice(STEP_ORDERS, '`strict` (default): each step after the one before.'),
    window: Type.Optional(
      Type.String({
        pattern: '^[1-9]\\d{0,3}[mhd]$',
        description: 'From the first step to the last, as `30m`, `12h` or `7d`. Default: any.',
        'x-refusal': 'window must be a number with m, h or d'
      })
    ),
    by: optionalText('A field of the first step, or `attr:<key>`: people in groups of it.'),
    ...rangeParameters,
    ...filterParameters
  }),
  answer: eventFunnelSchema,
  run({ query }, { host, actor, signal }: Call<DashboardHost>) {
    const steps = readList(query.steps, 'steps', MAX_STEPS)
    if (isRefused(steps)) return steps
    const selection = readSelection(query, host.telemetry.clock.now())
    if (isRefused(selection)) return selection
    const { order, window, by } = query
    return host.queries.within(signal).eventFunnel(actor.tenantId, {
      ...selection,
      steps,
      ...given({ order, by, windowMs: millisOf(window) })
    })
  }
})

const retention = operation({
  ...reading,
  id: 'telemetry-dashboard.eventRetention.read',
  path: '/api/retention/events',
  summary: 'How many came back, over any events',
  query: Type.Object({
    first: required('The event that begins it.'),
    again: optionalText('The event that says who was active. Default: the same.'),
    ...rangeParameters,
    ...filterParameters,
    ...intervalParameter(COHORT_INTERVALS)
  }),
  answer: eventRetentionSchema,
  run({ query }, { host, actor, signal }: Call<DashboardHost>) {
    const selection = readSelection(query, host.telemetry.clock.now())
    if (isRefused(selection)) return selection
    const { first, again, interval } = query
    return host.queries.within(signal).eventRetention(actor.tenantId, {
      ...selection,
      first,
      ...given({ again, interval })
    })
  }
})

/** The operations about people over any events. */
export const eventPeopleOperations: readonly Operation<DashboardHost>[] = [funnel, retention]
