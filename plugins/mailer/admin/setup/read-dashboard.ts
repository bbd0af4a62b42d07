// What the dashboard shows: a period beside the one before, from counters; what is sent, waits or is held.

import { readPause } from '../../campaigns/marketing-pause.ts'
import type { MailHealth } from '../../contracts/mailer-breaker.ts'
import { type WaitingMails, waitingMails } from '../../delivery/outages/measure-waiting.ts'
import { listSends } from '../../delivery/sends/read-sends.ts'
import { auditMentions } from '../../ledger/audit/audit-mentions.ts'
import { listAudit } from '../../ledger/audit/list-audit.ts'
import type { BroadcastRow } from '../../ledger/broadcast-row.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { HourRow } from '../../ledger/hour-row.ts'
import { withNames } from '../../ledger/names.ts'
import { hourOf } from '../../ledger/outcomes/count-hours.ts'
import { kpisOf, seriesOf } from './mail-figures.ts'

const HOUR_MS = 3_600_000
const DAY_HOURS = 24
const MOST_WAITING = 10_000
/** More broadcasts than this are not listed. */
const MOST_BROADCASTS = 6

/** The dashboard; its figures are of the last `days`. */
export async function readDashboard(context: MailerContext, days = 1) {
  const { collections, clock, config, extensions } = context
  const now = clock.now()
  const from = new Date(now.getTime() - (2 * days * DAY_HOURS - 1) * HOUR_MS)
  const [hours, health, queue, broadcasts, recentFlows, sends, recentAudit, pause, waiting] =
    await Promise.all([
      collections.hours.find({ _id: { $gte: hourOf(from) } }).toArray(),
      extensions.health(),
      readQueue(context, now),
      readBroadcasts(context),
      collections.flows
        .find({ enabled: true }, { projection: { steps: 0, draft: 0 } })
        .sort({ updatedAt: -1 })
        .limit(5)
        .toArray(),
      listSends(context, { limit: 6 }),
      listAudit(context, { limit: 5 }),
      readPause(context),
      waitingMails(context)
    ])
  const { status, rates, thresholds } = health ?? NO_HEALTH
  const rows = new Map(hours.map((row) => [row._id, row]))
  return {
    days,
    kpis: kpisOf(rows, now, days),
    series: seriesOf(rows, now, days),
    health: { status, rates, thresholds },
    queue: { ...queue, ...providerState(waiting, lately(hours, now), config.defaultProvider) },
    broadcasts,
    pause,
    recentFlows,
    recentSends: await withNames(context, sends.rows),
    recentAudit: await withNames(context, recentAudit.rows, auditMentions(context))
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
): Promise<{ readonly inFlight: number; readonly delayed: number; readonly held: number }> {
  const lane = { $in: ['urgent' as const, 'bulk' as const] }
  const options = { limit: MOST_WAITING }
  const [inFlight, delayed, held] = await Promise.all([
    collections.sends.countDocuments({ lane, dueAt: { $lte: now } }, options),
    collections.sends.countDocuments({ lane, dueAt: { $gt: now } }, options),
    collections.sends.countDocuments({ status: 'held' }, options)
  ])
  return { inFlight, delayed, held }
}

const OPEN = ['paused', 'sending', 'scheduled'] as const

type OpenBroadcast = Pick<BroadcastRow, 'slug' | 'name' | 'scheduledAt'> & {
  readonly status: (typeof OPEN)[number]
}

/** Broadcasts that send, wait for their time or are paused: those that need a look first. */
async function readBroadcasts({ collections }: Pick<MailerContext, 'collections'>) {
  const rows = await collections.broadcasts
    .find<OpenBroadcast>(
      { status: { $in: OPEN } },
      { projection: { slug: 1, name: 1, status: 1, scheduledAt: 1 } }
    )
    .sort({ status: 1, scheduledAt: 1 })
    .limit(MOST_BROADCASTS)
    .toArray()
  return rows.map(({ slug, name, status, scheduledAt }) => ({
    slug,
    name,
    status,
    ...(scheduledAt && { scheduledAt })
  }))
}

/** The hours that say whether a provider takes mail now. */
const lately = (hours: readonly HourRow[], now: Date): readonly HourRow[] => {
  const since = hourOf(new Date(now.getTime() - (2 * DAY_HOURS - 1) * HOUR_MS))
  return hours.filter(({ _id }) => _id >= since)
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
