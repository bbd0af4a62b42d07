// What an agent learns before anybody is mailed: preflight, simulation of many, the canary's verdict.
import { test } from 'tap'
import { type AgentApp, agentApp, receipt } from './agent-app.ts'

const html = '<p>News, in words enough for a mail. {{contact.email}}</p>'
const news = (more: object = {}) =>
  receipt({
    kind: 'marketing',
    body: { html: `${html}<p><a href="{{unsubscribeUrl}}">Unsubscribe</a></p>` },
    ...more
  })

async function publish({ call }: AgentApp, slug: string, steps: readonly object[]) {
  const trigger = { eventName: 'joined', type: 'event', once: false }
  await call('POST', '/api/flows', { slug, name: slug, trigger })
  await call('PATCH', `/api/flows/${slug}/draft`, { steps })
  const published = await call('POST', `/api/flows/${slug}/publish`, { enable: false })
  if (published.status !== 200) throw new Error(JSON.stringify(published.body))
}

async function flowApp(
  t: Parameters<typeof agentApp>[0],
  options?: Parameters<typeof agentApp>[1]
) {
  const app = await agentApp(t, options)
  app.mailer.events.register({ name: 'joined', dedupePolicy: 'every-time' })
  await app.call('PUT', '/templates/news', news())
  await app.call('PUT', '/templates/receipt', receipt())
  for (const id of ['t1', 't2']) await app.call('POST', `/contacts/${id}/subscribe`)
  return app
}

const send = (templateSlug = 'news') => ({ type: 'send', templateSlug })
const days = (value: number) => ({ type: 'wait', value, unit: 'days' })

// biome-ignore lint/suspicious/noExplicitAny: an answer of any shape
const gateOf = (body: any, gate: string) => body.gates.find((line: any) => line.gate === gate)

test('preflight names each gate with its verdict, and sends nothing', async (t) => {
  const { call, provider } = await flowApp(t)
  const { status, body } = await call('POST', '/preflight', {
    templateSlug: 'news',
    contactId: 't1'
  })
  t.equal(status, 200)
  for (const gate of ['suppression', 'subscription', 'policy', 'breaker', 'send_gates']) {
    t.match(gateOf(body, gate), { verdict: /pass|skipped/, reason: String }, gate)
  }
  t.match(gateOf(body, 'from_domain'), { verdict: 'pass', template: 'news' })
  t.equal(
    body.ok,
    true,
    JSON.stringify(body.gates.filter((one: { verdict: string }) => one.verdict === 'fail'))
  )
  t.equal(provider.sent.length, 0)
})

test('preflight fails for a suppressed contact and while the breaker is tripped', async (t) => {
  const health = { status: 'tripped', rates: null, thresholds: {} } as never
  const { call } = await flowApp(t, { health: async () => health })
  await call('POST', '/contacts/t1/unsubscribe', {})
  const { body } = await call('POST', '/preflight', { templateSlug: 'news', contactId: 't1' })
  t.equal(body.ok, false)
  t.match(gateOf(body, 'suppression'), { verdict: 'fail', fix: String })
  t.match(gateOf(body, 'breaker'), { verdict: 'fail', fix: String })
  t.match(await call('POST', '/preflight', {}), {
    status: 400,
    body: { error: 'validation_failed' }
  })
  t.match((await call('POST', '/preflight', { flowSlug: 'none' })).body, {
    error: 'flow_not_found'
  })
})

test('preflight of a flow asks about every template that it sends', async (t) => {
  const app = await flowApp(t)
  const gone = `${html}<p>{{vars.gone}} <a href="{{unsubscribeUrl}}">Unsubscribe</a></p>`
  await app.call('PUT', '/templates/bad', news({ body: { html: gone } }))
  await publish(app, 'welcome', [send('news'), days(1), send('bad')])
  const { body } = await app.call('POST', '/preflight', { flowSlug: 'welcome' })
  t.equal(body.ok, false)
  const failed = body.gates.filter(({ verdict }: { verdict: string }) => verdict === 'fail')
  t.ok(failed.length > 0)
  for (const { template } of failed) t.equal(template, 'bad')
})

test('preflight of a flow asks whether the contact enters, as the simulation does', async (t) => {
  const app = await flowApp(t)
  await publish(app, 'welcome', [send()])
  const entry = async (contactId: string) => {
    const { body } = await app.call('POST', '/preflight', { flowSlug: 'welcome', contactId })
    return [body.ok, gateOf(body, 'entry')]
  }
  const [isOk, off] = await entry('t1')
  t.match([isOk, off], [true, { verdict: 'warn', reason: /disabled/, fix: /arm/ }])
  await app.call('POST', '/flows/welcome/arm', { confirm: true })
  t.match(await entry('t1'), [true, { verdict: 'pass' }])
  t.match(await entry('p1'), [false, { verdict: 'fail', reason: /no subscription/ }])
  const simulated = await app.call('POST', '/flows/welcome/simulate', { contactId: 'p1' })
  t.match(simulated.body.wouldEnter, { ok: false, reasons: [/no subscription/] })
})

test('preflight of a broadcast fails for a contact without a subscription', async (t) => {
  const app = await flowApp(t)
  const segmentDefinition = { filters: [{ kind: 'subscriptionStatus', equals: 'subscribed' }] }
  const broadcast = { slug: 'cast', name: 'Cast', templateSlug: 'news', segmentDefinition }
  const made = await app.call('POST', '/broadcasts', broadcast)
  t.equal(made.status, 201, JSON.stringify(made.body))
  const asked = { broadcastSlug: 'cast', contactId: 'p1' }
  const { body } = await app.call('POST', '/preflight', asked)
  t.match(gateOf(body, 'subscription'), { verdict: 'fail', reason: /no subscription/ })
})

test('every line of a preflight that asks for work says which', async (t) => {
  const health = { status: 'tripped', rates: null, thresholds: {} } as never
  const app = await flowApp(t, { health: async () => health })
  const gone = `${html}<p>{{vars.gone}} <a href="{{unsubscribeUrl}}">Unsubscribe</a></p>`
  await app.call('PUT', '/templates/bad', news({ body: { html: gone } }))
  await publish(app, 'welcome', [send('news'), send('bad')])
  await app.call('POST', '/contacts/t1/unsubscribe', {})
  const asked = [
    { flowSlug: 'welcome', contactId: 't1' },
    { flowSlug: 'welcome', contactId: 'p1' },
    { templateSlug: 'bad', contactId: 't1' },
    { templateSlug: 'gone' }
  ]
  for (const body of asked) {
    const { gates } = (await app.call('POST', '/preflight', body)).body
    for (const { gate, verdict, fix } of gates)
      if (verdict === 'fail' || verdict === 'warn') t.match(fix, /\w/, gate)
  }
})

test('a simulation of many adds up entries, mails and ends by the day', async (t) => {
  const app = await flowApp(t)
  const vip = { type: 'branch', test: { hasTag: 'vip' }, ifTrueSteps: [send('receipt')] }
  await publish(app, 'welcome', [send(), days(2), vip, { type: 'exit', reason: 'done' }])
  const simulate = (body: object) => app.call('POST', '/flows/welcome/simulate-many', body)
  const at = '2030-01-01T00:00:00Z'
  const asked = { synthetic: { count: 10, tags: ['vip'] }, days: 4, enterOverDays: 2, at }
  const { status, body } = await simulate(asked)
  t.equal(status, 200, JSON.stringify(body))
  t.match(body, {
    contacts: 10,
    entries: 10,
    sends: 20,
    sendsByTemplate: { news: 10, receipt: 10 }
  })
  t.same(body.perDay, [
    { day: '2030-01-01', entries: 5, sends: 5 },
    { day: '2030-01-02', entries: 5, sends: 5 },
    { day: '2030-01-03', entries: 0, sends: 5 },
    { day: '2030-01-04', entries: 0, sends: 5 }
  ])
  t.match(body, { ends: { exited: 10, active: 0 }, exitReasons: { done: 10 } })
  const short = await simulate({ ...asked, days: 2 })
  t.match(short.body, { sends: 10, ends: { active: 10, exited: 0 } })
  t.equal(await app.db.collection('mailer_flow_runs').countDocuments({}), 0)
})

test('contacts of the host count with their subscriptions, and unknown ones are named', async (t) => {
  const app = await flowApp(t)
  await publish(app, 'welcome', [send()])
  const simulate = (body: object) => app.call('POST', '/flows/welcome/simulate-many', body)
  await app.call('POST', '/contacts/t2/unsubscribe', {})
  const { body } = await simulate({ contactIds: ['t1', 't2', 'p1'], days: 1 })
  t.match(body, { contacts: 3, entries: 1, refused: { unsubscribed: 1, no_subscription: 1 } })
  t.match(await simulate({ contactIds: ['ghost'], days: 1 }), {
    status: 404,
    body: { error: 'contact_not_found' }
  })
  t.equal((await simulate({ days: 1 })).status, 400)
  t.equal((await simulate({ synthetic: { count: 10_001 }, days: 1 })).status, 400)
})

test('two versions are compared', async (t) => {
  const app = await flowApp(t)
  await publish(app, 'welcome', [send(), days(1), send()])
  await app.call('PATCH', '/api/flows/welcome/draft', { steps: [send()] })
  await app.call('POST', '/api/flows/welcome/publish', { enable: false })
  const body = { synthetic: { count: 3 }, days: 5, compareWith: 1 }
  const answer = await app.call('POST', '/flows/welcome/simulate-many', body)
  t.match(answer.body, {
    flow: { version: 2 },
    sends: 3,
    compared: { flow: { version: 1 }, sends: 6 },
    diff: { from: 1, to: 2, entries: 0, sends: -3, sendsByTemplate: { news: -3 } }
  })
  const gone = await app.call('POST', '/flows/welcome/simulate-many', { ...body, compareWith: 9 })
  t.match(gone, { status: 404, body: { error: 'version_not_found' } })
})

test('a canary runs test contacts to the end behind the gate, and says that it is safe', async (t) => {
  const app = await flowApp(t)
  await publish(app, 'welcome', [send(), days(3), send('receipt')])
  const canary = (body: object) => app.call('POST', '/flows/welcome/canary', body)
  t.match(await canary({ contactIds: ['p1'] }), {
    status: 403,
    body: { error: 'not_a_test_contact' }
  })
  const { status, body } = await canary({ contactIds: ['t1', 't2'] })
  t.equal(status, 200, JSON.stringify(body))
  t.match(body, { verdict: 'safe', tag: 'canary', gated: true, reasons: [] }, JSON.stringify(body))
  t.match(body.contacts, [{ contact: { externalId: 't1' }, actual: { status: 'completed' } }, {}])
  t.equal(app.provider.sent.length, 4)
  const flows = (await app.call('GET', '/status')).body.flows
  t.match(flows, [{ slug: 'welcome', enabled: false, gated: 'canary' }])
})

test('a canary says why it is not safe', async (t) => {
  const app = await flowApp(t)
  await publish(app, 'welcome', [send(), days(3), send('receipt')])
  const suppression = { email: 't1@example.test', scope: 'all', reason: 'manual' }
  await app.call('POST', '/api/suppressions', suppression)
  const { body } = await app.call('POST', '/flows/welcome/canary', { contactIds: ['t1'] })
  t.match(body, { verdict: 'unsafe', reasons: [{ code: 'send_failed', message: /suppressed/ }] })
  await app.call('POST', '/flows/welcome/ungate', {})
  await app.call('POST', '/flows/welcome/arm', { confirm: true })
  t.match(await app.call('POST', '/flows/welcome/canary', { contactIds: ['t1'] }), {
    status: 409,
    body: { error: 'flow_is_on' }
  })
})
