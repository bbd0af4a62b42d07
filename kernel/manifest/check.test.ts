// The rules of plugin.json that a schema cannot say.
import { test } from 'tap'
import { sampleManifest, sampleRoute } from '../testing/sample-manifest.ts'
import { checkManifest } from './check.ts'

const problems = (more: Readonly<Record<string, unknown>>, id = 'alpha') => {
  const checked = checkManifest(sampleManifest(id, more), 'here')
  return checked.ok ? [] : checked.problems.map((problem) => [problem.code, problem.message])
}

const page = { id: 'main', element: 'alpha-main', module: './p.js', title: 'Main', role: 'viewer' }

test('a complete manifest is taken', async (t) => {
  const full = {
    requires: { base: '^1.0.0' },
    optional: { other: '*' },
    provides: ['alpha.store/v1'],
    uses: ['mail.send/v1', { capability: 'x.y/v1', optional: true }],
    extensionPoints: ['alpha.points/v1'],
    routes: [
      sampleRoute('GET', '/a'),
      { method: 'GET', at: '/.well-known/a', auth: 'public', summary: 'A' },
      sampleRoute('GET', '/b', { auth: 'bearer', scopes: ['b:read'] })
    ],
    collections: [
      { name: 'alpha', indexes: [] },
      { name: 'alpha_items', indexes: [] }
    ],
    jobs: [
      { name: 'sweep', every: '5 minutes' },
      { name: 'nightly', cron: '0 3 * * *' }
    ],
    queues: [{ name: 'items', collection: 'alpha_items' }],
    pages: [page],
    migrations: [{ id: '001-first', summary: 'First' }],
    scopes: ['b:read']
  }
  t.same(problems(full), [])
})

test('a value that is not a manifest is refused by its source', async (t) => {
  for (const raw of [null, 7, [], { id: '' }]) {
    const checked = checkManifest(raw, 'plugins[0]')
    t.match(checked, { ok: false, problems: [{ plugin: 'plugins[0]' }] })
  }
  t.match(checkManifest(null, 'x'), {
    problems: [{ message: /the content in plugin\.json must be/ }]
  })
})

test('versions and ranges must be semver', async (t) => {
  t.match(problems({ version: 'one' }), [['KRN_VERSION_INVALID', /"one"/]])
  t.match(problems({ kernel: 'newest' }), [['KRN_RANGE_INVALID', /kernel .*"newest"/]])
  t.match(problems({ requires: { a: 'x.y' } }), [['KRN_RANGE_INVALID', /requires\.a/]])
  t.match(problems({ optional: { a: 'x.y' } }), [['KRN_RANGE_INVALID', /optional\.a/]])
})

test('a kernel range that does not fit is refused with both versions', async (t) => {
  t.match(problems({ kernel: '^99.0.0' }), [['KRN_KERNEL_RANGE', /\^99\.0\.0.*1\.0\.0/]])
})

test('names of the kernel are taken', async (t) => {
  t.match(problems({}, 'kernel'), [['KRN_ID_RESERVED', /kernel/]])
})

test('a route has one address', async (t) => {
  const both = { ...sampleRoute('GET', '/a'), at: '/b' }
  const none = { method: 'GET', auth: 'public', summary: 'x' }
  t.match(problems({ routes: [sampleRoute('GET', '/x'), both] }), [
    ['KRN_ROUTE_ADDRESS', /routes\[1\]/]
  ])
  t.match(problems({ routes: [none] }), [['KRN_ROUTE_ADDRESS', /routes\[0\]/]])
})

test('scopes belong to routes of people and to bearer routes', async (t) => {
  t.match(problems({ routes: [sampleRoute('GET', '/a', { auth: 'bearer' })] }), [
    ['KRN_ROUTE_SCOPES', /routes\[0\]\.scopes .* is missing: the route is of band bearer/]
  ])
  for (const auth of ['public', 'machine'] as const) {
    t.match(problems({ routes: [sampleRoute('GET', '/a', { auth, scopes: ['a:read'] })] }), [
      ['KRN_ROUTE_SCOPES', new RegExp(`is of band ${auth}`)]
    ])
  }
  for (const auth of ['viewer', 'admin', 'bearer'] as const) {
    t.same(problems({ routes: [sampleRoute('GET', '/a', { auth, scopes: ['a:read'] })] }), [])
  }
})

test('a scope for reading opens no route that changes something', async (t) => {
  const problemsOf = (method: 'GET' | 'POST', scopes: string[], more: object = {}) =>
    problems({ routes: [sampleRoute(method, '/a', { auth: 'viewer', scopes, ...more })] })
  const refused = [['KRN_ROUTE_SCOPES', /only scopes for reading .* changes something/]]
  for (const scope of ['a:read', 'https://api.example/a.read', 'a:read-only', 'openid', 'a']) {
    t.match(problemsOf('POST', [scope]), refused, scope)
    t.match(problemsOf('POST', [scope], { auth: 'admin' }), refused, scope)
    t.match(problemsOf('GET', [scope], { effect: 'send' }), refused, 'the effect counts')
    t.same(problemsOf('GET', [scope]), [], scope)
    t.same(problemsOf('POST', [scope, 'a:write']), [], 'both are needed')
  }
  t.match(problemsOf('POST', ['a:read'], { id: 'a.b.c', effect: 'stop', auth: 'bearer' }), refused)
  t.same(problemsOf('POST', ['a:read'], { effect: 'read' }), [], 'a read with a body')
  t.same(problemsOf('POST', ['a:read', 'a:write'], { auth: 'bearer' }), [])
})

test('collections carry the prefix of their plugin', async (t) => {
  const named = (name: string, more = {}) =>
    problems({ collections: [{ name, indexes: [] }], ...more })
  t.match(named('other_items'), [['KRN_COLLECTION_PREFIX', /"other_items".*"alpha_"/]])
  t.match(named('alphabet'), [['KRN_COLLECTION_PREFIX', /alphabet/]])
  t.same(named('al_items', { collectionPrefix: 'al' }), [])
  t.same(named('al_items', { collectionPrefix: 'al_' }), [])
})

test('the index budget of a collection is held', async (t) => {
  const indexes = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => ({ name, keys: { [name]: 1 } }))
  t.match(problems({ collections: [{ name: 'alpha_items', indexes }] }), [
    ['KRN_INDEX_COUNT', /alpha_items.*\b7\b.*\b6\b/]
  ])
  t.same(problems({ collections: [{ name: 'alpha_items', indexes, indexBudget: 7 }] }), [])
})

test('documents expire by one key', async (t) => {
  const indexes = [{ name: 'a', keys: { a: 1, b: 1 }, ttlSeconds: 5 }]
  t.match(problems({ collections: [{ name: 'alpha_items', indexes }] }), [
    ['KRN_INDEX_TTL', /collections\[0\]\.indexes\[0\]/]
  ])
})

test('a job has one way to tell its times, and it can be read', async (t) => {
  const job = (more: object) => problems({ jobs: [{ name: 'sweep', ...more }] })
  t.match(job({}), [['KRN_JOB_TIMES', /jobs\[0\] .*needs one/]])
  t.match(job({ every: '1 hour', cron: '0 3 * * *' }), [['KRN_JOB_TIMES', /needs one/]])
  t.match(job({ every: '0 seconds' }), [['KRN_JOB_TIMES', /jobs\[0\]\.every/]])
  t.match(job({ cron: '0 3 * * * *' }), [['KRN_JOB_TIMES', /jobs\[0\]\.cron.*6 fields/]])
  t.match(job({ cron: '99 3 * * *' }), [['KRN_JOB_TIMES', /minute/]])
})

test('a queue names a declared collection', async (t) => {
  t.match(problems({ queues: [{ name: 'items', collection: 'alpha_items' }] }), [
    ['KRN_QUEUE_COLLECTION', /queues\[0\]\.collection.*alpha_items/]
  ])
})

test('an element starts with the id of the plugin', async (t) => {
  t.match(problems({ pages: [{ ...page, element: 'alphabet-main' }] }), [
    ['KRN_ELEMENT_PREFIX', /pages\[0\]\.element.*alphabet-main/]
  ])
})

test('the badge of a page is a declared GET route', async (t) => {
  const badged = { ...page, nav: { section: 'Alpha', badge: '/count' } }
  const routes = [sampleRoute('POST', '/count')]
  t.match(problems({ pages: [badged], routes }), [
    ['KRN_BADGE_ROUTE', /pages\[0\]\.nav\.badge.*\/count/]
  ])
  t.same(problems({ pages: [badged], routes: [...routes, sampleRoute('GET', '/count')] }), [])
})

test('nothing is declared twice', async (t) => {
  const twice: Record<string, unknown[]> = {
    routes: [sampleRoute('GET', '/a'), sampleRoute('GET', '/a')],
    jobs: [
      { name: 'a', every: '1 hour' },
      { name: 'a', every: '1 day' }
    ],
    pages: [page, { ...page, element: 'alpha-other' }],
    migrations: [
      { id: 'a', summary: 'x' },
      { id: 'a', summary: 'y' }
    ],
    provides: ['a.b/v1', 'a.b/v1'],
    uses: ['a.b/v1', { capability: 'a.b/v1' }],
    extensionPoints: ['a.b/v1', 'a.b/v1'],
    collections: [
      { name: 'alpha_a', indexes: [] },
      { name: 'alpha_a', indexes: [] }
    ]
  }
  for (const [key, list] of Object.entries(twice)) {
    t.match(problems({ [key]: list }), [['KRN_DUPLICATE', new RegExp(`${key}\\[1\\]`)]], key)
  }
})

test('the same path with another method is another route', async (t) => {
  t.same(problems({ routes: [sampleRoute('GET', '/a'), sampleRoute('POST', '/a')] }), [])
})
