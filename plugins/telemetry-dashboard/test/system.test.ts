// The operations of the System page: counters for all, keys for admins, minting within the own tenant.
import { test } from 'tap'
import { ADMIN, ask, dashboardApp, fakeStore, PERSON, PLATFORM } from './fake-store.ts'

const KEY = {
  label: 'check',
  kind: 'secret',
  tenantMode: 'fixed',
  tenantId: 'acme',
  service: 'web',
  env: 'prod'
}
const REJECT = {
  at: '2025-06-15T12:00:00.000Z',
  name: 'x',
  reason: 'unregistered event',
  raw: { name: 'x', $odd: { 'a.b': 1 } },
  tenantId: 'acme'
}
const KEY_ROW = {
  ...KEY,
  id: 'tk_1',
  origins: [],
  allowedKinds: ['event'],
  allowedNames: null,
  maxPerMinute: 600,
  createdAt: '2025-06-15T12:00:00.000Z',
  lastUsedAt: null,
  revokedAt: null
}
const answers = {
  quarantine: [REJECT],
  indexCount: 14,
  listKeys: [KEY_ROW],
  createKey: { id: 'tk_2', key: 'sk_live_tk_2_x' },
  revokeKey: { revoked: 1 }
}

test('the system page tells anyone the counters, and admins the keys', async (t) => {
  const store = fakeStore(answers)
  const app = await dashboardApp(store)
  t.match((await ask(app, ADMIN, 'GET', '/system')).body, {
    counters: { rejected: 1 },
    quarantine: [REJECT],
    indexCount: 14,
    indexBudget: 24,
    keys: [KEY_ROW],
    role: 'admin'
  })
  t.match((await ask(app, PERSON, 'GET', '/system')).body, { keys: [], role: 'viewer' })
  t.equal(store.asked.filter(({ op }) => op === 'listKeys').length, 1)
  t.match(store.asked[0], { op: 'quarantine', scope: 'acme', params: 50 })
})

test('parts that cannot be read are named, and the others answer', async (t) => {
  const fail = () => {
    throw new Error('down')
  }
  const store = fakeStore({ ...answers, quarantine: fail, indexCount: fail, erasures: fail })
  const answer = await ask(await dashboardApp(store), ADMIN, 'GET', '/system')
  t.match([answer.status, answer.body], [200, { quarantine: [], indexCount: 0, indexBudget: 24 }])
  t.same(answer.body['unread'], ['quarantine', 'indexes', 'erasures'])
})

const ERASURE = {
  id: 'e1',
  at: '2025-06-15T12:00:00.000Z',
  tenantId: 'acme',
  pseudonym: 'erased:1',
  by: 'user:ann',
  did: { deleted: 3, redacted: 0, rollups: 1, left: 0 }
}
const BACKFILL = { family: 'daily', position: '2025-06-01T00:00:00.000Z', at: ERASURE.at }

test('erasures are listed for admins, backfills for those of the platform', async (t) => {
  const store = fakeStore({ ...answers, erasures: [ERASURE], backfills: [BACKFILL] })
  const app = await dashboardApp(store)
  t.match((await ask(app, ADMIN, 'GET', '/system')).body, { erasures: [ERASURE], backfills: [] })
  t.match((await ask(app, PERSON, 'GET', '/system')).body, { erasures: [], backfills: [] })
  t.match((await ask(app, PLATFORM, 'GET', '/system')).body, { backfills: [BACKFILL] })
})

test('admins of the platform see how much is sealed', async (t) => {
  const historyUse = {
    state: 'on',
    hotRows: 10,
    mirroredRows: 9,
    sealedRows: 90,
    segments: 2,
    bytes: 4000,
    cacheBytes: 4000,
    engine: 'duckdb',
    lastSealedAt: ERASURE.at,
    damaged: [{ from: ERASURE.at, to: ERASURE.at }]
  }
  const app = await dashboardApp(fakeStore({ ...answers, historyUse }))
  t.match((await ask(app, PLATFORM, 'GET', '/system')).body, { history: historyUse })
  t.match((await ask(app, ADMIN, 'GET', '/system')).body, { history: null })
})

test('a person is erased by an admin of the tenant who typed the person twice', async (t) => {
  const zero = { rollups: 1, captures: 0, aliases: 0, views: 0, rejects: 0, alerts: 0 }
  const receipt = {
    tenantId: 'acme',
    pseudonym: 'erased:1',
    linked: [{ ref: 'anon:x', from: null, to: null }],
    deleted: 3,
    redacted: 1,
    ...zero,
    remaining: { telemetry: 0 },
    proof: { telemetry: [{ subjectKeys: 'user:u1' }] },
    at: '2025-06-15T12:00:00.000Z'
  }
  const store = fakeStore({ ...answers, forget: receipt })
  const app = await dashboardApp(store)
  const erase = (viewer: typeof ADMIN, body: object) =>
    ask(app, viewer, 'POST', '/system/erasures', body)
  const typed = { subject: 'user:u1', confirm: 'user:u1' }
  const done = await erase(ADMIN, typed)
  t.match([done.status, done.body], [200, { deleted: 3, redacted: 1, remaining: { telemetry: 0 } }])
  t.notMatch(done.text, /u1|anon:x/, 'the answer names the person nowhere')
  t.same(store.asked, [
    {
      op: 'forget',
      scope: 'acme',
      params: { ref: 'user:u1', order: { byTenant: 'acme', by: 'user:ann' } }
    }
  ])
  t.equal((await erase(ADMIN, { ...typed, confirm: 'user:u2' })).status, 400)
  t.equal((await erase(ADMIN, { subject: 'user:u1' })).status, 400)
  t.equal((await erase(ADMIN, { ...typed, tenantId: 'globex' })).status, 403)
  t.equal((await erase(PERSON, typed)).status, 403)
  t.equal(store.asked.length, 1)
  t.equal((await erase(PLATFORM, { ...typed, tenantId: 'globex' })).status, 200)
  t.match(store.asked[1], { scope: 'globex', params: { order: { byTenant: '*' } } })
})

test('an admin mints a key of the own tenant', async (t) => {
  const store = fakeStore(answers)
  const app = await dashboardApp(store)
  const more = {
    origins: ['https://shop.example'],
    allowedKinds: ['error', 'event'],
    allowedNames: ['page.viewed'],
    maxPerMinute: 5
  }
  const answer = await ask(app, ADMIN, 'POST', '/system/keys', { ...KEY, ...more, evil: true })
  t.same([answer.status, answer.body], [201, { id: 'tk_2', key: 'sk_live_tk_2_x' }])
  t.same(store.asked, [
    { op: 'createKey', scope: '', params: { ...KEY, ...more, allowedKinds: ['event', 'error'] } }
  ])
})

test('only an admin mints, and only for the own tenant; the platform admin for any', async (t) => {
  const store = fakeStore(answers)
  const app = await dashboardApp(store)
  const mint = async (viewer: typeof ADMIN, more: object = {}) =>
    (await ask(app, viewer, 'POST', '/system/keys', { ...KEY, ...more })).status
  t.equal(await mint(PERSON), 403)
  t.equal(await mint(ADMIN, { tenantId: 'globex' }), 403)
  t.equal(await mint(ADMIN, { tenantMode: 'claimed', tenantId: undefined }), 403)
  t.equal(await mint(ADMIN, { tenantMode: 'session', tenantId: undefined }), 403)
  t.same(store.asked, [])
  t.equal(await mint(PLATFORM, { tenantId: 'globex' }), 201)
  t.equal(await mint(PLATFORM, { tenantMode: 'claimed', tenantId: undefined }), 201)
})

test('a key without tenant, or for the reserved one, is for the store to refuse', async (t) => {
  const createKey = () => {
    throw Object.assign(new Error('fixed keys need a tenant'), { status: 400 })
  }
  const app = await dashboardApp(fakeStore({ createKey }))
  for (const tenantId of [undefined, '*']) {
    const answer = await ask(app, ADMIN, 'POST', '/system/keys', { ...KEY, tenantId })
    t.match([answer.status, answer.body], [400, { error: 'fixed keys need a tenant' }])
  }
})

test('key options that cannot be right are refused by name', async (t) => {
  const store = fakeStore(answers)
  const app = await dashboardApp(store)
  const bad = [
    ['text', /^body /],
    [[], /^body /],
    [{ ...KEY, kind: 'master' }, /^kind /],
    [{ ...KEY, tenantMode: 'open' }, /^tenantMode /],
    [{ ...KEY, label: 7 }, /^label /],
    [{ ...KEY, service: undefined }, /^service /],
    [{ ...KEY, env: '' }, /^env /],
    [{ ...KEY, tenantId: { $ne: '' } }, /^tenantId /],
    [{ ...KEY, origins: 'https://a' }, /^origins /],
    [{ ...KEY, allowedKinds: ['logs'] }, /^allowedKinds\[0\] /],
    [{ ...KEY, allowedKinds: 'event' }, /^allowedKinds /],
    [{ ...KEY, allowedNames: ['x'.repeat(201)] }, /^allowedNames\[0\] /],
    [{ ...KEY, maxPerMinute: 0 }, /^maxPerMinute /],
    [{ ...KEY, maxPerMinute: '5' }, /^maxPerMinute /]
  ] as const
  for (const [body, error] of bad) {
    const answer = await ask(app, PLATFORM, 'POST', '/system/keys', JSON.stringify(body))
    t.match([answer.status, answer.body], [400, { error }], JSON.stringify(body))
  }
  t.same(store.asked, [])
})

test('an admin revokes within the own scope; anyone else is 403', async (t) => {
  const store = fakeStore(answers)
  const app = await dashboardApp(store)
  const refused = await ask(app, PERSON, 'POST', '/system/keys/tk_1/revoke')
  t.match([refused.status, refused.body], [403, { error: 'forbidden' }])
  t.same((await ask(app, ADMIN, 'POST', '/system/keys/tk_1/revoke')).body, { revoked: 1 })
  t.same(store.asked, [{ op: 'revokeKey', scope: 'acme', params: 'tk_1' }])
})
