// The state of the mailer for agents: one document about all of it, and one about webhooks.
import { type Call, type Operation, operation } from '@keelson/sdk'
import { type AgentHost, access } from '../agent-host.ts'
import type { MailerSchemas } from '../answers/mailer-schemas.ts'
import { statusSchema, webhookStatusSchema } from '../answers/status-answers.ts'

const INGEST_PATH = '/m/webhooks/:provider'

async function statusOf({ host, actor }: Call<AgentHost>) {
  const { version, boundary, clock } = host
  const mailer = host.operations.as(actor)
  const [setup, health, figures, templates] = await Promise.all([
    mailer.call('mailer.setup.read', {}),
    host.health(),
    host.workbench.as(actor).figures(),
    mailer.call('mailer.templates.list', {})
  ])
  if (!setup.ok) return setup
  if (!templates.ok) return templates
  return {
    version,
    now: clock.now(),
    testContactsConfigured: boundary.isConfigured,
    setup: setup.answer,
    health: { status: health?.status ?? null, aggregate: health ?? null },
    ...figures,
    templates: templates.answer.map((template) => ({
      slug: template.slug,
      kind: template.kind,
      fromEmail: template.fromEmail || null,
      published: template.version > 0,
      publishedAt: template.publishedAt ?? null
    }))
  }
}

const status = (mailer: MailerSchemas) =>
  operation({
    id: 'agent.status.read',
    method: 'GET',
    path: '/status',
    summary: 'One document about the whole mailer: setup, health, flows, templates, counts',
    tool: 'get_status',
    agent: true,
    access: access.read,
    effect: 'read',
    answer: statusSchema(mailer),
    run: (_input, call: Call<AgentHost>) => statusOf(call)
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
  run: async (_input, { host, actor }: Call<AgentHost>) => ({
    ...(await host.workbench.as(actor).reportFigures()),
    ingestPath: INGEST_PATH
  })
})

/** `/status` and `/webhooks/status`. */
export const statusOperations = (mailer: MailerSchemas): readonly Operation<AgentHost>[] => [
  status(mailer),
  webhookStatus
]
