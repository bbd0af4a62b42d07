// The page of one's own grants in a browser, before the real server.
import {
  accessibilityFaults,
  browserOptions,
  closeBrowser,
  faultsInEveryLook
} from '@keelson/ui/testing'
import tap, { test } from 'tap'
import { BOB, grantAccess, openBrowser, sharedPlatform } from './page-host.ts'

tap.teardown(closeBrowser)

const platformOf = sharedPlatform(tap, BOB)

test('without connected apps the page says what will be here', browserOptions, async (t) => {
  const { url } = await platformOf()
  const opened = await openBrowser(t)
  await opened.page.goto(`${url}/account/grants`)
  await opened.page.getByRole('heading', { name: 'No connected apps' }).waitFor()
  t.equal(await opened.page.locator('h1').textContent(), 'Connected apps')
  t.same(await accessibilityFaults(opened.page), [])
})

test('a grant is listed with labels and ends after a confirmation', browserOptions, async (t) => {
  const platform = await platformOf()
  const opened = await openBrowser(t)
  const { page, faults } = opened
  await grantAccess(platform, opened, { name: 'First app' })
  await grantAccess(platform, opened, { name: 'Second app' })
  await page.goto(`${platform.url}/account/grants`)
  const second = page.locator('.grant', { hasText: 'Second app' })
  t.match(await second.textContent(), /Send mail in your name\s+sensitive/)
  t.match(await second.textContent(), /Platform tools/)
  t.equal(await page.locator('.grant').count(), 2)
  await page.getByRole('button', { name: 'End access of Second app' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  t.equal(await page.locator('.grant').count(), 2)
  await page.getByRole('button', { name: 'End access of Second app' }).click()
  await page.getByRole('button', { name: 'End access', exact: true }).click()
  await page.getByText('Second app no longer has access').waitFor()
  await second.waitFor({ state: 'detached' })
  t.equal(await page.locator('.grant').count(), 1)
  t.same(faults, [])
})

test(
  'a grant that ended elsewhere shows a message and leaves the list',
  browserOptions,
  async (t) => {
    const platform = await platformOf()
    const opened = await openBrowser(t)
    const { page } = opened
    await grantAccess(platform, opened, { name: 'Third app' })
    await page.goto(`${platform.url}/account/grants`)
    const third = page.locator('.grant', { hasText: 'Third app' })
    await third.waitFor()
    const mine = await platform.call<{ items: { id: string; client: { name: string } }[] }>(
      BOB,
      'GET',
      '/me/grants'
    )
    const id = mine.items.find(({ client }) => client.name === 'Third app')?.id
    await platform.call(BOB, 'DELETE', `/me/grants/${id}`)
    await page.getByRole('button', { name: 'End access of Third app' }).click()
    await page.getByRole('button', { name: 'End access', exact: true }).click()
    await page.getByText('Its access had already ended').waitFor()
    await third.waitFor({ state: 'detached' })
    t.pass('it is gone')
  }
)

test(
  'a list that fails to load shows an error and can be loaded again',
  browserOptions,
  async (t) => {
    const { url } = await platformOf()
    const { page } = await openBrowser(t)
    await page.route('**/oauth/me/grants*', (route) => route.fulfill({ status: 503, json: {} }))
    await page.goto(`${url}/account/grants`)
    await page.getByRole('alert').waitFor()
    await page.unroute('**/oauth/me/grants*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('alert').waitFor({ state: 'detached' })
    t.pass('it is there')
  }
)

test('a context is shown by its label, else by its id', browserOptions, async (t) => {
  const { url } = await platformOf()
  const { page } = await openBrowser(t)
  const item = (id: string, more: object) => ({
    id,
    client: { name: `App of ${id}` },
    scopes: [],
    resources: [],
    contextId: `c-${id}`,
    createdAt: '2026-01-01T00:00:00.000Z',
    ...more
  })
  const items = [item('one', { contextLabel: 'Acme Ltd' }), item('two', {})]
  await page.route('**/oauth/me/grants*', (route) =>
    route.fulfill({ json: { items, limit: 50, words: { scopes: [], resources: [] } } })
  )
  await page.goto(`${url}/account/grants`)
  const grants = page.locator('.grant')
  await grants.nth(1).waitFor()
  const [first, second] = await grants.allTextContents()
  t.match(first, /On behalf of\s*Acme Ltd/)
  t.notMatch(first, /c-one/)
  t.match(second, /On behalf of\s*c-two/)
})

test('a long list loads more rows; a failure is shown', browserOptions, async (t) => {
  const { url } = await platformOf()
  const { page } = await openBrowser(t)
  const item = (at: number) => ({
    id: `g${at}`,
    client: { name: `App ${at}` },
    scopes: ['openid'],
    resources: [],
    createdAt: '2026-01-01T00:00:00.000Z'
  })
  let isDown = true
  await page.route('**/oauth/me/grants*', (route) => {
    const skip = Number(new URL(route.request().url()).searchParams.get('skip'))
    if (skip > 0 && isDown) return route.fulfill({ status: 429, json: {} })
    const items = Array.from({ length: skip === 0 ? 50 : 3 }, (_, at) => item(skip + at))
    return route.fulfill({ json: { items, limit: 50, words: { scopes: [], resources: [] } } })
  })
  await page.goto(`${url}/account/grants`)
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByRole('alert').getByText('Too many requests').waitFor()
  isDown = false
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.locator('.grant', { hasText: 'App 52' }).waitFor()
  t.equal(await page.locator('.grant').count(), 53)
  t.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0)
})

test('the grants page passes axe, light and dark, wide and narrow', browserOptions, async (t) => {
  const platform = await platformOf()
  const opened = await openBrowser(t)
  await opened.page.goto(`${platform.url}/account/grants`)
  await opened.page.locator('.grant').first().waitFor()
  t.same(await faultsInEveryLook(opened.page), [])
})
