// The System routes: counters for all, keys for admins, minting within the own tenant.
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

test('what cannot be read of quarantine and indexes is left out', async (t) => {
  const fail = () => {
    throw new Error('down')
  }
  const app = await dashboardApp(fakeStore({ ...answers, quarantine: fail, indexCount: fail }))
  const answer = await ask(app, ADMIN, 'GET', '/system')
  t.match([answer.status, answer.body], [200, { quarantine: [], indexCount: 0, indexBudget: 24 }])
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
    ['text', 'key options required'],
    [[], 'key options required'],
    [{ ...KEY, kind: 'master' }, /^kind /],
    [{ ...KEY, tenantMode: 'open' }, /^tenantMode /],
    [{ ...KEY, label: 7 }, /^label /],
    [{ ...KEY, service: undefined }, /^service /],
    [{ ...KEY, env: '' }, /^env /],
    [{ ...KEY, tenantId: { $ne: '' } }, /^tenantId /],
    [{ ...KEY, origins: 'https://a' }, /^origins /],
    [{ ...KEY, allowedKinds: ['logs'] }, /^allowedKinds /],
    [{ ...KEY, allowedKinds: 'event' }, /^allowedKinds /],
    [{ ...KEY, allowedNames: ['x'.repeat(201)] }, /^allowedNames /],
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
