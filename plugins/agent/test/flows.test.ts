// Flows over the agent API: arming, the gate, runs, reset, status.
import { test } from 'tap'
import { type AgentApp, agentApp, receipt } from './agent-app.ts'

async function makeFlow({ call, mailer }: AgentApp, slug: string) {
  mailer.events.register({ name: 'joined', dedupePolicy: 'every-time' })
  await call('PUT', '/templates/receipt', receipt())
  await call('POST', '/api/flows', { slug, name: slug, trigger: { eventName: 'joined' } })
  const steps = [
    { type: 'send', templateSlug: 'receipt' },
    { type: 'wait', value: 1, unit: 'days' },
    { type: 'send', templateSlug: 'receipt' }
  ]
  await call('PATCH', `/api/flows/${slug}/draft`, { steps })
  const published = await call('POST', `/api/flows/${slug}/publish`, { enable: false })
  if (published.status !== 200) throw new Error(JSON.stringify(published.body))
}

test('a flow is armed only with confirm, and once', async (t) => {
  const app = await agentApp(t)
  await makeFlow(app, 'welcome')
  const arm = (body: object) => app.call('POST', '/flows/welcome/arm', body)
  t.match(await arm({}), { status: 400, body: { error: 'confirm_required' } })
  t.match(await arm({ confirm: true, since: 'x' }), {
    status: 400,
    body: { error: 'validation_failed' }
  })
  t.match(await arm({ confirm: true }), {
    status: 200,
    body: { armed: true, alreadyEnabled: false, version: 1, eventName: 'joined' }
  })
  t.match((await arm({ confirm: true })).body, { armed: false, alreadyEnabled: true })
  const none = await app.call('POST', '/flows/none/arm', { confirm: true })
  t.match(none, { status: 404, body: { error: 'not_found' } })
})

test('arming leaves out the past and takes the last half minute', async (t) => {
  const app = await agentApp(t)
  await makeFlow(app, 'welcome')
  for (const externalId of ['t1', 't2']) await app.call('POST', `/contacts/${externalId}/subscribe`)
  const fire = (externalId: string) =>
    app.call('POST', '/events', { name: 'joined', externalId, dedupeKey: externalId })
  await fire('t1')
  await app.drain()
  const old = { occurredAt: new Date(Date.now() - 60_000) }
  await app.db.collection('mailer_events').updateMany({}, { $set: old })
  await fire('t2')
  await app.drain()
  const armed = await app.call('POST', '/flows/welcome/arm', { confirm: true })
  t.match(armed.body, { skippedEvents: 1, pendingEvents: 1 })
  const { body } = await app.call('GET', '/runs?flowSlug=welcome')
  t.match(body, [{ externalId: 't2' }])
  t.equal(body.length, 1)
})

test('a gate is a version in front of the steps, and ungating brings them back', async (t) => {
  const app = await agentApp(t)
  await makeFlow(app, 'welcome')
  const post = (path: string, body: object = {}) => app.call('POST', `/flows/welcome/${path}`, body)
  t.match((await post('ungate')).body, { error: 'not_gated' })
  t.match((await post('gate', { tag: 'canary' })).body, {
    version: 2,
    tag: 'canary',
    enabled: false
  })
  t.match(await post('gate', { tag: 'canary' }), { status: 409, body: { error: 'already_gated' } })
  const { body } = await app.call('GET', '/status')
  t.match(body.flows, [{ slug: 'welcome', gated: 'canary', liveSteps: 3 }])
  t.match((await post('ungate')).body, { version: 3, restoredFrom: 1 })
  t.match((await app.call('GET', '/api/flows/welcome')).body.steps, [{ type: 'send' }])
})

test('reset takes everything of a test contact back, or what is named', async (t) => {
  const app = await agentApp(t)
  await app.call('PUT', '/templates/receipt', receipt())
  await app.call('POST', '/templates/receipt/send', { contactId: 't1' })
  for (const name of ['a', 'b']) {
    await app.call('POST', '/events', { name, externalId: 't1', dedupeKey: name })
  }
  const reset = (body: object) => app.call('POST', '/contacts/t1/reset', body)
  const named = { events: ['a'], runs: false, sends: false, suppressions: false, subscribe: false }
  t.match((await reset(named)).body.removed, { runs: 0, sends: 0, events: 1, suppressions: 0 })
  const all = await reset({})
  t.match(all.body, { removed: { sends: 1, events: 1 }, subscription: { status: 'subscribed' } })
  t.match((await app.call('POST', '/contacts/p1/reset', {})).body, { error: 'not_a_test_contact' })
})

test('status and webhook status have every part', async (t) => {
  const app = await agentApp(t, { health: async () => null })
  await makeFlow(app, 'welcome')
  const { status, body } = await app.call('GET', '/status')
  t.equal(status, 200)
  t.match(body, {
    health: { status: null },
    templates: [{ slug: 'receipt', published: true }],
    counts: { subscribed: 0, activeRuns: 0, sendsLast24h: { queued: 0 }, lastWebhookAt: null }
  })
  const webhooks = await app.call('GET', '/webhooks/status')
  t.match(webhooks.body, { providers: ['recording'], lastReceivedAt: null, unprocessed: 0 })
})

test('a run of any contact is cancelled in the name of the actor', async (t) => {
  const app = await agentApp(t)
  await makeFlow(app, 'welcome')
  await app.call('POST', '/contacts/t1/subscribe')
  await app.call('POST', '/flows/welcome/arm', { confirm: true })
  await app.call('POST', '/events', { name: 'joined', externalId: 't1' })
  await app.drain()
  const [run] = (await app.call('GET', '/runs?externalId=t1')).body
  const cancelled = await app.call('POST', `/runs/${run.id}/cancel`)
  t.match(cancelled.body.run, { status: 'exited', exitReason: 'aborted_by_host:agent:test' })
  t.match(await app.call('POST', `/runs/${run.id}/cancel`), {
    status: 409,
    body: { error: 'run_not_active' }
  })
  t.match(await app.call('GET', '/runs/none'), { status: 404, body: { error: 'run_not_found' } })
})

test('a simulation walks the published steps on a virtual clock and writes nothing', async (t) => {
  const app = await agentApp(t)
  await makeFlow(app, 'welcome')
  await app.call('POST', '/contacts/t1/subscribe')
  const at = '2030-03-04T10:00:00.000Z'
  const simulate = (body: object) => app.call('POST', '/flows/welcome/simulate', body)
  const { status, body } = await simulate({ contactId: 't1', at })
  t.equal(status, 200)
  const walked = body.path.map((one: Record<string, unknown>) => [one['stepIndex'], one['outcome']])
  t.same(walked, [
    [0, 'send'],
    [1, 'waited'],
    [2, 'send']
  ])
  const sends = body.sends.map((one: { at: string }) => one.at)
  t.same(sends, [at, '2030-03-05T10:00:00.000Z'])
  t.match(body, {
    terminal: { kind: 'completed' },
    wouldEnter: { ok: false, reasons: [/disabled/] }
  })
  t.same((await app.call('GET', '/runs')).body, [])
  t.match(await simulate({}), { status: 400, body: { error: 'validation_failed' } })
  t.match(await simulate({ contactId: 't1', at: 'some day' }), { status: 400 })
  t.match(await simulate({ contactId: 't1', version: 9 }), {
    status: 404,
    body: { error: 'version_not_found' }
  })
})

test('advancing ends the wait in the name of the actor and sends what is behind it', async (t) => {
  const app = await agentApp(t)
  await makeFlow(app, 'welcome')
  await app.call('POST', '/contacts/t1/subscribe')
  await app.call('POST', '/flows/welcome/arm', { confirm: true })
  await app.call('POST', '/events', { name: 'joined', externalId: 't1' })
  await app.drain()
  const [run] = (await app.call('GET', '/runs?externalId=t1')).body
  const advance = (body: object) => app.call('POST', `/runs/${run.id}/advance`, body)
  for (const steps of [0, 51, -1, 1.5, 'two']) {
    t.match(await advance({ steps }), { status: 400, body: { error: 'validation_failed' } })
  }
  const { status, body } = await advance({ steps: 1 })
  t.equal(status, 200)
  t.match(body.historyAdded, [
    { action: 'wait_completed', details: { forcedBy: 'agent:test' } },
    {}
  ])
  t.match(body.sends, [{ templateSlug: 'receipt', status: /sent|delivered/ }])
  t.equal(app.provider.sent.length, 2)
  t.match(body.run, { status: 'completed' })
  t.match(await advance({}), { status: 409, body: { error: 'run_not_active' } })
  t.match(await app.call('POST', '/runs/none/advance', {}), { status: 404 })
})

test('a run that was advanced by hand is not taken by a worker before its caller looks at it', async (t) => {
  const app = await agentApp(t)
  await makeFlow(app, 'welcome')
  const wait = { type: 'wait', value: 1, unit: 'days' }
  const send = { type: 'send', templateSlug: 'receipt' }
  await app.call('PATCH', '/api/flows/welcome/draft', { steps: [wait, send, send, send] })
  await app.call('POST', '/api/flows/welcome/publish', { enable: false })
  await app.call('POST', '/contacts/t1/subscribe')
  await app.call('POST', '/flows/welcome/arm', { confirm: true })
  await app.call('POST', '/events', { name: 'joined', externalId: 't1' })
  await app.drain()
  const [run] = (await app.call('GET', '/runs?externalId=t1')).body
  for (const sent of [1, 2]) {
    const { status } = await app.call('POST', `/runs/${run.id}/advance`, { steps: 1 })
    t.equal(status, 200)
    await app.drain()
    t.equal(app.provider.sent.length, sent)
  }
  await app.clock.advance(31_000)
  await app.drain()
  t.equal(app.provider.sent.length, 3, 'later the workers go on')
})
