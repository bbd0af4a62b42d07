// The sums of each domain over all reports of the window.
import type { Document } from 'mongodb'
import type { PublishedPolicy } from '../aggregate/report.ts'
import type { DmarcContext } from '../context.ts'
import type { ReportRow } from '../storage/rows.ts'
import { type BoundReporter, boundReporters, countedPart } from './bound-reporters.ts'
import { PROGRESSION_DAYS } from './policy-progression.ts'

const DAY_MS = 86_400_000
export const SERIES_DAYS = 14
const MOST_DOMAINS = 500
/** Of all domains: a stranger may invent any number of them. */
const MOST_REPORTERS = 20_000
const SHOWN_REPORTERS = 5
const BY_REPORTER = { domain: '$domain', orgName: '$orgName' } as const

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
  /** Those who report most, the largest first. */
  readonly reporters: readonly BoundReporter[]
  /** All of them by name, with what of each counts. */
  readonly bounds: ReporterBounds
}

/** The reporters of one domain by name. */
export type ReporterBounds = ReadonlyMap<string, BoundReporter>

/** What one reporter says of a domain. */
interface SumRow {
  readonly _id: { readonly domain: string; readonly orgName: string }
  readonly totalMessages: number
  readonly passCount: number
  readonly reportCount: number
  readonly latest: {
    readonly rangeEnd: Date
    readonly receivedAt: Date
    readonly policy: PublishedPolicy
  }
  readonly recentReports: number
  readonly recentMessages: number
  readonly recentPassed: number
}

interface DayRow {
  readonly _id: { readonly domain: string; readonly orgName: string; readonly day: string }
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
  const daysOf = byDomain(days)
  return [...byDomain(sums)]
    .map(([domain, rows]) => sumsOf(domain, rows, daysOf.get(domain) ?? []))
    .sort((x, y) => y.totalMessages - x.totalMessages || (x.domain < y.domain ? -1 : 1))
    .slice(0, MOST_DOMAINS)
}

function byDomain<Row extends { readonly _id: { readonly domain: string } }>(rows: readonly Row[]) {
  const found = new Map<string, Row[]>()
  for (const row of rows) {
    const own = found.get(row._id.domain)
    if (own === undefined) found.set(row._id.domain, [row])
    else own.push(row)
  }
  return found
}

function sumsOf(domain: string, rows: readonly SumRow[], days: readonly DayRow[]): DomainSums {
  const reporters = boundReporters(
    rows.map(({ _id, totalMessages }) => ({ orgName: _id.orgName, messages: totalMessages }))
  )
  const bounds = new Map(reporters.map((reporter) => [reporter.orgName, reporter]))
  const sum = (part: (row: SumRow) => number) =>
    rows.reduce((all, row) => all + partOf(bounds, row, part(row)), 0)
  const totalMessages = sum((row) => row.totalMessages)
  const passCount = sum((row) => row.passCount)
  const latest = rows.map((row) => row.latest).sort(newestFirst)[0] as SumRow['latest']
  const series = new Map<string, { messages: number; passed: number }>()
  for (const row of days) {
    const { messages, passed } = series.get(row._id.day) ?? { messages: 0, passed: 0 }
    series.set(row._id.day, {
      messages: messages + partOf(bounds, row, row.messages),
      passed: passed + partOf(bounds, row, row.passed)
    })
  }
  return {
    domain,
    totalMessages,
    passCount,
    failCount: totalMessages - passCount,
    reportCount: rows.reduce((all, { reportCount }) => all + reportCount, 0),
    latestRangeEnd: latest.rangeEnd,
    policy: latest.policy,
    recent: {
      reports: rows.reduce((all, { recentReports }) => all + recentReports, 0),
      messages: sum((row) => row.recentMessages),
      passed: sum((row) => row.recentPassed)
    },
    days: series,
    reporters: reporters.slice(0, SHOWN_REPORTERS),
    bounds
  }
}

function partOf(
  bounds: ReporterBounds,
  { _id }: { readonly _id: { readonly orgName: string } },
  part: number
): number {
  const bound = bounds.get(_id.orgName)
  return bound === undefined ? part : countedPart(part, bound)
}

const newestFirst = (a: SumRow['latest'], b: SumRow['latest']) =>
  b.rangeEnd.getTime() - a.rangeEnd.getTime() || b.receivedAt.getTime() - a.receivedAt.getTime()

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
        _id: BY_REPORTER,
        totalMessages: { $sum: '$totalMessages' },
        passCount: { $sum: '$passCount' },
        reportCount: { $sum: 1 },
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
    { $limit: MOST_REPORTERS }
  ]
}

function dayStages(match: object, now: Date): Document[] {
  const first = new Date(`${lastDays(now, SERIES_DAYS)[0]}T00:00:00Z`)
  return [
    { $match: { ...match, rangeEnd: { $gte: first } } },
    {
      $group: {
        _id: {
          ...BY_REPORTER,
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
    .aggregate<DomainWindow & { readonly _id: SumRow['_id'] }>([
      {
        $group: {
          _id: BY_REPORTER,
          messages: recent('$totalMessages'),
          passed: recent('$passCount'),
          lastReportAt: { $max: '$receivedAt' }
        }
      },
      { $sort: { messages: -1, _id: 1 } },
      { $limit: MOST_REPORTERS }
    ])
    .toArray()
  return new Map([...byDomain(rows)].map(([domain, own]) => [domain, windowOf(own)]))
}

function windowOf(rows: readonly (DomainWindow & { readonly _id: SumRow['_id'] })[]): DomainWindow {
  const reporters = boundReporters(
    rows.map(({ _id, messages }) => ({ orgName: _id.orgName, messages }))
  )
  const bounds = new Map(reporters.map((reporter) => [reporter.orgName, reporter]))
  return {
    messages: rows.reduce((all, row) => all + partOf(bounds, row, row.messages), 0),
    passed: rows.reduce((all, row) => all + partOf(bounds, row, row.passed), 0),
    lastReportAt: new Date(Math.max(...rows.map(({ lastReportAt }) => lastReportAt.getTime())))
  }
}

/** The share of aligned mail; null without any. */
export const shareOf = (passed: number, messages: number): number | null =>
  messages === 0 ? null : passed / messages

/** The last 14 days, the oldest first. */
export const seriesOf = (days: DomainSums['days'], now: Date) =>
  lastDays(now, SERIES_DAYS).map((day) => {
    const { messages = 0, passed = 0 } = days.get(day) ?? {}
    return { day, messages, alignmentRate: shareOf(passed, messages) }
  })

/** The newest reports, for lists. */
export function readRecentReports(
  { collections }: Pick<DmarcContext, 'collections'>,
  limit: number
): Promise<ReportRow[]> {
  return collections.reports.find().sort({ receivedAt: -1, _id: -1 }).limit(limit).toArray()
}
