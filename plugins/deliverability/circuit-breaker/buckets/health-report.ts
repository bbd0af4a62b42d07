// The health of buckets as callers read it.
import { aggregateOf, type BreakerContext } from '../breaker-context.ts'
import type { BreakerSettings } from '../config.ts'
import {
  AGGREGATE_ID,
  type AggregateRow,
  type BucketKey,
  type BucketRow,
  type BucketStatus,
  bucketId
} from './bucket-row.ts'
import { effectiveOverallStatus, type Rates, ratesOf } from './judge-bucket.ts'
import { type Counters, countWindow, minuteWindow, type WindowShape } from './window.ts'

/** What is counted of a bucket, and since when. */
interface CountedReport {
  readonly windowStartedAt: Date
  readonly windowDurationMs: number
  readonly counters: Counters
  readonly rates: Rates
  readonly updatedAt: Date
}

/** A bucket as callers read it. While it is tripped, its rates are those that tripped it. */
export interface BucketReport
  extends CountedReport,
    Pick<
      BucketRow,
      | 'senderDomain'
      | 'kind'
      | 'status'
      | 'trippedAt'
      | 'trippedReason'
      | 'trippedSaid'
      | 'manuallyResumedAt'
      | 'warning'
      | 'warningSaid'
    > {}

/** The aggregate as callers read it. */
export interface AggregateReport extends CountedReport {
  readonly senderDomain: null
  readonly kind: null
  readonly status: BucketStatus
}

/** The answer of `GET /health`. */
export interface HealthReport {
  /** The worst bucket; null before the first tick. */
  readonly status: BucketStatus | null
  readonly rates: Rates | null
  readonly counters: Counters | null
  readonly aggregate: AggregateReport | null
  readonly buckets: readonly BucketReport[]
  readonly thresholds: Omit<BreakerSettings, 'alertEmail' | 'adminTenants'>
}

/** Reads all buckets. */
export async function readHealth(context: BreakerContext): Promise<HealthReport> {
  const { health, settings, clock } = context
  const [aggregate, rows] = await Promise.all([
    aggregateOf(context).findOne({ _id: AGGREGATE_ID }),
    health
      .find({ _id: { $ne: AGGREGATE_ID } })
      .sort({ _id: 1 })
      .toArray()
  ])
  return reportHealth({ aggregate, rows }, settings, clock.now())
}

/** The status of a bucket; null when no mail of it was counted. */
export async function getBucketStatus(
  { health }: Pick<BreakerContext, 'health'>,
  key: BucketKey
): Promise<BucketStatus | null> {
  const row = await health.findOne({ _id: bucketId(key) }, { projection: { status: 1 } })
  return row?.status ?? null
}

/** The report of rows at a time. */
export function reportHealth(
  stored: { readonly aggregate: AggregateRow | null; readonly rows: readonly BucketRow[] },
  settings: BreakerSettings,
  now: Date
): HealthReport {
  const shape = { ...minuteWindow(settings.windowMinutes), now: now.getTime() }
  const buckets = stored.rows.map((row) => bucketReport(row, shape))
  const status = effectiveOverallStatus(buckets)
  const aggregate = stored.aggregate && aggregateReport(stored.aggregate, status, shape)
  const { alertEmail: _alertEmail, adminTenants: _adminTenants, ...thresholds } = settings
  return {
    status: aggregate && status,
    rates: aggregate?.rates ?? null,
    counters: aggregate?.counters ?? null,
    aggregate,
    buckets,
    thresholds
  }
}

type At = WindowShape & { readonly now: number }

function bucketReport(row: BucketRow, shape: At): BucketReport {
  const counters = row.trippedCounters ?? countWindow(row.minutes, shape)
  const { senderDomain, kind, status, trippedAt, trippedReason, manuallyResumedAt } = row
  const { trippedSaid = null, warningSaid = null } = row
  return {
    senderDomain,
    kind,
    status,
    ...counted(row, counters, shape, manuallyResumedAt),
    trippedAt,
    trippedReason,
    trippedSaid,
    manuallyResumedAt,
    warning: row.warning,
    warningSaid
  }
}

function aggregateReport(row: AggregateRow, status: BucketStatus, shape: At): AggregateReport {
  const counters = countWindow(row.minutes, shape)
  return { senderDomain: null, kind: null, status, ...counted(row, counters, shape, null) }
}

function counted(
  { updatedAt }: { readonly updatedAt: Date },
  counters: Counters,
  { lengthMs, now }: At,
  resumedAt: Date | null
): CountedReport {
  const windowStartedAt = new Date(Math.max(now - lengthMs, resumedAt?.getTime() ?? 0))
  const rates = ratesOf(counters)
  return { windowStartedAt, windowDurationMs: lengthMs, counters, rates, updatedAt }
}
