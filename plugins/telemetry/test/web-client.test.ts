// The web client in the system's Chromium, against a real ingest.
import { gzipSync } from 'node:zlib'
import { testDatabase } from '@keelson/sdk/testing'
import { browserOptions, closeBrowser, openPage } from '@keelson/ui/testing'
import Fastify from 'fastify'
import type { Page } from 'playwright-core'
import tap, { type Test, test } from 'tap'
import { randomHex } from '../clients/identifiers.ts'
import type { WebOptions, WebTelemetry } from '../clients/web/index.ts'
import { createOutbox } from '../clients/web/outbox.ts'
import { createStored, type PageStorage } from '../clients/web/stored.ts'
import type { RegistrySpec } from '../contracts/telemetry-registry.ts'
import { createIngest } from '../create-ingest.ts'
import { createTelemetry } from '../create-telemetry.ts'
import { webBundle } from './web-bundle.ts'

const MOST_BYTES = 4096

const REGISTRY = {
  'page.viewed': {
    kind: 'event',
    origin: 'client',
    attrs: ['path', 'session'],
    rollups: [{ as: 'pages', by: ['attr:path'] }]
  },
  'session.started': { kind: 'event', origin: 'client', attrs: ['session'] },
  'page.left': {
    kind: 'event',
    origin: 'client',
    attrs: ['path', 'session'],
    metrics: ['ttfb_ms', 'fcp_ms', 'lcp_ms', 'inp_ms', 'cls']
  },
  'page.call': { kind: 'span', origin: 'any', attrs: ['session'] },
  'app.error': { kind: 'error', origin: 'any', attrs: ['session'] }
} as const satisfies RegistrySpec

const PAGE = `<!doctype html><h1>Shop</h1><script type="module">
import { createWebTelemetry } from '/client.js'
Object.assign(window, { createWebTelemetry })
</script>`

tap.teardown(closeBrowser)

let bundled: Promise<string> | undefined
async function open(t: Test, options: Partial<WebOptions> = {}, init?: string) {
  const { db } = await testDatabase(t)
  const telemetry = createTelemetry({ registry: REGISTRY, connection: db, gatherMs: 0 })
  bundled ??= webBundle()
  const code = await bundled
  const app = Fastify({ forceCloseConnections: true })
  await app.register(createIngest({ telemetry }), { prefix: '/ingest' })
  app.get('/client.js', (_request, reply) => reply.type('text/javascript').send(code))
  app.get('/', (_request, reply) => reply.type('text/html').send(PAGE))
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const { key } = await telemetry.createKey({
    kind: 'publishable',
    tenantMode: 'fixed',
    tenantId: 'acme',
    service: 'web',
    env: 'dev',
    origins: [address]
  })
  t.teardown(async () => {
    await app.close()
    await telemetry.close()
  })
  const { page } = await openPage(t)
  if (init !== undefined) await page.addInitScript(init)
  const rows = () => db.collection('telemetry').find().sort({ occurredAt: 1 }).toArray()
  const rowsWhen = async (isEnough: (count: number) => boolean) => {
    for (;;) {
      const found = await rows()
      if (isEnough(found.length)) return found
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
  }
  const settings = { url: '/ingest', key, release: 'web@1', flushMs: 600_000, ...options }
  const start = (page: Page) => startClient(page, settings)
  await page.goto(address)
  await start(page)
  return { db, rows, rowsWhen, start, page }
}

async function startClient(page: Page, settings: WebOptions): Promise<void> {
  await page.waitForFunction('window.createWebTelemetry')
  await page.evaluate(`window.client = createWebTelemetry(${JSON.stringify(settings)})`)
}

/** Runs in the page: `client` is there. */
const act = <T>(page: Page, fn: (client: WebTelemetry) => T | Promise<T>): Promise<T> =>
  page.evaluate(`(${fn.toString()})(window.client)`) as Promise<T>

test('the web client is at most 4 kB compressed', async (t) => {
  const bytes = gzipSync(await webBundle(), { level: 9 }).length
  t.ok(bytes <= MOST_BYTES, `${bytes} bytes`)
})

const waitingRecord = () => ({ _id: randomHex(10), name: 'page.viewed', occurredAt: Date.now() })

/** An outbox as of a page that is offline, and where it stores. */
function offlineOutbox(kept: Map<string, string>, onError?: (error: unknown) => void) {
  const writes: string[] = []
  const storage: PageStorage = {
    get length() {
      return kept.size
    },
    key: (at) => [...kept.keys()][at] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem(key, value) {
      writes.push(key)
      kept.set(key, value)
    },
    removeItem: (key) => void kept.delete(key)
  }
  const outbox = createOutbox({
    stored: createStored(storage, 'keelson:pk:', 'here'),
    address: '/ingest',
    credentials: 'omit',
    release: undefined,
    maxQueued: 1000,
    onError
  })
  return { outbox, writes }
}

test('what a page takes over from an earlier visit is stored at once, in case it crashes', async (t) => {
  const waiting = JSON.stringify([waitingRecord()])
  const kept = new Map([['keelson:pk:q:gone', waiting]])
  offlineOutbox(kept)
  t.same([...kept], [['keelson:pk:q:here', waiting]])
})

test('records that cannot be sent now are not all stored again for each that follows', async (t) => {
  const former = Object.getOwnPropertyDescriptor(globalThis, 'navigator')
  Object.defineProperty(globalThis, 'navigator', { value: { onLine: false }, configurable: true })
  t.teardown(() => {
    if (former === undefined) Reflect.deleteProperty(globalThis, 'navigator')
    else Object.defineProperty(globalThis, 'navigator', former)
  })
  const { outbox, writes } = offlineOutbox(new Map())
  for (let n = 0; n < 150; n++) {
    outbox.add(waitingRecord())
    await Promise.resolve()
  }
  outbox.clear()
  t.same(writes, [])
})

test('a page sends within the bytes of a batch, hears of refusals, and keeps what a dead key drops', async (t) => {
  const former = Object.getOwnPropertyDescriptor(globalThis, 'navigator')
  Object.defineProperty(globalThis, 'navigator', {
    value: { onLine: true, userAgent: 'x', language: 'en' },
    configurable: true
  })
  const bodies: string[] = []
  const answers = [
    { accepted: 40, rejected: 3 },
    { accepted: 0, rejected: 0 },
    { accepted: 0, rejected: 0 }
  ]
  const { fetch } = globalThis
  Object.assign(globalThis, {
    innerWidth: 1,
    innerHeight: 1,
    fetch: async (_url: string, { body }: { body: string }) => {
      bodies.push(body)
      return Response.json(answers.shift(), { status: 202 })
    }
  })
  t.teardown(() => {
    Object.assign(globalThis, { fetch })
    if (former !== undefined) Object.defineProperty(globalThis, 'navigator', former)
  })
  const problems: string[] = []
  const { outbox } = offlineOutbox(new Map(), (error) => problems.push((error as Error).message))
  const records = Array.from({ length: 99 }, () => ({ ...waitingRecord(), body: 'x'.repeat(8000) }))
  for (const record of records) outbox.add(record)
  await outbox.flush()
  t.equal(bodies.length, 2)
  for (const body of bodies) t.ok(Buffer.byteLength(body) < 410_000)
  t.match(problems, [/^ingest refused 3 of \d+ records$/, /\d+ records wait/])
  outbox.hurry()
  await outbox.flush()
  const idsOf = (body: string) =>
    (JSON.parse(body).records as { _id: string }[]).map(({ _id }) => _id)
  t.same(idsOf(bodies[2] ?? ''), idsOf(bodies[1] ?? ''))
  outbox.clear()
})

test('events, errors and spans arrive with who, session and release', browserOptions, async (t) => {
  const { page, rows } = await open(t, { sessionName: 'session.started', sessionAttr: 'session' })
  await act(page, (client) => client.track('page.viewed', { attrs: { path: '/' } }))
  await page.evaluate(() => {
    setTimeout(() => {
      throw new RangeError('too far')
    })
  })
  await page.evaluate(() => void Promise.reject(new TypeError('no answer')))
  await act(page, (client) => {
    const span = client.startSpan('page.call')
    span.end()
    span.end()
    client.captureError('plain text')
  })
  await page.waitForFunction(() => true)
  await act(page, (client) => client.flush())
  const found = await rows()
  t.same(found.map(({ name }) => name).sort(), [
    'app.error',
    'app.error',
    'app.error',
    'page.call',
    'page.viewed',
    'session.started'
  ])
  const session = await act(page, (client) => client.sessionId)
  for (const row of found) {
    t.match(row, {
      release: 'web@1',
      attrs: { session },
      subjectKeys: [/^anon:[0-9a-f]{24}$/],
      client: { platform: 'web' }
    })
  }
  const errors = found.filter(({ name }) => name === 'app.error').map(({ error }) => error)
  t.match(
    errors.find(({ type }) => type === 'RangeError'),
    { message: 'too far', handled: false, frames: [{}] }
  )
  t.match(
    errors.find(({ type }) => type === 'TypeError'),
    { message: 'no answer', handled: false }
  )
  t.match(
    errors.find(({ type }) => type === 'Error'),
    { message: 'plain text', handled: true }
  )
  t.match(
    found.find(({ name }) => name === 'page.call'),
    { traceId: /^[0-9a-f]{32}$/, spanId: /^[0-9a-f]{16}$/, durationMs: Number }
  )
})

test(
  'records wait through a dead network and a reload, and arrive once',
  browserOptions,
  async (t) => {
    const { page, rowsWhen, rows, start } = await open(t)
    await page.route('**/ingest*', (route) => route.abort())
    await act(page, async (client) => {
      client.track('page.viewed', { attrs: { path: '/a' } })
      await client.flush()
      client.track('page.viewed', { attrs: { path: '/b' } })
    })
    await page.reload()
    await page.unroute('**/ingest*')
    await start(page)
    await act(page, (client) => client.flush())
    t.equal((await rowsWhen((count) => count >= 2)).length, 2)
    await page.reload()
    await start(page)
    await act(page, (client) => client.flush())
    t.equal((await rows()).length, 2)
  }
)

test(
  'what the server cannot take now is sent again with the same ids, not before it asks',
  browserOptions,
  async (t) => {
    const { page, rows } = await open(t)
    const bodies: string[] = []
    await page.route('**/ingest*', async (route) => {
      bodies.push(route.request().postData() ?? '')
      if (bodies.length > 1) return route.continue()
      return route.fulfill({ status: 503, headers: { 'retry-after': '60' }, body: '{}' })
    })
    await act(page, async (client) => {
      client.track('page.viewed', { attrs: { path: '/' } })
      await client.flush()
      await client.flush()
    })
    t.equal(bodies.length, 1, 'Retry-After is kept')
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await act(page, (client) => client.flush())
    const idOf = (body: string | undefined) => JSON.parse(body ?? '{}').records[0]._id as string
    t.equal(idOf(bodies[1]), idOf(bodies[0]))
    t.equal((await rows()).length, 1)
  }
)

test(
  'a page that is left sends what waits by beacon, vitals included',
  browserOptions,
  async (t) => {
    const { page, rowsWhen, db } = await open(t, { vitalsName: 'page.left' })
    await act(page, (client) => client.track('page.viewed', { attrs: { path: '/' } }))
    await page.goto('about:blank')
    const found = await rowsWhen((count) => count === 2)
    t.match(
      found.find(({ name }) => name === 'page.left'),
      { attrs: { path: '/' }, metrics: { ttfb_ms: Number } }
    )
    t.equal((await db.collection('telemetry_rollups').findOne({ as: 'pages' }))?.['count'], 1)
  }
)

test(
  'who is identified keeps the way that led there; signing out begins anew',
  browserOptions,
  async (t) => {
    const { page, rows, db } = await open(t)
    await act(page, async (client) => {
      client.track('page.viewed', { attrs: { path: '/' } })
      client.identify('user:u7')
      client.identify('user:u7')
      client.track('page.viewed', { attrs: { path: '/in' } })
      client.reset()
      client.track('page.viewed', { attrs: { path: '/out' } })
      await client.flush()
    })
    const found = await rows()
    const refs = ['/', '/in', '/out'].map(
      (path) => found.find(({ attrs }) => attrs.path === path)?.['subjectKeys'][0] as string
    )
    t.match(refs[0], /^anon:/)
    t.equal(refs[1], 'user:u7')
    t.match(refs[2], /^anon:/)
    t.not(refs[2], refs[0])
    const aliases = await db.collection('telemetry_aliases').find().toArray()
    t.match(aliases, [{ anonRef: refs[0], userRef: 'user:u7' }])
  }
)

test(
  'without consent nothing is collected or stored; taking it back clears what was',
  browserOptions,
  async (t) => {
    const { page, rows } = await open(t, { consent: false })
    const stored = () => page.evaluate(() => localStorage.length)
    await act(page, async (client) => {
      client.track('page.viewed', { attrs: { path: '/' } })
      client.identify('user:u1')
      await client.flush()
    })
    t.equal(await stored(), 0)
    await act(page, async (client) => {
      client.setConsent(true)
      client.track('page.viewed', { attrs: { path: '/yes' } })
      client.setConsent(false)
      await client.flush()
    })
    t.equal(await stored(), 0)
    t.same(await rows(), [])
  }
)

test(
  'Global Privacy Control counts as no consent, unless the host decides otherwise',
  browserOptions,
  async (t) => {
    const init = 'Object.defineProperty(navigator, "globalPrivacyControl", { value: true })'
    for (const [respectDoNotTrack, count] of [
      [true, 0],
      [false, 1]
    ] as const) {
      const { page, rows } = await open(t, { respectDoNotTrack }, init)
      await act(page, async (client) => {
        client.track('page.viewed', { attrs: { path: '/' } })
        await client.flush()
      })
      t.equal((await rows()).length, count)
    }
  }
)

test('the queue is bounded and drops its oldest', browserOptions, async (t) => {
  const { page, rows } = await open(t, { maxQueued: 5 })
  await page.route('**/ingest*', (route) => route.abort())
  await act(page, async (client) => {
    for (let n = 0; n < 12; n++) client.track('page.viewed', { attrs: { path: `/${n}` } })
    await client.flush()
  })
  await page.unroute('**/ingest*')
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await act(page, (client) => client.close())
  t.same((await rows()).map(({ attrs }) => attrs.path).sort(), ['/10', '/11', '/7', '/8', '/9'])
})
