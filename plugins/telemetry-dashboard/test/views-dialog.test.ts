// Views on the pages: the address that each stands for, and the dialog in a browser.

import { accessibilityFaults } from '@keelson/ui/testing'
import type { Page } from 'playwright-core'
import { test } from 'tap'
import { viewParams, viewsBy } from '../pages/views/view.ts'
import { viewQuery } from '../pages/views/view-query.ts'
import type { View } from '../views/view.ts'
import { noBrowser, type OpenOptions, openPage } from './browser.ts'
import { ADMIN, PERSON } from './fake-store.ts'
import { sampleRows, sampleStore } from './sample-store.ts'

const skip = noBrowser ?? false
const rows = sampleRows(300, Date.now())

test('a view keeps range, filters and state, and nothing of the moment', async (t) => {
  const shown = new URLSearchParams(
    'range=30d&name=page.viewed&attrs=plan:pro&by=service&chart=table&record=r1&at=x&live=1'
  )
  t.same(viewQuery(shown), {
    range: '30d',
    filters: { name: 'page.viewed', attrs: 'plan:pro' },
    display: 'table',
    state: { by: 'service', chart: 'table' }
  })
  t.equal(viewQuery(new URLSearchParams()).range, '7d')
  t.same(viewQuery(new URLSearchParams()), { range: '7d', filters: {}, display: 'series' })
})

test('a view and the address it stands for are made from each other', async (t) => {
  for (const text of [
    'range=24h&name=a&by=attr%3Aplan',
    'range=7d&exclude=service%3Aweb',
    'from=2025-06-01T00%3A00%3A00.000Z&to=2025-06-02T00%3A00%3A00.000Z'
  ]) {
    const params = viewParams(viewQuery(new URLSearchParams(text)))
    t.equal(new URLSearchParams(params).toString(), text)
  }
})

test('views that others made are read as far as they make sense', async (t) => {
  t.same(viewParams({ range: '30d', filters: { rollup: 'spend', n: 7, odd: { a: 1 } } }), {
    range: '30d',
    rollup: 'spend',
    n: '7'
  })
  t.same(viewParams({ filters: null, state: 'x' } as never), {})
})

test('views of the page come first', async (t) => {
  const view = (name: string, page: string) =>
    ({ name, page, origin: 'derived', query: {} }) as unknown as View
  const views = [view('a', 'errors'), view('b', 'events')]
  t.same(
    viewsBy(views, 'derived', 'events').map(({ name }) => name),
    ['b', 'a']
  )
  t.same(viewsBy(views, 'saved', 'events'), [])
})

async function open(
  t: { teardown(fn: () => Promise<void>): unknown },
  options: Partial<OpenOptions> = {}
) {
  const opened = await openPage({ store: sampleStore(rows), ...options })
  t.teardown(opened.close)
  await opened.page.locator('keelson-table tbody tr[data-id]').first().waitFor()
  return opened
}

const dialog = (page: Page) => page.locator('keelson-views')

test('what is shown is saved, listed, renamed, shared, opened and deleted', { skip }, async (t) => {
  const { page, complaints } = await open(t, { query: '?name=page.viewed&range=30d' })
  await page.keyboard.press('v')
  const name = dialog(page).getByPlaceholder('Name of the view')
  await name.waitFor()
  t.same(await accessibilityFaults(page), [])
  await name.fill('Page views')
  await page.keyboard.press('Enter')
  await dialog(page).getByRole('link', { name: 'Page views' }).waitFor()
  await dialog(page).getByText('Events · private').waitFor()
  await dialog(page).getByRole('button', { name: 'Rename: Page views' }).click()
  const field = dialog(page).locator('#rename')
  await field.fill('All page views')
  await page.keyboard.press('Enter')
  await dialog(page).getByRole('button', { name: 'Share: All page views' }).click()
  await dialog(page).getByText('Events · shared').waitFor()
  t.same(await accessibilityFaults(page), [])
  await page.keyboard.press('Escape')
  await page.goto(`${page.url().split('?')[0]}`)
  await page.getByRole('button', { name: 'Views' }).click()
  await dialog(page).getByRole('link', { name: 'All page views' }).click()
  await page.waitForFunction(() => location.search.includes('name=page.viewed'))
  t.match(Object.fromEntries(new URL(page.url()).searchParams), { range: '30d' })
  await page.keyboard.press('v')
  await dialog(page).getByRole('button', { name: 'Delete: All page views' }).click()
  await page.getByRole('button', { name: 'Delete view' }).click()
  await dialog(page).getByText('No saved views yet.').waitFor()
  t.same(complaints, [])
})

test('a derived view leads to its page', { skip }, async (t) => {
  const { page } = await open(t)
  await page.keyboard.press('v')
  await dialog(page)
    .getByText(/Built-in/)
    .click()
  await dialog(page).getByRole('link', { name: 'app.error' }).click()
  await page.waitForURL(/\/telemetry\/errors\?.*name=app\.error/)
  t.pass('it does')
})

const theirs = (ownerRef: string) => ({
  _id: 'theirs',
  tenantId: 'acme',
  ownerRef,
  shared: true,
  name: 'Theirs',
  page: 'events',
  query: '{}',
  createdAt: new Date()
})

test('a viewer may open a view of another viewer, and change none of it', { skip }, async (t) => {
  const store = sampleStore(rows)
  store.views.docs.push(theirs('user:eve'))
  for (const [viewer, acts] of [
    [PERSON, 0],
    [ADMIN, 4]
  ] as const) {
    const { page } = await open(t, { store, viewer })
    await page.keyboard.press('v')
    await dialog(page).getByText('shared · user:eve').waitFor()
    t.equal(await dialog(page).getByRole('link', { name: 'Theirs' }).count(), 1)
    t.equal(await dialog(page).locator('.acts button').count(), acts, viewer.role)
  }
})

test('a change that is refused says why, in the dialog', { skip }, async (t) => {
  const store = sampleStore(rows)
  store.views.docs.push(theirs('user:bob'))
  const { page } = await open(t, { store, viewer: PERSON })
  await page.keyboard.press('v')
  await dialog(page).getByRole('button', { name: 'Update: Theirs' }).waitFor()
  store.views.docs[0] = theirs('user:eve')
  await dialog(page).getByRole('button', { name: 'Update: Theirs' }).click()
  await dialog(page).getByRole('alert').waitFor()
  t.pass('it does')
})
