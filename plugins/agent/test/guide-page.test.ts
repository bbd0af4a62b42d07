// The page that connects an assistant, in a browser before the real plugins.
import mailerPlugin, { createMemoryAdapter } from '@keelson/mailer'
import { mailerContacts } from '@keelson/mailer/contracts'
import { definePlugin, type Viewer } from '@keelson/sdk'
import { mcpTools } from '@keelson/sdk/contracts/mcp-tools'
import { createTestHost } from '@keelson/sdk/testing'
import { browserOptions, closeBrowser, faultsInEveryLook, openPage } from '@keelson/ui/testing'
import tap, { type Test, test } from 'tap'
import agentPlugin from '../plugin.ts'
import { TOKEN } from './agent-app.ts'

tap.teardown(closeBrowser)

const ADMIN: Viewer = { tenantId: 'acme', role: 'admin', viewerRef: 'user:a', name: 'Ann' }
const VIEWER: Viewer = { tenantId: 'acme', role: 'viewer', viewerRef: 'user:b', name: 'Bob' }

const manifest = {
  manifestVersion: 1,
  version: '1.0.0',
  kernel: '*',
  description: 'Beside the agent API.',
  license: 'MIT'
} as const

const people = definePlugin({
  manifest: { ...manifest, id: 'people', name: 'People', provides: ['mailer.contacts/v1'] },
  register: (host) => host.provide(mailerContacts, createMemoryAdapter([]))
})

const words = definePlugin({
  manifest: { ...manifest, id: 'words', name: 'Words', uses: ['mcp.tools/v1'] },
  register: (host) =>
    host.extend(mcpTools, [
      {
        name: 'count_words',
        title: 'Count words',
        description: 'Counts words.',
        inputSchema: { type: 'object', properties: {} },
        annotations: { readOnlyHint: true },
        scopes: ['words:read'],
        handler: async () => ({ words: 0 })
      },
      {
        name: 'mail_of_words',
        title: 'Mail about words',
        description: 'Reads mail and words.',
        inputSchema: { type: 'object', properties: {} },
        annotations: { readOnlyHint: true },
        scopes: ['mail:read'],
        handler: async () => ({ mail: 0 })
      }
    ])
})

async function platform(
  t: Test,
  { testContacts = '@example\\.test$' as string | null, viewer = ADMIN, prefix = '' } = {}
) {
  const host = await createTestHost({
    plugin: agentPlugin,
    plugins: [mailerPlugin, people, words],
    viewer,
    prefix,
    config: {
      tokens: [{ token: TOKEN, actor: 'agent:test' }],
      testContacts,
      adminTenants: ['acme']
    },
    platform: {
      plugins: {
        mailer: {
          config: {
            publicUrl: 'https://mail.example.test',
            unsubscribeSecret: 'the secret of a test',
            fromDefaults: { name: 'Acme', email: 'hello@acme.test' },
            providers: { null: {} }
          }
        }
      }
    }
  })
  t.teardown(() => host.close())
  return { host, url: `${await host.listen()}${prefix}` }
}

type Opened = Awaited<ReturnType<typeof openPage>>

/** A browser in which people can sign in to the endpoint; `register`: the host registers assistants. */
async function withSignIn({ page }: Opened, url: string, register: boolean): Promise<void> {
  await page.route('**/agent/guide', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ json: { ...(await answer.json()), hasSignIn: true } })
  })
  await page.route('**/.well-known/oauth-protected-resource/mcp', (route) =>
    route.fulfill({ json: { authorization_servers: [url] } })
  )
  await page.route('**/.well-known/oauth-authorization-server', (route) =>
    route.fulfill({
      json: { issuer: url, ...(register && { registration_endpoint: `${url}/register` }) }
    })
  )
}

test(
  'the page shows the address, checks it, and has settings to copy',
  browserOptions,
  async (t) => {
    const { url } = await platform(t)
    const { page, faults } = await openPage(t, {
      permissions: ['clipboard-read', 'clipboard-write']
    })
    await page.goto(`${url}/account/assistant`)
    await page.locator('.address').waitFor()
    t.equal(await page.locator('h1').textContent(), 'Connect an assistant')
    t.equal(await page.locator('.address code').textContent(), `${url}/mcp`)
    await page.getByRole('button', { name: 'Copy the MCP address' }).click()
    t.equal(await page.evaluate('navigator.clipboard.readText()'), `${url}/mcp`)
    for (const [name, text] of [
      ['Claude Code', 'claude mcp add --transport http mailer'],
      ['Claude Desktop', 'mcp-remote'],
      ['Cursor', '"mcpServers"'],
      ['VS Code', '"servers"'],
      ['Other', '"method":"initialize"']
    ] as const) {
      await page.getByRole('link', { name, exact: true }).click()
      const code = page.locator('.block code').first()
      await code.getByText(text).waitFor()
      t.match(await code.textContent(), `${url}/mcp`, name)
    }
    t.match(page.url(), /client=other/)
    t.same(faults, [])
    await page.getByRole('button', { name: 'Check the endpoint' }).click()
    await page.getByText('The endpoint answers and asks for a token.').waitFor()
  }
)

test(
  'people who can sign in need no token, and a client ID only where none is registered',
  browserOptions,
  async (t) => {
    const { url } = await platform(t)
    for (const register of [true, false]) {
      const opened = await openPage(t)
      const { page } = opened
      await withSignIn(opened, url, register)
      await page.goto(`${url}/account/assistant?client=vscode`)
      await page.getByText(`Access tokens come from ${url}.`).waitFor()
      t.equal(await page.getByText('With a client ID').count(), register ? 0 : 1)
      await page.getByText(/^On the page that asks for your consent, tick/).waitFor()
      t.notMatch(await page.locator('.block code').first().textContent(), /Authorization/)
      await page.getByRole('link', { name: 'Agent token', exact: true }).click()
      await page.locator('.block code', { hasText: 'promptString' }).waitFor()
      t.match(page.url(), /client=vscode&auth=token/)
      t.equal(await page.getByRole('link', { name: 'Make an agent token' }).count(), 1)
      t.equal(await page.getByText('With a client ID').count(), 0)
    }
  }
)

test(
  'scopes name their tools, and those of other plugins are not for agent tokens',
  browserOptions,
  async (t) => {
    const { url } = await platform(t)
    const { page } = await openPage(t)
    await page.goto(`${url}/account/assistant`)
    const scope = (id: string) => page.locator('.scope', { hasText: id })
    await scope('mail:write').locator('summary').click()
    t.match(
      await scope('mail:write').textContent(),
      /Publish templates, switch flows on, and send broadcasts[\s\S]*send_template/
    )
    await page.getByText(/publish templates, switch flows on and send broadcasts to your/).waitFor()
    t.match(await scope('mail:read').textContent(), /verify_template/)
    t.match(
      await scope('words:read').textContent(),
      /not for agent tokens[\s\S]*1 tool[\s\S]*count_words/
    )
    const headings = await page.locator('.scope h3').allTextContents()
    t.same(
      headings.map((text) => text.replace(/\s+/g, ' ').trim()),
      [
        'Read mail mail:read',
        'Send and change mail mail:write',
        'Use other plugins words:read not for agent tokens'
      ],
      'each scope once, in words and by its code'
    )
    const lent = scope('mail:read').locator('dd', { hasText: 'Mail about words' })
    t.match(await lent.textContent(), /not for agent tokens/)
    t.equal(await scope('mail:read').locator('h3 .tag').count(), 0)
    t.equal(await page.getByText('No test contacts are configured').count(), 0)
    t.equal(await page.getByText('Mail tools are for administrators').count(), 0)
  }
)

test(
  'the page says what is missing: test contacts, the role, the sign-in',
  browserOptions,
  async (t) => {
    const { url } = await platform(t, { testContacts: null, viewer: VIEWER })
    const { page } = await openPage(t)
    await page.goto(`${url}/account/assistant`)
    await page.getByText('No test contacts are configured').waitFor()
    await page.getByText('Mail tools are for administrators').waitFor()
    await page.getByText('People cannot sign in to this endpoint').waitFor()
    t.match(await page.locator('.block code').first().textContent(), /Authorization/)
  }
)

test('an endpoint that fails is named, and checked again', browserOptions, async (t) => {
  const { url } = await platform(t)
  const { page } = await openPage(t)
  await page.route('**/mcp', (route) => route.fulfill({ status: 502, body: '' }))
  await page.goto(`${url}/account/assistant`)
  await page.getByRole('button', { name: 'Check the endpoint' }).click()
  await page.getByText('answered with status 502').waitFor()
  await page.unroute('**/mcp')
  await page.route('**/mcp', (route) => route.abort())
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText('The endpoint does not answer').waitFor()
  await page.unroute('**/mcp')
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText('The endpoint answers').waitFor()
  t.pass('it is found')
})

test(
  'a guide that cannot be loaded shows an error and can be loaded again',
  browserOptions,
  async (t) => {
    const { url } = await platform(t)
    const { page } = await openPage(t)
    await page.route('**/agent/guide', (route) => route.fulfill({ status: 503, json: {} }))
    await page.goto(`${url}/account/assistant`)
    await page.getByRole('alert').waitFor()
    await page.unroute('**/agent/guide')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.address').waitFor()
    t.equal(await page.getByRole('alert').count(), 0)
  }
)

test('below a prefix the address has it', browserOptions, async (t) => {
  const { url } = await platform(t, { prefix: '/platform' })
  const { page } = await openPage(t)
  await page.goto(`${url}/account/assistant`)
  await page.getByRole('button', { name: 'Check the endpoint' }).click()
  await page.getByText('The endpoint answers').waitFor()
  t.equal(await page.locator('.address code').textContent(), `${url}/mcp`)
})

test('the page passes axe, light and dark, wide and narrow', browserOptions, async (t) => {
  const { url } = await platform(t, { testContacts: null, viewer: VIEWER })
  const opened = await openPage(t)
  const { page } = opened
  await withSignIn(opened, url, false)
  await page.goto(`${url}/account/assistant?client=claude-code`)
  await page.getByText('With a client ID').waitFor()
  await page.locator('summary').first().click()
  t.same(await faultsInEveryLook(page), [])
})
