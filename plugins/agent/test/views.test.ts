// Pages of the platform in an assistant: what a tool answered, shown in a frame without a cookie or a connection.
import mailerPlugin, { createMemoryAdapter } from '@keelson/mailer'
import { mailerContacts } from '@keelson/mailer/contracts'
import { definePlugin } from '@keelson/sdk'
import { createTestHost } from '@keelson/sdk/testing'
import { browserOptions, closeBrowser, openPage } from '@keelson/ui/testing'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import tap, { type Test, test } from 'tap'
import agentPlugin from '../plugin.ts'
import { receipt, TOKEN } from './agent-app.ts'
import { readView, serveAssistant } from './assistant.ts'

tap.teardown(closeBrowser)

const READING = 'another-token-of-the-tests'

const people = definePlugin({
  manifest: {
    manifestVersion: 1,
    id: 'people',
    name: 'People',
    version: '1.0.0',
    kernel: '*',
    description: 'Contacts of the test.',
    license: 'MIT',
    provides: ['mailer.contacts/v1']
  },
  register: (host) =>
    host.provide(
      mailerContacts,
      createMemoryAdapter([{ externalId: 't1', email: 't1@example.test', tags: [], fields: {} }])
    )
})

/** A platform with one template, and clients of it. */
async function platform(t: Test) {
  const host = await createTestHost({
    plugin: agentPlugin,
    plugins: [mailerPlugin, people],
    config: {
      tokens: [
        { token: TOKEN, actor: 'agent:test' },
        { token: READING, actor: 'agent:narrow', routes: ['/templates/*'] }
      ],
      testContacts: '@example\\.test$'
    },
    platform: {
      plugins: {
        mailer: {
          config: {
            publicUrl: 'https://mail.example.test',
            unsubscribeSecret: 'the secret of a test',
            fromDefaults: { name: 'Acme', email: 'hello@acme.test' },
            senderDomains: { 'acme.test': { kind: 'both' } },
            providers: { null: {} }
          }
        }
      }
    }
  })
  t.teardown(() => host.close())
  const url = await host.listen()
  const connect = async (token = TOKEN) => {
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: 'auto' } }
    )
    const requestInit = { headers: { authorization: `Bearer ${token}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }))
    t.teardown(() => client.close())
    return client
  }
  const client = await connect()
  await client.callTool({ name: 'put_template', arguments: { slug: 'receipt', ...receipt() } })
  return { url, client, connect }
}

test('tools name their view, and each view is a resource with a policy', async (t) => {
  const { url, client } = await platform(t)
  t.match(client.getServerCapabilities()?.extensions, { 'io.modelcontextprotocol/ui': {} })
  const { tools } = await client.listTools()
  const views = new Set<string>()
  for (const { name, _meta } of tools) {
    const uri = (_meta?.['ui'] as { resourceUri?: string } | undefined)?.resourceUri
    if (uri !== undefined) views.add(uri)
    if (name === 'render_template') t.equal(uri, 'ui://keelson/mailer-template')
    if (name === 'read_view') t.match(_meta, { ui: { visibility: ['app'] } })
  }
  const { resources } = await client.listResources()
  const listed = resources.filter(({ mimeType }) => mimeType === 'text/html;profile=mcp-app')
  t.same(listed.map(({ uri }) => uri).sort(), [...views].sort())
  for (const uri of views) {
    const { text, _meta } = await readView(client, uri)
    t.match(text, /^<!doctype html>/)
    t.same(_meta.ui.csp, { resourceDomains: [new URL(url).origin] })
  }
})

test('an assistant shows the page of a template without a cookie', browserOptions, async (t) => {
  const { url, client } = await platform(t)
  const view = await readView(client, 'ui://keelson/mailer-template')
  const address = await serveAssistant(t, view, { slug: 'receipt' })
  const { page } = await openPage(t)
  const asked: string[] = []
  const calls: unknown[] = []
  page.on('request', (request) => {
    if (request.url().startsWith(url)) asked.push(new URL(request.url()).pathname)
  })
  await page.exposeFunction('callTool', async (params: { name: string; arguments: object }) => {
    calls.push(params.arguments)
    return client.callTool({ name: params.name, arguments: { ...params.arguments } })
  })
  await page.goto(address)
  const frame = page.frameLocator('iframe')
  await frame.getByRole('heading', { name: 'Receipt' }).first().waitFor()
  t.ok(asked.length > 0 && asked.every((path) => path.startsWith('/embed/mailer/')), String(asked))
  t.match(calls[0], { view: 'mailer-template', method: 'GET', path: /^\/admin\/mailer\/api\// })
  t.equal(await frame.locator('mailer-template').getAttribute('color-scheme'), 'dark')
  t.equal(await frame.locator('[role=alert]').count(), 0)
  const heard = (await page.evaluate('heard')) as string[]
  t.ok(heard.includes('ui/notifications/size-changed'), String(heard))
})

test('a view reads what the token may read, and changes nothing', async (t) => {
  const { client, connect } = await platform(t)
  const read = async (args: object, by = client) =>
    (await by.callTool({
      name: 'read_view',
      arguments: { view: 'mailer-template', method: 'GET', ...args }
    })) as { readonly structuredContent?: unknown; readonly isError?: boolean }
  const base = '/admin/mailer/api'
  const table: readonly (readonly [object, number])[] = [
    [{ path: `${base}/templates/receipt` }, 200],
    [{ path: `${base}/templates?limit=5` }, 200],
    [{ path: `${base}/templates?limit=none` }, 400],
    [{ path: `${base}/templates/none` }, 404],
    [{ path: `${base}/templates/%` }, 404],
    [{ path: '/platform/api/plugins' }, 404],
    [{ path: `${base}/templates/receipt`, method: 'DELETE' }, 403],
    [{ path: `${base}/flows/x/enable`, method: 'POST', body: {} }, 404]
  ]
  for (const [args, status] of table)
    t.match((await read(args)).structuredContent, { status }, JSON.stringify(args))
  t.match(await read({ path: `${base}/templates`, view: 'none' }), { isError: true })
  const narrow = await connect(READING)
  t.match((await read({ path: `${base}/templates/receipt` }, narrow)).structuredContent, {
    status: 403
  })
})
