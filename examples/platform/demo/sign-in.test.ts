// The sign-in of the demo: from its own pages alone, a cookie that fits the address, guesses that end.
import { createTestHost, type TestHost } from '@keelson/sdk/testing'
import { type Test, test } from 'tap'
import { trustProxyOf } from '../trust-proxy.ts'
import demo from './index.ts'
import { isOwnOrigin } from './own-origin.ts'

const PASSWORD = 'keelson-demo'
/** A window of the limits starts here; none ends while a test runs. */
const WINDOW_STARTS = new Date('2030-01-01T00:00:00Z')
const PERSON = { email: 'viewer@acme.test', password: PASSWORD }

async function start(t: Test, config: object = {}): Promise<TestHost> {
  const host = await createTestHost({
    plugin: demo,
    config: { password: PASSWORD, ...config },
    now: WINDOW_STARTS
  })
  t.teardown(() => host.close())
  return host
}

const login = (host: TestHost, payload: object, headers: Record<string, string> = {}) =>
  host.app.inject({ method: 'POST', url: '/login', payload, headers })

test('a page of another site cannot sign a browser in', async (t) => {
  const host = await start(t)
  const form = {
    'content-type': 'application/x-www-form-urlencoded',
    origin: 'https://evil.test'
  }
  const forged = await host.app.inject({
    method: 'POST',
    url: '/login',
    headers: form,
    payload: new URLSearchParams(PERSON).toString()
  })
  t.equal(forged.statusCode, 403)
  t.equal(forged.headers['set-cookie'], undefined)
  for (const headers of [{ origin: 'null' }, { 'sec-fetch-site': 'cross-site' }]) {
    t.equal((await login(host, PERSON, headers as never)).statusCode, 403)
  }
  t.equal((await login(host, PERSON, { origin: 'http://localhost' })).statusCode, 200)
  t.equal((await login(host, PERSON)).statusCode, 200, 'a program')
})

test('a form leads on to a path of this host alone', async (t) => {
  const host = await start(t)
  const goal = async (next: string) => {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'http://localhost'
    }
    const payload = new URLSearchParams({ ...PERSON, next }).toString()
    const sent = await host.app.inject({ method: 'POST', url: '/login', headers, payload })
    return [sent.statusCode, sent.headers.location]
  }
  t.same(await goal('/telemetry?range=7d'), [303, '/telemetry?range=7d'])
  for (const next of ['//evil.test', '/..//evil.test', 'https://evil.test']) {
    t.same(await goal(next), [303, '/'], next)
  }
})

test('people may sign in at the public address', (t) => {
  const request = { protocol: 'http', host: '10.0.0.7:3000', site: 'same-origin' }
  const at = (origin: string | undefined, publicUrl = 'https://acme.test/') =>
    isOwnOrigin({ ...request, origin }, publicUrl)
  t.same([at('https://acme.test'), at('http://10.0.0.7:3000'), at(undefined)], [true, true, true])
  t.same([at('https://acme.test:444'), at('http://acme.test'), at('x', '')], [false, false, false])
  t.end()
})

test('the cookie is for https alone where the public address is', async (t) => {
  const cookieAt = async (publicUrl: string) =>
    String((await login(await start(t, { publicUrl }), PERSON)).headers['set-cookie'])
  t.match(await cookieAt('https://acme.test'), /; Secure/)
  t.notMatch(await cookieAt('http://localhost:3000'), /Secure/)
})

test('a second sign-in ends the first session of that browser', async (t) => {
  const host = await start(t)
  const sessions = host.db.collection('demo_sessions')
  const first = String((await login(host, PERSON)).headers['set-cookie']).split(';')[0] ?? ''
  t.equal(await sessions.countDocuments(), 1)
  await login(host, { ...PERSON, email: 'admin@acme.test' }, { cookie: first })
  t.match(await sessions.find().toArray(), [{ viewerRef: 'user:u-admin-acme' }])
  await login(host, PERSON)
  t.equal(await sessions.countDocuments(), 2, 'another browser keeps its own')
})

const WRONG = { ...PERSON, password: 'a wrong one' }

/** Signs in from an address. */
const tryAt = (host: TestHost, remoteAddress: string, payload: object, cookie = '') =>
  host.app.inject({
    method: 'POST',
    url: '/login',
    remoteAddress,
    payload,
    ...(cookie !== '' && { headers: { cookie } })
  })

const cookiesOf = (headers: { 'set-cookie'?: string | string[] | undefined }) =>
  [headers['set-cookie'] ?? []].flat().map((line) => line.split(';', 1)[0] ?? '')

/** The route itself takes 120 requests a minute of one address. */
const anotherMinute = (host: TestHost) => host.clock.advance(60_000)

/** How many of so many wrong passwords are looked at. */
async function guessed(host: TestHost, count: number, addressOf: (at: number) => string) {
  let lookedAt = 0
  anotherMinute(host)
  for (let at = 0; at < count; at++) {
    const email = at % 2 === 0 ? PERSON.email : ' Viewer@ACME.test'
    const { statusCode } = await tryAt(host, addressOf(at), { ...WRONG, email })
    if (statusCode === 401) lookedAt++
  }
  anotherMinute(host)
  return lookedAt
}

test('guesses of one address at one account end, and its owner still gets in elsewhere', async (t) => {
  const host = await start(t)
  const known = cookiesOf((await tryAt(host, '192.0.2.1', PERSON)).headers).join('; ')
  for (let at = 0; at < 110; at++) {
    t.equal((await tryAt(host, '192.0.2.1', PERSON)).statusCode, 200, 'right ones do not count')
  }
  t.equal(await guessed(host, 110, () => '192.0.2.1'), 100)
  const refused = await tryAt(host, '192.0.2.1', PERSON)
  t.equal(refused.statusCode, 429)
  t.match(Number(refused.headers['retry-after']), Number)
  t.equal((await tryAt(host, '192.0.2.2', PERSON)).statusCode, 200, 'from another address')
  t.equal((await tryAt(host, '192.0.2.1', PERSON, known)).statusCode, 200, 'in a known browser')
  const other = { ...PERSON, email: 'admin@acme.test' }
  t.equal((await tryAt(host, '192.0.2.1', other)).statusCode, 200, 'another account')
  t.equal(await guessed(host, 101, (at) => `2001:db8::${at + 1}`), 100, 'one network of IPv6')
  host.clock.advance(901_000)
  t.equal((await tryAt(host, '192.0.2.1', PERSON)).statusCode, 200)
})

test('guesses from many addresses end too, and then known browsers alone get in', async (t) => {
  const host = await start(t)
  const [session = '', device = ''] = cookiesOf((await tryAt(host, '192.0.2.1', PERSON)).headers)
  t.equal(await guessed(host, 1010, (at) => `198.51.100.${at % 250}`), 1000)
  const status = async (cookie: string, payload: object = PERSON) =>
    (await tryAt(host, '192.0.2.1', payload, cookie)).statusCode
  t.equal(await status(''), 429, 'a new browser')
  t.equal(await status(session), 429, 'a session is not the proof')
  t.equal(await status(`keelson_device=${'A'.repeat(43)}`), 429, 'a made-up device')
  t.equal(await status(device), 200)
  let lookedAt = 0
  for (let at = 0; at < 105; at++) if ((await status(device, WRONG)) === 401) lookedAt++
  t.equal(lookedAt, 100, 'a known browser has an end of guesses as well')
})

test('a browser is known for the accounts that signed in there, and for 90 days', async (t) => {
  const host = await start(t)
  const other = { ...PERSON, email: 'admin@acme.test' }
  const rows = host.db.collection('demo_devices')
  const [, device = ''] = cookiesOf((await tryAt(host, '192.0.2.1', PERSON)).headers)
  t.match(device, /^keelson_device=[A-Za-z0-9_-]{43}$/)
  const planted = `keelson_device=${'B'.repeat(43)}`
  const [, fresh = ''] = cookiesOf((await tryAt(host, '192.0.2.1', PERSON, planted)).headers)
  t.not(fresh, planted, 'a token that was not made here is replaced')
  t.equal(await guessed(host, 101, () => '192.0.2.1'), 100)
  for (let at = 0; at < 101; at++) await tryAt(host, '192.0.2.1', { ...WRONG, email: other.email })
  anotherMinute(host)
  t.equal((await tryAt(host, '192.0.2.1', other, device)).statusCode, 429, 'another account')
  const [, same = ''] = cookiesOf((await tryAt(host, '192.0.2.9', other, device)).headers)
  t.equal(same, device)
  t.equal((await tryAt(host, '192.0.2.1', other, device)).statusCode, 200, 'both are known there')
  t.equal(await rows.countDocuments(), 2)
  t.notMatch(JSON.stringify(await rows.find().toArray()), /acme\.test/, 'no address in the clear')
})

test('proxies are trusted as the setting says', (t) => {
  const read = ['', 'false', 'true', '10.0.0.1', '10.0.0.0/8, ::1'].map((one) => trustProxyOf(one))
  t.same(trustProxyOf(undefined), false)
  t.same(read, [false, false, true, ['10.0.0.1'], ['10.0.0.0/8', '::1']])
  const two = trustProxyOf('2')
  t.same(
    [0, 1, 2].map((hop) => typeof two === 'function' && two('10.0.0.1', hop)),
    [true, true, false]
  )
  t.end()
})
