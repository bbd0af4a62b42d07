// The deliverability plugins beside a plain mailer: their settings, routes, gate and collections.
import Fastify from 'fastify'
import { type Test, test } from 'tap'
import { createMailerAdmin } from '../admin/admin-router.ts'
import { createMemoryAdapter } from '../audience/contacts/memory-adapter.ts'
import type { MailerConfig } from '../ledger/schema.ts'
import { openAdmin } from '../test/open-admin.ts'
import { createTestMailer } from '../testing/create-test-mailer.ts'
import { whenInstalled } from './deliverability.ts'

const html = (more: string) =>
  `<!doctype html><html><head><title>Hi</title></head><body><p>Hello there, dear reader.</p>${more}</body></html>`

async function publishNewsletter(call: Awaited<ReturnType<typeof openAdmin>>['call'], more = '') {
  await call('POST', '/templates', { slug: 'news', name: 'News', kind: 'marketing' })
  const draft = { subject: 'News', fromEmail: 'news@acme.test', fromName: 'Acme', html: html(more) }
  await call('PATCH', '/templates/news/draft', draft)
  return call('POST', '/templates/news/publish', {})
}

const link = '<p><a href="{{unsubscribeUrl}}">Unsubscribe</a></p>'

test('a marketing template without an unsubscribe link is not published', async (t) => {
  const { call } = await openAdmin(t)
  const refused = await publishNewsletter(call)
  t.equal(refused.status, 422)
  t.match(refused.body, { error: 'lint_failed' })
  t.match(
    refused.body.lint.errors.map(({ rule }: { rule: string }) => rule),
    ['missing_unsubscribe_tag']
  )
  await call('PATCH', '/templates/news/draft', { html: html(link) })
  const { status, body } = await call('POST', '/templates/news/publish', {})
  t.equal(status, 200)
  t.match(body, { ok: true, lint: { errors: [] } })
})

for (const [method, path, expected] of [
  ['GET', '/health', { status: null, thresholds: { minSendsBeforeEval: 7 } }],
  ['GET', '/health/trips', []],
  ['POST', '/health/resume', { ok: true, resumed: 0 }],
  ['GET', '/dnsbl', { checks: [], intervalHours: 0 }],
  ['POST', '/dnsbl/recheck', { ran: false }],
  ['GET', '/postmaster', { configured: false, domains: [] }],
  ['POST', '/postmaster/refresh', { ran: false }],
  ['GET', '/snds', { configured: true, ips: [] }],
  ['GET', '/dmarc', { retentionDays: 30, domains: [] }],
  ['DELETE', '/dmarc/sources/192.0.2.1', { ok: true, deleted: 0 }],
  ['GET', '/hygiene', { totalSubscribers: 0 }],
  ['POST', '/templates/news/lint', { errors: [] }],
  ['GET', '/templates/news/content-scorer', { configured: false }]
] as const) {
  test(`${method} ${path} answers on a plain host, with the settings of the mailer`, async (t) => {
    const { call } = await openAdmin(t, undefined, [], {
      circuitBreaker: { minSendsBeforeEval: 7 },
      snds: { accessKey: 'a-key' },
      dmarc: { retentionDays: 30, dnsServers: '' }
    })
    if (path.startsWith('/templates')) await publishNewsletter(call, link)
    const { status, body } = await call(method, path, method === 'POST' ? {} : undefined)
    t.equal(status, 200, JSON.stringify(body))
    t.match(body, expected)
  })
}

test('a report of DMARC is uploaded as a form', async (t) => {
  const { app } = await openAdmin(t)
  const form = new FormData()
  form.append('file', new Blob(['no report']), 'report.xml')
  const sent = new Response(form)
  const reply = await app.inject({
    method: 'POST',
    url: '/admin/mailer/api/dmarc/upload',
    headers: { 'content-type': sent.headers.get('content-type') ?? '' },
    payload: Buffer.from(await sent.arrayBuffer())
  })
  t.equal(reply.statusCode, 400)
  t.match(reply.json(), { error: 'ingest_failed' })
})

test('the collections of the plugins are handles of the mailer', async (t) => {
  const { mailer, stop } = await createTestMailer()
  t.teardown(() => stop())
  const { health, dnsblChecks, postmasterSnapshots, sndsSnapshots } = mailer.collections
  const { dmarcReports, dmarcFailures, dmarcSourceTags, contentScorerScores } = mailer.collections
  const handles = [health, dnsblChecks, postmasterSnapshots, sndsSnapshots, dmarcReports]
  for (const handle of [...handles, dmarcFailures, dmarcSourceTags, contentScorerScores]) {
    t.ok((await handle.indexes()).length > 0, `${handle.collectionName} was made`)
  }
})

for (const [path, value] of [
  ['circuitBreaker', { minSends: 1 }],
  ['dmarc', { retentionDays: 'long' }],
  ['snds', 'on']
] as const) {
  test(`wrong settings in ${path} end the start, and the error names them`, async (t) => {
    const config = { [path]: value } as unknown as Partial<MailerConfig>
    await t.rejects(createTestMailer({ config }), { message: new RegExp(path) })
  })
}

test('two mailers with their own prefixes share a database', async (t) => {
  const first = await createTestMailer()
  t.teardown(() => first.stop())
  const { db } = first
  const config = { collectionPrefix: 'shop_' }
  const second = await createTestMailer({ db, adapter: createMemoryAdapter([]), config })
  t.teardown(() => second.stop())
  t.equal(second.mailer.collections.health.collectionName, 'shop_circuit_breaker_health')
  await second.mailer.suppress('a@b.test', { scope: 'all', reason: 'manual' })
  t.equal(await first.mailer.collections.suppressions.countDocuments(), 0)
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(createMailerAdmin(second.mailer), { prefix: '/admin/mailer' })
  t.equal((await app.inject('/admin/mailer/api/health')).statusCode, 200)
})

const missing = (name: string) =>
  Object.assign(new Error(`Cannot find package '${name}' imported from here`), {
    code: 'ERR_MODULE_NOT_FOUND'
  })

test('a package that is not installed is left out, one that lacks something fails', async (t: Test) => {
  const load = (name: string) => async () => {
    throw missing(name)
  }
  t.equal(await whenInstalled('@keelson/snds', load('@keelson/snds')), undefined)
  await t.rejects(whenInstalled('@keelson/snds', load('undici')), { message: /undici/ })
})
