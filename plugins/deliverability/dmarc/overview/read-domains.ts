// The sums of each domain over all reports of the window.
import type { Document } from 'mongodb'
import type { PublishedPolicy } from '../aggregate/report.ts'
import type { DmarcContext } from '../context.ts'
import type { ReportRow } from '../storage/rows.ts'
import { PROGRESSION_DAYS } from './policy-progression.ts'

const DAY_MS = 86_400_000
export const SERIES_DAYS = 14
const MOST_DOMAINS = 500

/** A domain, as its reports say. */
export interface DomainSums {
  readonly domain: string
  readonly totalMessages: number
  readonly passCount: number
  readonly failCount: number
  readonly reportCount: number
  readonly latestRangeEnd: Date
  readonly policy: PublishedPolicy
  /** Of the days that a progression looks at. */
  readonly recent: { readonly reports: number; readonly messages: number; readonly passed: number }
  /** Reported messages by day. */
  readonly days: ReadonlyMap<string, { readonly messages: number; readonly passed: number }>
}

interface SumRow extends Omit<DomainSums, 'domain' | 'recent' | 'days' | 'policy'> {
  readonly _id: string
  readonly latest: { readonly policy: PublishedPolicy }
  readonly recentReports: number
  readonly recentMessages: number
  readonly recentPassed: number
}

interface DayRow {
  readonly _id: { readonly domain: string; readonly day: string }
  readonly messages: number
  readonly passed: number
}

type ReadContext = Pick<DmarcContext, 'collections' | 'clock' | 'config'>

/** All domains with reports, those with most messages first. */
export async function readDomains(
  { collections, clock, config }: ReadContext,
  only?: string
): Promise<readonly DomainSums[]> {
  const now = clock.now()
  const since = daysBefore(now, config.retentionDays)
  const match = { receivedAt: { $gte: since }, ...(only !== undefined && { domain: only }) }
  const [sums, days] = await Promise.all([
    collections.reports.aggregate<SumRow>(sumStages(match, now)).toArray(),
    collections.reports.aggregate<DayRow>(dayStages(match, now)).toArray()
  ])
  const byDomain = new Map<string, Map<string, { messages: number; passed: number }>>()
  for (const { _id, messages, passed } of days) {
    const series = byDomain.get(_id.domain) ?? new Map()
    byDomain.set(_id.domain, series.set(_id.day, { messages, passed }))
  }
  return sums.map(({ _id, latest, recentReports, recentMessages, recentPassed, ...rest }) => ({
    domain: _id,
    ...rest,
    policy: latest.policy,
    recent: { reports: recentReports, messages: recentMessages, passed: recentPassed },
    days: byDomain.get(_id) ?? new Map()
  }))
}

export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS)
}

/** The last days, the oldest first, as `2026-11-20`. */
export function lastDays(now: Date, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => dayOf(daysBefore(now, count - 1 - at)))
}

export const dayOf = (date: Date): string => date.toISOString().slice(0, 10)

function sumStages(match: object, now: Date): Document[] {
  const isRecent = { $gte: ['$rangeEnd', daysBefore(now, PROGRESSION_DAYS)] }
  const recent = (value: string | number) => ({ $sum: { $cond: [isRecent, value, 0] } })
  return [
    { $match: match },
    {
      $group: {
        _id: '$domain',
        totalMessages: { $sum: '$totalMessages' },
        passCount: { $sum: '$passCount' },
        failCount: { $sum: '$failCount' },
        reportCount: { $sum: 1 },
        latestRangeEnd: { $max: '$rangeEnd' },
        // The greatest by its first field: the policy of the newest report.
        latest: {
          $max: { rangeEnd: '$rangeEnd', receivedAt: '$receivedAt', policy: '$policy' }
        },
        recentReports: recent(1),
        recentMessages: recent('$totalMessages'),
        recentPassed: recent('$passCount')
      }
    },
    { $sort: { totalMessages: -1, _id: 1 } },
    { $limit: MOST_DOMAINS }
  ]
}

function dayStages(match: object, now: Date): Document[] {
  const first = new Date(`${lastDays(now, SERIES_DAYS)[0]}T00:00:00Z`)
  return [
    { $match: { ...match, rangeEnd: { $gte: first } } },
    {
      $group: {
        _id: {
          domain: '$domain',
          day: { $dateToString: { date: '$rangeEnd', format: '%Y-%m-%d' } }
        },
        messages: { $sum: '$totalMessages' },
        passed: { $sum: '$passCount' }
      }
    }
  ]
}

/** What a window of arrivals says about a domain. */
export interface DomainWindow {
  readonly messages: number
  readonly passed: number
  readonly lastReportAt: Date
}

/** The sums of the last days by arrival, and when the last report arrived, by domain. */
export async function readWindow(
  { collections, clock }: Pick<DmarcContext, 'collections' | 'clock'>,
  days: number
): Promise<ReadonlyMap<string, DomainWindow>> {
  const isRecent = { $gte: ['$receivedAt', daysBefore(clock.now(), days)] }
  const recent = (value: string) => ({ $sum: { $cond: [isRecent, value, 0] } })
  const rows = await collections.reports
    .aggregate<DomainWindow & { readonly _id: string }>([
      {
        $group: {
          _id: '$domain',
          messages: recent('$totalMessages'),
          passed: recent('$passCount'),
          lastReportAt: { $max: '$receivedAt' }
        }
      }
    ])
    .toArray()
  return new Map(rows.map(({ _id, ...window }) => [_id, window]))
}

/** The newest reports, for lists. */
export function readRecentReports(
  { collections }: Pick<DmarcContext, 'collections'>,
  limit: number
): Promise<ReportRow[]> {
  return collections.reports.find().sort({ receivedAt: -1, _id: -1 }).limit(limit).toArray()
}
