// The plugin beside stand-ins for the mailer and Microsoft.
import { createMailerStandIn } from '@keelson/mailer/testing'
import { createTestHost } from '@keelson/sdk/testing'
import { type Test, test } from 'tap'
import type { SndsConfig } from '../config.ts'
import { withoutKey } from '../feeds/snds-client.ts'
import plugin from '../plugin.ts'

const viewer = { tenantId: 'acme', role: 'admin', viewerRef: 'user:ada' }
const HOUR_MS = 3_600_000
const BASE = 'https://microsoft.example'
const KEY = 'key+with/signs-1'
const NOW = new Date('2026-11-22T08:00:00Z')

const row = (ip: string, verdict: string, day = 20) =>
  `${ip},11/${day}/2026 7:00 AM,11/${day}/2026 11:00 PM,1894,1802,1793,${verdict},0.3%,,,41,mail.acme.test,bounce@acme.test,\r\n`

async function open(t: Test, config: Partial<SndsConfig> = {}) {
  const mailer = createMailerStandIn()
  const host = await createTestHost({
    plugin,
    plugins: [mailer.plugin],
    viewer,
    now: NOW,
    config: { accessKey: KEY, baseUrl: BASE, adminTenants: ['acme'], ...config }
  })
  t.teardown(() => host.close())
  const microsoft = {
    data: row('192.0.2.25', 'GREEN'),
    status: '',
    code: 200,
    error: undefined as Error | undefined,
    asked: [] as string[]
  }
  const pool = host.outbound.get(BASE)
  pool
    .intercept({ path: () => true, method: 'GET' })
    .reply(({ path }) => {
      microsoft.asked.push(path)
      if (microsoft.error !== undefined) throw microsoft.error
      const isStatus = path.startsWith('/ipStatus.aspx')
      return { statusCode: microsoft.code, data: isStatus ? microsoft.status : microsoft.data }
    })
    .persist()
  const call = async (method: 'GET' | 'POST', path: string) => {
    const answer = await host.app.inject({ method, url: `/admin/mailer/api${path}` })
    return { status: answer.statusCode, json: answer.json() }
  }
  const setup = async () => (await mailer.readSetup()).find(({ name }) => name === 'snds')
  return { host, mailer, microsoft, call, setup }
}

test('a refresh reads both feeds with the key, stores them and is audited', async (t) => {
  const { call, mailer, microsoft } = await open(t)
  microsoft.data += row('192.0.2.26', 'YELLOW')
  microsoft.status = '192.0.2.64,192.0.2.127,Yes,Complaints\r\n'
  t.same((await call('POST', '/snds/refresh')).json, {
    ran: true,
    rowsParsed: 2,
    rowsPersisted: 2,
    rowsRefused: 0,
    blockedRanges: 1
  })
  const query = `?key=${encodeURIComponent(KEY)}`
  t.same(microsoft.asked.sort(), [`/data.aspx${query}`, `/ipStatus.aspx${query}`])
  t.match(mailer.callsOf('audit'), [[{ action: 'snds.refresh', after: { rowsParsed: 2 } }]])
  t.match((await call('GET', '/snds')).json, {
    configured: true,
    intervalHours: 24,
    ips: [
      {
        ip: '192.0.2.25',
        latest: { filterResult: 'GREEN', trapMessageCount: 41, complaintRate: 0.003 }
      },
      { ip: '192.0.2.26', latest: { activityStart: '2026-11-20T15:00:00.000Z' } }
    ],
    ranges: [{ firstIp: '192.0.2.64', isBlocked: true, reason: 'Complaints' }],
    latestRunAt: /^2026-11-22T08:/
  })
})

test('a period is stored once, the newest is first, and old ranges are removed', async (t) => {
  const { call, microsoft, host } = await open(t)
  microsoft.status = '192.0.2.64,192.0.2.127,Yes,Complaints\r\n'
  await call('POST', '/snds/refresh')
  microsoft.data = row('192.0.2.25', 'GREEN') + row('192.0.2.25', 'RED', 21)
  microsoft.status = ''
  await host.clock.advance(HOUR_MS)
  await call('POST', '/snds/refresh')
  const { ips, ranges } = (await call('GET', '/snds')).json
  t.match(ips, [{ latest: { filterResult: 'RED' }, history: { length: 2 } }])
  t.same(ranges, [])
})

test('only configured addresses are kept', async (t) => {
  const { call, microsoft } = await open(t, { ips: ['192.0.2.26'] })
  microsoft.data += row('192.0.2.26', 'GREEN')
  t.match((await call('POST', '/snds/refresh')).json, { rowsParsed: 2, rowsPersisted: 1 })
  t.match((await call('GET', '/snds')).json.ips, [{ ip: '192.0.2.26' }])
})

test('red addresses and blocked ranges are errors on the setup list, yellow ones warn', async (t) => {
  const { call, microsoft, setup, host } = await open(t)
  const after = async () => {
    await call('POST', '/snds/refresh')
    return setup()
  }
  t.match(await after(), { severity: 'ok' })
  microsoft.data = row('192.0.2.25', 'YELLOW')
  t.match(await after(), { severity: 'warn', message: /192\.0\.2\.25/ })
  microsoft.data = row('192.0.2.25', 'RED')
  t.match(await after(), { severity: 'error', message: /192\.0\.2\.25/ })
  microsoft.data = row('192.0.2.25', 'GREEN')
  microsoft.status = '192.0.2.64,192.0.2.64,Yes,\r\n'
  t.match(await after(), { severity: 'error', message: '192.0.2.64: Outlook blocks it.' })
  microsoft.status = ''
  microsoft.data = row('192.0.2.25', 'RED', 21)
  t.match(await after(), { severity: 'error' })
  await host.clock.skip(20 * 24 * HOUR_MS)
  t.match(await setup(), { severity: 'ok' }, 'results of three weeks ago do not count')
})

test('the key is in no answer, no log and no audit row, whatever fails', async (t) => {
  const { call, microsoft, host, mailer, setup } = await open(t)
  const shown: unknown[] = []
  const look = async () => {
    shown.push((await call('POST', '/snds/refresh')).json, (await call('GET', '/snds')).json)
    shown.push(await setup())
  }
  await look()
  microsoft.code = 401
  await look()
  microsoft.code = 200
  microsoft.data = `<html>The key ${KEY} is invalid</html>`
  await look()
  microsoft.error = new Error(`no route to ${BASE}/data.aspx?key=${encodeURIComponent(KEY)}`)
  await look()
  await host.clock.advance(25 * HOUR_MS)
  shown.push(host.logs, mailer.calls)
  const text = JSON.stringify(shown)
  t.match(text, 'it answered 401')
  t.match(text, 'not a data feed')
  t.notMatch(text, KEY)
  t.notMatch(text, encodeURIComponent(KEY))
  t.equal(withoutKey(`a ${KEY} b ${encodeURIComponent(KEY)}`, KEY), 'a [key] b [key]')
})

test('a failed read keeps what was stored, and is tried again later and later', async (t) => {
  const { call, microsoft, host, setup } = await open(t)
  await call('POST', '/snds/refresh')
  microsoft.code = 503
  await host.clock.advance(25 * HOUR_MS)
  const { json } = await call('GET', '/snds')
  t.match(json, { errorMessage: /503/, ips: [{ ip: '192.0.2.25' }] })
  t.match(await setup(), { severity: 'warn', message: /503/ })
  const asked = microsoft.asked.length
  await host.clock.advance(HOUR_MS)
  t.ok(microsoft.asked.length - asked <= 6, 'not every ten minutes')
  microsoft.code = 200
  await host.clock.advance(25 * HOUR_MS)
  t.match((await call('GET', '/snds')).json, { errorMessage: null })
})

test('without a key or an interval nothing is asked', async (t) => {
  const off = await open(t, { accessKey: '', baseUrl: '' })
  t.match((await off.call('GET', '/snds')).json, { configured: false, ips: [] })
  t.match((await off.call('POST', '/snds/refresh')).json, { reason: 'not_configured' })
  t.match(await off.setup(), { severity: 'ok' })
  const manual = await open(t, { intervalHours: 0 })
  await manual.host.clock.skip(48 * HOUR_MS)
  t.same([...off.microsoft.asked, ...manual.microsoft.asked], [])
})

test("without a key an address of one's own is called without one", async (t) => {
  const { call, microsoft } = await open(t, { accessKey: '' })
  t.match((await call('POST', '/snds/refresh')).json, { ran: true, rowsParsed: 1 })
  t.same(microsoft.asked.sort(), ['/data.aspx', '/ipStatus.aspx'])
})

test('every read has its index', async (t) => {
  const { host } = await open(t)
  const snapshots = host.db.collection('snds_snapshots')
  const query = snapshots.find({ ip: '192.0.2.1' }).sort({ activityStart: -1 })
  const plan = JSON.stringify(await query.explain('queryPlanner'))
  t.match(plan, /"indexName":"ip_start"/)
  t.notMatch(plan, /"stage":"(COLLSCAN|SORT)"/)
})
