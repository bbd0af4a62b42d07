// The Clients page in a browser, before the real server.
import { generateKeyPairSync } from 'node:crypto'
import {
  accessibilityFaults,
  browserOptions,
  closeBrowser,
  faultsInEveryLook,
  textsOf
} from '@keelson/ui/testing'
import type { Page } from 'playwright-core'
import tap, { type Test, test } from 'tap'
import {
  ANN,
  authorizeAddress,
  CALLBACK,
  createClient,
  GIL,
  grantAccess,
  openBrowser,
  sharedPlatform
} from './page-host.ts'

tap.teardown(closeBrowser)

const platformOf = sharedPlatform(tap)

async function open(t: Test, query = '', options: Parameters<typeof openBrowser>[1] = {}) {
  const platform = await platformOf()
  const opened = await openBrowser(t, options)
  const show = (more: string) => opened.page.goto(`${platform.url}/admin/oauth/clients${more}`)
  if (query !== 'none') await show(query)
  return { platform, show, ...opened }
}

const row = (page: Page, name: string) => page.locator('tr[data-id]', { hasText: name })
/** The open client; its parts are slotted into the drawer. */
const panel = (page: Page) => page.locator('.panel-part')
const queryOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

test(
  'without clients the page says what one is, and makes the first',
  browserOptions,
  async (t) => {
    const { page, faults } = await open(t)
    await page.getByText('No clients yet').waitFor()
    t.equal(await page.locator('h1').textContent(), 'Clients')
    await page.locator('keelson-empty').getByRole('button', { name: 'New client' }).click()
    await page.getByLabel('Start from').selectOption('Claude Code')
    t.equal(await page.getByRole('textbox', { name: /^Name/ }).inputValue(), 'Claude Code')
    t.match(
      await page.getByLabel('Callback addresses').inputValue(),
      /http:\/\/127\.0\.0\.1\/callback/
    )
    t.match(await page.getByLabel('Type').inputValue(), 'public')
    await page.getByRole('button', { name: 'Create client' }).click()
    await page.getByText('No secret is needed').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await row(page, 'Claude Code').waitFor()
    t.same(queryOf(page), {})
    t.same(faults, [])
  }
)

test('a secret is shown once and never again', browserOptions, async (t) => {
  const { page, platform } = await open(t, '?dialog=new')
  await page.getByRole('textbox', { name: /^Name/ }).fill('With secret')
  await page.getByLabel('Callback addresses').fill(CALLBACK)
  await page.getByRole('checkbox', { name: 'Send mail in your name mail:write' }).check()
  await page.getByRole('button', { name: 'Create client' }).click()
  await page.getByText('The secret is shown only once').waitFor()
  const [id = '', secret = '', issuer = ''] = await page.locator('.secret code').allTextContents()
  t.match(secret, /^[\w-]{43,}$/)
  t.equal(issuer, 'http://127.0.0.1:3999')
  t.equal(await page.locator('.secret keelson-copy').count(), 3)
  t.notMatch(page.url(), secret)
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await row(page, 'With secret').waitFor()
  const shown = await page.locator('oauth-clients').evaluate((page) => page.shadowRoot?.innerHTML)
  t.notMatch(shown, secret)
  const { client } = await platform.call<{ client: { allowedScopes: string[] } }>(
    ANN,
    'GET',
    `/admin/clients/${id}`
  )
  t.ok(client.allowedScopes.includes('mail:write'))
})

test('a refused client shows the reason and keeps the form', browserOptions, async (t) => {
  const { page } = await open(t)
  await page.locator('tr[data-id]').first().waitFor()
  await page.keyboard.press('n')
  await page.getByRole('textbox', { name: /^Name/ }).fill('Insecure')
  await page.getByLabel('Callback addresses').fill('http://evil.example/cb')
  await page.getByRole('button', { name: 'Create client' }).click()
  await page.getByRole('alert').getByText('http://evil.example/cb').waitFor()
  const callbacks = page.getByLabel('Callback addresses')
  t.equal(await callbacks.getAttribute('aria-invalid'), 'true')
  const about = (await callbacks.getAttribute('aria-describedby')) ?? ''
  const words = (await page.locator(`#${about}`).textContent()) ?? ''
  t.match(words, /http:\/\/evil\.example\/cb/)
  t.notMatch(words, /redirectUris|client is invalid/, 'no name of the API')
  t.equal(await page.getByRole('alert').count(), 1, 'it is said once')
  t.equal(await page.getByRole('textbox', { name: /^Name/ }).inputValue(), 'Insecure')
  await page.getByRole('button', { name: 'Cancel' }).click()
  t.same(queryOf(page), {})
})

test('a fault of a folded field opens the fold', browserOptions, async (t) => {
  const { page } = await open(t, '?dialog=new')
  await page.getByRole('textbox', { name: /^Name/ }).fill('Folded')
  await page.getByLabel('Callback addresses').fill(CALLBACK)
  await page.getByText('More settings').click()
  await page.getByLabel('Website').fill('http://plain.example')
  await page.getByText('More settings').click()
  await page.getByRole('button', { name: 'Create client' }).click()
  const website = page.getByLabel('Website')
  await website.waitFor({ state: 'visible' })
  t.equal(await website.getAttribute('aria-invalid'), 'true')
  t.same(await accessibilityFaults(page), [])
})

test('all that a client may have is set by the form, and taken away', browserOptions, async (t) => {
  const { page, platform, show } = await open(t, '?dialog=new')
  await page.getByRole('textbox', { name: /^Name/ }).fill('Whole client')
  await page.getByLabel('Callback addresses').fill(CALLBACK)
  await page.getByText('More settings').click()
  await page.getByLabel('Publisher').fill('Example Inc.')
  await page.getByLabel('Logo address').fill('https://app.example.test/logo.png')
  await page.getByLabel('Sign-out addresses').fill('https://app.example.test/bye')
  await page.getByLabel('ID token algorithm').selectOption('ES256')
  await page.getByLabel(/Require DPoP/).check()
  await page.getByLabel(/Require pushed/).check()
  t.same(await accessibilityFaults(page), [])
  await page.getByRole('button', { name: 'Create client' }).click()
  const id = (await page.locator('.secret code').first().textContent()) ?? ''
  const read = async () => {
    const { client } = await platform.call<{ client: Record<string, unknown> }>(
      ANN,
      'GET',
      `/admin/clients/${id}`
    )
    return client
  }
  t.match(await read(), {
    branding: { publisher: 'Example Inc.', logoUrl: 'https://app.example.test/logo.png' },
    postLogoutRedirectUris: ['https://app.example.test/bye'],
    idTokenAlg: 'ES256',
    dpopBoundAccessTokens: true,
    requirePushedAuthorizationRequests: true
  })
  await show(`?client=${id}&dialog=edit`)
  await page.getByText('More settings').click()
  for (const label of ['Publisher', 'Logo address', 'Sign-out addresses']) {
    await page.getByLabel(label).fill('')
  }
  await page.getByLabel('ID token algorithm').selectOption('')
  await page.getByLabel(/Require DPoP/).uncheck()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Whole client was saved.').waitFor()
  const changed = await read()
  t.match(changed, { postLogoutRedirectUris: [], dpopBoundAccessTokens: false })
  t.notOk('branding' in changed || 'idTokenAlg' in changed)
})

test('a service account of a tenant is made by the form', browserOptions, async (t) => {
  const { page, platform, show } = await open(t, '?dialog=new')
  await page.getByRole('textbox', { name: /^Name/ }).fill('Nightly job')
  await page.getByText('More settings').click()
  for (const name of ['a person signs in', 'refresh tokens']) {
    await page.getByRole('checkbox', { name }).uncheck()
  }
  await page.getByRole('checkbox', { name: /service account/ }).check()
  await page.getByLabel('Owner').fill('u-ann')
  await page.getByLabel('Tenants').fill('acme')
  await page.getByLabel('Expires on').fill('2099-01-31')
  await page.getByLabel('Lifetime of access tokens').fill('300')
  t.same(await accessibilityFaults(page), [])
  await page.getByRole('button', { name: 'Create client' }).click()
  const id = (await page.locator('.secret code').first().textContent()) ?? ''
  const read = async () =>
    (await platform.call<{ client: object }>(ANN, 'GET', `/admin/clients/${id}`)).client
  const made = {
    grantTypes: ['client_credentials'],
    owner: 'u-ann',
    tenants: ['acme'],
    expiresAt: '2099-01-31T00:00:00.000Z',
    accessTokenTtl: 300
  }
  t.match(await read(), made)
  await show(`?client=${id}&dialog=edit`)
  await page.getByText('More settings').click()
  await page.getByLabel('Lifetime of access tokens').fill('600')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Nightly job was saved.').waitFor()
  t.match(await read(), { ...made, accessTokenTtl: 600 })
})

test('keys of a client can be entered', browserOptions, async (t) => {
  const { page } = await open(t, '?dialog=new')
  await page.getByRole('textbox', { name: /^Name/ }).fill('Own keys')
  await page.getByLabel('Callback addresses').fill(CALLBACK)
  await page.getByLabel('Authentication').selectOption('inline')
  const keys = page.getByLabel('Key set (JSON)')
  await keys.fill('not JSON')
  await page.getByRole('button', { name: 'Create client' }).click()
  await page.getByRole('alert').waitFor()
  t.equal(await keys.getAttribute('aria-invalid'), 'true')
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  await keys.fill(JSON.stringify({ keys: [publicKey.export({ format: 'jwk' })] }))
  await page.getByRole('button', { name: 'Create client' }).click()
  await page.getByText('No secret is needed').waitFor()
})

test('a client is deleted after a question, with all its access', browserOptions, async (t) => {
  const opened = await open(t, 'none')
  const { page, platform, show } = opened
  const { clientId } = await grantAccess(platform, opened, { name: 'To be deleted' })
  await show(`?client=${clientId}`)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Delete client' }).click()
  await page.getByText('To be deleted is deleted; 1 grant ended.').waitFor()
  await row(page, 'To be deleted').waitFor({ state: 'detached' })
  t.same(queryOf(page), {})
  await t.rejects(platform.call(ANN, 'GET', `/admin/clients/${clientId}`), { message: /404/ })
  const { items } = await platform.call<{ items: { type: string; actorId: string }[] }>(
    ANN,
    'GET',
    `/admin/audit?clientId=${clientId}&limit=1`
  )
  t.match(items, [{ type: 'oauth.client_deleted', actorId: 'u-ann' }])
})

test(
  'a client that registered itself is approved, narrowed and blocked by an administrator',
  browserOptions,
  async (t) => {
    const { page, platform, show, faults, arrived } = await open(t, 'none')
    const { client_id: clientId } = await platform.call<{ client_id: string }>(
      ANN,
      'POST',
      '/register',
      { client_name: 'Desk editor', redirect_uris: [CALLBACK] }
    )
    const address = authorizeAddress(platform, { clientId })
    const refused = async () => {
      await page.goto(address)
      return page.getByRole('button', { name: 'Allow' }).count()
    }
    t.equal(await refused(), 0, 'not approved yet')
    await show(`?client=${clientId}`)
    await panel(page).getByText(clientId).waitFor()
    await page.locator('.panel-head').getByText('by itself', { exact: true }).waitFor()
    await page.locator('.panel-head').getByText('waiting').waitFor()
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByText('Desk editor is enabled.').waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('checkbox', { name: /mail:write/ }).uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Desk editor was saved').waitFor()
    await page.goto(authorizeAddress(platform, { clientId }, { scope: 'mail:write' }))
    t.equal((await arrived())['error'], 'invalid_scope', 'what was taken away')
    await page.goto(authorizeAddress(platform, { clientId }, { scope: 'openid telemetry:read' }))
    await page.locator('.answer[data-calm]').waitFor()
    await page.getByRole('button', { name: 'Allow' }).click()
    t.match(await arrived(), { code: /./ })
    await show(`?client=${clientId}`)
    await page.getByRole('button', { name: 'Disable', exact: true }).click()
    await page.getByRole('button', { name: 'Disable client' }).click()
    await page.getByText('Desk editor is disabled; 1 grant ended.').waitFor()
    t.equal(await refused(), 0, 'blocked')
    t.same(
      faults.filter((fault) => !/40[03]/.test(String(fault))),
      []
    )
  }
)

test(
  'a client that signs has an address of keys instead of a secret',
  browserOptions,
  async (t) => {
    const { page } = await open(t, '?dialog=new')
    await page.getByRole('textbox', { name: /^Name/ }).fill('Signs itself')
    await page.getByLabel('Authentication').selectOption('key')
    await page.getByLabel('Key set address').fill('https://keys.example.test/jwks')
    await page.getByLabel('Callback addresses').fill(CALLBACK)
    await page.getByRole('button', { name: 'Create client' }).click()
    await page.getByText('No secret is needed').waitFor()
    t.equal(await page.locator('.secret').count(), 2)
  }
)

test('a client opens beside the list, and is changed', browserOptions, async (t) => {
  const { page, platform, show } = await open(t, 'none')
  const { clientId } = await createClient(platform, { name: 'Before' })
  await show('')
  await row(page, 'Before').click()
  await panel(page).getByText(clientId).waitFor()
  t.equal(queryOf(page)['client'], clientId)
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: /^Name/ }).fill('After')
  await page.getByLabel('Callback addresses').fill(`${CALLBACK}\nhttps://two.example.test/cb`)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('After was saved').waitFor()
  await panel(page).getByText('https://two.example.test/cb').waitFor()
  await row(page, 'After').waitFor()
  await page.keyboard.press('Escape')
  t.same(queryOf(page), {})
})

test('the panel of a client names its scopes by their labels', browserOptions, async (t) => {
  const { page, platform, show } = await open(t, 'none')
  const allowedScopes = ['telemetry:read', 'mail:write']
  const { clientId } = await createClient(platform, { name: 'Labelled', allowedScopes })
  await show(`?client=${clientId}`)
  const scopes = panel(page).locator('dt', { hasText: 'Scopes' }).locator('+ dd').locator('li')
  await scopes.getByText('Read telemetry').waitFor()
  t.same(await textsOf(scopes), [
    'Read telemetry telemetry:read',
    'Send mail in your name mail:write'
  ])
})

test('the old secret works until its delay ends', browserOptions, async (t) => {
  const { page, platform, show } = await open(t, 'none')
  const { clientId } = await createClient(platform, { name: 'Rotates' })
  await show(`?client=${clientId}`)
  await page.getByRole('button', { name: 'New secret' }).click()
  await page.getByLabel('Older secrets work').selectOption('for one more week')
  await page.getByLabel('Label').fill('server 2')
  await page.getByRole('button', { name: 'Create secret' }).click()
  await page.getByText('The secret is shown only once').waitFor()
  t.equal(await page.locator('.secret').count(), 2)
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await page.getByText('server 2').waitFor()
  t.match((await panel(page).allTextContents()).join(' '), /works until/)
})

test(
  'a client is disabled after a question, found by its status, and enabled',
  browserOptions,
  async (t) => {
    const { page, platform, show } = await open(t, 'none')
    const { clientId } = await createClient(platform, { name: 'Switched' })
    await show(`?client=${clientId}`)
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('button', { name: 'Disable client' }).click()
    await page.getByText('Switched is disabled; 0 grants ended.').waitFor()
    await page.getByRole('button', { name: 'Enable' }).waitFor()
    t.equal(await page.getByRole('button', { name: 'New secret' }).count(), 0)
    await page.getByLabel('Status').selectOption('disabled')
    await row(page, 'Switched').waitFor()
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByText('Switched is enabled').waitFor()
    await row(page, 'Switched').waitFor({ state: 'detached' })
    t.same(queryOf(page), { client: clientId, status: 'disabled' })
  }
)

test('clients are searched, and the search is in the address', browserOptions, async (t) => {
  const { page, platform, show, faults } = await open(t, 'none')
  await createClient(platform, { name: 'Harbour Ledger' })
  await createClient(platform, { name: 'Quay Planner' })
  await show('')
  await row(page, 'Quay Planner').waitFor()
  await page.getByLabel('Search clients').fill('ledg')
  await page.getByLabel('Search clients').press('Enter')
  await row(page, 'Quay Planner').waitFor({ state: 'detached' })
  t.equal(await row(page, 'Harbour Ledger').count(), 1)
  t.same(queryOf(page), { search: 'ledg' })
  await show('?search=nothing+like+it')
  await page.getByText('No clients match').waitFor()
  await page.getByRole('link', { name: 'Show all' }).click()
  await row(page, 'Quay Planner').waitFor()
  t.same(queryOf(page), {})
  t.same(faults, [])
})

test('an unknown client shows a message', browserOptions, async (t) => {
  const { page } = await open(t, '?client=nobody')
  await page.getByText('Client not found').waitFor()
  t.equal(await page.getByRole('button', { name: 'Disable' }).count(), 0)
})

test(
  'administrators of other tenants neither see nor open the pages',
  browserOptions,
  async (t) => {
    const { page, platform, show } = await open(t, 'none')
    const links = page.getByRole('navigation').getByRole('link')
    await show('')
    await links.getByText('Signing keys').waitFor()
    platform.host.signIn(GIL)
    await show('')
    await page.getByText("You don't have access to this page").waitFor()
    await links.getByText('Connected apps').waitFor()
    t.equal(await links.getByText(/Clients|Grants|Diagnostics|Audit|keys/).count(), 0)
  }
)

test('a refused list says who manages clients', browserOptions, async (t) => {
  const { page, show } = await open(t, 'none')
  await page.route('**/oauth/admin/**', (route) =>
    route.fulfill({ status: 403, json: { error: 'forbidden' } })
  )
  await show('')
  await page.getByRole('alert').getByText('Clients are managed by the platform').waitFor()
  t.equal(await page.getByRole('button', { name: 'New client' }).count(), 0)
  t.same(await accessibilityFaults(page), [])
})

test(
  'every state of the Clients page passes axe and does not scroll sideways',
  browserOptions,
  async (t) => {
    const opened = await open(t, 'none')
    const { page, platform, show } = opened
    const { clientId } = await createClient(platform, { name: 'Looked at' })
    await show('')
    await row(page, 'Looked at').first().waitFor()
    for (const query of [
      `?client=${clientId}`,
      '?dialog=new',
      `?client=${clientId}&dialog=rotate`
    ]) {
      await show(query)
      await page.locator(query.includes('dialog') ? '#form' : '.panel-part dl').waitFor()
      t.same(await faultsInEveryLook(page), [], query)
    }
  }
)

test(
  'the panel of a client names its resources by their labels, with their ids',
  browserOptions,
  async (t) => {
    const { page, platform } = await open(t)
    const { clientId } = await createClient(platform, { name: 'Named' })
    await page.goto(`${platform.url}/admin/oauth/clients?client=${clientId}`)
    const resources = page.locator('dt', { hasText: 'Resources' }).locator('+ dd li')
    await resources.getByText('Platform tools').waitFor()
    const issuer = 'http://127.0.0.1:3999'
    t.same(await textsOf(resources), [
      `Platform tools ${issuer}/mcp`,
      `Telemetry ${issuer}/telemetry`
    ])
  }
)
