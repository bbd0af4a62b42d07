// The admin API on a plain Fastify app: answers, refusals, permissions, and who is audited.
import Fastify from 'fastify'
import { test } from 'tap'
import { contact, openAdmin } from '../test/open-admin.ts'
import { adminOperations } from './admin-operations.ts'
import { createMailerAdmin } from './admin-router.ts'
import { mailFiles } from './mail-files.ts'

const template = { slug: 'notice', name: 'Notice', kind: 'transactional' }

test('what is made answers 201, and the change is audited with its actor', async (t) => {
  const { call } = await openAdmin(t)
  t.match(await call('POST', '/templates', template), { status: 201, body: { slug: 'notice' } })
  const { body } = await call('GET', '/audit?actor=human:check')
  t.match(body, [{ actor: 'human:check', action: 'template.create', ip: '127.0.0.1' }])
})

test('a body that does not fit names the field', async (t) => {
  const { call } = await openAdmin(t)
  t.match(await call('POST', '/templates', { ...template, slug: 'Not a slug' }), {
    status: 400,
    body: { error: 'validation_failed', fields: [{ path: 'slug' }] }
  })
})

test('refusals have their word and their status', async (t) => {
  const { call } = await openAdmin(t)
  await call('POST', '/templates', template)
  t.match(await call('POST', '/templates', template), {
    status: 409,
    body: { error: 'slug_taken', message: /./ }
  })
  t.match(await call('GET', '/templates/none'), { status: 404, body: { error: 'not_found' } })
  t.match(await call('POST', '/templates/notice/preview', { useDraft: false }), {
    status: 409,
    body: { error: 'not_published' }
  })
})

test('a role without a permission reads and is refused the rest', async (t) => {
  const { call } = await openAdmin(t, { permissions: () => ({ canPublish: true }) })
  t.match(await call('GET', '/me'), {
    body: {
      actor: 'human:anonymous',
      permissions: { canPublish: true, canManageSuppressions: false }
    }
  })
  const row = { email: 'c1@example.test', scope: 'all', reason: 'manual' }
  t.match(await call('POST', '/suppressions', row), { status: 403, body: { error: 'forbidden' } })
  t.match(await call('GET', '/suppressions'), { status: 200, body: [] })
})

test('lists name the next page in a header', async (t) => {
  const { call } = await openAdmin(t)
  for (const name of ['a', 'b', 'c']) {
    const row = { email: `${name}@example.test`, scope: 'all', reason: 'manual' }
    t.equal((await call('POST', '/suppressions', row)).status, 200)
  }
  const first = await call('GET', '/suppressions?limit=2')
  t.equal(first.body.length, 2)
  const next = String(first.headers['x-next-cursor'])
  const second = await call('GET', `/suppressions?limit=2&cursor=${encodeURIComponent(next)}`)
  t.equal(second.body.length, 1)
  t.notOk(second.headers['x-next-cursor'])
})

test('a POST without a body is taken', async (t) => {
  const { call } = await openAdmin(t)
  t.match(await call('POST', '/broadcasts/none/cancel'), { status: 404 })
})

test('contacts, sends and events are read', async (t) => {
  const { call, mailer } = await openAdmin(t)
  await mailer.registerEvent({ name: 'opened', dedupePolicy: 'every-time' })
  await mailer.fire('opened', 'c1')
  await mailer.fire('seen', 'c1', {}, 'a key')
  t.match((await call('GET', '/contacts/c1')).body, { contact, subscription: null })
  t.match((await call('GET', '/contacts/none')).status, 404)
  t.same((await call('GET', '/sends')).body, [])
  t.match((await call('GET', '/sends/none')).status, 404)
  t.match((await call('GET', '/events')).body, {
    registered: [{ name: 'opened', dedupePolicy: 'every-time' }],
    seen: ['seen'],
    stats: { seen: { total: 1, last7d: 1, last30d: 1, firstAt: String, lastAt: String } }
  })
})

test('an address with a malformed slug or id is refused before anything is read', async (t) => {
  const { call } = await openAdmin(t)
  for (const path of ['/templates/Bad%20Slug%21', '/flows/Bad', '/sends/%21%21'])
    t.match(await call('GET', path), { status: 400, body: { error: 'bad_id', message: /address/ } })
})

test('refusals of flows have their word and their status', async (t) => {
  const { call } = await openAdmin(t)
  const flow = { slug: 'welcome', name: 'Welcome', trigger: { eventName: 'opened' } }
  t.equal((await call('POST', '/flows', flow)).status, 201)
  t.match(await call('POST', '/flows', flow), { status: 409, body: { error: 'slug_taken' } })
  t.match(await call('POST', '/flows/none/pause'), { status: 404, body: { error: 'not_found' } })
  t.match(await call('POST', '/flows/welcome/publish'), { body: { error: 'empty_flow' } })
})

test('a change of a flow is audited with before and after, and with the request', async (t) => {
  const { call } = await openAdmin(t)
  const flow = { slug: 'welcome', name: 'Welcome', trigger: { eventName: 'opened' } }
  await call('POST', '/flows', flow)
  await call('PATCH', '/flows/welcome/draft', { name: 'Hello' })
  const { body } = await call('GET', '/audit?action=flow.update')
  const change = { before: { name: 'Welcome' }, after: { name: 'Hello' } }
  t.match(body, [{ ...change, ip: '127.0.0.1', requestId: String }])
})

test('a test mail is audited; without an address it is refused', async (t) => {
  const { call, provider } = await openAdmin(t)
  await call('POST', '/templates', template)
  await call('PATCH', '/templates/notice/draft', { subject: 'Hello', html: '<p>Hello</p>' })
  const to = 'someone@example.test'
  t.match(await call('POST', '/templates/notice/send-test', {}), {
    status: 400,
    body: { error: 'validation_failed' }
  })
  t.match(await call('POST', '/templates/notice/send-test', { to }), { body: { ok: true } })
  t.equal(provider.sent.length, 1)
  const { body } = await call('GET', '/audit?action=template.send-test')
  t.match(body, [{ resource: { slug: 'notice' }, after: { to } }])
})

test('the variables of the host are described, and those that always exist', async (t) => {
  const { call } = await openAdmin(t)
  t.match((await call('GET', '/vars-schema')).body, { schema: null, builtins: ['contact', 'vars'] })
})

test('the dashboard counts the mails that left, and shows what is new', async (t) => {
  const { call, mailer, drain } = await openAdmin(t)
  await call('POST', '/templates', template)
  await call('PATCH', '/templates/notice/draft', { subject: 'Hello', html: '<p>Hello</p>' })
  t.match(await call('POST', '/templates/notice/publish'), { status: 200 })
  await mailer.sendOneOff({ templateSlug: 'notice', externalId: 'c1', dedupeKey: 'one' })
  t.match((await call('GET', '/dashboard')).body, { queue: { inFlight: 1, delayed: 0 } })
  await drain()
  // The tick that counts comes after the mail.
  await drain()
  t.match((await call('GET', '/dashboard')).body, {
    // This provider reports no deliveries: that share is unknown, and opens are a share of what was sent.
    kpis: {
      sends: { value: 1, delta: null },
      deliveredRate: { value: null },
      openRate: { exclBots: 0 }
    },
    // Whether the breaker has counted the mail depends on the minute that the clock is in.
    health: { status: 'healthy', rates: {} },
    queue: { inFlight: 0, delayed: 0, providerOk: true, providerName: String },
    recentSends: [{ templateSlug: 'notice' }],
    recentAudit: [{ action: 'template.publish', names: { template: template.name } }, {}, {}]
  })
})

test('a role without permissions is refused each call that needs one, before its body is read', async (t) => {
  const { app, mailer } = await openAdmin(t, { permissions: async () => ({}) })
  const { extensions } = mailer.getRunnerContext()
  const contributed = extensions
    .adminApis()
    .flatMap(({ api }) => api.operations.map(({ operation }) => operation))
  const operations = [...adminOperations, ...contributed].filter(
    ({ access }) => access.permission !== undefined
  )
  const guarded = [...operations, ...mailFiles]
  t.ok(guarded.length > 30)
  for (const call of guarded) {
    const { method, path } = call
    const url = `/admin/mailer/api${path.replaceAll(/:\w+/g, 'one')}`
    const isFile = 'upload' in call && call.upload?.kind === 'body'
    const headers = { 'content-type': isFile ? 'text/csv' : 'application/json' }
    const body = method === 'GET' ? {} : { headers, payload: isFile ? 'a' : '{}' }
    const reply = await app.inject({ method, url, ...body })
    t.match([reply.statusCode, reply.json()], [403, { error: 'forbidden' }], `${method} ${path}`)
  }
})

test('without getActor the actor is the user of the request, and the API needs no shell', async (t) => {
  const { mailer } = await openAdmin(t)
  const app = Fastify()
  t.teardown(() => app.close())
  app.decorateRequest('user', null)
  app.addHook('onRequest', async (request) => {
    Object.assign(request, { user: { email: 'ann@acme.test' } })
  })
  await app.register(createMailerAdmin(mailer), { prefix: '/backstage' })
  t.match((await app.inject('/backstage/api/me')).json(), {
    actor: 'human:ann@acme.test',
    permissions: { canPublish: true, canSendBroadcasts: true, canManageSuppressions: true }
  })
  t.equal((await app.inject('/backstage')).statusCode, 404)
  t.match((await app.inject('/backstage/api/none')).json(), { error: 'not_found' })
})
