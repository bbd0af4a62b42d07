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

test('guesses at one account end, from whatever address; right passwords do not count', async (t) => {
  const host = await start(t)
  const guess = (at: number, email: string, password: string) =>
    host.app.inject({
      method: 'POST',
      url: '/login',
      remoteAddress: `192.0.2.${at % 250}`,
      payload: { email, password }
    })
  for (let at = 0; at < 110; at++) {
    t.equal((await guess(at, PERSON.email, PASSWORD)).statusCode, 200)
  }
  const answers = []
  for (let at = 0; at < 110; at++) {
    const email = at % 2 === 0 ? PERSON.email : ' Viewer@ACME.test'
    answers.push((await guess(at, email, 'a wrong one')).statusCode)
  }
  t.equal(answers.filter((status) => status === 401).length, 100)
  t.equal(answers.at(-1), 429)
  const refused = await guess(0, PERSON.email, PASSWORD)
  t.equal(refused.statusCode, 429)
  t.match(Number(refused.headers['retry-after']), Number)
  t.equal((await guess(0, 'admin@acme.test', PASSWORD)).statusCode, 200, 'another account')
  host.clock.advance(901_000)
  t.equal((await guess(0, PERSON.email, PASSWORD)).statusCode, 200)
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
