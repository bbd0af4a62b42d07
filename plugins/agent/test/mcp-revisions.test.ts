// Both revisions of MCP on one address, by the clients of the SDK 2 and by messages as they are on the wire.
import type { AddressInfo } from 'node:net'
import {
  Client,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode
} from '@modelcontextprotocol/client'
import { type Test, test } from 'tap'
import { type AgentApp, agentApp, receipt, TOKEN } from './agent-app.ts'
import { BEFORE, CURRENT, META, message } from './mcp-message.ts'

/** A client of the SDK 2. */
async function connect(t: Test, { app }: AgentApp, mode: VersionNegotiationMode): Promise<Client> {
  if (app.server.address() === null) await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const client = new Client({ name: 'test', version: '2.0.0' }, { versionNegotiation: { mode } })
  const requestInit = { headers: { authorization: `Bearer ${TOKEN}` } }
  const address = new URL(`http://127.0.0.1:${port}/mcp`)
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit }))
  t.teardown(() => client.close())
  return client
}

const MODES: readonly (readonly [VersionNegotiationMode, string])[] = [
  ['legacy', BEFORE],
  ['auto', CURRENT],
  [{ pin: CURRENT }, CURRENT]
]

for (const [mode, revision] of MODES) {
  test(`a client of the SDK 2 speaks ${revision} with ${JSON.stringify(mode)}`, async (t) => {
    const app = await agentApp(t)
    await app.call('PUT', '/templates/receipt', receipt())
    const client = await connect(t, app, mode)
    t.equal(client.getNegotiatedProtocolVersion(), revision)
    t.match(client.getServerVersion(), { name: 'keelson' })
    const { tools } = await client.listTools()
    t.ok(tools.some(({ name }) => name === 'send_template'))
    const sent = await client.callTool({
      name: 'send_template',
      arguments: { slug: 'receipt', contactId: 't1' }
    })
    t.match(sent.structuredContent, { dispatched: true, send: { status: 'sent' } })
    const refused = await client.callTool({
      name: 'send_template',
      arguments: { slug: 'receipt', contactId: 'p1' }
    })
    t.match(refused, { isError: true, content: [{ text: /not_a_test_contact/ }] })
    const { contents } = await client.readResource({ uri: 'mailer://templates/receipt' })
    t.match(contents, [{ text: /"slug": "receipt"/ }])
    await t.rejects(client.callTool({ name: 'no_such_tool', arguments: {} }), {
      code: -32602,
      message: 'The tool is unknown.'
    })
    await t.rejects(client.readResource({ uri: 'mailer://templates/none' }), {
      code: -32602,
      data: { uri: 'mailer://templates/none' }
    })
  })

  test(`a long tool tells a client with ${JSON.stringify(mode)} how far it is`, async (t) => {
    const app = await agentApp(t)
    await app.call('PUT', '/templates/receipt', receipt())
    const sent = await app.call('POST', '/templates/receipt/send', { contactId: 't1' })
    const client = await connect(t, app, mode)
    const heard: unknown[] = []
    const waited = await client.callTool(
      {
        name: 'wait_for_send',
        arguments: { id: sent.body.sendId, status: 'clicked', timeoutMs: 1200 }
      },
      { onprogress: (progress) => heard.push(progress) }
    )
    t.match(waited.structuredContent, { reached: false, target: 'clicked' })
    t.match(heard[0], { total: 1200, message: 'The send is sent.' })
  })
}

test('server/discover names the revisions, and lists say how long they may be kept', async (t) => {
  const { app } = await agentApp(t)
  const found = await app.inject(message('server/discover'))
  t.equal(found.statusCode, 200)
  t.match(found.json().result, {
    resultType: 'complete',
    supportedVersions: [CURRENT],
    capabilities: { tools: {}, resources: {} },
    ttlMs: Number,
    cacheScope: 'private'
  })
  for (const method of ['tools/list', 'resources/list', 'resources/templates/list']) {
    const { result } = (await app.inject(message(method))).json()
    t.match(result, { resultType: 'complete', ttlMs: Number, cacheScope: 'private' }, method)
    t.ok(result.ttlMs > 0, method)
    t.match(result._meta, { [`${META}/serverInfo`]: { name: 'keelson' } })
  }
})

test('headers that do not fit the message are refused with -32020', async (t) => {
  const { app } = await agentApp(t)
  const call = { name: 'whoami', arguments: {} }
  const table: readonly (readonly [string, object, Record<string, string>])[] = [
    ['tools/list', {}, { 'mcp-method': 'tools/call' }],
    ['tools/list', {}, { 'mcp-method': '' }],
    ['tools/call', call, { 'mcp-name': 'get_status' }],
    ['tools/call', call, { 'mcp-name': '' }]
  ]
  for (const [method, params, headers] of table) {
    const refused = await app.inject(message(method, params, headers))
    t.match([refused.statusCode, refused.json()], [400, { error: { code: -32020 }, id: 1 }])
  }
  t.equal((await app.inject(message('tools/call', call))).statusCode, 200)
})

test('an unknown revision is refused with -32022 and those that are served', async (t) => {
  const { app } = await agentApp(t)
  const refused = await app.inject(
    message('tools/list', {}, { 'mcp-protocol-version': '2030-01-01' })
  )
  t.equal(refused.statusCode, 400)
  t.match(refused.json().error, {
    code: -32022,
    data: { supported: [CURRENT], requested: '2030-01-01' }
  })
})

test('bodies that hold no message get errors of JSON-RPC', async (t) => {
  const { app } = await agentApp(t)
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  const table = [
    [400, -32700, { headers, payload: '{"jsonrpc":' }],
    [400, -32700, { headers, payload: '' }],
    [413, -32000, { headers, payload: `"${'x'.repeat(8 * 1024 * 1024)}"` }],
    [415, -32000, { headers: { ...headers, 'content-type': 'text/html' }, payload: '{}' }]
  ] as const
  for (const [status, code, given] of table) {
    const { statusCode, ...reply } = await app.inject({ method: 'POST', url: '/mcp', ...given })
    t.match([statusCode, reply.json()], [status, { jsonrpc: '2.0', id: null, error: { code } }])
  }
  for (const method of ['GET', 'DELETE'] as const) {
    const reply = await app.inject({ method, url: '/mcp' })
    t.match([reply.statusCode, reply.headers['allow']], [405, 'POST'])
    t.match(reply.json(), { jsonrpc: '2.0', id: null, error: { code: -32000 } })
  }
})
