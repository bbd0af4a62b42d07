// Clients of tenants on the platform: who sees, makes and changes them.
import { test } from 'tap'
import { PLATFORM, person, type Started, start } from './platform-people.ts'

const BOSSES = { acme: person('acme', 'boss', 'admin'), globex: person('globex', 'chief', 'admin') }
const FIELDS = {
  name: 'Own app',
  type: 'public',
  redirectUris: ['http://127.0.0.1/cb'],
  allowedScopes: ['openid', 'tools:read']
}

async function call(
  { host }: Started,
  method: 'GET' | 'POST' | 'DELETE' | 'PATCH',
  path: string,
  payload?: object
) {
  const url = `/oauth/admin/${path}`
  const answer = await host.app.inject({ method, url, ...(payload && { payload }) })
  return { status: answer.statusCode, json: answer.json() }
}

const startWith = (t: Parameters<typeof start>[0], tenants?: object) =>
  start(t, { homeTenant: 'acme', adminTenants: ['acme', 'globex'], ...(tenants && { tenants }) })

const make = async (started: Started, more: object = {}) =>
  (await call(started, 'POST', 'clients', { ...FIELDS, ...more })).json

test('a client of one tenant is seen and changed there, and nowhere else', async (t) => {
  const started = await startWith(t)
  const { host } = started
  host.signIn(BOSSES.acme)
  const { clientId } = await make(started, { tenants: ['acme'] })
  t.match(await call(started, 'PATCH', `clients/${clientId}`, { name: 'Renamed' }), { status: 200 })
  const idsOf = async (query = '') =>
    (await call(started, 'GET', `clients${query}`)).json.items.map(
      (item: { clientId: string }) => item.clientId
    )
  t.ok((await idsOf()).includes(clientId))
  host.signIn(BOSSES.globex)
  t.notOk((await idsOf()).includes(clientId))
  t.notOk((await idsOf('?search=Renamed')).includes(clientId))
  const unknown = { status: 404, json: { code: 'OAU_CLIENT_UNKNOWN' } }
  for (const [method, path] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/disable'],
    ['POST', '/enable'],
    ['POST', '/rotate-secret']
  ] as const) {
    const body = method === 'PATCH' || path === '/rotate-secret' ? {} : undefined
    t.match(await call(started, method, `clients/${clientId}${path}`, body), unknown, path)
  }
  const audit = (await call(started, 'GET', 'audit')).json.items
  t.notOk(audit.some((entry: { clientId: string }) => entry.clientId === clientId))
  t.same((await call(started, 'GET', `attempts?clientId=${clientId}`)).json.items, [])
  host.signIn(PLATFORM)
  t.ok((await idsOf()).includes(clientId))
  t.match(await call(started, 'GET', `clients/${clientId}`), { status: 200 })
})

test('administrators of a tenant give clients to their own tenant alone', async (t) => {
  const started = await startWith(t)
  const { host } = started
  host.signIn(BOSSES.acme)
  const refused = { status: 403, json: { code: 'OAU_PLATFORM_ONLY' } }
  for (const tenants of [['globex'], ['acme', 'globex']]) {
    t.match(await call(started, 'POST', 'clients', { ...FIELDS, tenants }), refused)
  }
  const { clientId } = await make(started, { tenants: ['acme'] })
  for (const tenants of [['globex'], ['acme', 'globex'], null]) {
    t.match(await call(started, 'PATCH', `clients/${clientId}`, { tenants }), refused)
  }
  host.signIn(PLATFORM)
  const both = { tenants: ['acme', 'globex'] }
  t.match(await call(started, 'PATCH', `clients/${clientId}`, both), { status: 200 })
  host.signIn(BOSSES.acme)
  t.match(await call(started, 'GET', `clients/${clientId}`), { status: 200 }, 'it is seen')
  t.match(await call(started, 'PATCH', `clients/${clientId}`, { name: 'Mine' }), {
    status: 403,
    json: { code: 'OAU_CLIENT_SHARED' }
  })
})

test('where tenants own clients, what their administrators make is theirs and the rest is not', async (t) => {
  const started = await startWith(t, { ownClients: true })
  const { host, clientId: shared } = started
  host.signIn(BOSSES.globex)
  const { client } = await make(started)
  t.same(client.tenants, ['globex'])
  t.match(await call(started, 'PATCH', `clients/${shared}`, { name: 'Mine' }), {
    status: 403,
    json: { code: 'OAU_CLIENT_SHARED' }
  })
  host.signIn(PLATFORM)
  t.equal((await make(started)).client.tenants, undefined, 'the platform makes it for everyone')
})
