// The Agent tokens page in a browser, before the real plugin.
// Runs beside the others: it waits for much of its time.
import {
  browserOptions,
  closeBrowser,
  faultsInEveryLook,
  openPage,
  textsOf
} from '@keelson/ui/testing'
import type { Page } from 'playwright-core'
import tap, { type Test, test } from 'tap'
import type { TokenRow } from '../tokens/token-row.ts'
import { ANN, REA, tokenPlatform } from './token-platform.ts'

tap.teardown(closeBrowser)

async function open(t: Test, options: Parameters<typeof openPage>[1] = {}, viewer = ANN) {
  const platform = await tokenPlatform(t, { viewer, now: new Date() })
  const url = await platform.listen()
  const opened = await openPage(t, options)
  const show = (query = '') => opened.page.goto(`${url}/admin/agent/tokens${query}`)
  return { ...platform, ...opened, show, url }
}

const row = (page: Page, name: string) => page.locator('tr[data-id]', { hasText: name })
const dialog = (page: Page) => page.locator('keelson-dialog[open]')
const queryOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

test('the first token is made, and its secret works and is gone', browserOptions, async (t) => {
  const { faults, page, show, url, use } = await open(t)
  await show()
  await page.getByText('No agent tokens yet').waitFor()
  t.equal(await page.locator('h1').textContent(), 'Agent tokens')
  await page.locator('keelson-empty').getByRole('button', { name: 'New token' }).click()
  t.same(queryOf(page), { dialog: 'new' })
  await page.getByRole('textbox', { name: /^Name/ }).fill('Deploy script')
  t.equal(await page.getByRole('checkbox', { name: /Read, verify/ }).isChecked(), true)
  await page.getByRole('checkbox', { name: /Change, send/ }).check()
  t.equal(await page.getByText('sensitive').count(), 1)
  await page.getByLabel('Expires').selectOption('in 30 days')
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByText('The secret is shown only once').waitFor()
  const [secret = '', curl, settings = ''] = await page.locator('.secret code').allTextContents()
  t.match(secret, /^ksa_[\w-]{43}$/)
  t.match(curl, `curl ${url}/agent`)
  t.match(JSON.parse(settings), {
    mcpServers: {
      mailer: { url: `${url}/mcp`, headers: { Authorization: `Bearer ${secret}` } }
    }
  })
  t.equal((await use(secret)).status, 200)
  t.notMatch(page.url(), secret)
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await row(page, 'Deploy script').waitFor()
  const shown = await page.locator('agent-tokens').evaluate((one) => one.shadowRoot?.innerHTML)
  t.notMatch(shown, secret)
  t.same(queryOf(page), {})
  t.same(faults, [])
})

test('a token is rotated with a grace, narrowed and revoked', browserOptions, async (t) => {
  const { as, faults, make, page, show, signIn, use } = await open(t)
  const { secret, token } = await make({ routes: ['/flows/*', '/status'] })
  await use(secret)
  signIn(ANN)
  await show()
  await row(page, 'Deploy bot').focus()
  await page.keyboard.press('Enter')
  await page.getByText(token.actor).waitFor()
  t.same(queryOf(page), { token: token.id })
  await page.getByRole('button', { name: 'New secret' }).click()
  await page.getByLabel('The old secret works').selectOption('for one more day')
  await page.getByRole('button', { name: 'Create secret' }).click()
  const fresh = (await page.locator('.secret code').first().textContent()) ?? ''
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await page.getByText(`…${secret.slice(-4)} works until`).waitFor()
  for (const one of [secret, fresh]) t.equal((await use(one)).status, 200)
  signIn(ANN)
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Addresses').fill('/flows/*\n/runs')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByText('A token can only be narrowed').waitFor()
  await page.getByLabel('Addresses').fill('/status')
  await page.getByRole('textbox', { name: /^Name/ }).fill('Status reader')
  await page.getByRole('checkbox', { name: /Read, verify/ }).check()
  await page.getByRole('checkbox', { name: /Change, send/ }).uncheck()
  await page.getByRole('button', { name: 'Save' }).click()
  await row(page, 'Status reader').waitFor()
  t.match((await as(ANN)('GET', `/${token.id}`)).body, {
    token: { name: 'Status reader', scopes: ['mail:read'], routes: ['/status'] }
  })
  await page.getByRole('button', { name: 'Revoke' }).click()
  t.match(await dialog(page).textContent(), /Read, verify and simulate[\s\S]*last used/)
  await page.getByRole('button', { name: 'Revoke token' }).click()
  await row(page, 'revoked').waitFor()
  t.equal(await page.getByRole('button', { name: 'Revoke' }).count(), 0)
  for (const one of [secret, fresh]) t.equal((await use(one)).status, 401)
  t.match(faults, [/409/], 'the change that was refused, and nothing else')
  t.equal(faults.length, 1)
})

test(
  'a refused form says why beside its field, and keeps what was entered',
  browserOptions,
  async (t) => {
    const { page, show } = await open(t)
    await show('?dialog=new')
    await page.getByRole('textbox', { name: /^Name/ }).fill('Bot')
    await page.getByRole('checkbox', { name: /Read, verify/ }).uncheck()
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByRole('alert').getByText('Select what the token may do.').waitFor()
    await page.getByRole('checkbox', { name: /Read, verify/ }).check()
    await page.getByText('Limit to addresses').click()
    const routes = page.getByLabel('Addresses')
    await routes.fill('status')
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.locator('#about-routes[role=alert]').waitFor()
    t.equal(await routes.getAttribute('aria-invalid'), 'true')
    t.equal(await routes.inputValue(), 'status')
    t.equal(await page.getByRole('textbox', { name: /^Name/ }).inputValue(), 'Bot')
  }
)

test('a person is offered the scopes that they may give', browserOptions, async (t) => {
  const { page, show } = await open(t, {}, REA)
  await show('?dialog=new')
  const write = page.getByRole('checkbox', { name: /Change, send/ })
  await write.waitFor()
  t.equal(await write.isDisabled(), true)
  await page.getByText('More needs permission to publish').waitFor()
})

test(
  'states, a token that is gone, and a list that cannot be read are said',
  browserOptions,
  async (t) => {
    const { clock, db, make, page, people, show, signIn } = await open(t)
    const { token } = await make({ name: 'Left alone', scopes: ['mail:read'] }, REA)
    const rows = db.collection<TokenRow>('agent_tokens')
    people.delete(REA.viewerRef)
    await clock.advance(5000)
    const brief = await make({ name: 'Brief' })
    await rows.updateOne({ _id: brief.token.id }, { $set: { expiresAt: clock.now() } })
    signIn(ANN)
    await show(`?token=${token.id}`)
    await page.getByText('Create a new secret to become its owner').waitFor()
    t.same((await textsOf(page.locator('tr[data-id] .tag'))).sort(), ['expired', 'held'])
    await show('?token=nothing')
    await page.getByText('There is no agent token with the ID nothing.').waitFor()
    await page.route('**/agent/admin/tokens?*', (route) => route.fulfill({ status: 503, json: {} }))
    await show()
    await page.getByRole('alert').waitFor()
    await page.unroute('**/agent/admin/tokens?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await row(page, 'Brief').waitFor()
  }
)

test('the page speaks German', browserOptions, async (t) => {
  const { make, page, show, signIn } = await open(t, { locale: 'de-DE' })
  const { token } = await make()
  signIn(ANN)
  await show(`?token=${token.id}`)
  await page.getByRole('button', { name: 'Widerrufen' }).waitFor()
  t.equal(await page.locator('h1').textContent(), 'Agent-Tokens')
})

test('the page passes axe, light and dark, wide and narrow', browserOptions, async (t) => {
  const { make, page, show, signIn } = await open(t)
  const { token } = await make({ name: 'A token with a long name for a script of the deploy' })
  signIn(ANN)
  for (const query of ['', `?token=${token.id}`, '?dialog=new', `?token=${token.id}&dialog=edit`]) {
    await show(query)
    await page.locator('tr[data-id]').first().waitFor()
    t.same(await faultsInEveryLook(page), [], query)
  }
  await show(`?token=${token.id}&dialog=rotate`)
  await page.getByRole('button', { name: 'Create secret' }).click()
  await page.locator('.secret').first().waitFor()
  t.same(await faultsInEveryLook(page), [], 'the secret')
})
