// The Errors page: what issues are, and the page in a browser.
import { faultsInEveryLook, shownText } from '@keelson/ui/testing'
import type { Page } from 'playwright-core'
import { test } from 'tap'
import {
  type Issue,
  type IssuesAnswer,
  isNew,
  issueCells,
  issueSort,
  readIssues,
  sortIssues,
  withCounts
} from '../pages/errors/issues.ts'
import { noBrowser, type OpenOptions, openPage, settled } from './browser.ts'
import { PLATFORM } from './fake-store.ts'
import { sampleRows, sampleStore } from './sample-store.ts'

const skip = noBrowser ?? false
const rows = sampleRows(900, Date.now())

const issue = (more: Partial<Issue> = {}): Issue => ({
  id: 'acme a',
  tenantId: 'acme',
  fingerprint: 'a',
  type: 'TypeError',
  message: 'no card',
  count: null,
  total: 3,
  people: null,
  firstAt: '2025-06-01T00:00:00.000Z',
  lastAt: '2025-06-09T00:00:00.000Z',
  ...more
})

test('the same fingerprint of two tenants is two issues', async (t) => {
  const { id: _id, ...stored } = issue()
  const answer = { issues: [stored, { ...stored, tenantId: 'globex' }] }
  const { issues } = readIssues(answer as unknown as IssuesAnswer)
  t.same(
    issues.map(({ id }) => id),
    ['acme a', 'globex a']
  )
})

test('listed issues take what was counted of them, and stay when nothing was', async (t) => {
  const buckets = [{ at: '2025-06-09T00:00:00.000Z', value: 2 }]
  const listed = [issue(), issue({ id: 'acme b', fingerprint: 'b' })]
  const [a, b] = withCounts(listed, [issue({ count: 2, total: 9, buckets })])
  t.match(a, { count: 2, total: 3, buckets })
  t.equal(b?.count, null)
})

test('an issue is new in the range that saw it first', async (t) => {
  const span = (from: string) => ({ from: Date.parse(from), to: Date.parse('2025-06-10') })
  t.ok(isNew(issue(), span('2025-06-01T00:00:00.000Z')))
  t.notOk(isNew(issue(), span('2025-06-01T00:00:00.001Z')))
})

test('issues are sorted as asked', async (t) => {
  const issues = [
    issue({ id: 'a', total: 1 }),
    issue({
      id: 'b',
      total: 9,
      count: 1,
      lastAt: '2025-06-08T00:00:00.000Z',
      firstAt: '2025-06-05T00:00:00.000Z'
    }),
    issue({
      id: 'c',
      total: 5,
      count: 2,
      lastAt: '2025-06-10T00:00:00.000Z',
      type: '',
      message: ''
    })
  ]
  const ids = (sort: string | null) => sortIssues(issues, issueSort(sort)).map(({ id }) => id)
  t.same(ids(null), ['c', 'a', 'b'])
  t.same(ids('total'), ['b', 'c', 'a'])
  t.same(ids('count'), ['c', 'b', 'a'])
  const hit = [issue({ id: 'a', people: 1 }), issue({ id: 'b', people: 4 })]
  t.same(
    sortIssues(hit, 'people').map(({ id }) => id),
    ['b', 'a']
  )
  t.same(ids('firstAt'), ['b', 'a', 'c'])
  t.same(ids('nonsense'), ['c', 'a', 'b'])
})

test('a line of a file has plain values', async (t) => {
  t.same(Object.keys(issueCells(issue({ buckets: [] }))).includes('buckets'), false)
})

async function open(
  t: { teardown(fn: () => Promise<void>): unknown },
  options: Partial<OpenOptions> = {}
) {
  const opened = await openPage({ store: sampleStore(rows), page: 'errors', ...options })
  t.teardown(opened.close)
  return opened
}

const firstRow = (page: Page) => page.locator('keelson-table tbody tr[data-id]').first()
const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

test('errors are shown as figures, a chart and issues', { skip }, async (t) => {
  const { page, complaints } = await open(t)
  await firstRow(page).waitFor()
  await page.locator('keelson-chart canvas').waitFor()
  t.equal(await page.locator('h1').textContent(), 'Errors')
  t.equal(await page.locator('keelson-stat').count(), 3)
  t.same(complaints, [])
})

test('an issue leads to its errors, and an error to its record', { skip }, async (t) => {
  const { page } = await open(t)
  await firstRow(page).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  t.match(query(page)['issue'], /^acme fp-/)
  await page.locator('.latest a').first().click()
  await page.waitForURL(/\/telemetry\/events\?/)
  await page
    .locator('telemetry-dashboard-events')
    .getByText('src/checkout/pay.ts')
    .first()
    .waitFor()
  t.match(query(page), { kind: 'error' })
})

test('issues are sorted among all of them, and each says who was hit', { skip }, async (t) => {
  const groups = ['user:u1', null].map((value) => ({ value, count: 3, figure: 3 }))
  const breakdown = () => ({
    groups,
    values: 2,
    total: 6,
    truncated: false,
    sampled: false,
    dataSource: 'raw'
  })
  const store = sampleStore(rows, { breakdown })
  const { page } = await open(t, { store })
  await page.locator('tbody tr[data-id]').first().waitFor()
  await page.getByRole('button', { name: 'People', exact: true }).click()
  await page.waitForURL(/sort=people/)
  await settled(page)
  const asked = store.asked.filter(({ op }) => op === 'issues')
  t.match(asked.at(-1)?.params, { sort: 'people' })
  await page.locator('tbody tr[data-id] a').first().click()
  const people = page.locator('.record section', { hasText: /People: 1/ })
  await people.waitFor()
  t.match(await people.getByRole('link').first().getAttribute('href'), /journey\?.*subject=/)
  t.same(await faultsInEveryLook(page), [])
})

test('issues are searched and sorted in the address', { skip }, async (t) => {
  const store = sampleStore(rows)
  const { page } = await open(t, { store })
  await firstRow(page).waitFor()
  const tile = page.locator('keelson-stat').nth(1)
  const issuesOfRange = await tile.getAttribute('value')
  await page.keyboard.press('/')
  await page.keyboard.type('timeout')
  await page.waitForFunction(() => location.search.includes('find=timeout'))
  await page.getByText('1 row', { exact: true }).waitFor()
  t.equal(await page.locator('keelson-table tbody tr[data-id]').count(), 1)
  t.match(
    store.asked.filter(({ op }) => op === 'issues').at(-1)?.params,
    { contains: 'timeout' },
    'the store searches all issues'
  )
  t.equal(await tile.getAttribute('value'), issuesOfRange)
  await page.getByRole('searchbox').fill('nothing like it')
  await page.getByRole('link', { name: 'Show all issues' }).click()
  await page.getByRole('button', { name: 'All time' }).click()
  await page.waitForFunction(() => location.search.includes('sort=total'))
  t.same(query(page), { sort: 'total' })
})

test('issues beyond the first 200 are listed on demand', { skip }, async (t) => {
  const at = new Date(Date.now() - 60_000)
  const all = Array.from({ length: 260 }, (_, n) => ({
    ...issue({ fingerprint: `fp-${n}`, message: `message ${n}` }),
    firstAt: at,
    lastAt: new Date(at.getTime() - n)
  }))
  const issues = (_scope: string, { limit = 200 }: { readonly limit?: number }) => ({
    issues: all.slice(0, limit),
    values: all.length,
    truncated: limit < all.length,
    sampled: false,
    dataSource: 'raw+rollups'
  })
  const { page } = await open(t, { store: sampleStore(rows, { issues }) })
  await page.getByText('200 of 260').waitFor()
  await page.getByRole('button', { name: 'Load more' }).click()
  await page.getByText('260 rows', { exact: true }).waitFor()
  t.equal(await page.getByRole('button', { name: 'Load more' }).count(), 0)
  t.same(query(page), { issues: 'all' })
})

test('no errors is good news, and a longer range is offered', { skip }, async (t) => {
  const { page } = await open(t, { store: sampleStore([]) })
  await page.getByText('No errors in this range').waitFor()
  await page.getByRole('link', { name: 'Show 30d' }).click()
  await page.waitForFunction(() => location.search.includes('range=30d'))
  t.pass('it was')
})

test('a link to an issue outside the range says so', { skip }, async (t) => {
  const { page } = await open(t, { query: '?issue=gone' })
  await page.getByText('This issue is not in this range').waitFor()
  t.pass('it does')
})

test('every filter holds for figures, chart and issues', { skip }, async (t) => {
  const store = sampleStore(rows)
  const { page } = await open(t, {
    store,
    query: '?name=app.error&attrs=code:E_CARD&exclude=fingerprint:fp-0'
  })
  await firstRow(page).waitFor()
  await page.locator('keelson-chart canvas').waitFor()
  t.equal(await page.locator('keelson-filter-chips .chip').count(), 3)
  const filtered = store.asked.filter(({ op }) => op === 'issues' || op === 'series')
  t.ok(filtered.length >= 3)
  for (const { params } of filtered) {
    t.match(params, {
      filters: {
        kind: 'error',
        name: 'app.error',
        attrs: new Map([['code', 'E_CARD']]),
        exclude: [{ field: 'fingerprint', value: 'fp-0' }]
      }
    })
  }
  const shown = await page
    .locator('keelson-table tbody tr[data-id]')
    .evaluateAll((all) => all.map((row) => (row as HTMLElement).dataset['id']))
  t.ok(shown.length > 0 && !shown.includes('acme fp-0'), shown.join())
})

test('an issue is left out with Shift, by key and by pointer', { skip }, async (t) => {
  const { page } = await open(t)
  await firstRow(page).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Shift+Enter')
  await page.waitForFunction(() => location.search.includes('exclude=fingerprint'))
  const left = page.locator('keelson-filter-chips .chip')
  await left.nth(0).waitFor()
  await settled(page)
  await firstRow(page).click({ modifiers: ['Shift'] })
  await left.nth(1).waitFor()
  t.match(query(page)['exclude'], /^fingerprint:fp-\d,fingerprint:fp-\d$/)
})

test('an issue tells its releases, and a release filters', { skip }, async (t) => {
  const { page } = await open(t)
  await firstRow(page).click()
  await page.locator('.shares').getByRole('link', { name: '2.14.0' }).click()
  await page.waitForFunction(() => location.search.includes('release='))
  t.same(query(page), { release: '2.14.0' })
})

test('issues that cannot be read leave a message in their place', { skip }, async (t) => {
  const issues = () => {
    throw new Error('down')
  }
  const { page } = await open(t, { store: sampleStore(rows, { issues }) })
  await page.getByRole('alert').waitFor()
  await page.locator('keelson-chart canvas').waitFor()
  const counts = page.locator('keelson-stat', { hasText: /issues/i }).locator('.value')
  t.same([...new Set(await counts.allTextContents())], ['–'])
  t.notMatch(await shownText(page), /\b0 (seen|issues)/)
})

test('no state of the Errors page has a fault, and nothing scrolls sideways', {
  skip
}, async (t) => {
  const { page } = await open(t, { viewer: PLATFORM })
  await firstRow(page).waitFor()
  t.same(await faultsInEveryLook(page), [])
  await firstRow(page).click({ position: { x: 60, y: 12 } })
  await page.locator('.latest').waitFor()
  t.same(await faultsInEveryLook(page), [], 'open issue')
})
