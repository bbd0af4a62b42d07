// Grants, Diagnostics, Audit and Keys in a browser, before the real server.
import {
  accessibilityFaults,
  browserOptions,
  closeBrowser,
  faultsInEveryLook,
  holdAnswers,
  sideways,
  textsOf
} from '@keelson/ui/testing'
import type { Page } from 'playwright-core'
import tap, { type Test, test } from 'tap'
import {
  ANN,
  authorizeAddress,
  createClient,
  exchange,
  grantAccess,
  openBrowser,
  PAT,
  sharedPlatform
} from './page-host.ts'

tap.teardown(closeBrowser)

const platformOf = sharedPlatform(tap)

async function open(t: Test, options: Parameters<typeof openBrowser>[1] = {}) {
  const platform = await platformOf()
  const opened = await openBrowser(t, options)
  const show = (path: string) => opened.page.goto(`${platform.url}/admin/oauth/${path}`)
  return { platform, show, ...opened }
}

const rows = (page: Page) => page.locator('tr[data-id]')
const queryOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

test('an empty page says what it will show', browserOptions, async (t) => {
  const { page, show } = await open(t)
  for (const [path, heading, words] of [
    ['grants', 'Grants', 'No active grants'],
    ['attempts', 'Diagnostics', 'No clients yet'],
    ['audit', 'Audit', 'No entries yet']
  ] as const) {
    await show(path)
    await page.getByText(words).waitFor()
    t.equal(await page.locator('h1').textContent(), heading)
    t.same(await accessibilityFaults(page), [], path)
  }
})

test('the policy of a tenant is shown, set and taken back', browserOptions, async (t) => {
  const { page, platform, show } = await open(t)
  await show('tenants')
  const edit = page.getByRole('button', { name: 'Edit the policy of acme' })
  await edit.click()
  const scopes = page.getByRole('textbox', { name: 'Scopes' })
  await scopes.fill('ghost')
  await page.getByRole('button', { name: 'Save policy' }).click()
  await page
    .getByText(/ghost, which is not a known scope/)
    .first()
    .waitFor()
  await scopes.fill('telemetry:read\nmail:write')
  await page.getByRole('button', { name: 'Save policy' }).click()
  await rows(page).getByText('telemetry:read, mail:write').waitFor()
  const { items } = await platform.call<{ items: object[] }>(ANN, 'GET', '/admin/tenants')
  const set = { scopes: ['telemetry:read', 'mail:write'], by: 'tenant' }
  t.same(items, [{ tenant: 'acme', set }])
  await edit.click()
  t.equal(await scopes.inputValue(), 'telemetry:read\nmail:write')
  t.same(await accessibilityFaults(page), [])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Reset the policy of acme' }).click()
  await page.getByRole('button', { name: 'Reset policy', exact: true }).click()
  await rows(page).getByText('telemetry:read, mail:write').waitFor({ state: 'detached' })
})

test('the policy of a tenant is edited once it is read', browserOptions, async (t) => {
  const { page, platform, show } = await open(t)
  await platform.call(ANN, 'PUT', '/admin/tenants/acme', { scopes: ['mail:write'] })
  const answer = await holdAnswers(page, '**/admin/tenants?*')
  const isAsked = page.waitForRequest('**/admin/tenants?*')
  await show('tenants?dialog=policy&tenant=acme')
  await isAsked
  t.equal(await page.getByRole('dialog').count(), 0)
  answer()
  const scopes = page.getByRole('textbox', { name: 'Scopes' })
  await scopes.waitFor()
  t.equal(await scopes.inputValue(), 'mail:write')
  await platform.call(ANN, 'DELETE', '/admin/tenants/acme')
})

test('a grant is found by client and person, and ended', browserOptions, async (t) => {
  const opened = await open(t)
  const { page, platform, show, faults } = opened
  const { clientId } = await grantAccess(platform, opened, { name: 'Granted app' })
  await grantAccess(platform, opened, { name: 'Other app' })
  await show('grants')
  await rows(page).nth(1).waitFor()
  await page.getByLabel('Client').selectOption('Granted app')
  await page.waitForURL(/client=/)
  await rows(page).nth(1).waitFor({ state: 'detached' })
  t.equal(queryOf(page)['client'], clientId)
  await page.getByLabel('User ID').fill('u-nobody')
  await page.keyboard.press('Enter')
  await page.getByText('No matching grants').waitFor()
  await page.getByRole('link', { name: 'Show all' }).click()
  await rows(page).nth(1).waitFor()
  await page.getByRole('button', { name: 'End access of Granted app for u-ann' }).click()
  await page.getByRole('button', { name: 'End access', exact: true }).click()
  await page.getByText(/Access ended; \d+ tokens? stopped working/).waitFor()
  await rows(page).nth(1).waitFor({ state: 'detached' })
  t.match(await rows(page).textContent(), /Other app/)
  t.same(faults, [])
})

test('diagnostics show each step of an attempt, and where it ended', browserOptions, async (t) => {
  const opened = await open(t)
  const { page, platform, show } = opened
  const client = await grantAccess(platform, opened, { name: 'Diagnosed app' })
  await page.goto(authorizeAddress(platform, client))
  await page.locator('.answer[data-calm]').waitFor()
  await page.getByRole('button', { name: 'Allow' }).click()
  const { code = '' } = await opened.arrived()
  t.equal(await exchange(platform, client, code), 200)
  t.equal(await exchange(platform, client, code), 400)
  await show('attempts')
  await page.getByLabel('Client').selectOption('Diagnosed app')
  await rows(page).nth(1).waitFor()
  t.equal(queryOf(page)['client'], client.clientId)
  t.match(await rows(page).nth(0).textContent(), /Refused.*Token.*used again/s)
  t.match(await rows(page).nth(1).textContent(), /Completed/)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const panel = page.locator('.panel-part')
  await panel.getByText('Steps').waitFor()
  const steps = await textsOf(panel.locator('.step b'))
  t.same(steps, [
    'Request passed',
    'Consent waiting',
    'Consent passed',
    'Token passed',
    'Token refused'
  ])
  await panel.getByText('What this usually means').waitFor()
  t.same(await accessibilityFaults(page), [])
})

test('attempts of unknown clients are recorded with a reason', browserOptions, async (t) => {
  const { page, platform, show } = await open(t)
  await fetch(authorizeAddress(platform, { clientId: 'nobody' }))
  await show('attempts?client=-')
  await rows(page).first().waitFor()
  t.match(await rows(page).first().textContent(), /Refused/)
})

test('an administrator allows the host of an unknown client', browserOptions, async (t) => {
  const { page, platform, show } = await open(t)
  platform.host.signIn(PAT)
  const clientId = 'https://vscode.dev/oauth/client-metadata.json'
  await fetch(authorizeAddress(platform, { clientId }))
  await show('attempts?client=-')
  await rows(page).first().click()
  const panel = page.locator('.panel-part')
  await panel.getByText(clientId, { exact: true }).waitFor()
  await panel.getByRole('button', { name: 'Allow vscode.dev' }).click()
  await page.getByRole('button', { name: 'Allow this host' }).click()
  await page.getByText('Applications of vscode.dev can now ask for access.').waitFor()
  const list = await platform.call(PAT, 'GET', '/admin/metadata-hosts')
  t.match(list, { configured: ['claude.ai'], added: ['vscode.dev'] })
})

test(
  'figures of Diagnostics stand side by side on the narrowest phones, their times whole',
  browserOptions,
  async (t) => {
    const opened = await open(t, { viewport: { width: 320, height: 800 } })
    const { page, platform, show } = opened
    const client = await createClient(platform, { name: 'Narrow app' })
    await fetch(authorizeAddress(platform, client))
    await show('attempts')
    await page.getByLabel('Client').selectOption('Narrow app')
    await rows(page).first().waitFor()
    const tops = await page
      .locator('keelson-stat')
      .evaluateAll((tiles) => tiles.map((tile) => tile.getBoundingClientRect().top))
    t.equal(tops.length, 4)
    t.equal(new Set(tops).size, 2)
    const cut = await page
      .locator('td', { has: page.locator('time') })
      .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length)
    t.equal(cut, 0)
    t.equal(await sideways(opened), 0)
  }
)

test('audit shows the event, the actor and the details', browserOptions, async (t) => {
  const opened = await open(t)
  const { page, platform, show } = opened
  const { clientId } = await grantAccess(platform, opened, { name: 'Audited app' })
  await show(`audit?client=${clientId}`)
  await rows(page).nth(2).waitFor()
  const shown = await textsOf(rows(page))
  t.match(shown[0], /Tokens issued.*Audited app.*u-ann/)
  t.match(shown[1], /Access allowed/)
  t.match(shown[2], /Client created.*u-ann/, 'with the administrator')
  await rows(page).nth(1).click()
  const panel = page.locator('.panel-part')
  await panel.getByText('consent_granted').waitFor()
  t.match(
    (await panel.allTextContents()).join(' '),
    /the person.*127\.0\.0\.1.*scopes.*openid telemetry:read/s
  )
  await panel.getByRole('link', { name: 'u-ann' }).click()
  t.match(queryOf(page), { user: 'u-ann', client: clientId })
})

test('audit loads older rows', browserOptions, async (t) => {
  const { page, platform, show } = await open(t)
  const { clientId } = await createClient(platform, { name: 'Much changed' })
  for (let at = 0; at < 105; at++) {
    await platform.call(ANN, 'PATCH', `/admin/clients/${clientId}`, { name: 'Much changed' })
  }
  await show(`audit?client=${clientId}`)
  await page.getByRole('button', { name: 'Load more' }).click()
  await rows(page).nth(105).waitFor({ state: 'attached' })
  t.equal(await rows(page).count(), 106, 'every entry is there once')
  t.equal(await page.getByRole('button', { name: 'Load more' }).count(), 0)
})

test('a new key signs, and the one before retires and is deleted', browserOptions, async (t) => {
  const { page, show, faults, platform } = await open(t)
  await show('keys')
  await rows(page).first().waitFor()
  t.ok(await page.getByRole('button', { name: 'New ES256 key' }).isDisabled(), 'for a tenant')
  platform.host.signIn({ ...ANN, tenantId: '*' })
  await show('keys')
  await rows(page).first().waitFor()
  t.equal(await page.locator('h1').textContent(), 'Signing keys')
  const before = await rows(page).count()
  await page.getByRole('button', { name: 'New ES256 key' }).click()
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByText('The new key signs in about five minutes').waitFor()
  await page.getByRole('button', { name: /^Delete key/ }).click()
  await page.getByRole('button', { name: 'Delete key', exact: true }).click()
  await page.getByText('Key deleted').waitFor()
  await page.getByRole('button', { name: /^Delete key/ }).waitFor({ state: 'detached' })
  t.equal(await rows(page).count(), before)
  t.same(faults, [])
})

test('a page that fails to load can be loaded again', browserOptions, async (t) => {
  const { page, show } = await open(t)
  for (const path of ['grants', 'attempts?client=x', 'audit', 'keys']) {
    const api = `**/oauth/admin/${path.split('?')[0]}*`
    await page.route(api, (route) => route.fulfill({ status: 503, json: {} }))
    await show(path)
    await page.getByRole('alert').first().waitFor()
    await page.unroute(api)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('alert').waitFor({ state: 'detached' })
    t.pass(path)
  }
})

test('the console pages pass axe and do not scroll sideways', browserOptions, async (t) => {
  const opened = await open(t)
  for (const path of ['grants', 'attempts?client=-', 'audit', 'keys']) {
    await opened.show(path)
    await rows(opened.page).first().waitFor()
    t.same(await faultsInEveryLook(opened.page), [], path)
  }
})
