// The same operations over MCP, by the client of the SDK: it holds answers to the output schema of their tool.
import type { Viewer } from '@keelson/sdk'
import type { McpTool } from '@keelson/sdk/contracts/mcp-tools'
import { test } from 'tap'
import { ARGUMENT_TEXTS } from '../mcp/argument-texts.ts'
import type { McpPeople } from '../mcp/mcp-routes.ts'
import type { AgentToken } from '../tokens/token-register.ts'
import { agentApp, servedOperations as operations, receipt, TOKEN } from './agent-app.ts'

type Result = {
  readonly isError?: boolean
  readonly content: { readonly text: string }[]
  // biome-ignore lint/suspicious/noExplicitAny: an answer of any shape, looked at by assertions
  readonly structuredContent?: any
}

const bodyOf = ({ content }: Result) => JSON.parse(content[0]?.text ?? '')

test('no operation has two arguments of one name', async (t) => {
  for (const { tool = '', params, query, body } of operations) {
    const all = [params, query, body].flatMap((schema) =>
      Object.keys((schema as { properties?: object } | undefined)?.properties ?? {})
    )
    t.equal(new Set(all).size, all.length, tool)
  }
  t.equal(new Set(operations.map(({ tool }) => tool)).size, operations.length)
})

test('a tool is listed for each operation, with schemas and hints', async (t) => {
  const client = await (await agentApp(t)).connect()
  const { tools } = await client.listTools()
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  for (const { tool = '', access } of operations) {
    const listed = byName.get(tool)
    t.match(listed, { inputSchema: { type: 'object' }, outputSchema: { type: 'object' } }, tool)
    t.match(listed?.icons, [{ src: /^data:image\/svg/, mimeType: 'image/svg+xml' }], tool)
    t.equal(listed?.annotations?.readOnlyHint, access.scopes?.[0] === 'mail:read', tool)
  }
  t.match(byName.get('send_template')?.inputSchema, { required: ['slug', 'contactId'] })
  t.match(byName.get('reset_contact')?.annotations, { destructiveHint: true, idempotentHint: true })
  t.match(client.getServerVersion(), { name: 'keelson' })
})

test('each argument of each tool has a description, and each text is of an argument', async (t) => {
  const client = await (await agentApp(t)).connect()
  const names = new Set<string>()
  for (const { name: tool, inputSchema } of (await client.listTools()).tools) {
    for (const [name, argument] of Object.entries(inputSchema.properties ?? {})) {
      names.add(name)
      t.match(argument, { description: String }, `${tool}.${name}`)
    }
  }
  t.same(
    Object.keys(ARGUMENT_TEXTS).filter((name) => !names.has(name)),
    []
  )
})

test('the list of tools has those that the token can use', async (t) => {
  const listed = async (more: Partial<AgentToken>) => {
    const tokens = [{ token: TOKEN, actor: 'agent:test', ...more }]
    const client = await (await agentApp(t, { tokens })).connect()
    return (await client.listTools()).tools.map(({ name }) => name)
  }
  const reading = await listed({ scopes: ['mail:read'] })
  t.ok(['whoami', 'get_status', 'simulate_flow'].every((name) => reading.includes(name)))
  t.notOk(reading.includes('send_template'))
  const narrow = await listed({ routes: ['/templates/*', '/status'] })
  t.ok(narrow.includes('put_template') && narrow.includes('get_status'), String(narrow))
  t.notOk(narrow.includes('tag_contact'))
  t.same((await listed({ routes: ['/flows/welcome/arm'] })).sort(), ['arm_flow', 'whoami'])
})

test('a list of tools that is long comes in pages', async (t) => {
  const ann: Viewer = { tenantId: 'acme', role: 'admin', viewerRef: 'user:a' }
  const tools = Array.from({ length: 120 }, (_, n) => ({ ...wordsTool, name: `count_${n}` }))
  const app = await agentApp(t, { mcp: { people: signedIn(ann), tools: () => tools } })
  const client = await app.connect('an access token of OAuth')
  const first = await client.listTools()
  t.equal(first.tools.length, 100)
  const rest = await client.listTools({ cursor: first.nextCursor })
  t.equal(rest.nextCursor, undefined)
  const names = [...first.tools, ...rest.tools].map(({ name }) => name)
  t.equal(new Set(names).size, names.length)
  t.ok(tools.every(({ name }) => names.includes(name)))
  for (const cursor of ['0', '-1', 'x', '999'])
    await t.rejects(client.listTools({ cursor }), { code: -32602 }, cursor)
})

test('tools answer as the routes do, refusals included', async (t) => {
  const app = await agentApp(t)
  const client = await app.connect()
  await client.listTools()
  const call = async (name: string, args: object = {}) =>
    (await client.callTool({ name, arguments: { ...args } })) as unknown as Result
  const { body, ...head } = receipt()
  const put = await call('put_template', { slug: 'receipt', ...head, body })
  t.match(put.structuredContent, { slug: 'receipt', created: true })
  const sent = await call('send_template', { slug: 'receipt', contactId: 't1' })
  t.match(sent.structuredContent, { dispatched: true, send: { status: 'sent' } })
  const refused = await call('send_template', { slug: 'receipt', contactId: 'p1' })
  t.equal(refused.isError, true)
  t.match(bodyOf(refused), { error: 'not_a_test_contact', fix: String })
  const wrong = await call('send_template', { slug: 'receipt', contactId: 7 })
  t.match(bodyOf(wrong), { error: 'validation_failed', fields: [{ path: 'contactId' }] })
  t.match(bodyOf(await call('get_status', { extra: 1 })), { error: 'validation_failed' })
  t.match(bodyOf(await call('get_run', {})), { error: 'validation_failed' })
  t.match((await call('list_runs')).structuredContent, { items: [] })
  t.match((await call('list_broadcasts')).structuredContent, { items: [] })
  t.match((await call('whoami')).structuredContent, { actor: 'agent:test' })
  const { body: entries } = await app.call('GET', '/api/audit?action=mailer.send')
  t.match(entries, [{ actor: 'agent:test' }])
  await t.rejects(client.callTool({ name: 'no_such_tool', arguments: {} }), /unknown/)
})

test('lists are short unless more is asked for, and go on with a cursor', async (t) => {
  const app = await agentApp(t)
  const { flowRuns } = app.mailer.getRunnerContext().collections
  const row = {
    flowId: 'f',
    flowSlug: 'f',
    flowVersion: 1,
    externalId: 't1',
    emailAtEntry: null,
    status: 'completed',
    path: '0',
    history: [],
    triggerEvent: { name: 'x', properties: {} }
  }
  const at = (n: number) => new Date(Date.UTC(2030, 0, 1, 0, n))
  await flowRuns.insertMany(
    Array.from({ length: 25 }, (_, n) => ({ ...row, _id: `run-${n}`, enteredAt: at(n) })) as never
  )
  const client = await app.connect()
  const list = async (args: object) =>
    ((await client.callTool({ name: 'list_runs', arguments: { ...args } })) as unknown as Result)
      .structuredContent
  const first = await list({})
  t.equal(first.items.length, 20)
  t.equal(first.items[0].id, 'run-24')
  const second = await list({ cursor: first.nextCursor })
  t.equal(second.items.length, 5)
  t.equal(second.nextCursor, undefined)
})

test('a client that waits for a send hears how far it is', async (t) => {
  const app = await agentApp(t)
  await app.call('PUT', '/templates/receipt', receipt())
  const sent = await app.call('POST', '/templates/receipt/send', { contactId: 't1' })
  const client = await app.connect()
  const heard: unknown[] = []
  const args = { id: sent.body.sendId, status: 'clicked', timeoutMs: 1200 }
  const waited = (await client.callTool({ name: 'wait_for_send', arguments: args }, undefined, {
    onprogress: (progress) => heard.push(progress)
  })) as unknown as Result
  t.match(waited.structuredContent, { reached: false, target: 'clicked' })
  t.ok(heard.length >= 2, String(heard.length))
  t.match(heard[0], { total: 1200, message: 'The send is sent.' })
})

test('templates, flows and documentation are resources', async (t) => {
  const app = await agentApp(t)
  await app.call('PUT', '/templates/receipt', receipt())
  const client = await app.connect()
  const { resources } = await client.listResources()
  const uris = resources.map(({ uri }) => uri)
  t.ok(uris.includes('mailer://docs/guide') && uris.includes('mailer://templates/receipt'))
  const { contents } = await client.readResource({ uri: 'mailer://templates/receipt' })
  t.match(contents, [{ mimeType: 'application/json', text: /"slug": "receipt"/ }])
  const { contents: docs } = await client.readResource({ uri: 'mailer://docs/refusals' })
  t.match(docs, [{ text: /not_a_test_contact/ }])
  await t.rejects(client.readResource({ uri: 'mailer://templates/none' }), /unknown/)
  const { resourceTemplates } = await client.listResourceTemplates()
  t.equal(resourceTemplates.length, 2)
})

const wordsTool: McpTool = {
  name: 'count_words',
  title: 'Count words',
  description: 'Counts words.',
  inputSchema: { type: 'object', properties: {} },
  annotations: { readOnlyHint: true },
  scopes: ['words:read'],
  handler: async () => ({ words: 0 })
}

test('tools of other plugins act for a person, so an agent token does not see them', async (t) => {
  const client = await (await agentApp(t, { mcp: { tools: () => [wordsTool] } })).connect()
  const { tools } = await client.listTools()
  t.notOk(tools.some(({ name }) => name === 'count_words'))
  await t.rejects(client.callTool({ name: 'count_words', arguments: {} }), /unknown/)
})

test('a tool of another plugin is for the people that it names', async (t) => {
  const tool: McpTool = { ...wordsTool, mayUse: ({ role }) => role === 'admin' }
  for (const role of ['admin', 'viewer']) {
    const people = signedIn({ tenantId: 'acme', role, viewerRef: 'user:a' })
    const app = await agentApp(t, { mcp: { people, tools: () => [tool] } })
    const client = await app.connect('an access token of OAuth')
    const { tools } = await client.listTools()
    t.equal(
      tools.some(({ name }) => name === 'count_words'),
      role === 'admin',
      role
    )
    const result = await client.callTool({ name: 'count_words', arguments: {} })
    t.equal(result.isError === true, role === 'viewer', role)
  }
})

test('the first challenge asks for the scopes of tools that read, of all tools, or those of the setting', async (t) => {
  const person = signedIn({ tenantId: 'acme', role: 'admin', viewerRef: 'user:a' })
  const cases = [
    [{}, ['mail:read']],
    [{ firstScopes: 'reading' }, ['mail:read']],
    [{ firstScopes: 'all' }, ['mail:read', 'mail:write']],
    [{ firstScopes: ['mail:write'] }, ['mail:write']]
  ] as const
  for (const [setting, wanted] of cases) {
    const asked: string[] = []
    const people: McpPeople = {
      ...person,
      protect(scopesOf, first) {
        asked.push(...first)
        return person.protect(scopesOf, first)
      }
    }
    await agentApp(t, { mcp: { people, ...setting } })
    t.same(asked.sort(), wanted, JSON.stringify(setting))
  }
})

test('a token that may read gets a refusal from tools that change something', async (t) => {
  const scopes = ['mail:read'] as const
  const app = await agentApp(t, { tokens: [{ token: TOKEN, actor: 'agent:reader', scopes }] })
  const client = await app.connect()
  const refused = (await client.callTool({ name: 'run_tick', arguments: {} })) as unknown as Result
  t.match(bodyOf(refused), { error: 'insufficient_scope' })
})

test('without a valid token every message answers 401', async (t) => {
  const app = await agentApp(t)
  await t.rejects(app.connect('wrong-token-wrong-token-wrong'), /Unauthorized|401|unauthorized/)
})

test('the address of MCP may end with a slash', async (t) => {
  const { app } = await agentApp(t)
  for (const url of ['/mcp', '/mcp/']) {
    t.equal((await app.inject({ method: 'POST', url, payload: {} })).statusCode, 401, url)
    t.equal((await app.inject({ method: 'GET', url })).statusCode, 405, url)
  }
})

test('pages of other sites are kept out where the config lists those that may call', async (t) => {
  const { app } = await agentApp(t, { mcp: { peopleOrigins: ['https://ok.test'] } })
  const status = async (headers: Record<string, string>) =>
    (await app.inject({ method: 'POST', url: '/mcp', headers, payload: {} })).statusCode
  t.equal(await status({ origin: 'https://evil.test', authorization: 'Bearer x' }), 403)
  t.equal(await status({ origin: 'https://evil.test' }), 403)
  t.equal(await status({ origin: 'https://ok.test' }), 401)
  t.equal(await status({}), 401, 'a program sends no origin')
})

test('a tool call with an idempotencyKey acts once and gets the same result for a day', async (t) => {
  const app = await agentApp(t)
  await app.call('PUT', '/templates/receipt', receipt())
  const client = await app.connect()
  const { tools } = await client.listTools()
  for (const { name, annotations, inputSchema } of tools) {
    const takesKey = Object.hasOwn(inputSchema.properties ?? {}, 'idempotencyKey')
    t.equal(takesKey, annotations?.readOnlyHint !== true, name)
  }
  const send = async (args: object) =>
    (await client.callTool({
      name: 'send_template',
      arguments: { slug: 'receipt', ...args }
    })) as unknown as Result & { readonly _meta?: object }
  const mail = { contactId: 't1', idempotencyKey: 'key-1' }
  const first = await send(mail)
  t.match(first, { isError: undefined, _meta: undefined })
  const again = await send(mail)
  t.same(again.structuredContent, first.structuredContent)
  t.match(again._meta, { idempotentReplayed: true })
  t.equal(app.provider.sent.length, 1)
  const other = await send({ ...mail, contactId: 't2' })
  t.match([other.isError, bodyOf(other)], [true, { error: 'idempotency_key_reused', fix: String }])
  for (const wrong of ['', 'with space', 'x'.repeat(256), 7]) {
    const refused = await send({ ...mail, idempotencyKey: wrong })
    t.match(bodyOf(refused), { error: 'idempotency_key_invalid' })
  }
  const overHttp = { authorization: `Bearer ${TOKEN}`, 'idempotency-key': 'key-1' }
  t.match(await app.call('POST', '/templates/receipt/send', { contactId: 't1' }, overHttp), {
    status: 409,
    body: { error: 'idempotency_key_reused' }
  })
  t.equal(app.provider.sent.length, 1)
  await app.clock.advance(86_400_001)
  t.match(await send({ ...mail, contactId: 't2' }), { structuredContent: { dispatched: true } })
  t.equal(app.provider.sent.length, 2)
})

test('two tool calls with one key at the same moment act once', async (t) => {
  const app = await agentApp(t)
  await app.call('PUT', '/templates/receipt', receipt())
  const client = await app.connect()
  const args = { slug: 'receipt', contactId: 't1', idempotencyKey: 'key-1' }
  const call = { name: 'send_template', arguments: args }
  const results = (await Promise.all(
    [1, 2, 3].map(() => client.callTool(call))
  )) as never as Result[]
  t.ok(results.some(({ isError }) => isError !== true))
  for (const result of results) {
    if (result.isError) t.match(bodyOf(result), { error: 'idempotency_in_flight' })
  }
  t.equal(app.provider.sent.length, 1)
})

/** A person who signed in by OAuth, with both scopes. */
function signedIn(viewer: Viewer | null): McpPeople {
  return {
    protect: () => async (request) => {
      const access = { userId: 'u-1', clientId: 'app', scopes: ['mail:read', 'mail:write'] }
      Object.assign(request, { oauth: access })
    },
    viewerOf: async () => viewer,
    mayUse: ({ role, tenantId }) => role === 'admin' && tenantId === 'acme'
  }
}

const OUTSIDERS: readonly (Viewer | null)[] = [
  { tenantId: 'globex', role: 'admin', viewerRef: 'user:g' },
  { tenantId: 'acme', role: 'viewer', viewerRef: 'user:v' },
  null
]

test('people of other tenants, without the role, or gone get no tool and no resource of the mailer', async (t) => {
  for (const viewer of OUTSIDERS) {
    const app = await agentApp(t, { mcp: { people: signedIn(viewer) } })
    await app.call('PUT', '/templates/receipt', receipt())
    const client = await app.connect('an access token of OAuth')
    const who = viewer === null ? 'gone' : `${viewer.tenantId} ${viewer.role}`
    for (const { tool = '' } of operations) {
      const args = { slug: 'receipt', id: 'x', externalId: 't1', contactId: 't1', add: ['x'] }
      const call = { name: tool, arguments: { ...args, idempotencyKey: 'k' } }
      const result = (await client.callTool(call)) as unknown as Result
      t.match(bodyOf(result), { error: 'person_not_allowed' }, `${who}: ${tool}`)
    }
    t.same(
      (await client.listTools()).tools.map(({ name }) => name),
      ['whoami'],
      who
    )
    const { resources } = await client.listResources()
    t.ok(
      resources.every(({ uri }) => uri.startsWith('mailer://docs/')),
      who
    )
    await t.rejects(client.readResource({ uri: 'mailer://templates/receipt' }), /unknown/)
    t.equal(app.provider.sent.length, 0)
    t.equal(await app.db.collection('agent_answers').countDocuments({}), 0)
    t.same((await app.call('GET', '/contacts/t1')).body.contact.tags, [])
  }
})

test('an administrator of the mailer is audited as client and person, whatever the key', async (t) => {
  const ann: Viewer = { tenantId: 'acme', role: 'admin', viewerRef: 'user:a' }
  const app = await agentApp(t, { mcp: { people: signedIn(ann) } })
  const client = await app.connect('an access token of OAuth')
  const tag = { externalId: 't1', add: ['beta'], idempotencyKey: 'key-1' }
  for (let time = 0; time < 2; time++) {
    const result = (await client.callTool({
      name: 'tag_contact',
      arguments: tag
    })) as unknown as Result
    t.match(result.structuredContent, { added: ['beta'] })
  }
  const { body } = await app.call('GET', '/api/audit?action=agent.tags')
  t.match(body, [{ actor: 'oauth:app:u-1' }])
  t.equal(body.length, 1)
})
