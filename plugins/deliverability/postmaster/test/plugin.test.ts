// The plugin beside stand-ins for the mailer, the breaker and Google.

import { type BreakerEvidence, mailerBreaker } from '@keelson/mailer/contracts'
import { createMailerStandIn } from '@keelson/mailer/testing'
import { definePlugin } from '@keelson/sdk'
import { createTestHost } from '@keelson/sdk/testing'
import { type Test, test } from 'tap'
import type { PostmasterConfig } from '../config.ts'
import plugin from '../plugin.ts'

const viewer = { tenantId: 'acme', role: 'admin', viewerRef: 'user:ada' }
const HOUR_MS = 3_600_000
const BASE = 'https://google.example'
const NOW = new Date('2026-11-20T08:00:00Z')
const DAY = { year: 2026, month: 11, day: 18 }
const SECRETS = /secret-1|refresh-1|access-1/

/** A breaker that trips once for each piece of evidence. */
function breakerStandIn() {
  const evidence: BreakerEvidence[] = []
  const breaker = definePlugin({
    manifest: {
      manifestVersion: 1,
      id: 'breaker',
      name: 'Breaker stand-in',
      version: '1.0.0',
      kernel: '*',
      description: 'Records what is tripped.',
      license: 'MIT',
      provides: [mailerBreaker.id]
    },
    register(host) {
      host.provide(mailerBreaker, {
        async trip(found) {
          const isNew = !evidence.some(({ evidenceId }) => evidenceId === found.evidenceId)
          evidence.push(found)
          return { isNew }
        },
        health: () => Promise.reject(new Error('Postmaster does not ask for it.'))
      })
    }
  })
  return { breaker, evidence }
}

interface Google {
  /** Spam rate by domain, in version 2. */
  v2: Record<string, number>
  /** Reputation by domain, in version 1. */
  v1: Record<string, string>
  /** Answers of the token address. */
  token: { status: number; body: object }
  /** Status of figures, when it is not what the domain says. */
  status?: number | undefined
  readonly asked: string[]
}

async function open(t: Test, config: Partial<PostmasterConfig> = {}, hasBreaker = true) {
  const { breaker, evidence } = breakerStandIn()
  const mailer = createMailerStandIn({
    senderDomains: [
      { domain: 'acme.test', kind: 'both' },
      { domain: 'bills.test', kind: 'transactional' }
    ]
  })
  const host = await createTestHost({
    plugin,
    plugins: [mailer.plugin, ...(hasBreaker ? [breaker] : [])],
    viewer,
    now: NOW,
    config: {
      clientId: 'client-1',
      clientSecret: 'secret-1',
      refreshToken: 'refresh-1',
      baseUrl: `${BASE}/`,
      adminTenants: ['acme'],
      ...config
    }
  })
  t.teardown(() => host.close())
  const google: Google = {
    v2: { 'acme.test': 0.0005, 'bills.test': 0.0005 },
    v1: {},
    token: { status: 200, body: { access_token: 'access-1', expires_in: 3599 } },
    asked: []
  }
  answerAs(host.outbound.get(BASE), google)
  const call = async (method: 'GET' | 'POST', path: string) => {
    const answer = await host.app.inject({ method, url: `/admin/mailer/api${path}` })
    return { status: answer.statusCode, json: answer.json() }
  }
  const setup = async () => (await mailer.readSetup()).find(({ name }) => name === 'postmaster')
  return { host, mailer, google, evidence, call, setup }
}

type Pool = ReturnType<Awaited<ReturnType<typeof createTestHost>>['outbound']['get']>

function answerAs(pool: Pool, google: Google): void {
  const reply = (method: 'GET' | 'POST') =>
    pool
      .intercept({ path: () => true, method })
      .reply(({ path, body, headers }) => {
        google.asked.push(path)
        if (path === '/token') {
          return { statusCode: google.token.status, data: google.token.body }
        }
        const { authorization } = headers as Record<string, string>
        if (authorization !== 'Bearer access-1') return { statusCode: 401, data: {} }
        if (google.status !== undefined) return { statusCode: google.status, data: {} }
        return { statusCode: 200, ...answerOf(google, path, String(body)) }
      })
      .persist()
  reply('GET')
  reply('POST')
}

const HIDDEN = { statusCode: 404, data: { error: { status: 'NOT_FOUND' } } }

function answerOf(google: Google, path: string, body: string) {
  const [, version, domain = ''] = /^\/(v[12])\/domains\/([^/]+)\//.exec(path) ?? []
  if (version === 'v1') {
    const reputation = google.v1[domain]
    const name = `domains/${domain}/trafficStats/20261118`
    return reputation === undefined
      ? HIDDEN
      : { data: { trafficStats: [{ name, domainReputation: reputation }] } }
  }
  const spamRate = google.v2[domain]
  if (spamRate === undefined) return HIDDEN
  if (path.endsWith('/complianceStatus')) {
    const oneClickUnsubscribeVerdict = { status: { status: 'NEEDS_WORK' } }
    return { data: { complianceData: { oneClickUnsubscribeVerdict } } }
  }
  const asked = JSON.parse(body).metricDefinitions as readonly { readonly name: string }[]
  const stats = asked
    .filter(({ name }) => name === 'userReportedSpamRatio')
    .map(({ name: metric }) => ({ metric, date: DAY, value: { doubleValue: spamRate } }))
  return { data: { domainStats: stats } }
}

test('a refresh stores the days of each domain and is audited', async (t) => {
  const { call, mailer } = await open(t)
  t.same((await call('POST', '/postmaster/refresh')).json, {
    ran: true,
    fetched: 2,
    failed: 0,
    trippedDomains: []
  })
  t.match(mailer.callsOf('audit'), [
    [{ action: 'postmaster.refresh', actor: 'human:user:ada', after: { fetched: 2 } }]
  ])
  await call('POST', '/postmaster/refresh')
  const { json } = await call('GET', '/postmaster')
  t.match(json, {
    configured: true,
    intervalHours: 24,
    domains: [
      {
        domain: 'acme.test',
        latest: { date: '2026-11-18', userReportedSpamRatio: 0.0005, source: 'v2' },
        level: 'ok',
        compliance: [{ requirement: 'ONE_CLICK_UNSUBSCRIBE', status: 'NEEDS_WORK' }]
      },
      { domain: 'bills.test' }
    ]
  })
  t.equal(json.domains[0].history.length, 1, 'a day is stored once')
})

test('a domain that version 2 does not show is read from version 1', async (t) => {
  const { call, google } = await open(t, { domains: ['old.test'] })
  google.v1['old.test'] = 'HIGH'
  t.match((await call('POST', '/postmaster/refresh')).json, { fetched: 1 })
  t.match((await call('GET', '/postmaster')).json.domains, [
    { latest: { domainReputation: 'HIGH', source: 'v1' }, compliance: [] }
  ])
})

test('spam over 0.3 % trips the marketing bucket of the domain, once for each day', async (t) => {
  const { call, google, evidence, setup } = await open(t)
  google.v2['acme.test'] = 0.004
  t.same((await call('POST', '/postmaster/refresh')).json.trippedDomains, ['acme.test'])
  t.match(evidence, [
    {
      senderDomain: 'acme.test',
      kind: 'marketing',
      by: 'postmaster',
      reason: /0\.4%/,
      evidenceId: 'postmaster:acme.test:2026-11-18'
    }
  ])
  t.same((await call('POST', '/postmaster/refresh')).json.trippedDomains, [])
  t.match(await setup(), { severity: 'error', hint: /resume it in Health/ })
})

test('reputation BAD trips; a domain without marketing mail and an unknown one do not', async (t) => {
  const { call, google, evidence } = await open(t, {
    domains: ['acme.test', 'bills.test', 'unknown.test']
  })
  google.v2 = {}
  google.v1 = { 'acme.test': 'BAD', 'bills.test': 'BAD', 'unknown.test': 'BAD' }
  t.same((await call('POST', '/postmaster/refresh')).json.trippedDomains, ['acme.test'])
  t.equal(evidence.length, 1)
})

test('over 0.1% the setup list warns', async (t) => {
  const { call, google, evidence, setup } = await open(t)
  google.v2['acme.test'] = 0.002
  await call('POST', '/postmaster/refresh')
  t.same(evidence, [])
  t.match(await setup(), { severity: 'warn', message: /acme\.test: Gmail users report 0\.2%/ })
})

test('old figures trip nothing', async (t) => {
  const { call, google, evidence, host } = await open(t)
  google.v2['acme.test'] = 0.004
  await host.clock.skip(9 * 24 * HOUR_MS)
  await call('POST', '/postmaster/refresh')
  t.same(evidence, [])
})

test('without a circuit breaker the setup list says which plugin to turn on', async (t) => {
  const { call, google, setup } = await open(t, {}, false)
  google.v2['acme.test'] = 0.004
  t.same((await call('POST', '/postmaster/refresh')).json.trippedDomains, [])
  t.match(await setup(), { severity: 'error', hint: /circuit-breaker/ })
})

test('a token is kept, and replaced when it is refused', async (t) => {
  const { call, google } = await open(t)
  const tokens = () => google.asked.filter((path) => path === '/token').length
  await call('POST', '/postmaster/refresh')
  await call('POST', '/postmaster/refresh')
  t.equal(tokens(), 1)
  google.status = 401
  await call('POST', '/postmaster/refresh')
  t.ok(tokens() > 1)
})

test("without credentials an address of one's own is called without a token", async (t) => {
  const none = { clientId: '', clientSecret: '', refreshToken: '' }
  const { call, google } = await open(t, none)
  const answer = await call('POST', '/postmaster/refresh')
  t.match(answer.json, { ran: true, failed: 2 })
  t.notOk(google.asked.includes('/token'))
  t.match((await call('GET', '/postmaster')).json.domains, [{ errorMessage: /answered 401/ }])
})

test('a refused token is an error of the domains, without a secret anywhere', async (t) => {
  const { call, google, host, setup, mailer } = await open(t)
  google.token = { status: 400, body: { error: 'invalid_grant' } }
  t.match((await call('POST', '/postmaster/refresh')).json, { fetched: 0, failed: 2 })
  const { json } = await call('GET', '/postmaster')
  t.match(json.domains, [{ errorMessage: /invalid_grant/, latest: null }])
  t.match(await setup(), { severity: 'warn', message: /invalid_grant/ })
  t.notMatch(JSON.stringify([json, host.logs, mailer.calls]), SECRETS)
})

test('the job reads what is due, and asks less and less while it fails', async (t) => {
  const { google, host, call } = await open(t)
  google.status = 500
  const reads = async (hours: number) => {
    const before = google.asked.length
    await host.clock.advance(hours * HOUR_MS)
    return google.asked.length > before
  }
  // Minutes at which it asked: where the first run falls depends on the clock of the wall.
  const asked: number[] = []
  for (let minute = 0; asked.length < 4 && minute < 90; minute++) {
    if (await reads(1 / 60)) asked.push(minute)
  }
  const pauses = asked.slice(1).map((minute, i) => Math.round((minute - (asked[i] ?? 0)) / 10))
  t.same(pauses, [1, 2, 4], 'in tens of minutes')
  t.match((await call('GET', '/postmaster')).json.domains, [{ errorMessage: /answered 500/ }])
  google.status = undefined
  await host.clock.advance(2 * HOUR_MS)
  t.match((await call('GET', '/postmaster')).json.domains, [{ errorMessage: null }])
  t.equal(await reads(20), false)
  t.equal(await reads(4), true)
})

test('without credentials, an interval or domains nothing is asked', async (t) => {
  const off = await open(t, { refreshToken: '' })
  t.match((await off.call('GET', '/postmaster')).json, { configured: false, domains: [] })
  t.same((await off.call('POST', '/postmaster/refresh')).json, {
    ran: false,
    reason: 'not_configured'
  })
  t.match(await off.setup(), { severity: 'ok' })
  const none = await open(t, { domains: [] })
  t.match((await none.call('POST', '/postmaster/refresh')).json, { reason: 'no_domains' })
  const manual = await open(t, { intervalHours: 0 })
  await manual.host.clock.skip(24 * HOUR_MS)
  t.same(
    [off, none, manual].flatMap(({ google }) => google.asked),
    []
  )
  t.match((await manual.call('POST', '/postmaster/refresh')).json, { ran: true })
})

test('the history of a domain is read by its index', async (t) => {
  const { host } = await open(t)
  const snapshots = host.db.collection('postmaster_snapshots')
  const query = snapshots.find({ domain: 'acme.test' }).sort({ date: -1 })
  const plan = JSON.stringify(await query.explain('queryPlanner'))
  t.match(plan, /"indexName":"domain_date"/)
  t.notMatch(plan, /"stage":"(COLLSCAN|SORT)"/)
})
