// The story of a flow over HTTP: from a template document to a flow that is on for everybody.
import { createRecordingProvider } from '@keelson/mailer'
import type { MailProvider, ProviderEventType } from '@keelson/mailer/contracts'
import { test } from 'tap'
import { type AgentApp, agentApp, receipt } from './agent-app.ts'

const html = '<p>Welcome, in words enough for a mail. {{contact.email}}</p>'
const body = { html: `${html}<p><a href="{{unsubscribeUrl}}">Unsubscribe</a></p>` }

/** Webhooks as a vendor sends them: events by the id of the mail. */
const webhooks: Pick<MailProvider, 'verifyWebhook' | 'parseWebhookEvents'> = {
  verifyWebhook: (_body, headers) => headers['x-check'] === 'genuine',
  parseWebhookEvents: (payload) =>
    (payload as { readonly type: ProviderEventType; readonly sendId: string }[]).map(
      ({ type, sendId }) => ({
        type,
        providerEventId: `${type}:${sendId}`,
        providerMessageId: null,
        occurredAt: new Date(),
        email: 't1@example.test',
        details: { sendId }
      })
    )
}

async function report({ app }: AgentApp, event: object): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-check': 'genuine' }
  const payload = JSON.stringify([event])
  const { statusCode } = await app.inject({
    method: 'POST',
    url: '/m/webhooks/vendor',
    headers,
    payload
  })
  if (statusCode !== 200) throw new Error(`the webhook answered ${statusCode}`)
}

test('an agent takes a flow from a document to safely on', async (t) => {
  const vendor = createRecordingProvider({ name: 'vendor' })
  const providers = { vendor: { ...vendor, ...webhooks } }
  const app = await agentApp(t, { config: { providers } })
  const { call, mailer } = app
  mailer.events.register({ name: 'joined', dedupePolicy: 'every-time' })
  const ok = async (...args: Parameters<typeof call>) => {
    const reply = await call(...args)
    t.ok(reply.status < 300, `${args[0]} ${args[1]}: ${JSON.stringify(reply.body).slice(0, 300)}`)
    return reply.body
  }
  const post = (path: string, payload: object = {}) => ok('POST', path, payload)
  const welcome = receipt({ name: 'Welcome', kind: 'marketing', subject: 'Welcome', body })
  t.match(await ok('PUT', '/templates/welcome', welcome), { created: true })
  await post('/contacts/t1/subscribe')
  await post('/contacts/t2/subscribe')
  t.match(await post('/templates/welcome/verify', { contactId: 't1' }), { ok: true })
  const trigger = { type: 'event', eventName: 'joined', once: false }
  await post('/api/flows', { slug: 'welcome', name: 'Welcome', trigger })
  const steps = [
    { type: 'wait', value: 2, unit: 'days' },
    { type: 'send', templateSlug: 'welcome' }
  ]
  await ok('PATCH', '/api/flows/welcome/draft', { steps })
  await post('/api/flows/welcome/publish', { enable: false })
  const simulated = await post('/flows/welcome/simulate', { contactId: 't1' })
  t.match(simulated, { sends: [{ templateSlug: 'welcome' }], terminal: { kind: 'completed' } })
  await post('/flows/welcome/gate', { tag: 'canary' })
  await post('/contacts/t1/tags', { add: ['canary'] })
  await post('/flows/welcome/arm', { confirm: true })
  for (const externalId of ['t1', 't2']) await post('/events', { name: 'joined', externalId })
  await app.drain()
  const runs = await ok('GET', '/runs?flowSlug=welcome')
  const runOf = (id: string) =>
    runs.find(({ externalId }: { externalId: string }) => externalId === id)
  t.match(runOf('t2'), { status: 'exited' }, 'a contact without the tag leaves at the gate')
  t.match(runOf('t1'), { status: 'active' })
  const advanced = await post(`/runs/${runOf('t1').id}/advance`, { steps: 1 })
  t.match(advanced.historyAdded, [
    { action: 'wait_completed', details: { forcedBy: 'agent:test' } }
  ])
  const [mail] = advanced.sends
  t.match(mail, { templateSlug: 'welcome', externalId: 't1' })
  const waiting = ok('GET', `/sends/${mail.id}/wait?timeoutMs=50000`)
  await report(app, { type: 'delivered', sendId: mail.id })
  t.match(await waiting, {
    reached: true,
    target: 'delivered',
    send: { status: 'delivered' },
    webhookEvents: [{ type: 'delivered' }]
  })
  t.equal(vendor.sent.length, 1)
  await post('/flows/welcome/disarm')
  t.match(await post('/flows/welcome/ungate'), { restoredFrom: 1, enabled: false })
  t.match(await post('/flows/welcome/arm', { confirm: true }), { armed: true, version: 3 })
  const { flows } = await ok('GET', '/status')
  t.match(flows, [{ slug: 'welcome', enabled: true, gated: null }])
})
