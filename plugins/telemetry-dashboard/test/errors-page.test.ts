// The Errors page: what issues are, and the page in a browser.
import type { Page } from 'playwright-core'
import { test } from 'tap'
import {
  arrangeIssues,
  isNew,
  issueSort,
  issuesFamily,
  type RollupAnswer,
  readIssue
} from '../pages/errors/issues.ts'
import type { RegistryAnswer } from '../pages/registry.ts'
import { faultsOf } from './axe.ts'
import { noBrowser, type OpenOptions, openPage } from './browser.ts'
import { PLATFORM } from './fake-store.ts'
import { SAMPLE_REGISTRY, sampleRows, sampleStore } from './sample-store.ts'

const skip = noBrowser ?? false
const rows = sampleRows(900, Date.now())

const issueDocument = (more: Partial<RollupAnswer> = {}): RollupAnswer => ({
  _id: 'acme|issues|fp',
  tenantId: 'acme',
  as: 'issues',
  dims: ['error.fingerprint=a=b'],
  firstAt: '2025-06-01T00:00:00.000Z',
  lastAt: '2025-06-09T00:00:00.000Z',
  count: 3,
  sums: {},
  firstCapture: { 'field:error.type': 'TypeError', 'field:error.message': 'no card' },
  ...more
})

test('issues are of the lifetime family by fingerprint', async (t) => {
  const answer = { registry: SAMPLE_REGISTRY } as unknown as RegistryAnswer
  t.equal(issuesFamily(answer), 'issues')
  t.equal(issuesFamily({ ...answer, registry: {} }), undefined)
})

test('an issue is read from its document, captured or not', async (t) => {
  t.match(readIssue(issueDocument()), {
    id: 'acme|issues|fp',
    fingerprint: 'a=b',
    type: 'TypeError',
    message: 'no card',
    count: 3
  })
  t.match(readIssue(issueDocument({ dims: ['odd'], firstCapture: {} })), {
    fingerprint: 'odd',
    type: '',
    message: ''
  })
  t.equal(readIssue(issueDocument({ dims: [] })).fingerprint, '')
})

test('an issue is new in the range that saw it first', async (t) => {
  const issue = readIssue(issueDocument())
  const span = (from: string) => ({ from: Date.parse(from), to: Date.parse('2025-06-10') })
  t.ok(isNew(issue, span('2025-06-01T00:00:00.000Z')))
  t.notOk(isNew(issue, span('2025-06-01T00:00:00.001Z')))
})

test('issues are searched by every word and sorted as asked', async (t) => {
  const issues = [
    readIssue(issueDocument({ _id: 'a', count: 1 })),
    readIssue(
      issueDocument({
        _id: 'b',
        count: 9,
        lastAt: '2025-06-08T00:00:00.000Z',
        firstAt: '2025-06-05T00:00:00.000Z'
      })
    ),
    readIssue(
      issueDocument({ _id: 'c', count: 5, lastAt: '2025-06-10T00:00:00.000Z', firstCapture: {} })
    )
  ]
  const ids = (words: string, sort: string | null) =>
    arrangeIssues(issues, words, issueSort(sort)).map(({ id }) => id)
  t.same(ids('', null), ['c', 'a', 'b'])
  t.same(ids('', 'count'), ['b', 'c', 'a'])
  t.same(ids('', 'firstAt'), ['b', 'a', 'c'])
  t.same(ids('CARD type', 'nonsense'), ['a', 'b'])
  t.same(ids('card stock', null), [])
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
  t.match(query(page)['issue'], /^acme\|issues\|/)
  await page.locator('.latest a').first().click()
  await page.waitForURL(/\/telemetry\/events\?/)
  await page
    .locator('telemetry-dashboard-events')
    .getByText('src/checkout/pay.ts')
    .first()
    .waitFor()
  t.match(query(page), { kind: 'error' })
})

test('issues are searched and sorted in the address', { skip }, async (t) => {
  const { page } = await open(t)
  await firstRow(page).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('timeout')
  await page.waitForFunction(() => location.search.includes('q=timeout'))
  t.equal(await page.locator('keelson-table tbody tr[data-id]').count(), 1)
  await page.getByRole('searchbox').fill('nothing like it')
  await page.getByRole('link', { name: 'Show all issues' }).click()
  await page.getByRole('button', { name: 'Total' }).click()
  await page.waitForFunction(() => location.search.includes('sort=count'))
  t.same(query(page), { sort: 'count' })
})

test('no errors is good news, and a longer range is offered', { skip }, async (t) => {
  const { page } = await open(t, { store: sampleStore([]) })
  await page.getByText('No errors in this range').waitFor()
  await page.getByRole('link', { name: 'Look at 30d' }).click()
  await page.waitForFunction(() => location.search.includes('range=30d'))
  t.pass('it was')
})

test('a link to an issue outside the range says so', { skip }, async (t) => {
  const { page } = await open(t, { query: '?issue=gone' })
  await page.getByText('This issue is not in this range').waitFor()
  t.pass('it does')
})

test('without a family of issues the page says what is missing', { skip }, async (t) => {
  const store = sampleStore(rows)
  const registry = { 'page.viewed': SAMPLE_REGISTRY['page.viewed'] }
  Object.assign(store.telemetry, { registry: { project: () => registry } })
  const { page } = await open(t, { store })
  await page.getByText('Errors are not grouped here').waitFor()
  await page.getByRole('link', { name: 'See the errors one by one' }).click()
  await page.waitForURL(/\/telemetry\/events\?kind=error/)
  t.pass('and leads on')
})

test('issues that cannot be read are told where they are missing', { skip }, async (t) => {
  const rollups = () => {
    throw new Error('down')
  }
  const { page } = await open(t, { store: sampleStore(rows, { rollups }) })
  await page.getByRole('alert').waitFor()
  await page.locator('keelson-chart canvas').waitFor()
  t.pass('the chart stands')
})

test('no state of the Errors page has a fault, and nothing scrolls sideways', {
  skip
}, async (t) => {
  for (const [scheme, width] of [
    ['light', 1280],
    ['dark', 380]
  ] as const) {
    const { page } = await open(t, { scheme, width, viewer: PLATFORM })
    await firstRow(page).waitFor()
    t.same(await faultsOf(page), [], `${scheme} ${width}`)
    await firstRow(page).click()
    await page.locator('.latest').waitFor()
    t.same(await faultsOf(page), [], `${scheme} ${width}: open issue`)
    t.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0)
  }
})
