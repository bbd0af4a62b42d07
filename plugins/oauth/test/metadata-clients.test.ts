// Clients whose id is an address: what is fetched, from where, how often, and what is believed.
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Teardown } from '@keelson/sdk/testing'
import { test } from 'tap'
import { clientIdProblem, mayFetch } from '../metadata-clients/allowed-hosts.ts'
import { createGuardedFetch, type Fetched, freshnessOf } from '../metadata-clients/guarded-fetch.ts'
import { createHostList } from '../metadata-clients/host-list.ts'
import { createMetadataClients } from '../metadata-clients/metadata-clients.ts'
import { readDocument } from '../metadata-clients/read-document.ts'
import { createRemoteKeys } from '../metadata-clients/remote-keys.ts'
import { actor, CALLBACK, ISSUER, type Running, startHost } from './flow.ts'
import { CERTIFICATE, KEY } from './loopback-certificate.ts'

const ID = 'https://claude.ai/oauth/claude-code-client-metadata'
const ALLOWED = ['claude.ai', '.example.test', '127.0.0.1:8443']
const SETTINGS = {
  isAny: false,
  needsApproval: false,
  hosts: { isAny: false, names: ALLOWED },
  allowedHosts: ALLOWED,
  allowedScopes: ['openid', 'read'],
  ownScopes: ['read', 'write'],
  fetchTimeoutMs: 20_000,
  maxBytes: 5120,
  cacheTtlMs: 3_600_000
}
const DOCUMENT = {
  client_id: ID,
  client_name: 'Code',
  redirect_uris: [CALLBACK, 'http://localhost/cb']
}

/** Whether a client id is refused, with hosts by name or with every host. */
const isRefused = (id: string, isAny = false) =>
  clientIdProblem(id) !== undefined || !mayFetch(new URL(id), { isAny, names: ALLOWED })

test('only a normalised address is a client id', (t) => {
  t.equal(isRefused(ID), false)
  t.equal(isRefused('https://a.example.test/x'), false)
  t.equal(isRefused('https://127.0.0.1:8443/x'), false)
  for (const id of [
    'http://claude.ai/x',
    'https://claude.ai',
    'https://claude.ai/',
    'https://claude.ai/a/../b',
    'https://claude.ai/./b',
    'https://claude.ai/%2e%2e/b',
    'https://CLAUDE.ai/x',
    'https://claude.ai:443/x',
    'https://claude.ai:8443/x',
    'https://u@claude.ai/x',
    'https://claude.ai/x#y',
    'https://evil.test/x',
    'https://claude.ai.evil.test/x',
    'https://notclaude.ai/x',
    'https://example.test/x',
    'https://127.0.0.1/x',
    `https://claude.ai/${'x'.repeat(2000)}`,
    'ftp://claude.ai/x'
  ]) {
    t.equal(isRefused(id), true, id.slice(0, 60))
  }
  t.equal(isRefused('https://evil.test/x', true), false, 'every host, where the operator says so')
  t.equal(isRefused('https://evil.test:8443/x', true), true, 'on the usual port')
  t.equal(isRefused('https://127.0.0.1:8443/x', true), false, 'and those by name')
  t.end()
})

test('an incomplete or inconsistent document is refused', (t) => {
  t.match(readDocument(DOCUMENT, ID, SETTINGS), {
    ok: true,
    client: { type: 'public', allowedScopes: ['openid', 'read'] }
  })
  t.match(readDocument({ ...DOCUMENT, scope: 'read other' }, ID, SETTINGS), {
    client: { allowedScopes: ['read'] }
  })
  const offline = { ...SETTINGS, allowedScopes: ['offline_access', 'read', 'openid'] }
  t.match(readDocument({ ...DOCUMENT, scope: 'read' }, ID, offline), {
    client: { allowedScopes: ['offline_access', 'read'] }
  })
  t.match(readDocument({ ...DOCUMENT, scope: 'write' }, ID, offline), { ok: false })
  for (const scope of ['openid profile', 'mcp:*', '']) {
    const open = readDocument({ ...DOCUMENT, scope }, ID, offline)
    t.match(open, { client: { allowedScopes: offline.allowedScopes } }, `names no scope: ${scope}`)
  }
  const keys = { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [{ kty: 'EC' }] } }
  t.match(readDocument({ ...DOCUMENT, redirect_uris: [CALLBACK], ...keys }, ID, SETTINGS), {
    client: { type: 'confidential' }
  })
  const wrong: Record<string, unknown>[] = [
    { client_id: `${ID}/` },
    { client_name: undefined },
    { client_name: ' ' },
    { redirect_uris: undefined },
    { redirect_uris: [] },
    { redirect_uris: ['http://evil.test'] },
    { redirect_uris: [7] },
    { token_endpoint_auth_method: 'client_secret_basic' },
    { token_endpoint_auth_method: 'private_key_jwt' },
    { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [{ kty: 'EC', d: 'x' }] } },
    { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://evil.test/jwks' },
    { client_secret: 'x' },
    { scope: 'write' },
    { logo_uri: 'http://claude.ai/logo' }
  ]
  for (const more of wrong)
    t.match(
      readDocument({ ...DOCUMENT, ...more }, ID, SETTINGS),
      { ok: false, reason: String },
      JSON.stringify(more)
    )
  t.end()
})

test('caching headers count between 30 seconds and a day', (t) => {
  t.equal(freshnessOf('public, max-age=600'), 600_000)
  t.equal(freshnessOf('max-age=1'), 30_000)
  t.equal(freshnessOf('max-age=99999999'), 86_400_000)
  t.equal(freshnessOf('no-store, max-age=600'), 30_000)
  t.equal(freshnessOf('private'), undefined)
  t.equal(freshnessOf(undefined), undefined)
  t.end()
})

async function serve(t: Teardown, listener: RequestListener) {
  const server = createServer({ key: KEY, cert: CERTIFICATE }, listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close())
  const { port } = server.address() as AddressInfo
  const settings = { ...SETTINGS, allowedHosts: [`127.0.0.1:${port}`, `localhost:${port}`] }
  const lifted = createGuardedFetch(settings, { ca: CERTIFICATE })
  const hasty = createGuardedFetch({ ...settings, fetchTimeoutMs: 100 }, { ca: CERTIFICATE })
  return { port, lifted, hasty, url: `https://127.0.0.1:${port}/c` }
}

const reasonOf = (fetched: Fetched) => (fetched.kind === 'failed' ? fetched.reason : fetched.kind)

test('a document is fetched over https without redirects, within size and time limits', async (t) => {
  const asked: string[] = []
  const answers: Record<string, RequestListener> = {
    '/c': (request, response) => {
      const isKnown = request.headers['if-none-match'] === '"1"'
      response.writeHead(isKnown ? 304 : 200, {
        'content-type': 'application/json',
        etag: '"1"',
        'cache-control': 'max-age=60'
      })
      response.end(isKnown ? undefined : JSON.stringify(DOCUMENT))
    },
    '/moved': (_request, response) => response.writeHead(302, { location: '/c' }).end(),
    '/html': (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    '/torn': (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{'),
    '/list': (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('[]'),
    '/large': (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(`"${'x'.repeat(6000)}"`),
    '/slow': () => undefined
  }
  const { lifted, hasty, port, url } = await serve(t, (request, response) => {
    asked.push(request.url ?? '')
    answers[request.url ?? '']?.(request, response)
  })
  const at = (path: string) => `https://127.0.0.1:${port}${path}`
  t.match(await lifted(url), {
    kind: 'document',
    json: { client_name: 'Code' },
    etag: '"1"',
    freshMs: 60_000
  })
  t.match(await lifted(url, '"1"'), { kind: 'unchanged', freshMs: 60_000 })
  t.match(reasonOf(await lifted(at('/moved'))), /302/)
  t.match(reasonOf(await lifted(at('/html'))), /not JSON/)
  t.match(reasonOf(await lifted(at('/torn'))), /not JSON/)
  t.match(reasonOf(await lifted(at('/list'))), /not an object/)
  t.match(reasonOf(await lifted(at('/large'))), /too large/)
  t.match(reasonOf(await hasty(at('/slow'))), /could not be asked/)
  t.match(reasonOf(await lifted('http://127.0.0.1/c')), /https/)
  // The slow one may still arrive after its client has given up.
  const received = () => asked.filter((path) => path !== '/slow').length
  const before = received()
  const guarded = createGuardedFetch(SETTINGS, { ca: CERTIFICATE })
  t.match(reasonOf(await guarded(url)), /KRN_FETCH_ADDRESS/)
  t.match(reasonOf(await guarded(`https://localhost:${port}/c`)), /KRN_FETCH_ADDRESS/)
  const untrusting = createGuardedFetch({ ...SETTINGS, allowedHosts: [`127.0.0.1:${port}`] })
  t.match(reasonOf(await untrusting(url)), /CERT|SELF_SIGNED/)
  t.equal(received(), before, 'nothing was sent to any of them')
})

/** The store with a fetcher that the test plays. */
function storeOf(running: Running, answer: (address: string, etag?: string) => Promise<Fetched>) {
  const { settings, collections, limiter, journal, hosts } = running.parts.services
  const asked: string[] = []
  const made = createMetadataClients({
    settings,
    collections,
    limiter,
    journal,
    hosts,
    fetchDocument: (address, etag) => {
      asked.push(etag ?? address)
      return answer(address, etag)
    }
  })
  const find = (id: string, address = '192.0.2.1') => made.find(id, address)
  return { asked, store: { find } }
}

const ENABLED = { clientIdMetadata: { enabled: true, allowedHosts: ALLOWED } }
const found = (json: object = DOCUMENT): Fetched => ({
  kind: 'document',
  json: json as never,
  etag: '"1"',
  freshMs: 60_000
})

test('a document is fetched once for parallel calls, cached while fresh, then revalidated', async (t) => {
  const running = await startHost(t, ENABLED)
  const answers = [
    found(),
    { kind: 'unchanged', freshMs: 60_000 } as Fetched,
    found({ ...DOCUMENT, client_name: 'Renamed' })
  ]
  const { store, asked } = storeOf(
    running,
    async () => answers.shift() ?? { kind: 'failed', reason: 'the host is away' }
  )
  const all = await Promise.all(Array.from({ length: 20 }, () => store.find(ID)))
  t.ok(all.every(({ kind }) => kind === 'client'))
  t.equal(asked.length, 1)
  running.clock.advance(61)
  await store.find(ID)
  t.same(asked, [ID, '"1"'])
  running.clock.advance(61)
  t.match(await store.find(ID), { client: { name: 'Renamed', registration: 'cimd' } })
  running.clock.advance(61)
  t.match(await store.find(ID), { client: { name: 'Renamed' } }, 'stale, for the host is away')
  await store.find(ID)
  t.equal(asked.length, 4, 'and not asked again at once')
  running.clock.advance(8 * 86_400)
  t.match(await store.find(ID), { kind: 'none' })
})

test('a document that two processes fetch at once is stored once', async (t) => {
  const running = await startHost(t, ENABLED)
  const { clients } = running.parts.services.collections
  const update = clients.findOneAndUpdate.bind(clients)
  const { store } = storeOf(running, async () => found())
  clients.findOneAndUpdate = (async (...given: Parameters<typeof update>) => {
    await update(...given)
    throw Object.assign(new Error('duplicate key'), { code: 11000 })
  }) as never
  t.match(await store.find(ID), { kind: 'client', client: { name: 'Code' } })
})

test('a call that missed the client while it was fetched does not fetch it again', async (t) => {
  const running = await startHost(t, ENABLED)
  const { clients } = running.parts.services.collections
  const read = clients.findOne.bind(clients)
  const { store, asked } = storeOf(running, async () => found())
  clients.findOne = (async (...given: Parameters<typeof read>) => {
    clients.findOne = read
    const row = await read(...given)
    await store.find(ID)
    return row
  }) as never
  t.match(await store.find(ID), { kind: 'client' })
  t.equal(asked.length, 1)
})

test('documents of disabled and manual clients are not fetched', async (t) => {
  const running = await startHost(t, ENABLED)
  const { store, asked } = storeOf(running, async () => found())
  await store.find(ID)
  await running.host.clients.disable(ID)
  running.clock.advance(3600)
  t.match(await store.find(ID), { client: { status: 'disabled' } })
  const manual = 'https://elsewhere.test/client'
  await running.host.clients.create({
    clientId: manual,
    name: 'By hand',
    redirectUris: [CALLBACK],
    allowedScopes: ['openid']
  })
  t.match(await store.find(manual), { client: { name: 'By hand' } })
  t.equal(asked.length, 1)
})

test('of 120 failing ids of one host at most the budget is fetched', async (t) => {
  const running = await startHost(t, ENABLED)
  const { store, asked } = storeOf(running, async () => ({ kind: 'failed', reason: 'no' }))
  for (let at = 0; at < 120; at++) await store.find(`https://claude.ai/${at}`)
  t.equal(asked.length, 30)
})

test('failing ids use up the budget of their caller, and of no client', async (t) => {
  const running = await startHost(t, ENABLED)
  const isAway = false
  const { store, asked } = storeOf(running, async (id) =>
    isAway || id.includes('bogus')
      ? { kind: 'failed', reason: 'no' }
      : found({ ...DOCUMENT, client_id: id })
  )
  await store.find(ID)
  for (let at = 0; at < 40; at++) await store.find(`https://claude.ai/bogus/${at}`)
  t.equal(asked.length, 31)
  t.match(await store.find('https://claude.ai/new'), { kind: 'none' }, 'the same caller')
  t.match(await store.find('https://claude.ai/new', '192.0.2.2'), { kind: 'client' }, 'another')
  running.clock.advance(61)
  for (let at = 0; at < 30; at++) await store.find(`https://claude.ai/bogus/more/${at}`)
  t.match(await store.find(ID), { kind: 'client' })
  t.equal(
    asked.filter((one) => one === '"1"').length,
    1,
    'a known client is asked for all the same'
  )
  running.clock.advance(61)
  for (let at = 0; at < 60; at++) {
    t.match(await store.find(`https://claude.ai/good/${at}`), { kind: 'client' })
  }
})

test('fetches of one id are limited, from all callers together', async (t) => {
  const running = await startHost(t, ENABLED)
  const { store, asked } = storeOf(running, async () => ({
    ...found(),
    freshMs: 1
  }))
  // A limit counts from the full minute, and another one must not begin among these two seconds.
  running.clock.advance(60 - ((running.clock.now().getTime() / 1000) % 60))
  for (let at = 0; at < 20; at++) {
    await store.find(ID, `192.0.2.${at}`)
    running.clock.advance(0.1)
  }
  t.equal(asked.length, 10)
  t.match(await store.find(ID), { kind: 'client' }, 'the stored document counts meanwhile')
})

test('the limits of an administrator outlast the document, and every change is audited', async (t) => {
  const running = await startHost(t, ENABLED)
  let document: object = DOCUMENT
  const { store } = storeOf(running, async () => found(document))
  await store.find(ID)
  const { clients } = running.host
  await clients.update(ID, { allowedScopes: ['openid'], allowedResources: [`${ISSUER}/other`] })
  const limited = { allowedScopes: ['openid'], allowedResources: [`${ISSUER}/other`] }
  t.match(await clients.get(ID), limited)
  running.clock.advance(61)
  document = { ...DOCUMENT, client_name: 'Renamed', scope: 'openid read write' }
  await store.find(ID)
  t.match(await clients.get(ID), { ...limited, name: 'Renamed' })
  running.clock.advance(61)
  document = { ...DOCUMENT, client_name: 'Renamed', scope: 'read' }
  await store.find(ID)
  t.same((await clients.get(ID))?.allowedScopes, [])
  running.clock.advance(61)
  document = { ...DOCUMENT, client_name: 'Renamed', scope: 'openid read' }
  await clients.update(ID, { allowedScopes: ['openid', 'read'] })
  await store.find(ID)
  t.same((await clients.get(ID))?.allowedScopes, ['openid', 'read'])
  for (const patch of [
    { name: 'Mine' },
    { redirectUris: [CALLBACK] },
    { branding: { publisher: 'Mine' } }
  ]) {
    await t.rejects(clients.update(ID, patch), {
      code: 'OAU_CLIENT_INVALID',
      message: /metadata document/
    })
  }
  const rows = await running.host.models.OAuthAudit.find({ clientId: ID }).toArray()
  t.same(
    rows.map(({ type, actor, meta }) => [type, actor, meta?.['fields'] ?? []].join(' ')).sort(),
    [
      'oauth.client_created client ',
      'oauth.client_updated admin allowedScopes,allowedResources,limitedScopes',
      'oauth.client_updated admin allowedScopes,limitedScopes',
      'oauth.client_updated client allowedScopes',
      'oauth.client_updated client name'
    ]
  )
})

test('callers get one answer for every document fault; the operator sees the reason', async (t) => {
  const running = await startHost(t, ENABLED)
  const bodies = new Set<string>()
  for (const id of [
    'https://claude.ai/a/../b',
    'https://evil.test/x',
    'https://127.0.0.1:8443/nobody-listens',
    'https://a.example.test/x',
    'unknown'
  ]) {
    const client = { clientId: id, client: {} as never, type: 'public' as const }
    const answer = await actor(running, client).authorize()
    t.equal(answer.status, 400)
    bodies.add(answer.text)
  }
  t.equal(bodies.size, 1)
  const attempts = await running.parts.services.attempts.list(null)
  t.ok(attempts.some(({ steps }) => steps.some(({ detail }) => /must be normalised/.test(detail))))
  t.ok(attempts.some(({ steps }) => steps.some(({ detail }) => /could not be asked/.test(detail))))
})

test('a metadata client completes the flow, and consent names its host', async (t) => {
  const running = await startHost(t, ENABLED)
  const { store } = storeOf(running, async () => found())
  await store.find(ID)
  const app = actor(running, { clientId: ID, client: {} as never, type: 'public' })
  const { requestId } = await app.toConsent()
  t.match((await app.consent(requestId)).json.client, { name: 'Code', host: 'claude.ai' })
  t.equal((await app.userinfo((await app.tokens()).access_token)).status, 200)
  t.match((await running.call('GET', '/.well-known/openid-configuration')).json, {
    issuer: ISSUER,
    client_id_metadata_document_supported: true
  })
})

test('keys of a client are fetched with the same guard, cached, and refetched for an unknown kid', async (t) => {
  const running = await startHost(t, ENABLED)
  const { settings, limiter } = running.parts.services
  const sets: Fetched[] = [
    found({ keys: [{ kty: 'EC', kid: 'a' }] }),
    found({ keys: [{ kty: 'EC', kid: 'b' }] }),
    found({ keys: [{ kty: 'EC', d: 'private' }] })
  ]
  let asked = 0
  const source = createRemoteKeys(
    async () => sets[asked++] ?? { kind: 'failed', reason: 'away' },
    settings,
    limiter
  )
  const kid = async (isForced: boolean) =>
    (await source.keysOf('https://claude.ai/jwks', isForced))?.keys[0]?.kid
  t.equal(await kid(false), 'a')
  t.equal(await kid(true), 'a', 'not asked again within the cooldown')
  running.clock.advance(31)
  t.equal(await kid(true), 'b')
  running.clock.advance(400)
  t.equal(await kid(false), 'b', 'private members are refused, the keys from before stay')
  t.equal(asked, 3)
  t.equal(await kid(false), 'b', 'and stay')
  t.equal(asked, 3)
  running.clock.advance(31)
  t.equal(await kid(false), 'b', 'though they are asked for again soon')
  t.equal(asked, 4)
  running.clock.advance(86_400)
  t.equal(await kid(false), undefined, 'for a day')
})

test('keys are fetched as soon as an unreachable host is back', async (t) => {
  const { settings, limiter } = (await startHost(t, ENABLED)).parts.services
  let now = settings.now()
  const answers: Fetched[] = [{ kind: 'failed', reason: 'away' }]
  const source = createRemoteKeys(
    async () => answers.shift() ?? found({ keys: [{ kty: 'EC', kid: 'a' }] }),
    { ...settings, now: () => now },
    limiter
  )
  t.equal(await source.keysOf('https://claude.ai/jwks', false), undefined)
  t.equal(await source.keysOf('https://claude.ai/jwks', false), undefined)
  now = new Date(now.getTime() + 31_000)
  t.match(await source.keysOf('https://claude.ai/jwks', false), { keys: [{ kid: 'a' }] })
})

test('a new client waits for an administrator where the config says so', async (t) => {
  const { clientIdMetadata } = ENABLED
  const running = await startHost(t, {
    clientIdMetadata: { ...clientIdMetadata, approval: 'once' }
  })
  const { store } = storeOf(running, async () => found())
  await store.find(ID)
  const app = actor(running, { clientId: ID } as never)
  const refused = await app.authorize({ scope: 'read' })
  t.match(refused.json, {
    error: 'access_denied',
    error_description: 'An administrator must approve this application first.'
  })
  t.match(await running.host.clients.get(ID), { status: 'disabled', awaitsApproval: true })
  const approved = await running.host.clients.enable(ID)
  t.match(approved, { status: 'active', awaitsApproval: undefined, disabledBy: undefined })
  t.match((await app.authorize({ scope: 'read' })).headers['location'], /^[/]consent/)
})

test('a host that an administrator allows is used at once, in every process soon', async (t) => {
  const running = await startHost(t, ENABLED)
  const { store } = storeOf(running, async () => found({ ...DOCUMENT, client_id: VSCODE }))
  const { hosts, settings, collections } = running.parts.services
  const elsewhere = createHostList(settings, collections.state)
  t.same(await elsewhere.added(), [])
  t.match(await store.find(VSCODE), { kind: 'none', refusedHost: 'vscode.dev' })
  await t.rejects(hosts.allow('https://vscode.dev/'), { code: 'OAU_REQUEST_INVALID' })
  await hosts.allow(' VSCode.dev ')
  t.match(await store.find(VSCODE), { kind: 'client' })
  running.clock.advance(6)
  t.same(await elsewhere.added(), ['vscode.dev'])
  t.same(await hosts.remove('vscode.dev'), [])
})

const VSCODE = 'https://vscode.dev/oauth/client-metadata.json'
