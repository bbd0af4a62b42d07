// Range and filters go along from page to page, and every page starts with the same range.
import type { Page } from 'playwright-core'
import { test } from 'tap'
import { noBrowser, openPage } from './browser.ts'
import { sampleRows, sampleStore } from './sample-store.ts'

const skip = noBrowser ?? false
const store = () => sampleStore(sampleRows(300, Date.now()))

const range = (page: Page) => page.locator('keelson-range-picker [aria-pressed=true]').textContent()

const follow = async (page: Page, name: string) => {
  await page.locator('keelson-navigation').getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
}

test('range and filters survive the sidebar, through a page that has neither', {
  skip
}, async (t) => {
  const query = '?range=24h&env=prod&name=order.placed'
  const opened = await openPage({ store: store(), query })
  t.teardown(opened.close)
  const { page } = opened
  await page.getByRole('button', { name: 'Change filter environment prod' }).waitFor()
  for (const name of ['System', 'Traces']) await follow(page, name)
  t.match(page.url(), /\/telemetry\/traces\?range=24h&env=prod$/)
  t.equal(await range(page), '24h')
  await page.getByRole('button', { name: 'Change filter environment prod' }).waitFor()
})

test('every page starts with the same range', { skip }, async (t) => {
  const opened = await openPage({ store: store(), page: 'overview' })
  t.teardown(opened.close)
  const { page } = opened
  for (const name of ['Overview', 'Errors', 'Traces', 'Events', 'Journeys', 'Usage']) {
    await follow(page, name)
    t.equal(await range(page), '7d', name)
  }
  await page.goto(new URL('/telemetry/journey?subject=user:u-1', page.url()).href)
  await page.locator('keelson-range-picker').waitFor()
  t.equal(await range(page), '7d', 'Journey')
})

test('a person of a range is opened with the same range', { skip }, async (t) => {
  const opened = await openPage({ store: store(), page: 'journeys', query: '?range=90d' })
  t.teardown(opened.close)
  await opened.page.getByRole('searchbox').fill('user:u-1')
  await opened.page.keyboard.press('Enter')
  await opened.page.waitForURL(/\/telemetry\/journey\?range=90d&subject=user%3Au-1/)
})
