// The mailer as a whole at the workbench: figures, and its tick.
import { listFlows } from '../campaigns/flows/flow-operations.ts'
import type { StateWork } from '../contracts/mailer-workbench.ts'
import type { MailFigures, ReportFigures } from '../contracts/workbench-states.ts'
import type { MailerContext } from '../ledger/context.ts'

const DAY_MS = 86_400_000
/** Rows are counted so far. */
const MOST_COUNTED = 1_000_000
const STATUSES = [
  'queued',
  'sending',
  'deferred',
  'sent',
  'delivered',
  'bounced',
  'complained',
  'failed',
  'suppressed',
  'cancelled'
] as const

/** The part of the workbench about the mailer as a whole. */
export const stateWork = (
  context: MailerContext,
  runTick: (signal: AbortSignal) => Promise<void>
): StateWork => ({
  async figures() {
    const [flows, counted] = await Promise.all([flowLines(context), counts(context)])
    return { flows, counts: counted }
  },
  reportFigures: () => reportFigures(context),
  contributedChecks: async () => context.extensions.setupChecks().map(({ name }) => name),
  runTick
})

const ago = ({ clock }: MailerContext, days: number) =>
  new Date(clock.now().getTime() - days * DAY_MS)

/** Counts by type. */
async function reportCounts(context: MailerContext, days: number) {
  const rows = await context.collections.webhookEvents
    .aggregate<{ _id: string; count: number }>([
      { $match: { receivedAt: { $gte: ago(context, days) } } },
      { $group: { _id: '$type', count: { $sum: 1 } } }
    ])
    .toArray()
  return Object.fromEntries(rows.map(({ _id, count }) => [_id, count]))
}

const lastReport = ({ collections }: MailerContext) =>
  collections.webhookEvents.findOne({}, { sort: { receivedAt: -1 } })

async function reportFigures(context: MailerContext): Promise<ReportFigures> {
  const limit = { limit: MOST_COUNTED }
  const [last, last24h, last7d, unprocessed] = await Promise.all([
    lastReport(context),
    reportCounts(context, 1),
    reportCounts(context, 7),
    context.collections.webhookEvents.countDocuments({ processed: false }, limit)
  ])
  return {
    providers: [...context.providers.keys()],
    lastReceivedAt: last?.receivedAt ?? null,
    lastProvider: last?.provider ?? null,
    last24h,
    last7d,
    unprocessed
  }
}

async function flowLines(context: MailerContext): Promise<MailFigures['flows']> {
  const flows = await listFlows(context)
  const active = await context.collections.flowRuns
    .aggregate<{ _id: string; count: number }>([
      { $match: { flowId: { $in: flows.map(({ _id }) => _id) }, status: 'active' } },
      { $group: { _id: '$flowId', count: { $sum: 1 } } }
    ])
    .toArray()
  const counts = new Map(active.map(({ _id, count }) => [_id, count]))
  return flows.map((flow) => ({
    slug: flow.slug,
    enabled: flow.enabled,
    version: flow.version,
    lastTriggerScanAt: flow.lastTriggerScanAt ?? null,
    trigger: flow.trigger,
    // The gate is not a step of its author.
    liveSteps: flow.version === 0 ? 0 : flow.steps.length - (flow.gate ? 1 : 0),
    gated: flow.gate?.tag ?? null,
    activeRuns: counts.get(flow._id) ?? 0
  }))
}

async function counts(context: MailerContext): Promise<MailFigures['counts']> {
  const { subscriptions, suppressions, flowRuns, sends } = context.collections
  const since = { queuedAt: { $gte: ago(context, 1) } }
  const limit = { limit: MOST_COUNTED }
  const [subscribed, suppressed, activeRuns, byStatus, reports, last] = await Promise.all([
    subscriptions.countDocuments({ status: 'subscribed' }, limit),
    suppressions.estimatedDocumentCount(),
    flowRuns.countDocuments({ status: 'active' }, limit),
    Promise.all(STATUSES.map((status) => sends.countDocuments({ status, ...since }, limit))),
    reportCounts(context, 1),
    lastReport(context)
  ])
  return {
    subscribed,
    suppressions: suppressed,
    activeRuns,
    sendsLast24h: Object.fromEntries(STATUSES.map((status, at) => [status, byStatus[at] ?? 0])),
    webhookEventsLast24h: Object.values(reports).reduce((sum, count) => sum + count, 0),
    lastWebhookAt: last?.receivedAt ?? null
  }
}
