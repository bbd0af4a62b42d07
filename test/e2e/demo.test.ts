// The demo as a newcomer meets it: start, sign in, Events, a trace from outside, a second start.
// Runs beside the others: it waits for much of its time.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'tap'
import { type DemoProcess, refusedDemo, startDemo } from '../hosts/demo-process.ts'
import { copyFilledData } from '../hosts/filled-demo.ts'
import { until } from '../hosts/processes.ts'

const PASSWORD = 'keelson-demo'

/** The secrets whose defaults are in the config of the demo. */
const PUBLISHED = [
  'KEELSON_DEMO_PASSWORD',
  'KEELSON_AGENT_TOKEN',
  'KEELSON_MAIL_SECRET',
  'KEELSON_DMARC_SECRET',
  'TELEMETRY_PEPPER'
]

async function signIn(url: string, email = 'admin@acme.test'): Promise<Record<string, string>> {
  const response = await fetch(`${url}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email, password: PASSWORD })
  })
  if (response.status !== 200) throw new Error(`sign-in answered ${response.status}`)
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return { cookie, origin: url }
}

async function getJson<T>(url: string, headers: Record<string, string> = {}): Promise<T> {
  const response = await fetch(url, { headers })
  if (response.status !== 200) throw new Error(`GET ${url} answered ${response.status}`)
  return (await response.json()) as T
}

interface Records {
  readonly items: readonly { readonly name: string; readonly service: string }[]
}

const recordsOf = (demo: DemoProcess, query: string, headers: Record<string, string>) =>
  getJson<Records>(`${demo.url}/telemetry/api/records?${query}`, headers)

async function mintKey(demo: DemoProcess, headers: Record<string, string>): Promise<string> {
  const response = await fetch(`${demo.url}/telemetry/api/system/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({
      label: 'outside',
      kind: 'secret',
      tenantMode: 'fixed',
      tenantId: 'acme',
      service: 'outside',
      env: 'dev'
    })
  })
  return ((await response.json()) as { key: string }).key
}

function traceOf(traceId: string): object {
  const start = BigInt(Date.now()) * 1_000_000n
  const span = {
    traceId,
    spanId: 'eee19b7ec3c1b174',
    name: 'hello',
    kind: 2,
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(start + 250_000_000n)
  }
  const attributes = [{ key: 'service.name', value: { stringValue: 'outside' } }]
  return { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ spans: [span] }] }] }
}

// What a first start leaves, which a test run makes once.
const dataDir = await mkdtemp(join(tmpdir(), 'keelson-demo-'))
await copyFilledData(dataDir)
const first = await startDemo(dataDir)
const admin = await signIn(first.url)

test('the start line names the address, the database and the sign-in', async (t) => {
  const line =
    first
      .text()
      .split('\n')
      .find((text) => text.includes('admin@acme.test')) ?? ''
  t.match(line, first.url)
  t.match(line, /engine/)
})

test('a request for a name that is not of the demo is refused', async (t) => {
  const { port } = new URL(first.url)
  const statusFor = async (path: string) => {
    const headers = { host: `evil.test:${port}` }
    const [response] = await once(get({ host: '127.0.0.1', port, path, headers }), 'response')
    response.resume()
    return response.statusCode
  }
  for (const path of ['/', '/login', '/dev/mailbox/messages', '/admin/mailer/api/contacts']) {
    t.equal(await statusFor(path), 421, path)
  }
  t.equal(await statusFor('/health/ready'), 200)
})

test('every plugin is ready', async (t) => {
  const { plugins } = await getJson<{ plugins: { state: string }[] }>(`${first.url}/health/plugins`)
  t.same([...new Set(plugins.map(({ state }) => state))], ['ready'])
})

test('the sample data is there, and requests of the host are recorded', async (t) => {
  await fetch(`${first.url}/session`)
  const seeded = await recordsOf(first, 'service=seeded&limit=5', admin)
  t.equal(seeded.items.length, 5)
  const own = await until('the requests', 60_000, async () => {
    const { items } = await recordsOf(first, 'service=platform&name=http.request', admin)
    return items.length > 0 ? items : undefined
  })
  t.equal(own[0]?.name, 'http.request')
})

test('a trace that is posted to ingest can be read', async (t) => {
  const key = await mintKey(first, admin)
  const traceId = '5b8efff798038103d269b633813fc60c'
  const response = await fetch(`${first.url}/ingest/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(traceOf(traceId))
  })
  t.equal(response.status, 200)
  const { items } = await recordsOf(first, `traceId=${traceId}`, admin)
  t.same(
    items.map(({ name, service }) => [name, service]),
    [['otlp.span', 'outside']]
  )
})

test('another tenant sees none of it', async (t) => {
  const globex = await signIn(first.url, 'admin@globex.test')
  const { items } = await recordsOf(first, 'service=platform', globex)
  t.same(items, [])
})

test('the navigation names the tenant of the viewer, and the platform in words', async (t) => {
  for (const [email, name] of [
    ['admin@globex.test', 'Globex'],
    ['platform@keelson.test', 'All tenants']
  ] as const) {
    const nav = await getJson(`${first.url}/shell/nav`, await signIn(first.url, email))
    t.match(nav, { title: name, viewer: { tenantName: name } })
  }
})

test('a form signs in and leads on, but never away from this host', async (t) => {
  for (const [next, expected] of [
    ['/telemetry/events', '/telemetry/events'],
    ['//evil.test', '/'],
    ['https://evil.test', '/'],
    ['/\\evil.test', '/']
  ] as const) {
    const response = await fetch(`${first.url}/login`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: first.url },
      body: new URLSearchParams({ email: 'viewer@acme.test', password: PASSWORD, next })
    })
    t.equal(response.status, 303)
    t.equal(response.headers.get('location'), expected)
  }
})

test('a wrong password and an unknown person get one answer', async (t) => {
  for (const [email, password] of [
    ['admin@acme.test', 'wrong'],
    ['nobody@acme.test', PASSWORD]
  ]) {
    const response = await fetch(`${first.url}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password })
    })
    t.equal(response.status, 401)
    t.same(await response.json(), { error: 'invalid_credentials' })
  }
})

test('sign-out ends the session', async (t) => {
  const leaving = await signIn(first.url, 'viewer@acme.test')
  const session = await getJson<{ viewer: { email: string } }>(`${first.url}/session`, leaving)
  t.equal(session.viewer.email, 'viewer@acme.test')
  const out = await fetch(`${first.url}/logout`, { method: 'POST', headers: leaving })
  t.equal(out.status, 204)
  t.equal((await fetch(`${first.url}/session`, { headers: leaving })).status, 401)
})

test('a second start finds what was there', async (t) => {
  t.equal(await first.stop(), 0)
  const second = await startDemo(dataDir)
  t.teardown(() => second.stop())
  const { items } = await recordsOf(second, 'service=outside', admin)
  t.equal(items.length, 1)
})

test('with the password that everybody knows it stays on this machine', async (t) => {
  const { code, text } = await refusedDemo(dataDir, { HOST: '0.0.0.0' })
  t.equal(code, 1)
  for (const variable of PUBLISHED) t.match(text, variable)
})

test('empty secrets are not set, and a public address counts as reachable', async (t) => {
  const empty = Object.fromEntries(PUBLISHED.map((variable) => [variable, '']))
  const own = Object.fromEntries(
    PUBLISHED.map((variable) => [variable, `of-the-operator-${variable}`])
  )
  const all = await refusedDemo(dataDir, { KEELSON_PUBLIC_URL: 'https://demo.example', ...empty })
  t.equal(all.code, 1)
  for (const variable of PUBLISHED) t.match(all.text, variable)
  const one = await refusedDemo(dataDir, { HOST: '0.0.0.0', ...own, KEELSON_AGENT_TOKEN: '' })
  t.equal(one.code, 1)
  t.match(one.text, 'KEELSON_AGENT_TOKEN')
  t.notMatch(one.text, 'KEELSON_DEMO_PASSWORD')
})

test('an unknown role and a wrong port are refused by name', async (t) => {
  const role = await refusedDemo(dataDir, { KEELSON_ROLE: 'boss' })
  t.equal(role.code, 1)
  t.match(role.text, 'KEELSON_ROLE')
  const port = await refusedDemo(dataDir, { PORT: 'http' })
  t.equal(port.code, 1)
  t.match(port.text, 'PORT')
})

test('a worker serves only health and metrics', async (t) => {
  const worker = await startDemo(dataDir, { KEELSON_ROLE: 'worker' })
  t.teardown(async () => {
    await worker.stop()
    await rm(dataDir, { recursive: true, force: true, maxRetries: 40, retryDelay: 500 })
  })
  t.equal((await fetch(`${worker.url}/metrics`)).status, 200)
  for (const path of ['/', '/session', '/telemetry/api/registry', '/openapi.json']) {
    t.equal((await fetch(worker.url + path)).status, 404, path)
  }
})
