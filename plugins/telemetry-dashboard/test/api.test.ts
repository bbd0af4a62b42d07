// The API over a store at the seam: what reaches the store, and what each request is answered.
import { QueryError } from '@keelson/telemetry'
import { test } from 'tap'
import { ADMIN, ask, dashboardApp, EMPTY, fakeStore, NOW, PERSON, PLATFORM } from './fake-store.ts'

const WEEK = { from: new Date('2025-06-08T12:00:00.000Z'), to: NOW }

const READS = [
  '/registry',
  '/records',
  '/series',
  '/distribution',
  '/activity',
  '/rollups?as=x',
  '/rollups/totals?as=x',
  '/trace/x',
  '/journey/user%3Ax',
  '/distinct?as=x',
  '/funnel?stages=x',
  '/subjects/describe',
  '/views',
  '/system'
]

test('without a viewer every route answers 401 as JSON, the unknown ones too', async (t) => {
  const app = await dashboardApp(fakeStore())
  const changes = [
    ['POST', '/views'],
    ['DELETE', '/views/x'],
    ['POST', '/system/keys'],
    ['POST', '/system/keys/x/revoke'],
    ['PUT', '/views'],
    ['GET', '/none'],
    ['GET', '']
  ] as const
  for (const [method, path] of [...READS.map((path) => ['GET', path] as const), ...changes]) {
    const answer = await ask(app, null, method, path)
    t.equal(answer.status, 401, `${method} ${path}`)
    t.match(answer.body, { error: 'unauthenticated', code: 'unauthenticated', message: String })
  }
})

test('a viewer without a tenant is refused', async (t) => {
  const app = await dashboardApp(fakeStore())
  for (const tenantId of ['', undefined, 7, null]) {
    const viewer = { tenantId, role: 'admin' } as unknown as typeof ADMIN
    t.equal((await ask(app, viewer, 'GET', '/registry')).status, 401)
  }
})

test('the gate comes before the body', async (t) => {
  const app = await dashboardApp(fakeStore())
  t.equal((await ask(app, null, 'POST', '/views', '{"spec":')).status, 401)
  t.equal((await ask(app, null, 'POST', '/views', 'x'.repeat(100_000))).status, 401)
})

test('a viewer adapter that throws is answered internal_error and nothing of its text', async (t) => {
  const app = await dashboardApp(fakeStore(), {
    viewerAdapter: {
      resolveViewer() {
        throw new Error('session store at 10.0.0.7 is down')
      }
    }
  })
  const answer = await ask(app, ADMIN, 'GET', '/registry')
  t.match([answer.status, answer.body], [500, { error: 'internal_error' }])
})

test('an unknown address or method is 404 as JSON, whatever Accept says', async (t) => {
  const app = await dashboardApp(fakeStore())
  for (const [method, path] of [
    ['GET', '/none'],
    ['GET', ''],
    ['GET', '/'],
    ['PUT', '/views'],
    ['POST', '/records'],
    ['DELETE', '/views']
  ] as const) {
    const answer = await ask(app, PERSON, method, path)
    t.match([answer.status, answer.body], [404, { error: 'not_found' }], `${method} ${path}`)
  }
  const html = await app.inject({
    url: '/telemetry/api/none',
    headers: { accept: 'text/html', 'x-viewer': JSON.stringify(PERSON) }
  })
  t.match(html.headers['content-type'], /^application\/json/)
})

test('answers are not cached', async (t) => {
  const app = await dashboardApp(fakeStore())
  t.equal((await ask(app, PERSON, 'GET', '/registry')).headers['cache-control'], 'no-store')
})

test('the registry tells the kinds, the role, the scope and whether it is the platform', async (t) => {
  const app = await dashboardApp(fakeStore())
  t.match((await ask(app, PERSON, 'GET', '/registry')).body, {
    kinds: ['event', 'error', 'span', 'state', 'usage'],
    role: 'viewer',
    scope: 'acme',
    platform: false,
    registry: { 'page.viewed': { kind: 'event' } }
  })
  t.match((await ask(app, PLATFORM, 'GET', '/registry?scope=acme&tenantId=acme')).body, {
    scope: '*',
    platform: true
  })
})

test('each read reaches the store in the scope of the viewer, with its range and caps', async (t) => {
  const range = 'from=2025-06-01T00:00:00Z&to=2025-06-02T00:00:00Z'
  const given = { from: new Date('2025-06-01T00:00:00Z'), to: new Date('2025-06-02T00:00:00Z') }
  const cases = [
    ['/records', 'records', { ...WEEK, filters: {}, limit: 200 }],
    [
      `/records?${range}&kind=event&attrs=a:b&limit=5&cursor=abc`,
      'records',
      {
        ...given,
        filters: { kind: 'event', attrs: new Map([['a', 'b']]) },
        limit: 5,
        cursor: 'abc'
      }
    ],
    ['/series', 'series', { ...WEEK, filters: {}, interval: 'day', measure: 'count' }],
    [
      '/series?interval=week&measure=sum:load_ms',
      'series',
      { ...WEEK, filters: {}, interval: 'week', measure: 'sum:load_ms' }
    ],
    ['/distribution?measure=load_ms', 'distribution', { ...WEEK, filters: {}, measure: 'load_ms' }],
    ['/activity?groupBy=kind,name', 'activity', { ...WEEK, groupBy: ['kind', 'name'] }],
    ['/rollups?as=x', 'rollups', { as: 'x', limit: 500 }],
    [
      `/rollups?as=x&dims=a&dims=b&on=firstAt&sort=count&${range}`,
      'rollups',
      { as: 'x', limit: 500, dims: ['a', 'b'], on: 'firstAt', sort: 'count', ...given }
    ],
    ['/rollups/totals?as=x', 'rollupTotals', { as: 'x', ...WEEK, limit: 500 }],
    [`/rollups/totals?as=x&limit=5&${range}`, 'rollupTotals', { as: 'x', limit: 5, ...given }],
    ['/trace/ab%2Fcd', 'trace', ['ab/cd', 500]],
    [
      `/journey/${'user%3Ax'.repeat(30)}`,
      'journey',
      { ...WEEK, ref: 'user:x'.repeat(30), limit: 500 }
    ],
    ['/distinct?as=x&interval=month', 'distinctCount', { as: 'x', ...WEEK, interval: 'month' }],
    [
      '/funnel?stages=a,b&exits=c&anchor=b&endInclusive=true&interval=week&limit=9',
      'funnel',
      {
        stages: ['a', 'b'],
        exits: ['c'],
        ...WEEK,
        endInclusive: true,
        limit: 9,
        anchor: 'b',
        interval: 'week'
      }
    ]
  ] as const
  for (const [path, op, params] of cases) {
    const store = fakeStore()
    const app = await dashboardApp(store)
    const answer = await ask(app, PERSON, 'GET', path)
    t.equal(answer.status, 200, path)
    t.same(store.asked, [{ op, scope: 'acme', params }], path)
    t.same(answer.body, EMPTY[op], path)
  }
})

test('caps of the host take the place of the defaults', async (t) => {
  const store = fakeStore()
  const app = await dashboardApp(store, { queryLimits: { records: 3, trace: 4 } })
  await ask(app, PERSON, 'GET', '/records?limit=100')
  await ask(app, PERSON, 'GET', '/trace/x')
  t.match(store.asked, [{ params: { limit: 3 } }, { params: ['x', 4] }])
})

test('what cannot be read is 400 and never reaches the store', async (t) => {
  const store = fakeStore()
  const app = await dashboardApp(store)
  const cases = [
    ['/records?limit=many', /limit/],
    ['/records?from=x', 'invalid time range'],
    ['/records?attrs=x', /attrs/],
    ['/series?interval=second', /interval/],
    ['/series?measure=median:a', /measure/],
    ['/distribution?to=2025-13-45', 'invalid time range'],
    ['/activity?groupBy=attrs', /groupBy/],
    ['/activity?groupBy=a,b,c,d,e', /groupBy/],
    ['/rollups', 'rollup family required'],
    ['/rollups?as=', 'rollup family required'],
    ['/rollups?as=x&as=y', 'rollup family required'],
    ['/rollups?as=x&dims[$gt]=a', /^dims /],
    ['/rollups?as=x&on=expiresAt', /^on /],
    ['/rollups?as=x&sort=dims', /sort/],
    ['/journey/x?limit=0', /limit/],
    ['/distinct', 'rollup family required'],
    ['/distinct?as=x&interval=minute', /interval/],
    ['/funnel', 'funnel stages required'],
    ['/funnel?stages=%20,%20', 'funnel stages required'],
    ['/funnel?stages=a&interval=hour', /interval/],
    ['/funnel?stages=a&endInclusive=perhaps', /endInclusive/],
    [`/funnel?stages=${Array.from({ length: 21 }, (_, i) => `s${i}`)}`, /stages/]
  ] as const
  for (const [path, error] of cases) {
    const answer = await ask(app, PERSON, 'GET', path)
    t.equal(answer.status, 400, path)
    t.match(answer.body, { error }, path)
  }
  t.same(store.asked, [])
})

test('an error with a status is answered with it, word for word', async (t) => {
  const refuse = () => {
    throw new QueryError('family "x" is BUCKETED')
  }
  const app = await dashboardApp(fakeStore({ distinctCount: refuse }))
  const answer = await ask(app, PERSON, 'GET', '/distinct?as=x')
  t.match([answer.status, answer.body], [400, { error: 'family "x" is BUCKETED' }])
})

test('an error without a status, or with 500, is internal_error', async (t) => {
  const raised = [
    new Error('connection to 10.0.0.7 lost'),
    Object.assign(new Error('secret'), { status: 500 }),
    Object.assign(new Error('secret'), { status: 200 }),
    'text'
  ]
  for (const error of raised) {
    const series = () => {
      throw error
    }
    const app = await dashboardApp(fakeStore({ series }))
    const answer = await ask(app, PERSON, 'GET', '/series')
    t.match([answer.status, answer.body], [500, { error: 'internal_error' }])
  }
})

test('a body that is not JSON, is too large, or is of another type is answered as JSON', async (t) => {
  const app = await dashboardApp(fakeStore())
  const broken = await ask(app, PERSON, 'POST', '/views', '{"spec":')
  t.equal(broken.status, 400)
  t.type(broken.body['error'], 'string')
  const large = await ask(app, PERSON, 'POST', '/views', { spec: 'x'.repeat(70_000) })
  t.equal(large.status, 413)
  t.type(large.body['error'], 'string')
  const other = await app.inject({
    method: 'POST',
    url: '/telemetry/api/views',
    headers: { 'x-viewer': JSON.stringify(PERSON), 'content-type': 'application/xml' },
    payload: '<a/>'
  })
  t.equal(other.statusCode, 415)
  t.type(other.json().error, 'string')
})

test('subjects have no names without an adapter', async (t) => {
  const app = await dashboardApp(fakeStore())
  t.same((await ask(app, PERSON, 'GET', '/subjects/describe?refs=user:a')).body, { refs: {} })
})

test('the adapter is asked for a hundred refs at most, and only those are answered', async (t) => {
  const seen: (readonly string[])[] = []
  const app = await dashboardApp(fakeStore(), {
    subjectAdapter: {
      async describe(refs) {
        seen.push(refs)
        return {
          'user:u0': { label: 'Ann', href: '/people/0' },
          'user:u1': { label: 'Ben', href: 'javascript:alert(1)' },
          'user:u2': { label: 7 } as unknown as { label: string },
          'user:other': { label: 'not asked for' }
        }
      }
    }
  })
  const refs = Array.from({ length: 130 }, (_, i) => `user:u${i}`)
  const answer = await ask(app, PERSON, 'GET', `/subjects/describe?refs=${refs}`)
  t.same(answer.body, {
    refs: { 'user:u0': { label: 'Ann', href: '/people/0' }, 'user:u1': { label: 'Ben' } }
  })
  t.equal(seen[0]?.length, 100)
})

test('an adapter that throws is internal_error; one that answers nothing is an empty map', async (t) => {
  const failing = await dashboardApp(fakeStore(), {
    subjectAdapter: { describe: () => Promise.reject(new Error('crm is down')) }
  })
  const answer = await ask(failing, PERSON, 'GET', '/subjects/describe?refs=user:a')
  t.match([answer.status, answer.body], [500, { error: 'internal_error' }])
  const silent = await dashboardApp(fakeStore(), {
    subjectAdapter: { describe: async () => null as unknown as Record<string, never> }
  })
  t.same((await ask(silent, PERSON, 'GET', '/subjects/describe?refs=user:a')).body, { refs: {} })
})

test('the number beside Alerts counts the enabled rules that fire', async (t) => {
  const rules = [
    { enabled: true, state: 'firing' },
    { enabled: false, state: 'firing' },
    { enabled: true, state: 'resolved' },
    { enabled: true, state: 'ok' }
  ]
  const store = fakeStore({ 'alerts.list': { rules } })
  const app = await dashboardApp(store)
  t.teardown(() => app.close())
  t.match(await ask(app, PERSON, 'GET', '/alerts/firing'), { status: 200, body: { count: 1 } })
  t.equal(store.asked[0]?.scope, PERSON.tenantId)
  t.equal((await ask(app, null, 'GET', '/alerts/firing')).status, 401)
})
