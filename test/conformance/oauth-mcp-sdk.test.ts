// The MCP SDK's own auth(), unmodified: from a bare 401 to a tool call, and on to a step-up.
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { auth } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import { test } from 'tap'
import { type OAuthDemo, startOAuthDemo } from './oauth-demo.ts'

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
async function start(...args: Parameters<typeof startOAuthDemo>) {
  const demo = await startOAuthDemo(...args)
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
  const { demo, clientId, self, kept, address, transport } = await start(t)
  const first = transport()
  await t.rejects(connect(newClient(), first), { message: 'Unauthorized' })
  t.equal(kept.address?.searchParams.get('resource'), address.href)
  t.equal(kept.address?.searchParams.get('code_challenge_method'), 'S256')
  await first.finishAuth(await codeOf(demo, kept))

  const caller = newClient()
  await connect(caller, transport())
  const { tools } = await caller.listTools()
  const names = new Set(tools.map(({ name }) => name))
  for (const name of ['whoami', 'get_status', 'search_events']) t.ok(names.has(name), name)
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

test('the MCP SDK asks for more when it must, where access is not kept', async (t) => {
  const { demo, kept, transport } = await start(t, { person: 'admin@acme.test' })
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
