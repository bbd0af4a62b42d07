// The figures of the dashboard: sums of a period beside the one before, and their course. Pure.
import type { HourCounts, HourRow } from '../../ledger/hour-row.ts'
import { hourOf } from '../../ledger/outcomes/count-hours.ts'
import { reachedOf } from '../../ledger/outcomes/reached.ts'

const HOUR_MS = 3_600_000
const DAY_HOURS = 24
const FIELDS = ['sent', 'delivered', 'bounced', 'opened', 'openedByPeople', 'clicked'] as const

/** Days of the longest period: hours are kept for 60 days, so it has one before. */
export const MOST_DAYS = 30

/** A number of the period; `delta` is what the period before had less, null without mail then. */
export interface Kpi<T extends number | null = number | null> {
  readonly value: T
  readonly delta: number | null
}

/** Rates are fractions from 0 to 1, null without mail; `deliveredRate` also while no provider reported on any. */
export interface DashboardKpis {
  readonly sends: Kpi<number>
  readonly deliveredRate: Kpi & { readonly bounced: number | null }
  readonly openRate: Kpi & { readonly exclBots: number | null }
  readonly clickRate: Kpi
}

type Hours = ReadonlyMap<string, HourRow>

/** The start of the hour that is so many hours before this one. */
const hourBefore = (now: Date, hours: number): Date =>
  new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS - hours * HOUR_MS)

/** The `days` that end `ago` such periods before this hour does, hour by hour, oldest first. */
const periodOf = (
  rows: Hours,
  now: Date,
  { days, ago }: { readonly days: number; readonly ago: number }
): readonly (HourRow | undefined)[] => {
  const length = days * DAY_HOURS
  return Array.from({ length }, (_, at) =>
    rows.get(hourOf(hourBefore(now, ago * length + length - 1 - at)))
  )
}

type Sums = Pick<HourCounts, (typeof FIELDS)[number]>

const sumsOf = (hours: readonly (HourRow | undefined)[]): Sums =>
  Object.fromEntries(
    FIELDS.map((field) => [field, hours.reduce((sum, row) => sum + (row?.[field] ?? 0), 0)])
  ) as unknown as Sums

/** The numbers at the top, of the hours of two periods. */
export function kpisOf(rows: Hours, now: Date, days = 1): DashboardKpis {
  const today = sumsOf(periodOf(rows, now, { days, ago: 0 }))
  const before = sumsOf(periodOf(rows, now, { days, ago: 1 }))
  const rate = (of: (sums: Sums) => number | null): Kpi => {
    const [value, earlier] = [of(today), of(before)]
    return { value, delta: value === null || earlier === null ? null : value - earlier }
  }
  const delta = before.sent === 0 ? null : today.sent - before.sent
  return {
    sends: { value: today.sent, delta },
    deliveredRate: {
      ...rate((sums) => (isReported(sums) ? share(sums.delivered, sums.sent) : null)),
      bounced: share(today.bounced, today.sent)
    },
    openRate: {
      ...rate((sums) => share(sums.opened, reached(sums))),
      exclBots: share(today.openedByPeople, reached(today))
    },
    clickRate: rate((sums) => share(sums.clicked, reached(sums)))
  }
}

/** A mail server refuses mail but reports no deliveries, and then none is known: that is not 0 %. */
const isReported = ({ delivered }: Sums): boolean => delivered > 0

const reached = ({ delivered, sent }: Sums): number => reachedOf(delivered, sent)

/** Opens of today may be of mails of yesterday: a rate never exceeds 1. */
const share = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.min(part / whole, 1)

/** The course of the period: by the hour for one day, by the day for more. */
export interface DashboardSeries {
  /** Of the last 24 hours, oldest first. */
  readonly hourly: { readonly sends: readonly number[]; readonly opens: readonly number[] }
  readonly course: {
    /** Starts. */
    readonly times: readonly Date[]
    readonly intervalMs: number
    readonly sends: readonly number[]
    readonly bounced: readonly number[]
    readonly opens: readonly number[]
    readonly clicks: readonly number[]
  }
}

/** The course, oldest first. */
export function seriesOf(rows: Hours, now: Date, days: number): DashboardSeries {
  const day = periodOf(rows, now, { days: 1, ago: 0 })
  const size = days === 1 ? 1 : DAY_HOURS
  const hours = periodOf(rows, now, { days, ago: 0 })
  const parts = Array.from({ length: hours.length / size }, (_, at) =>
    sumsOf(hours.slice(at * size, (at + 1) * size))
  )
  const first = hours.length - 1
  return {
    hourly: {
      sends: day.map((row) => row?.sent ?? 0),
      opens: day.map((row) => row?.openedByPeople ?? 0)
    },
    course: {
      times: parts.map((_, at) => hourBefore(now, first - at * size)),
      intervalMs: size * HOUR_MS,
      sends: parts.map(({ sent }) => sent),
      bounced: parts.map(({ bounced }) => bounced),
      opens: parts.map(({ openedByPeople }) => openedByPeople),
      clicks: parts.map(({ clicked }) => clicked)
    }
  }
}
