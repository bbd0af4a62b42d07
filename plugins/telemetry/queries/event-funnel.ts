// A funnel over any events: how far people came from the first to the last, in groups where asked.

import type { EventFunnelResult } from '../schemas/cohorts.ts'
import type { RecordFilters } from '../schemas/filters.ts'
import { summarizeStages } from './funnel-math.ts'
import { readSteps } from './person-steps.ts'
import type { Reader } from './reader.ts'
import { gapsOf } from './row-source.ts'
import { inSlices } from './slices.ts'
import { STEP_ORDERS, type StepOrder, type Walker, walkOf } from './step-math.ts'
import { QueryError, type TimeRange } from './types.ts'

const MAX_GROUPS = 50

export interface EventFunnelParams extends TimeRange {
  /** Event names, each once; at most twelve. */
  readonly steps: readonly string[]
  /** Default `strict`. */
  readonly order?: StepOrder
  /** Milliseconds from the first step to the last. Default: any. */
  readonly windowMs?: number
  /** A value of the record of the first step, as a breakdown names it. */
  readonly by?: string
  /** Of the records of every step. The name is that of the step. */
  readonly filters?: RecordFilters
}

export async function readEventFunnel(
  reader: Reader,
  scope: string,
  params: EventFunnelParams
): Promise<EventFunnelResult> {
  const { steps, order = 'strict', windowMs, by, from, to } = params
  if (new Set(steps).size < steps.length) throw new QueryError('steps must name each event once')
  if (!STEP_ORDERS.includes(order)) {
    throw new QueryError(`order must be one of ${STEP_ORDERS.join(', ')}`)
  }
  if (windowMs !== undefined && !(windowMs > 0)) throw new QueryError('window must be over 0')
  const found = await readSteps(reader, scope, { ...params, names: steps, by })
  const walkers: Walker[] = []
  for await (const people of inSlices(found.people)) {
    for (const { doings } of people) {
      const walker = walkOf(doings, { steps, order, windowMs })
      if (walker !== undefined) walkers.push(walker)
    }
  }
  return {
    people: walkers.length,
    stages: summarizeStages(walkers, steps),
    ...(by !== undefined && { groups: groupsOf(walkers, steps) }),
    order,
    windowMs: windowMs ?? null,
    cohort: { from, to },
    truncated: found.isCut || found.missing.length > 0,
    ...gapsOf(found.missing),
    dataSource: 'raw'
  }
}

function groupsOf(walkers: readonly Walker[], steps: readonly string[]) {
  const groups = new Map<string | null, Walker[]>()
  for (const walker of walkers) {
    const known = groups.get(walker.value)
    if (known === undefined) groups.set(walker.value, [walker])
    else known.push(walker)
  }
  return [...groups]
    .map(([value, some]) => ({
      value,
      subjects: some.length,
      stages: summarizeStages(some, steps)
    }))
    .sort((a, b) => b.subjects - a.subjects || ((a.value ?? '') < (b.value ?? '') ? -1 : 1))
    .slice(0, MAX_GROUPS)
}
