// The agent API over HTTP: tokens, discovery, templates, sends, contacts, the boundary.
import { test } from 'tap'
import { createAgentOn, createAgentRouter } from '../create-agent.ts'
import { agentApp, receipt, TOKEN } from './agent-app.ts'

test('without a valid token every address answers 401', async (t) => {
  const { call } = await agentApp(t)
  for (const authorization of ['', 'Bearer wrong', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`]) {
    for (const path of ['/', '/api/me', '/nothing']) {
      const reply = await call('GET', path, undefined, { authorization })
      t.match(reply, { status: 401, body: { error: 'unauthorized', fix: /./, docs: /./ } }, path)
    }
  }
})

test('wrong tokens are limited, and a right one is not refused for them', async (t) => {
  const { call } = await agentApp(t)
  const wrong = () => call('GET', '/', undefined, { authorization: 'Bearer wrong' })
  for (let i = 0; i < 60; i++) t.equal((await wrong()).status, 401)
  for (let i = 0; i < 60; i++) await wrong()
  t.match(await wrong(), { status: 429, headers: { 'retry-after': /\d/ } })
  t.equal((await call('GET', '/')).status, 200)
})

test('discovery lists every address with its tool', async (t) => {
  const { call } = await agentApp(t)
  const { body } = await call('GET', '/')
  t.match(body, { actor: 'agent:test', testContactsConfigured: true, version: /^\d/ })
  const send = body.endpoints.find((one: { tool?: string }) => one.tool === 'send_template')
  t.match(send, { method: 'POST', path: '/templates/:slug/send', testContactsOnly: true })
})

test('an unknown address answers 404 with what to do', async (t) => {
  const { call } = await agentApp(t)
  t.match(await call('GET', '/nothing'), { status: 404, body: { error: 'not_found', fix: /./ } })
})

test('a template is made with 201 and replaced with 200, and keeps its counters', async (t) => {
  const { call, db } = await agentApp(t)
  const made = await call('PUT', '/templates/receipt', receipt())
  t.match(made, { status: 201, body: { created: true, lint: { warnings: [], infos: [] } } })
  await db.collection('mailer_templates').updateOne({}, { $set: { 'stats.sent': 7 } })
  const first = await call('GET', '/api/templates/receipt')
  t.match(await call('PUT', '/templates/receipt', receipt({ subject: 'Another' })), {
    status: 200,
    body: { created: false }
  })
  const second = await call('GET', '/api/templates/receipt')
  const { createdAt } = first.body
  t.match(second.body, { createdAt, subject: 'Another', version: 2, stats: { sent: 7 } })
  t.equal(second.body.publishedBy, 'agent:test')
})

test('a document that does not fit is refused, and nothing is made', async (t) => {
  const { call } = await agentApp(t)
  for (const more of [{ body: {} }, { kind: 'nonsense' }, { subject: 7 }, { extra: true }]) {
    const reply = await call('PUT', '/templates/receipt', receipt(more))
    t.match(reply, { status: 400, body: { error: 'validation_failed', fields: [{}] } })
  }
  const elsewhere = receipt({ fromEmail: 'x@elsewhere.test' })
  const refused = { status: 400, body: { error: 'sender_domain_invalid' } }
  t.match(await call('PUT', '/templates/receipt', elsewhere), refused)
  t.equal((await call('GET', '/api/templates/receipt')).status, 404)
})

test('a send to a test contact is a real mail, once for each dedupe key', async (t) => {
  const { call, provider } = await agentApp(t)
  await call('PUT', '/templates/receipt', receipt())
  const mail = { contactId: 't1', dedupeKey: 'k' }
  const sent = await call('POST', '/templates/receipt/send', mail)
  t.match(sent, { status: 201, body: { dispatched: true, send: { status: /sent|delivered/ } } })
  const again = await call('POST', '/templates/receipt/send', mail)
  t.equal(again.body.sendId, sent.body.sendId)
  t.equal(provider.sent.length, 1)
})

test('a mail that is stopped was not dispatched', async (t) => {
  const { call, mailer, provider } = await agentApp(t)
  await call('PUT', '/templates/receipt', receipt())
  await mailer.suppress('t1@example.test', { scope: 'all', reason: 'manual' })
  const sent = await call('POST', '/templates/receipt/send', { contactId: 't1' })
  t.match(sent, { status: 201, body: { dispatched: false, send: { status: 'suppressed' } } })
  t.equal(provider.sent.length, 0)
})

test('a subject of several lines is refused, as a From name is', async (t) => {
  const { call } = await agentApp(t)
  for (const change of [{ subject: 'One\r\nBcc: a@b.test' }, { fromName: 'One\nTwo' }]) {
    const answer = await call('PUT', '/templates/receipt', receipt(change))
    t.match(answer, { status: 400, body: { error: 'validation_failed' } })
  }
})

test('a send says what is wrong with its template or contact', async (t) => {
  const { call } = await agentApp(t)
  await call('PUT', '/templates/receipt', receipt())
  await call('POST', '/api/templates', { slug: 'draft', name: 'Draft', kind: 'marketing' })
  const send = (slug: string, body: object) => call('POST', `/templates/${slug}/send`, body)
  t.match(await send('receipt', {}), { status: 400, body: { error: 'validation_failed' } })
  t.match(await send('receipt', { contactId: 'x' }), {
    status: 404,
    body: { error: 'contact_not_found' }
  })
  t.match(await send('none', { contactId: 't1' }), {
    status: 404,
    body: { error: 'template_not_found' }
  })
  t.match(await send('draft', { contactId: 't1' }), {
    status: 409,
    body: { error: 'not_published' }
  })
})

test('waiting resolves when the mail gets there, and gives up after its time', async (t) => {
  const { call } = await agentApp(t)
  await call('PUT', '/templates/receipt', receipt())
  const { body } = await call('POST', '/templates/receipt/send', { contactId: 't1' })
  const { sendId } = body
  t.match((await call('GET', `/sends/${sendId}/wait?status=sent`)).body, { reached: true })
  const late = await call('GET', `/sends/${sendId}/wait?status=clicked&timeoutMs=50`)
  t.match(late.body, { reached: false, target: 'clicked', webhookEvents: [] })
  t.equal((await call('GET', `/sends/${sendId}/wait?status=x`)).status, 400)
  t.equal((await call('GET', `/sends/${'f'.repeat(24)}/wait`)).status, 404)
})

test('every operation for test contacts refuses others and changes nothing', async (t) => {
  const { call, provider } = await agentApp(t)
  await call('PUT', '/templates/receipt', receipt())
  const before = (await call('GET', '/contacts/p1')).body
  const calls = [
    ['/templates/receipt/send', { contactId: 'p1' }],
    ['/events', { name: 'a', externalId: 'p1', dedupeKey: 'k' }],
    ['/contacts/p1/subscribe', {}],
    ['/contacts/p1/unsubscribe', {}],
    ['/contacts/p1/tags', { add: ['x'] }],
    ['/api/templates/receipt/send-test', { to: 'person@elsewhere.test' }]
  ] as const
  for (const [path, body] of calls) {
    t.match(
      await call('POST', path, body),
      { status: 403, body: { error: 'not_a_test_contact' } },
      path
    )
  }
  t.same((await call('GET', '/contacts/p1')).body, before)
  t.equal(provider.sent.length, 0)
})

test('without testContacts such operations answer 403', async (t) => {
  const { call } = await agentApp(t, { testContacts: null })
  const error = 'test_contacts_not_configured'
  t.match(await call('POST', '/contacts/t1/tags', { add: ['x'] }), { status: 403, body: { error } })
})

test('suppressions are added through a token and not removed', async (t) => {
  const { call } = await agentApp(t)
  const row = { email: 'person@elsewhere.test', scope: 'all', reason: 'manual' }
  t.ok((await call('POST', '/api/suppressions', row)).status < 300)
  const [stored] = (await call('GET', '/api/suppressions')).body
  const removed = await call('DELETE', `/api/suppressions/${stored._id ?? stored.id}`)
  t.match(removed, { status: 403, body: { error: 'suppression_removal_not_allowed' } })
  t.equal((await call('GET', '/api/suppressions')).body.length, 1)
})

test('subscribe, unsubscribe and tags answer what is stored', async (t) => {
  const { call } = await agentApp(t)
  const off = await call('POST', '/contacts/t1/unsubscribe', {})
  t.equal(off.status, 200)
  const on = await call('POST', '/contacts/t1/subscribe', {})
  t.match(on.body, { subscription: { status: 'subscribed' }, removedSuppressions: 1 })
  const tagged = await call('POST', '/contacts/t1/tags', { add: ['beta'] })
  t.match(tagged.body, { added: ['beta'], removed: [], tags: ['beta'] })
  const both = { add: ['a'], remove: ['a'] }
  t.match(await call('POST', '/contacts/t1/tags', both), {
    status: 400,
    body: { error: 'tag_conflict' }
  })
  t.match(await call('POST', '/contacts/t1/tags', {}), { status: 400, body: { error: 'no_tags' } })
})

test('changes are audited under the actor of the token', async (t) => {
  const { call } = await agentApp(t)
  await call('POST', '/contacts/t1/tags', { add: ['beta'] })
  const { body } = await call('GET', '/api/audit?actor=agent:test&action=agent.tags')
  t.match(body, [{ actor: 'agent:test', action: 'agent.tags', resource: { id: 't1' } }])
})

test('a token that may read does not change anything', async (t) => {
  const { call } = await agentApp(t, {
    tokens: [{ token: TOKEN, actor: 'agent:reader', scopes: ['mail:read'] }]
  })
  t.equal((await call('GET', '/contacts/t1')).status, 200)
  for (const path of ['/tick', '/api/templates']) {
    t.match(await call('POST', path, {}), { status: 403, body: { error: 'insufficient_scope' } })
  }
})

test('beside a plain mailer the status has the health of its circuit breaker', async (t) => {
  const { call, db } = await agentApp(t)
  const row = { _id: 'd:acme.test|k:marketing', senderDomain: 'acme.test', kind: 'marketing' }
  const tripped = { ...row, status: 'tripped', minutes: [], hours: [], evidence: [] }
  const all = { _id: 'agg', minutes: [], hours: [], cursor: null, updatedAt: new Date() }
  await db.collection('circuit_breaker_health').insertMany([tripped, all] as never)
  const { body } = await call('GET', '/status')
  t.match(body.health, { status: 'tripped' })
})

test('two APIs of one mailer share what they keep, and each has its log', async (t) => {
  const { app, mailer, db, call, seams } = await agentApp(t)
  const lines: string[] = []
  const token = 'a-token-of-another-api-01'
  const fail = () => {
    throw new Error('the database is away')
  }
  const { router } = createAgentOn(
    { tokens: [{ token, actor: 'agent:other' }], logger: { error: (_, line) => lines.push(line) } },
    { ...seams, workbench: { as: fail } }
  )
  await app.register(router, { prefix: '/other' })
  const third = { token: 'a-token-of-a-third-api-001', actor: 'agent:third' }
  await app.register(createAgentRouter(mailer, { tokens: [third] }), { prefix: '/third' })
  const bearer = { authorization: `Bearer ${third.token}` }
  t.match((await app.inject({ url: '/third/contacts/t1', headers: bearer })).json(), {
    contact: { externalId: 't1' }
  })
  const headers = { authorization: `Bearer ${token}` }
  t.equal((await app.inject({ url: '/other/contacts/t1', headers })).statusCode, 500)
  t.equal(lines.length, 1)
  const keyed = { authorization: `Bearer ${TOKEN}`, 'idempotency-key': 'k1' }
  t.equal((await call('POST', '/tick', {}, keyed)).status, 200)
  t.equal(await db.collection('agent_answers').countDocuments(), 1)
})

test('a tick answers how long it took', async (t) => {
  const { call } = await agentApp(t)
  t.match(await call('POST', '/tick', {}), { status: 200, body: { ok: true, ms: Number } })
})

test('tokens are replaced one by one, expire, and open the addresses of their list alone', async (t) => {
  const old = 'the-old-token-of-a-rotation'
  const expiresAt = new Date(Date.now() + 3_600_000)
  const tokens = [
    { token: TOKEN, actor: 'agent:new', routes: ['/status', '/templates/*'] },
    { token: old, actor: 'agent:old', expiresAt }
  ]
  const { call, clock } = await agentApp(t, { tokens })
  const by = (token: string) => ({ authorization: `Bearer ${token}` })
  t.match((await call('GET', '/', undefined, by(old))).body, { actor: 'agent:old' })
  t.match((await call('GET', '/', undefined, by(TOKEN))).body, { actor: 'agent:new' })
  t.equal((await call('GET', '/status', undefined, by(TOKEN))).status, 200)
  t.match(await call('POST', '/tick', {}, by(TOKEN)), {
    status: 403,
    body: { error: 'route_not_allowed' }
  })
  await clock.advance(3_600_001)
  t.equal((await call('GET', '/status', undefined, by(old))).status, 401)
})
