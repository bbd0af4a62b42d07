// The MCP SDK's own auth(), unmodified: from a bare 401 to a tool call, and on to a step-up.
import {
  Client as CurrentClient,
  StreamableHTTPClientTransport as CurrentTransport
} from '@modelcontextprotocol/client'
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { auth } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import tap, { test } from 'tap'
import { startFreshDemo } from '../hosts/fresh-demo.ts'
import { startSendgridVendor } from '../hosts/sendgrid-vendor.ts'
import { type OAuthDemo, openOAuthDemo } from './oauth-demo.ts'

// One demo for all tests, and not the one that files share: the last test changes mails and flows.
const vendor = await startSendgridVendor(tap)
const running = await startFreshDemo(tap, vendor.env)

const CALLBACK = 'http://localhost:33418/callback'

/** Keeps what the SDK tells it to keep; redirects are opened by the test's person. */
function provider(clientId: string) {
  const kept: { tokens?: OAuthTokens; verifier?: string; address?: URL } = {}
  const self: OAuthClientProvider = {
    redirectUrl: CALLBACK,
    clientMetadata: {
      redirect_uris: [CALLBACK],
      client_name: 'MCP client',
      token_endpoint_auth_method: 'none'
    },
    clientInformation: () => ({ client_id: clientId }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens
    },
    redirectToAuthorization: (address) => {
      kept.address = address
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier ?? ''
  }
  return { self, kept }
}

type Kept = ReturnType<typeof provider>['kept']

/** What the browser brings back to the client. */
async function codeOf(
  demo: OAuthDemo,
  { address }: Kept,
  decision?: { readonly offline: boolean }
): Promise<string> {
  const back = await demo.approve(address ?? '', decision)
  return back.searchParams.get('code') ?? `no code: ${back}`
}

const SCOPES = ['openid', 'offline_access', 'telemetry:read', 'mail:read', 'mail:write']
/** The SDK types its own class without `undefined`, its interface with it. */
const connect = (client: Client, by: StreamableHTTPClientTransport) =>
  client.connect(by as Parameters<Client['connect']>[0])
const newClient = () => new Client({ name: 'conformance', version: '1.0.0' })

/** A public client of the demo, and the SDK for it. */
async function start(email?: string) {
  const demo = await openOAuthDemo(running, email)
  const { clientId } = await demo.createClient({
    name: 'MCP client',
    type: 'public',
    redirectUris: ['http://localhost/callback'],
    allowedScopes: SCOPES
  })
  const { self, kept } = provider(clientId)
  const address = new URL(`${demo.url}/mcp`)
  const transport = () => new StreamableHTTPClientTransport(address, { authProvider: self })
  return { demo, clientId, self, kept, address, transport }
}

test('the MCP SDK signs in by itself, calls a tool, and refreshes', async (t) => {
  const { demo, clientId, self, kept, address, transport } = await start()
  const first = transport()
  await t.rejects(connect(newClient(), first), { message: 'Unauthorized' })
  t.equal(kept.address?.searchParams.get('resource'), address.href)
  t.equal(kept.address?.searchParams.get('code_challenge_method'), 'S256')
  await first.finishAuth(await codeOf(demo, kept))

  const caller = newClient()
  await connect(caller, transport())
  const { tools } = await caller.listTools()
  const names = new Set(tools.map(({ name }) => name))
  for (const name of ['whoami', 'search_events']) t.ok(names.has(name), name)
  t.notOk(names.has('get_status'), 'the mailer is for its administrators')
  const who = await caller.callTool({ name: 'whoami', arguments: {} })
  t.match(who.structuredContent, { userId: 'u-viewer-acme', clientId })
  t.notOk(kept.tokens?.scope?.includes('mail:write'))

  const tenants = await caller.callTool({ name: 'list_tenants', arguments: {} })
  t.match(tenants.structuredContent, { tenants: [{ tenantId: 'acme' }] }, 'as the person sees it')
  const status = await caller.callTool({ name: 'get_status', arguments: {} })
  t.equal(status.isError, true, 'the mailer is for its administrators')
  t.match(status.content, [{ text: /person_not_allowed/ }])
  const wrong = await caller.callTool({ name: 'list_tenants', arguments: { limit: 'all' } })
  t.match(wrong, { isError: true, content: [{ text: /^invalid arguments: limit/ }] })
  t.equal(await auth(self, { serverUrl: address }), 'AUTHORIZED', 'refreshed without a browser')
  await caller.close()
})

for (const [mode, revision] of [
  ['legacy', '2025-11-25'],
  [{ pin: '2026-07-28' }, '2026-07-28']
] as const) {
  test(`the second SDK speaks ${revision} with the demo, and shows its pages`, async (t) => {
    const { demo, kept, transport, address } = await start('admin@acme.test')
    const first = transport()
    await t.rejects(connect(newClient(), first), { message: 'Unauthorized' })
    await first.finishAuth(await codeOf(demo, kept))
    const client = new CurrentClient(
      { name: 'conformance', version: '2.0.0' },
      { versionNegotiation: { mode } }
    )
    const authorization = `Bearer ${kept.tokens?.access_token}`
    await client.connect(
      new CurrentTransport(address, { requestInit: { headers: { authorization } } })
    )
    t.teardown(() => client.close())
    t.equal(client.getNegotiatedProtocolVersion(), revision)
    const { tools } = await client.listTools()
    const views = new Map(tools.map(({ name, _meta }) => [name, _meta?.['ui']]))
    for (const [tool, view] of [
      ['simulate_flow', 'mailer-flow'],
      ['event_trends', 'telemetry-events'],
      ['read_dmarc', 'dmarc-domains']
    ] as const) {
      const uri = `ui://keelson/${view}`
      t.match(views.get(tool), { resourceUri: uri }, tool)
      const { contents } = await client.readResource({ uri })
      t.match(contents, [{ mimeType: 'text/html;profile=mcp-app' }])
    }
    const who = await client.callTool({ name: 'whoami', arguments: {} })
    t.match(who.structuredContent, { userId: 'u-admin-acme' })
    for (const [view, path] of [
      ['telemetry-events', '/telemetry/api/registry'],
      ['mailer-flow', '/admin/mailer/api/flows'],
      ['dmarc-domains', '/admin/mailer/api/dmarc']
    ] as const) {
      const args = { view, path, method: 'GET' }
      const read = await client.callTool({ name: 'read_view', arguments: args })
      t.match(read.structuredContent, { status: 200 }, view)
    }
  })
}

test('the MCP SDK asks for more when it must, where access is not kept', async (t) => {
  const { demo, kept, transport } = await start('admin@acme.test')
  const first = transport()
  await t.rejects(connect(newClient(), first), { message: 'Unauthorized' })
  await first.finishAuth(await codeOf(demo, kept, { offline: false }))
  t.equal(kept.tokens?.refresh_token, undefined)

  const caller = newClient()
  const second = transport()
  await connect(caller, second)
  const tag = { name: 'tag_contact', arguments: { externalId: 'u1', add: ['canary'] } }
  await t.rejects(caller.callTool(tag), { message: 'Unauthorized' })
  t.match(kept.address?.searchParams.get('scope'), /mail:write/)
  await second.finishAuth(await codeOf(demo, kept, { offline: false }))
  t.match(kept.tokens?.scope, /mail:write/)
  const more = newClient()
  await connect(more, transport())
  t.match(await more.callTool(tag), { structuredContent: { added: ['canary'] } })
  await Promise.all([caller.close(), more.close()])
})

/** The admin API in the name of the demo's agent token: tools make no flows. */
async function makeFlow(url: string, slug: string, steps: readonly object[]) {
  const headers = {
    authorization: 'Bearer keelson-demo-agent-token-0001',
    'content-type': 'application/json'
  }
  const call = async (method: string, path: string, body?: object) => {
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const response = await fetch(`${url}/agent${path}`, init)
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    // biome-ignore lint/suspicious/noExplicitAny: an answer of any shape, looked at by assertions
    return response.json() as Promise<any>
  }
  const trigger = { type: 'event', eventName: 'app.opened', once: false }
  await call('POST', '/api/flows', { slug, name: slug, trigger })
  await call('PATCH', `/api/flows/${slug}/draft`, { steps })
  await call('POST', `/api/flows/${slug}/publish`, { enable: false })
  return call
}

test('an assistant of an administrator takes a flow live, audited as client and person', async (t) => {
  const { demo, clientId, kept, transport } = await start('admin@acme.test')
  const first = transport()
  await t.rejects(connect(newClient(), first), { message: 'Unauthorized' })
  await first.finishAuth(await codeOf(demo, kept, { offline: false }))
  const reader = newClient()
  const second = transport()
  await connect(reader, second)
  const words = 'Welcome, these are words enough for the text part of a mail.'
  const html = `<p>${words} {{contact.email}}</p><p>{{senderAddress}}</p><p><a href="{{unsubscribeUrl}}">Unsubscribe</a></p>`
  const document = {
    slug: 'story',
    name: 'Story',
    kind: 'marketing',
    fromName: 'Acme',
    fromEmail: 'hello@acme.test',
    subject: 'Welcome to Acme',
    body: { html },
    providerOverride: 'sendgrid'
  }
  const put = { name: 'put_template', arguments: document }
  await t.rejects(reader.callTool(put), { message: 'Unauthorized' }, 'a step-up is asked for')
  await second.finishAuth(await codeOf(demo, kept, { offline: false }))
  const client = newClient()
  await connect(client, transport())
  await client.listTools()
  const call = async (name: string, args: object) => {
    const result = await client.callTool({ name, arguments: { ...args } })
    t.notOk(result.isError, `${name}: ${JSON.stringify(result.content).slice(0, 400)}`)
    // biome-ignore lint/suspicious/noExplicitAny: an answer of any shape, looked at by assertions
    return result.structuredContent as any
  }
  await call('put_template', document)
  t.match(await call('verify_template', { slug: 'story', contactId: 'u7' }), { ok: true })
  const steps = [
    { type: 'wait', value: 1, unit: 'days' },
    { type: 'send', templateSlug: 'story' }
  ]
  const http = await makeFlow(demo.url, 'story', steps)
  await call('subscribe_contact', { externalId: 'u7' })
  t.match(await call('simulate_flow', { slug: 'story', contactId: 'u7' }), {
    sends: [{ templateSlug: 'story' }]
  })
  await call('gate_flow', { slug: 'story', tag: 'story-canary' })
  await call('tag_contact', { externalId: 'u7', add: ['story-canary'] })
  await call('arm_flow', { slug: 'story', confirm: true })
  await call('fire_event', { name: 'app.opened', externalId: 'u7' })
  const runs = async () => (await call('list_runs', { flowSlug: 'story' })).items
  let [run] = await runs()
  for (let tries = 0; run?.nextActionAt === null || run === undefined; tries++) {
    if (tries === 50) throw new Error('no run began')
    await call('run_tick', {})
    run = (await runs())[0]
  }
  const advanced = await call('advance_run', { id: run.id, steps: 1 })
  const [mail] = advanced.sends
  t.match(await call('wait_for_send', { id: mail.id, status: 'sent' }), { reached: true })
  const waiting = call('wait_for_send', { id: mail.id, timeoutMs: 50_000 })
  await vendor.deliver(demo.url, mail.id, mail.email)
  t.match(await waiting, { reached: true, target: 'delivered', send: { status: 'delivered' } })
  t.equal(vendor.taken(), 1)
  await call('disarm_flow', { slug: 'story' })
  await call('ungate_flow', { slug: 'story' })
  t.match(await call('arm_flow', { slug: 'story', confirm: true }), { armed: true, version: 3 })
  const actor = `oauth:${clientId}:u-admin-acme`
  const entries = await http('GET', `/api/audit?actor=${encodeURIComponent(actor)}`)
  const actions = new Set(entries.map(({ action }: { action: string }) => action))
  for (const action of ['agent.tags', 'flow.gate', 'flow.arm']) t.ok(actions.has(action), action)
  await Promise.all([reader.close(), client.close()])
})
