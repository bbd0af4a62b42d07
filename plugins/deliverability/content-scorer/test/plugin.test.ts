// The plugin beside stand-ins for the mailer and each service.
import type { TemplateContent } from '@keelson/mailer/contracts'
import { createMailerStandIn, type GivenMailer } from '@keelson/mailer/testing'
import { KeelsonError } from '@keelson/sdk'
import { createTestHost } from '@keelson/sdk/testing'
import { type Test, test } from 'tap'
import type { ScorerConfig } from '../config.ts'
import plugin from '../plugin.ts'

const viewer = { tenantId: 'acme', role: 'admin', viewerRef: 'user:ada' }
const HOUR_MS = 3_600_000
const BASE = 'https://scorer.example'
const KEY = 'key+1'

const draft = (subject = 'Your news'): TemplateContent => ({
  slug: 'news',
  name: 'News',
  kind: 'marketing',
  version: 'draft',
  subject,
  preheader: '',
  fromName: 'Acme',
  fromEmail: 'hello@acme.test',
  replyTo: null,
  html: '<p>Hello</p>',
  text: 'Hello',
  bodyFormat: 'multipart',
  source: { html: '<p>Hello</p>', mjml: null, editorJson: null },
  bodyHash: '0'.repeat(64),
  tags: []
})

interface Asked {
  readonly method: string
  readonly path: string
  readonly body: string
}

async function open(t: Test, config: Partial<ScorerConfig> = {}, core: GivenMailer = {}) {
  const mailer = createMailerStandIn({ templates: [draft()], core })
  const host = await createTestHost({
    plugin,
    plugins: [mailer.plugin],
    viewer,
    config: { apiKey: KEY, baseUrl: BASE, adminTenants: ['acme'], ...config }
  })
  t.teardown(() => host.close())
  const service = { status: 200, answer: (_asked: Asked): object => ({}), asked: [] as Asked[] }
  for (const method of ['GET', 'POST']) {
    host.outbound
      .get(BASE)
      .intercept({ path: () => true, method })
      .reply(({ path, body }) => {
        const asked = { method, path, body: String(body ?? '') }
        service.asked.push(asked)
        return { statusCode: service.status, data: service.answer(asked) }
      })
      .persist()
  }
  const call = async (method: 'GET' | 'POST', path: string) => {
    const url = `/admin/mailer/api/templates/${path}`
    const answer = await host.app.inject({ method, url })
    return { status: answer.statusCode, json: answer.json() }
  }
  return { host, mailer, service, call }
}

/** The `checks` protocol: one check whose score a test sets. */
function checksService(state: { score: number | null }) {
  return ({ method }: Asked): object =>
    method === 'POST'
      ? { id: 'check-1', address: 'check-1@scorer.example' }
      : { ready: state.score !== null, score: state.score, feedback: [], summary: 'Fine' }
}

test('a check mails the draft to the service, waits, and keeps the score', async (t) => {
  const { call, service, mailer } = await open(t)
  const state = { score: null as number | null }
  service.answer = checksService(state)
  const { json } = await call('POST', 'news/content-scorer-check')
  t.match(json, { cached: false, status: 'pending', checkId: 'check-1', score: null })
  t.match(mailer.callsOf('sendTest'), [
    [{ templateSlug: 'news', to: 'check-1@scorer.example', version: 'draft' }]
  ])
  const result = `news/content-scorer-result?checkId=check-1&contentKey=${json.contentKey}`
  t.match((await call('GET', result)).json, { status: 'pending', score: null })
  state.score = 9
  t.match((await call('GET', result)).json, { status: 'ready', score: 9, summary: 'Fine' })
  t.match((await call('GET', 'news/content-scorer')).json, {
    configured: true,
    minScore: 8,
    cacheHours: 24,
    score: 9
  })
  const asked = service.asked.length
  t.match((await call('GET', result)).json, { status: 'ready', score: 9 })
  t.match((await call('POST', 'news/content-scorer-check')).json, {
    cached: true,
    status: 'ready',
    score: 9
  })
  t.equal(service.asked.length, asked, 'a score that is kept is not asked for')
  t.same(
    mailer.callsOf('audit').map(([{ action }]) => action),
    ['content_scorer.check.start', 'content_scorer.check.complete']
  )
})

test('the score of content that was sent is not that of content edited since', async (t) => {
  const { call, service, mailer } = await open(t)
  service.answer = checksService({ score: 9 })
  await call('POST', 'news/content-scorer-check')
  mailer.templates[0] = draft('Edited meanwhile')
  await call('GET', 'news/content-scorer-result?checkId=check-1')
  t.equal((await call('GET', 'news/content-scorer')).json.score, null)
  mailer.templates[0] = draft()
  t.equal((await call('GET', 'news/content-scorer')).json.score, 9)
})

test('a publish is refused for a low score, and for none where one is required', async (t) => {
  const { call, service, mailer } = await open(t, { requireScore: true })
  t.match(await mailer.askPublishGates(draft()), {
    error: 'content_scorer_blocked',
    code: 'no_score',
    score: null
  })
  t.same(service.asked, [], 'a publish starts no check')
  service.answer = checksService({ score: 6.5 })
  await call('POST', 'news/content-scorer-check')
  await call('GET', 'news/content-scorer-result?checkId=check-1')
  t.match(await mailer.askPublishGates(draft()), { code: 'low_score', score: 6.5 })
  t.equal(await mailer.askPublishGates(draft(), { bypassContentScorer: true }), null)
  t.match(await mailer.askPublishGates(draft(), { bypassContentScorer: 'yes' }), {
    code: 'low_score'
  })
})

test('a score ends after the hours that it is kept', async (t) => {
  const { call, service, host } = await open(t)
  service.answer = checksService({ score: 9 })
  await call('POST', 'news/content-scorer-check')
  await call('GET', 'news/content-scorer-result?checkId=check-1')
  await host.clock.skip(25 * HOUR_MS)
  t.equal((await call('GET', 'news/content-scorer')).json.score, null)
})

test('a job reads the result when no page asks for it', async (t) => {
  const { call, service, host } = await open(t)
  const state = { score: null as number | null }
  service.answer = checksService(state)
  await call('POST', 'news/content-scorer-check')
  await host.clock.advance(HOUR_MS)
  const reads = service.asked.filter(({ method }) => method === 'GET').length
  t.ok(reads >= 3 && reads <= 8, `longer and longer pauses: ${reads} reads in an hour`)
  state.score = 9
  await host.clock.advance(2 * HOUR_MS)
  t.equal((await call('GET', 'news/content-scorer')).json.score, 9)
})

test('a service that reads a mailbox is mailed under the user name', async (t) => {
  const { call, service, mailer } = await open(t, { service: 'mailbox', apiKey: 'acme' })
  service.answer = () => ({ displayedMark: '9.1/10', title: 'Good' })
  const { checkId } = (await call('POST', 'news/content-scorer-check')).json
  t.match(mailer.callsOf('sendTest'), [[{ to: `acme-${checkId}@mail-tester.com` }]])
  const result = await call('GET', `news/content-scorer-result?checkId=${checkId}`)
  t.match(result.json, { status: 'ready', score: 9.1, summary: 'Good' })
  t.match(service.asked, [{ path: `/acme-${checkId}&format=json` }])
})

test('a spam filter answers at once, and no mail is sent', async (t) => {
  const { call, service, mailer } = await open(t, { service: 'spamassassin', apiKey: '' })
  service.answer = () => ({ success: true, score: '0.5', rules: [] })
  t.match((await call('POST', 'news/content-scorer-check')).json, {
    cached: false,
    status: 'ready',
    score: 9
  })
  t.match(JSON.parse(service.asked[0]?.body ?? ''), {
    email: /^Subject: news\r\n/,
    options: 'long'
  })
  t.equal(mailer.callsOf('sendTest').length, 0)
  t.match(mailer.callsOf('audit'), [[{ action: 'content_scorer.check.complete' }]])
})

test('what fails is refused by name, and the key is shown nowhere', async (t) => {
  const shown: unknown[] = []
  const failing = await open(t)
  failing.service.status = 500
  const check = await failing.call('POST', 'news/content-scorer-check')
  t.match(check, { status: 502, json: { error: 'scorer_failed', message: /answered 500/ } })
  failing.service.status = 200
  failing.service.answer = () => ({ id: 'check-1' })
  const invalid = await failing.call('POST', 'news/content-scorer-check')
  t.match(invalid, { status: 502, json: { message: /address is missing/ } })
  shown.push(check, invalid, failing.host.logs, failing.mailer.calls)
  t.match(await failing.call('POST', 'none/content-scorer-check'), { status: 404 })
  t.match(await failing.call('GET', 'none/content-scorer'), { status: 404 })
  t.match(await failing.call('GET', 'news/content-scorer-result?checkId=none'), { status: 404 })
  t.notMatch(JSON.stringify(shown), KEY)
  t.notMatch(JSON.stringify(shown), encodeURIComponent(KEY))
})

test('one cause has one word: the service that fails, or the mail that cannot be sent', async (t) => {
  const { call, service } = await open(t)
  service.answer = () => ({ id: 'check-1', address: 'a@b.test' })
  t.match((await call('POST', 'news/content-scorer-check')).json, { status: 'pending' })
  service.status = 500
  const result = await call('GET', 'news/content-scorer-result?checkId=check-1')
  t.match(result, { status: 502, json: { error: 'scorer_failed' } })
  const sendTest = async () => {
    throw new KeelsonError('MLR_TEST_MAIL', { message: 'Refused.', remedy: '', status: 502 }, {})
  }
  const unsent = await open(t, {}, { sendTest })
  unsent.service.answer = service.answer
  const check = await unsent.call('POST', 'news/content-scorer-check')
  t.match(check, { status: 502, json: { error: 'send_failed' } })
})

test('a draft that cannot be sent is not checked', async (t) => {
  let compileError: string | null = 'if is not closed'
  const core = {
    compileTemplate: async () => ({ template: { ...draft(), html: '', text: ' ' }, compileError })
  }
  const { call, service } = await open(t, {}, core)
  t.match((await call('POST', 'news/content-scorer-check')).json, { error: 'compile_failed' })
  compileError = null
  t.match((await call('POST', 'news/content-scorer-check')).json, { error: 'empty_draft' })
  t.same(service.asked, [])
})

test('without a key the plugin is dormant', async (t) => {
  const { call, mailer, service, host } = await open(t, { apiKey: '', requireScore: true })
  t.match((await call('GET', 'news/content-scorer')).json, { configured: false, score: null })
  t.match(await call('POST', 'news/content-scorer-check'), {
    status: 400,
    json: { error: 'not_configured' }
  })
  t.equal(await mailer.askPublishGates(draft()), null)
  await host.clock.advance(HOUR_MS)
  t.same(service.asked, [])
})

test('every read has its index', async (t) => {
  const { host } = await open(t)
  const checks = host.db.collection('content_scorer_checks')
  const scores = host.db.collection('content_scorer_scores')
  const queries = [
    ['next', checks.find({ nextAt: { $lte: new Date() } }).sort({ nextAt: 1 })],
    ['check', scores.find({ checkId: 'a' })]
  ] as const
  for (const [index, query] of queries) {
    const plan = JSON.stringify(await query.explain('queryPlanner'))
    t.match(plan, new RegExp(`"indexName":"${index}"`), index)
    t.notMatch(plan, /"stage":"(COLLSCAN|SORT)"/, index)
  }
})
