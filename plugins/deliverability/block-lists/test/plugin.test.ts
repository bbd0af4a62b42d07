// The plugin beside a stand-in for the mailer: routes, audit, setup line, job, secrets.
import { createMailerStandIn } from '@keelson/mailer/testing'
import { createTestHost } from '@keelson/sdk/testing'
import { type Test, test } from 'tap'
import type { BlockListsConfig } from '../config.ts'
import plugin from '../plugin.ts'
import { type Said, startDnsServer, zone } from './dns-server.ts'

const viewer = { tenantId: 'acme', role: 'admin', viewerRef: 'user:ada' }
const HOUR_MS = 3_600_000
const LIST = { host: 'bl-ip.example', label: 'Address list' }

async function open(t: Test, config: Partial<BlockListsConfig> = {}) {
  const world = { codes: [] as readonly string[] }
  const server = await startDnsServer((name): Said => {
    const listed = world.codes.length > 0 ? { '25.2.0.192': world.codes } : {}
    return zone(config.ipLists?.[0]?.host ?? LIST.host, listed)(name) ?? 'NXDOMAIN'
  })
  t.teardown(() => server.close())
  const mailer = createMailerStandIn({ senderDomains: [{ domain: 'acme.test', kind: 'both' }] })
  const host = await createTestHost({
    plugin,
    plugins: [mailer.plugin],
    viewer,
    config: {
      adminTenants: ['acme'],
      domainLists: [],
      ipLists: [LIST],
      dedicatedIps: ['192.0.2.25'],
      dnsServers: server.address,
      ...config
    }
  })
  t.teardown(() => host.close())
  const call = async (method: 'GET' | 'POST', path: string) => {
    const answer = await host.app.inject({ method, url: `/admin/mailer/api${path}` })
    return { status: answer.statusCode, json: answer.json() }
  }
  const setup = async () => (await mailer.readSetup()).find(({ name }) => name === 'dnsbl')
  return { host, mailer, server, world, call, setup }
}

test('a recheck asks at once, counts listings and is audited', async (t) => {
  const { call, mailer, world } = await open(t)
  world.codes = ['127.0.0.2']
  t.same((await call('POST', '/dnsbl/recheck')).json, {
    ran: true,
    totalChecks: 1,
    listedCount: 1,
    unansweredLists: []
  })
  t.match(mailer.callsOf('audit'), [
    [{ action: 'dnsbl.recheck', actor: 'human:user:ada', after: { listedCount: 1 } }]
  ])
  t.match((await call('GET', '/dnsbl')).json, {
    checks: [{ target: '192.0.2.25', list: LIST.host, result: 'listed', category: 'reputation' }],
    intervalHours: 24,
    disabledLists: [],
    reason: null
  })
})

test('the job asks by itself, and not before the interval is over', async (t) => {
  const { host, call, server } = await open(t)
  t.match((await call('GET', '/dnsbl')).json, { checks: [], latestRunAt: null })
  await host.clock.advance(HOUR_MS)
  t.match((await call('GET', '/dnsbl')).json, { checks: [{ result: 'clean' }] })
  const asked = server.asked.length
  await host.clock.advance(22 * HOUR_MS)
  t.equal(server.asked.length, asked)
  await host.clock.advance(2 * HOUR_MS)
  t.ok(server.asked.length > asked)
})

test('the setup list has an error for a bad reputation, and a warning for a policy', async (t) => {
  const { call, setup, world } = await open(t, {
    ipLists: [{ host: 'zen.spamhaus.org', label: 'ZEN' }]
  })
  t.match(await setup(), { severity: 'ok', message: /not asked yet/ })
  const after = async (codes: readonly string[]) => {
    world.codes = codes
    await call('POST', '/dnsbl/recheck')
    return setup()
  }
  t.match(await after([]), { severity: 'ok' })
  t.match(await after(['127.0.0.3']), {
    severity: 'error',
    items: [{ label: '192.0.2.25 on ZEN', message: /^CSS/ }]
  })
  t.match(await after(['127.0.0.10']), { severity: 'warn', items: [{ message: /^PBL/ }] })
  t.match(await after(['127.255.255.254']), { severity: 'warn', message: /answers usefully/ })
})

test('the history shows listings and their ends, newest first, of one target or all', async (t) => {
  const { call, world, host } = await open(t)
  world.codes = ['127.0.0.2']
  await call('POST', '/dnsbl/recheck')
  await host.clock.advance(HOUR_MS)
  world.codes = []
  await call('POST', '/dnsbl/recheck')
  const results = async (query: string) =>
    (await call('GET', `/dnsbl/history${query}`)).json.changes.map(
      ({ result }: { readonly result: string }) => result
    )
  t.same(await results(''), ['clean', 'listed'])
  t.same(await results('?target=192.0.2.25&limit=1'), ['clean'])
  t.same(await results('?target=192.0.2.99'), [])
  t.equal((await call('GET', '/dnsbl/history?limit=201')).status, 400)
})

test('a listing is mailed when there is an address to write to', async (t) => {
  const { call, world, mailer } = await open(t, { alertEmail: 'ops@acme.test' })
  world.codes = ['127.0.0.2']
  await call('POST', '/dnsbl/recheck')
  t.match(mailer.callsOf('notify'), [[{ to: 'ops@acme.test', text: /192\.0\.2\.25 is listed/ }]])
})

test('the key of the Data Query Service is in questions, and in no answer and no log', async (t) => {
  const key = 'secretkey123'
  const { call, host, server, mailer } = await open(t, {
    spamhausDqsKey: key,
    ipLists: [{ host: 'zen.spamhaus.org', label: 'ZEN' }]
  })
  await call('POST', '/dnsbl/recheck')
  await host.clock.advance(HOUR_MS)
  t.ok(server.asked.includes(`2.0.0.127.${key}.zen.dq.spamhaus.net`))
  const shown = [(await call('GET', '/dnsbl')).json, host.logs, mailer.calls]
  t.notMatch(JSON.stringify(shown), key)
})

test('without servers the routes answer, and nothing is asked', async (t) => {
  const { call, setup, server, host } = await open(t, { dnsServers: '' })
  await host.clock.advance(HOUR_MS)
  t.match((await call('GET', '/dnsbl')).json, { checks: [], reason: 'disabled' })
  t.match((await call('POST', '/dnsbl/recheck')).json, { ran: false, reason: 'disabled' })
  t.match(await setup(), { severity: 'ok', message: /turned off/ })
  t.same(server.asked, [])
})

test('a setting that cannot be read is named', async (t) => {
  const cases: [Partial<BlockListsConfig>, RegExp][] = [
    [{ dedicatedIps: ['192.0.2.1', 'mail.acme.test'] }, /dedicatedIps\[1\]/],
    [{ dnsServers: 'dns.example' }, /dnsServers/]
  ]
  for (const [config, message] of cases) {
    await t.rejects(createTestHost({ plugin, config }), { code: 'BLL_CONFIG_INVALID', message })
  }
  const config = { dnsServers: '192.0.2.1, [2001:db8::1]:5353, 2001:db8::2, 192.0.2.3:53' }
  const host = await createTestHost({ plugin, config })
  await host.close()
})
