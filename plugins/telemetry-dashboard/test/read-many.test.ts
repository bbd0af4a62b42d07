// Several reads in one request: each is answered as its own address answers, and none waits for another.
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { QueryError } from '@keelson/telemetry'
import { test } from 'tap'
import { dashboardOperations } from '../operations/dashboard-operations.ts'
import { MOST_READS, type ReadLine } from '../operations/read-many.ts'
import { ADMIN, ask, dashboardApp, fakeStore, PERSON } from './fake-store.ts'

const address = (...reads: readonly string[]) =>
  `/reads?${new URLSearchParams(reads.map((read) => ['read', read]))}`

const linesOf = (text: string): ReadLine[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ReadLine)
    .sort((a, b) => a.at - b.at)

/** What an operation must be asked with. */
const QUERY =
  'first=x&as=x&stages=x&stage=x&by=service&anchor=x&activity=x&steps=a,b&metric=x&did=x&limit=7'

const reads = dashboardOperations
  .filter(({ method, access }) => method === 'GET' && 'scopes' in access)
  .map(({ path }) => `${path.replace(/:\w+/, 'a%2Fb')}?${QUERY}`)

test('each read answers and asks of the store what its own address does', async (t) => {
  t.ok(reads.length > 15, `${reads.length} reads`)
  for (const read of reads) {
    const [alone, many] = [fakeStore(), fakeStore()]
    const own = await ask(await dashboardApp(alone), PERSON, 'GET', read.slice(4))
    const answer = await ask(await dashboardApp(many), PERSON, 'GET', address(read))
    t.same(linesOf(answer.text), [{ at: 0, status: own.status, body: own.body }], read)
    t.same(many.asked, alone.asked, read)
  }
})

test('each read is refused by itself, in its own words', async (t) => {
  const store = fakeStore({
    series: () => {
      throw new QueryError('too much')
    },
    activity: () => {
      throw new Error('10.0.0.7 said no')
    }
  })
  const app = await dashboardApp(store)
  const paths = ['/series', '/activity', '/records?limit=x', '/registry']
  const many = await ask(app, PERSON, 'GET', address(...paths.map((path) => `/api${path}`)))
  const lines = linesOf(many.text)
  t.same(
    lines.map(({ status }) => status),
    [400, 500, 400, 200]
  )
  for (const [at, path] of paths.entries())
    t.same(lines[at]?.body, (await ask(app, PERSON, 'GET', path)).body, path)
  t.notMatch(many.text, '10.0.0.7')
})

test('an address of something else than a read for viewers is not found', async (t) => {
  const app = await dashboardApp(fakeStore())
  const others = [
    '/api/reads?read=/api/registry',
    '/api/records/export?format=csv',
    '/api/../api/registry',
    '/api/trace/%E0%A4%A',
    'http://localhost/api/registry',
    '/telemetry/api/registry',
    ''
  ]
  const { text } = await ask(app, ADMIN, 'GET', address(...others))
  t.same(
    linesOf(text).map(({ status }) => status),
    others.map(() => 404)
  )
})

test('a request has a bounded number of reads, at least one, and a viewer', async (t) => {
  const app = await dashboardApp(fakeStore())
  const many = Array.from({ length: MOST_READS + 1 }, () => '/api/registry')
  t.equal((await ask(app, PERSON, 'GET', address(...many))).status, 400)
  t.equal((await ask(app, PERSON, 'GET', '/reads')).status, 400)
  t.equal((await ask(app, null, 'GET', address('/api/registry'))).status, 401)
  t.equal((await ask(app, PERSON, 'GET', address(...many.slice(1)))).status, 200)
})

test('a slow read holds no other, and ends with the request', async (t) => {
  const signals: AbortSignal[] = []
  const store = fakeStore({ series: () => new Promise(() => undefined) })
  const { queries } = store
  Object.defineProperty(store, 'queries', {
    value: new Proxy(queries, {
      get: (_target, op: keyof typeof queries) =>
        op === 'within'
          ? (signal: AbortSignal) => {
              signals.push(signal)
              return queries
            }
          : queries[op]
    })
  })
  const app = await dashboardApp(store, { viewerAdapter: { resolveViewer: () => PERSON } })
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(() => app.close())
  const url = `${app.listeningOrigin}/telemetry/api${address('/api/series', '/api/activity')}`
  const call = httpRequest(url).end()
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  const [line] = (await once(answer, 'data')) as [Buffer]
  t.match(linesOf(String(line)), [{ at: 1, status: 200 }])
  const [signal] = signals
  t.equal(signal?.aborted, false)
  const aborted = once(signal as AbortSignal, 'abort')
  call.destroy()
  await aborted
})
