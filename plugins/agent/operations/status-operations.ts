// The state of the mailer for agents: one document about all of it, and one about webhooks.
import { listFlows, listTemplates, type MailerContext, readSetupStatus } from '@keelson/mailer'
import { type Call, type Operation, operation } from '@keelson/sdk'
import { type AgentHost, access } from '../agent-host.ts'
import { statusSchema, webhookStatusSchema } from '../answers/status-answers.ts'

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

const ago = ({ clock }: MailerContext, days: number) =>
  new Date(clock.now().getTime() - days * DAY_MS)

/** Counts by type. */
async function webhookCounts(context: MailerContext, days: number) {
  const rows = await context.collections.webhookEvents
    .aggregate<{ _id: string; count: number }>([
      { $match: { receivedAt: { $gte: ago(context, days) } } },
      { $group: { _id: '$type', count: { $sum: 1 } } }
    ])
    .toArray()
  return Object.fromEntries(rows.map(({ _id, count }) => [_id, count]))
}

const lastWebhook = ({ collections }: MailerContext) =>
  collections.webhookEvents.findOne({}, { sort: { receivedAt: -1 } })

async function webhookStatusOf({ context }: AgentHost) {
  const [last, last24h, last7d, unprocessed] = await Promise.all([
    lastWebhook(context),
    webhookCounts(context, 1),
    webhookCounts(context, 7),
    context.collections.webhookEvents.countDocuments({ processed: false }, { limit: MOST_COUNTED })
  ])
  return {
    providers: [...context.providers.keys()],
    lastReceivedAt: last?.receivedAt ?? null,
    lastProvider: last?.provider ?? null,
    last24h,
    last7d,
    unprocessed,
    ingestPath: '/m/webhooks/:provider'
  }
}

async function flowLines(context: MailerContext) {
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

async function counts(context: MailerContext) {
  const { subscriptions, suppressions, flowRuns, sends } = context.collections
  const since = { queuedAt: { $gte: ago(context, 1) } }
  const limit = { limit: MOST_COUNTED }
  const [subscribed, suppressed, activeRuns, byStatus, webhooks, last] = await Promise.all([
    subscriptions.countDocuments({ status: 'subscribed' }, limit),
    suppressions.estimatedDocumentCount(),
    flowRuns.countDocuments({ status: 'active' }, limit),
    Promise.all(STATUSES.map((status) => sends.countDocuments({ status, ...since }, limit))),
    webhookCounts(context, 1),
    lastWebhook(context)
  ])
  const sendsLast24h = Object.fromEntries(STATUSES.map((status, at) => [status, byStatus[at] ?? 0]))
  const webhookEventsLast24h = Object.values(webhooks).reduce((sum, count) => sum + count, 0)
  const lastWebhookAt = last?.receivedAt ?? null
  return {
    subscribed,
    suppressions: suppressed,
    activeRuns,
    sendsLast24h,
    webhookEventsLast24h,
    lastWebhookAt
  }
}

async function statusOf(host: AgentHost) {
  const { context, version, boundary } = host
  const [setup, health, flows, templates, counted] = await Promise.all([
    readSetupStatus(context),
    host.health(),
    flowLines(context),
    listTemplates(context),
    counts(context)
  ])
  return {
    version,
    now: context.clock.now(),
    testContactsConfigured: boundary.isConfigured,
    setup,
    health: { status: health?.status ?? null, aggregate: health ?? null },
    flows,
    templates: templates.map((template) => ({
      slug: template.slug,
      kind: template.kind,
      fromEmail: template.fromEmail || null,
      published: template.version > 0,
      publishedAt: template.publishedAt ?? null
    })),
    counts: counted
  }
}

const status = operation({
  id: 'agent.status.read',
  method: 'GET',
  path: '/status',
  summary: 'One document about the whole mailer: setup, health, flows, templates, counts',
  tool: 'get_status',
  agent: true,
  access: access.read,
  effect: 'read',
  answer: statusSchema,
  run: (_input, { host }: Call<AgentHost>) => statusOf(host)
})

const webhookStatus = operation({
  id: 'agent.webhooks.readStatus',
  method: 'GET',
  path: '/webhooks/status',
  summary: 'Which providers send webhooks, and what came lately',
  tool: 'get_webhook_status',
  agent: true,
  access: access.read,
  effect: 'read',
  answer: webhookStatusSchema,
  run: (_input, { host }: Call<AgentHost>) => webhookStatusOf(host)
})

/** `/status` and `/webhooks/status`. */
export const statusOperations: readonly Operation<AgentHost>[] = [status, webhookStatus]
