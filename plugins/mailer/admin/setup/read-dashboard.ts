// What the dashboard shows: the last day beside the day before, from counters; the queue; what is new.

import { readPause } from '../../campaigns/marketing-pause.ts'
import type { MailHealth } from '../../contracts/mailer-breaker.ts'
import { type WaitingMails, waitingMails } from '../../delivery/outages/measure-waiting.ts'
import { listSends } from '../../delivery/sends/read-sends.ts'
import { listAudit } from '../../ledger/audit/list-audit.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { HourCounts, HourRow } from '../../ledger/hour-row.ts'
import { hourOf } from '../../ledger/outcomes/count-hours.ts'
import { reachedOf } from '../../ledger/outcomes/reached.ts'

const HOUR_MS = 3_600_000
const DAY_HOURS = 24
const MOST_WAITING = 10_000
const FIELDS = ['sent', 'delivered', 'bounced', 'opened', 'openedByPeople', 'clicked'] as const

/** A number of the last 24 hours; `delta` is what the 24 hours before had less, null without mail then. */
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

/** The dashboard. */
export async function readDashboard(context: MailerContext) {
  const { collections, clock, config, extensions } = context
  const now = clock.now()
  const from = new Date(now.getTime() - (2 * DAY_HOURS - 1) * HOUR_MS)
  const [hours, health, queue, recentFlows, sends, recentAudit, pause, waiting] = await Promise.all(
    [
      collections.hours.find({ _id: { $gte: hourOf(from) } }).toArray(),
      extensions.health(),
      readQueue(context, now),
      collections.flows
        .find({ enabled: true }, { projection: { steps: 0, draft: 0 } })
        .sort({ updatedAt: -1 })
        .limit(5)
        .toArray(),
      listSends(context, { limit: 6 }),
      listAudit(context, { limit: 5 }),
      readPause(context),
      waitingMails(context)
    ]
  )
  const { status, rates, thresholds } = health ?? NO_HEALTH
  const rows = new Map(hours.map((row) => [row._id, row]))
  return {
    kpis: kpisOf(rows, now),
    series: { hourly: seriesOf(rows, now) },
    health: { status, rates, thresholds },
    queue: { ...queue, ...providerState(waiting, hours, config.defaultProvider) },
    pause,
    recentFlows,
    recentSends: sends.rows,
    recentAudit: recentAudit.rows
  }
}

const NO_HEALTH: Omit<MailHealth, 'thresholds'> & { readonly thresholds: null } = {
  status: null,
  rates: null,
  thresholds: null
}

/** Mails that are due or with a worker, and those that wait for their time; each counted to 10,000. */
async function readQueue(
  { collections }: MailerContext,
  now: Date
): Promise<{ readonly inFlight: number; readonly delayed: number }> {
  const lane = { $in: ['urgent' as const, 'bulk' as const] }
  const options = { limit: MOST_WAITING }
  const [inFlight, delayed] = await Promise.all([
    collections.sends.countDocuments({ lane, dueAt: { $lte: now } }, options),
    collections.sends.countDocuments({ lane, dueAt: { $gt: now } }, options)
  ])
  return { inFlight, delayed }
}

type Hours = ReadonlyMap<string, HourRow>

/** The 24 hours that end `ago` days before this hour does, oldest first. */
const dayOf = (rows: Hours, now: Date, ago: number): readonly (HourRow | undefined)[] =>
  Array.from({ length: DAY_HOURS }, (_, at) => {
    const hours = ago * DAY_HOURS + DAY_HOURS - 1 - at
    return rows.get(hourOf(new Date(now.getTime() - hours * HOUR_MS)))
  })

type Sums = Pick<HourCounts, (typeof FIELDS)[number]>

const sumsOf = (hours: readonly (HourRow | undefined)[]): Sums =>
  Object.fromEntries(
    FIELDS.map((field) => [field, hours.reduce((sum, row) => sum + (row?.[field] ?? 0), 0)])
  ) as unknown as Sums

/** The numbers at the top, of the hours of two days. */
export function kpisOf(rows: Hours, now: Date): DashboardKpis {
  const today = sumsOf(dayOf(rows, now, 0))
  const before = sumsOf(dayOf(rows, now, 1))
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

/** A mail server reports no deliveries, and then none is known: that is not 0 %. */
const isReported = ({ delivered, bounced }: Sums): boolean => delivered + bounced > 0

const reached = ({ delivered, sent }: Sums): number => reachedOf(delivered, sent)

/** Opens of today may be of mails of yesterday: a rate never exceeds 1. */
const share = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.min(part / whole, 1)

function seriesOf(rows: Hours, now: Date): { readonly sends: number[]; readonly opens: number[] } {
  const hours = dayOf(rows, now, 0)
  return {
    sends: hours.map((row) => row?.sent ?? 0),
    opens: hours.map((row) => row?.openedByPeople ?? 0)
  }
}

/** Whether mail leaves: a provider that takes none comes before what the last mail says. */
function providerState(
  waiting: readonly WaitingMails[],
  hours: readonly HourRow[],
  providerName: string
) {
  const [down] = waiting.toSorted((left, right) => right.count - left.count)
  if (down === undefined) return { waiting: 0, providerOk: isProviderOk(hours), providerName }
  const count = waiting.reduce((sum, one) => sum + one.count, 0)
  const { provider, reason: providerReason } = down
  return { waiting: count, providerOk: false, providerName: provider, providerReason }
}

/** Whether the newest mail of two days was taken rather than failed. */
function isProviderOk(hours: readonly HourRow[]): boolean {
  const newest = (field: 'lastSentAt' | 'lastFailedAt') =>
    Math.max(0, ...hours.map((row) => row[field]?.getTime() ?? 0))
  return newest('lastSentAt') >= newest('lastFailedAt')
}
