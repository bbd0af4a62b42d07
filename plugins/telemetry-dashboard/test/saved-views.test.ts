// Saving, listing and deleting views over the API, by scope and owner.
import type { Viewer } from '@keelson/sdk'
import { test } from 'tap'
import { ADMIN, ask, dashboardApp, fakeStore, PERSON, PLATFORM } from './fake-store.ts'

const spec = {
  name: 'mine',
  page: 'events',
  query: { range: '24h', filters: {}, display: 'table' }
}
const GLOBEX: Viewer = { tenantId: 'globex', role: 'admin', viewerRef: 'user:gil' }

async function setUp() {
  const store = fakeStore()
  const app = await dashboardApp(store)
  return {
    store,
    save: async (viewer: Viewer, shared: boolean, more: object = {}) =>
      ask(app, viewer, 'POST', '/views', { spec: { ...spec, ...more }, shared }),
    list: async (viewer: Viewer) => {
      const { body } = await ask(app, viewer, 'GET', '/views')
      return (body['views'] as Record<string, unknown>[]).filter(
        (view) => view['origin'] === 'saved'
      )
    },
    change: (viewer: Viewer, id: unknown, body: unknown) =>
      ask(app, viewer, 'PATCH', `/views/${id}`, body),
    remove: (viewer: Viewer, id: unknown) => ask(app, viewer, 'DELETE', `/views/${id}`)
  }
}

test('a saved view comes back as it was, to its owner alone', async (t) => {
  const { save, list } = await setUp()
  const { status, body } = await save(PERSON, false)
  t.equal(status, 200)
  t.same(await list(PERSON), [
    {
      ...spec,
      id: body['id'],
      origin: 'saved',
      ownerRef: 'user:bob',
      shared: false,
      tenantId: 'acme'
    }
  ])
  for (const viewer of [ADMIN, GLOBEX, PLATFORM]) t.same(await list(viewer), [])
})

test('a shared view is seen by everyone of its scope, and by no other scope', async (t) => {
  const { save, list } = await setUp()
  await save(PERSON, true)
  await save(PLATFORM, true, { name: 'platform' })
  t.match(await list(ADMIN), [{ name: 'mine' }])
  t.match(await list(PLATFORM), [{ name: 'platform' }])
  t.same(await list(GLOBEX), [])
})

test('a viewer without identity saves shared views only', async (t) => {
  const { save, list } = await setUp()
  const nobody: Viewer = { tenantId: 'acme', role: 'viewer' }
  const refused = await save(nobody, false)
  t.match([refused.status, refused.body], [400, { error: 'private views need a viewer identity' }])
  t.equal((await save(nobody, true)).status, 200)
  t.match(await list(nobody), [{ ownerRef: null, shared: true }])
})

test('a viewerRef that is empty or not text is not an identity', async (t) => {
  const { save, list } = await setUp()
  for (const viewerRef of ['', ' ', 5, null] as string[]) {
    const viewer: Viewer = { tenantId: 'acme', role: 'viewer', viewerRef }
    const { status, body } = await save(viewer, false)
    t.match([status, body], [400, { error: 'private views need a viewer identity' }])
    t.equal((await save(viewer, true)).status, 200)
    t.match((await list(viewer)).at(-1), { ownerRef: null })
  }
})

test('a view without an owner is not the own one of a viewer without identity', async (t) => {
  const { save, remove } = await setUp()
  const nobody: Viewer = { tenantId: 'acme', role: 'viewer' }
  const { body } = await save(nobody, true)
  t.equal((await remove(nobody, body['id'])).status, 403)
})

test('keys of a query may be anything JSON can hold', async (t) => {
  const { save, list } = await setUp()
  const query = { $where: '1', 'a.b': { 'nul\0': [1, null] }, constructor: 'x' }
  t.equal((await save(PERSON, false, { query })).status, 200)
  t.same((await list(PERSON))[0]?.['query'], query)
})

test('deleting goes by scope, then owner, then role', async (t) => {
  const { save, remove } = await setUp()
  const id = (await save(PERSON, true)).body['id']
  t.same((await remove(PERSON, 'none')).body, { removed: 0 })
  for (const viewer of [GLOBEX, PLATFORM]) t.same((await remove(viewer, id)).body, { removed: 0 })
  const other = await remove({ ...PERSON, viewerRef: 'user:eve' }, id)
  t.match([other.status, other.body], [403, { error: 'forbidden' }])
  t.same((await remove(PERSON, id)).body, { removed: 1 })
  t.same((await remove(PERSON, id)).body, { removed: 0 })
  const again = (await save(PERSON, false)).body['id']
  t.same((await remove(ADMIN, again)).body, { removed: 1 })
})

test('a DELETE with a JSON header and no body is taken', async (t) => {
  const store = fakeStore()
  const app = await dashboardApp(store)
  const response = await app.inject({
    method: 'DELETE',
    url: '/telemetry/api/views/none',
    headers: { 'x-viewer': JSON.stringify(PERSON), 'content-type': 'application/json' }
  })
  t.same([response.statusCode, response.json()], [200, { removed: 0 }])
})

test('a view is renamed, shared and saved again by its owner or an admin', async (t) => {
  const { save, change, list } = await setUp()
  const id = (await save(PERSON, false)).body['id']
  t.same((await change(PERSON, id, { name: 'ours', shared: true })).body, { changed: 1 })
  t.match(await list(ADMIN), [{ name: 'ours', shared: true, query: { range: '24h' } }])
  t.same((await change(ADMIN, id, { query: { range: '7d' } })).body, { changed: 1 })
  t.match(await list(PERSON), [{ name: 'ours', query: { range: '7d' } }])
  const other = await change({ ...PERSON, viewerRef: 'user:eve' }, id, { name: 'x' })
  t.match([other.status, other.body], [403, { error: 'forbidden' }])
  for (const viewer of [GLOBEX, PLATFORM]) {
    t.same((await change(viewer, id, { name: 'x' })).body, { changed: 0 })
  }
})

test('a change that says nothing, or nothing right, is refused', async (t) => {
  const { save, change } = await setUp()
  const id = (await save(PERSON, true)).body['id']
  for (const body of [
    {},
    [],
    { other: 1 },
    { name: '' },
    { name: 7 },
    { query: [] },
    { shared: 1 }
  ]) {
    t.equal((await change(PERSON, id, body)).status, 400, JSON.stringify(body))
  }
})

test('a view without an owner stays shared', async (t) => {
  const { save, change } = await setUp()
  const { body } = await save({ tenantId: 'acme', role: 'viewer' }, true)
  t.equal((await change(ADMIN, body['id'], { shared: false })).status, 403)
})
