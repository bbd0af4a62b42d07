// createQueries: the read primitives over one telemetry instance.

import { errors } from './errors.ts'
import { recordBatches } from './exports/record-batches.ts'
import { recordFile } from './exports/record-file.ts'
import { internalsOf } from './internals.ts'
import { readActivity } from './queries/activity.ts'
import { readBreakdown } from './queries/breakdown.ts'
import { readDistinct } from './queries/distinct.ts'
import { readDistribution } from './queries/distribution.ts'
import { readDurations } from './queries/durations.ts'
import { readEventFunnel } from './queries/event-funnel.ts'
import { readEventRetention } from './queries/event-retention.ts'
import { readFunnel } from './queries/funnel.ts'
import { readFunnelPeople } from './queries/funnel-people.ts'
import { readIssues } from './queries/issues.ts'
import { readMetricSeries } from './queries/metric-series.ts'
import { readMetrics } from './queries/metrics.ts'
import { withPeople } from './queries/person-filter.ts'
import type { Queries, SlowQuery } from './queries/queries.ts'
import { DEFAULT_LIMITS, type Reader } from './queries/reader.ts'
import { readJourney, readRecords, readTrace } from './queries/records.ts'
import { readRetention } from './queries/retention.ts'
import { readRollupTotals } from './queries/rollup-totals.ts'
import { readRollups } from './queries/rollups.ts'
import { readSeenKeys } from './queries/seen-keys.ts'
import { readSeries } from './queries/series.ts'
import { createSharedReads } from './queries/shared-reads.ts'
import type { QueryLimits } from './queries/types.ts'
import { unfinishedRead } from './queries/unfinished.ts'
import { readUsageTotals } from './queries/usage-totals.ts'
import type { Telemetry } from './telemetry.ts'

export interface QueriesOptions {
  readonly telemetry: Telemetry
  /** Caps in place of the defaults. */
  readonly limits?: Partial<QueryLimits>
  /** Called for reads that took longer than slowMs, failed ones too. */
  readonly onSlowQuery?: (slow: SlowQuery) => void
  /** Default 500. */
  readonly slowMs?: number
  /** Milliseconds an answer may be shared with equal reads. Default 700, at most 1000, 0 for none. */
  readonly cacheMs?: number
}

/**
 * Makes the read primitives. Every read carries its cap in the query; equal reads of the same moment
 * are one.
 *
 * @throws TEL_OPTION_INVALID
 */
export function createQueries(options: QueriesOptions): Queries {
  const { storage, history, onErased, recorder } = internalsOf(options.telemetry)
  const { slowMs = 500, cacheMs = 700, onSlowQuery } = options
  if (!(cacheMs >= 0 && cacheMs <= 1000)) {
    throw errors.TEL_OPTION_INVALID({ path: 'cacheMs', problem: 'it must be from 0 to 1000' })
  }
  const base: Omit<Reader, 'rows'> = {
    rollups: storage.collections.rollups,
    aliases: storage.collections.aliases,
    anonymousTypes: recorder.anonymousTypes,
    registry: () => recorder.registry,
    limits: checkedLimits(options.limits),
    now: () => recorder.clock.now()
  }
  const shared = createSharedReads(cacheMs, () => performance.now())
  onErased.add(() => shared.clear())

  async function timed<T>(op: keyof Queries, params: unknown, read: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    try {
      return await read()
    } catch (error) {
      throw unfinishedRead(error)
    } finally {
      const ms = performance.now() - startedAt
      if (ms > slowMs) tell({ op, ms, params })
    }
  }
  // What the listener throws must not cost the answer of the read.
  function tell(slow: SlowQuery): void {
    try {
      onSlowQuery?.(slow)
    } catch (error) {
      recorder.logger.error({ err: error, op: slow.op }, 'onSlowQuery threw')
    }
  }

  function queriesFor(signal: AbortSignal | undefined): Queries {
    const readerFor = (given: AbortSignal | undefined): Reader => ({
      ...base,
      rows: history.rowsFor(given)
    })
    return {
      within: queriesFor,
      async recordFile(scope, { format, ...params }) {
        const reader = readerFor(signal)
        return timed('recordFile', params, async () => {
          const resolved = await withPeople(reader, scope, params)
          const batches = recordBatches(reader, scope, resolved)
          return recordFile(batches, format, history.parquetFile)
        })
      },
      ...readsOf({
        alone: (op, params, read) => timed(op, params, () => read(readerFor(signal))),
        together: (op, scope, params, read) =>
          shared.share(
            keyOf(op, scope, params),
            (ended) => timed(op, params, () => read(readerFor(ended))),
            signal
          )
      })
    }
  }
  return queriesFor(undefined)
}

/** How a read is made: by itself, or as one with equal ones. */
interface Ways {
  readonly alone: <T>(
    op: keyof Queries,
    params: object,
    read: (reader: Reader) => Promise<T>
  ) => Promise<T>
  readonly together: <T>(
    op: keyof Queries,
    scope: string,
    params: object,
    read: (reader: Reader) => Promise<T>
  ) => Promise<T>
}

function readsOf({ alone, together }: Ways): Omit<Queries, 'within' | 'recordFile'> {
  const shared =
    <P extends object, T>(
      op: keyof Queries,
      read: (reader: Reader, scope: string, params: P) => Promise<T>
    ) =>
    (scope: string, params: P) =>
      together(op, scope, params, async (reader) =>
        read(reader, scope, await withPeople(reader, scope, params))
      )
  return {
    records: (scope, params) =>
      alone('records', params, async (reader) =>
        readRecords(reader, scope, await withPeople(reader, scope, params))
      ),
    trace: (scope, traceId, limit) =>
      alone('trace', { traceId, limit }, (reader) => readTrace(reader, scope, traceId, limit)),
    journey: (scope, params) =>
      alone('journey', params, (reader) => readJourney(reader, scope, params)),
    series: shared('series', readSeries),
    distribution: shared('distribution', readDistribution),
    rollups: shared('rollups', readRollups),
    rollupTotals: shared('rollupTotals', readRollupTotals),
    distinctCount: shared('distinctCount', readDistinct),
    funnel: shared('funnel', readFunnel),
    activity: shared('activity', readActivity),
    breakdown: shared('breakdown', readBreakdown),
    durations: shared('durations', readDurations),
    usageTotals: shared('usageTotals', readUsageTotals),
    retention: shared('retention', readRetention),
    funnelPeople: shared('funnelPeople', readFunnelPeople),
    issues: shared('issues', readIssues),
    eventFunnel: shared('eventFunnel', readEventFunnel),
    eventRetention: shared('eventRetention', readEventRetention),
    metrics: shared('metrics', readMetrics),
    metricSeries: shared('metricSeries', readMetricSeries),
    seenKeys: (scope) => together('seenKeys', scope, {}, (reader) => readSeenKeys(reader, scope))
  }
}

function keyOf(op: string, scope: string, params: object): string {
  return JSON.stringify([op, scope, params], (_key, value: unknown) =>
    value instanceof Map ? [...value] : value
  )
}

function checkedLimits(given: Partial<QueryLimits> | undefined): QueryLimits {
  const limits: { -readonly [Op in keyof QueryLimits]: number } = { ...DEFAULT_LIMITS }
  for (const [op, value] of Object.entries(given ?? {})) {
    if (!(op in DEFAULT_LIMITS) || !Number.isInteger(value) || value < 1) {
      throw errors.TEL_OPTION_INVALID({
        path: `limits.${op}`,
        problem: 'it must be a whole number over 0, for a known read'
      })
    }
    limits[op as keyof QueryLimits] = value
  }
  return limits
}
