// The Usage page: what it makes of families and totals, and the page in a browser.
import { createFormat } from '@keelson/ui'
import { faultsInEveryLook, textsOf } from '@keelson/ui/testing'
import type { Page } from 'playwright-core'
import { test } from 'tap'
import type { RegistryAnswer } from '../pages/registry.ts'
import { amountText, unitText } from '../pages/usage/columns.ts'
import {
  billedText,
  courseOf,
  stackOf,
  usageAttrs,
  usageCells,
  usageFamilies,
  usageMetrics,
  usageRows
} from '../pages/usage/usage.ts'
import { noBrowser, type OpenOptions, openPage, settled } from './browser.ts'
import { PLATFORM } from './fake-store.ts'
import { SAMPLE_REGISTRY, sampleRows, sampleStore } from './sample-store.ts'

const skip = noBrowser ?? false
const rows = sampleRows(900, Date.now())
const registry = { registry: SAMPLE_REGISTRY } as unknown as RegistryAnswer
const DAYS = ['2025-06-01T00:00:00.000Z', '2025-06-02T00:00:00.000Z'] as const
const starts = DAYS.map((day) => Date.parse(day))

const line = (value: string | null, ...values: number[]) => ({
  value,
  buckets: values.map((value, at) => ({ at: DAYS[at] ?? DAYS[0], value }))
})
const course = (groups: readonly ReturnType<typeof line>[], ...all: number[]) =>
  courseOf(line('', ...all), { groups, truncated: false, sampled: false })

test('families, metrics and attributes of usage come from the registry', async (t) => {
  t.same(usageFamilies(registry), [
    {
      as: 'spend',
      label: 'Spend by model',
      sums: ['cost_usd'],
      bucket: 'day',
      by: 'attr:model'
    }
  ])
  t.same(usageMetrics(registry), ['cost_usd'])
  t.same(usageAttrs(registry), ['model'])
})

test('the largest groups are lines, what they leave is one', async (t) => {
  const groups = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, at) => line(name, 10 - at))
  const { series, total } = stackOf(course([...groups, line('a', 0, 5)], 45, 5), starts, 'others')
  t.same(
    series.map(({ label, values }) => [label, values.join()]),
    [
      ['a', '10,0'],
      ['b', '9,0'],
      ['c', '8,0'],
      ['d', '7,0'],
      ['others', '11,5']
    ]
  )
  t.equal(total, 50, 'the total is that of all rows, not of the lines')
})

test('sums of fractions leave no line of nothing', async (t) => {
  const { series } = stackOf(course([line('a', 0.1), line('b', 0.2)], 0.1 + 0.2), starts, 'others')
  t.same(
    series.map(({ label }) => label),
    ['b', 'a']
  )
})

test('rows without the value are a line, too', async (t) => {
  const answer = courseOf(line('', 3), { groups: [line(null, 3)], truncated: true, sampled: false })
  t.match(answer, { source: 'raw', truncated: true, lines: [{ name: '–' }] })
})

test('groups are ordered by what is measured, with their share of all, listed or not', async (t) => {
  const group = (value: string | null, count: number, cost: number) => ({
    value,
    count,
    unbilled: 0,
    quantities: { token: 3 },
    amounts: { USD: '0.10', EUR: '2' },
    sums: { cost_usd: cost }
  })
  const { value: _value, ...whole } = group('', 20, 10)
  const totals = { groups: [group('a', 9, 1), group(null, 1, 4)], total: whole }
  t.same(
    usageRows(totals, 'cost_usd').map(({ id, share }) => [id, share]),
    [
      ['', 0.4],
      ['a', 0.1]
    ]
  )
  t.equal(usageRows(totals, 'count')[0]?.id, 'a')
  t.equal(billedText(whole, createFormat('en')), '$0.10 + €2.00')
  t.equal(billedText({ ...whole, amounts: {} }, createFormat('en')), '–')
  const [row] = usageRows(totals, 'count')
  t.same(row && usageCells(row), {
    value: 'a',
    count: 9,
    unbilled: 0,
    'quantity token': 3,
    'amount USD': '0.10',
    'amount EUR': '2',
    cost_usd: 1
  })
})

test('billed amounts keep their own digits', async (t) => {
  const format = createFormat('en')
  t.equal(amountText('12.340000000001', 'USD', format), '$12.340000000001')
  t.equal(amountText('3', 'EUR', format), '€3.00')
  t.equal(amountText('3', 'credits', format), '3 credits')
})

async function open(
  t: { teardown(fn: () => Promise<void>): unknown },
  options: Partial<OpenOptions> = {}
) {
  const opened = await openPage({ store: sampleStore(rows), page: 'usage', ...options })
  t.teardown(opened.close)
  return opened
}

const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)
const table = (page: Page, heading: string) => page.locator('keelson-table', { hasText: heading })

test('under a filter the chart is made of the rows that it leaves', { skip }, async (t) => {
  const store = sampleStore(rows)
  const { page } = await open(t, { store, query: '?attrs=model:small' })
  await page.locator('keelson-chart').getByText('raw', { exact: true }).waitFor()
  await settled(page)
  const asked = store.asked.filter(({ op }) => op === 'breakdown')
  // Of this range and of the one before; and no more while nothing changes.
  t.equal(asked.length, 2)
  t.match(asked[0]?.params, {
    by: 'attr:model',
    measure: 'sum:cost_usd',
    interval: 'day',
    filters: { kind: 'usage', attrs: new Map([['model', 'small']]) }
  })
  t.notOk(store.asked.some(({ op }) => op === 'rollups'))
})

test('a day of usage is drawn by the hour, and the spend has its course', { skip }, async (t) => {
  const store = sampleStore(rows)
  const { page } = await open(t, { store, query: '?range=24h' })
  await page.locator('keelson-chart canvas').waitFor()
  await settled(page)
  t.match(store.asked.findLast(({ op }) => op === 'breakdown')?.params, { interval: 'hour' })
  t.equal(await page.locator('keelson-stat', { hasText: 'Spend' }).locator('svg path').count(), 1)
})

test('tile, chart and table say one amount, to the cent', { skip }, async (t) => {
  for (const query of ['', '?range=24h', '?range=7d']) {
    const { page } = await open(t, { query })
    await table(page, 'By model').locator('tbody tr[data-id]').first().waitFor()
    await settled(page)
    const tile = await page
      .locator('keelson-stat', { hasText: 'Spend' })
      .locator('.value')
      .textContent()
    const chart = await page.locator('keelson-chart [slot=actions]').allTextContents()
    t.ok(
      chart.some((text) => text.includes(tile ?? 'none')),
      `${tile} in ${chart}`
    )
    const trend = page.locator('keelson-stat', { hasText: 'Spend' }).locator('.change')
    const said = [...chart, (await trend.textContent()) ?? '']
    for (const text of said)
      t.notMatch(text, /(\$[\d.,]+)\D.*→ \1(?![\d.])|→.*vs /s, 'a change is said once')
    const cells = await table(page, 'By model').locator('tbody tr td:last-child').allTextContents()
    const cents = cells.reduce((sum, text) => sum + Number(text.replace(/[^\d.]/g, '')), 0)
    const shown = Number(tile?.replace(/[^\d.]/g, ''))
    t.ok(Math.abs(cents - shown) <= 0.005 * (cells.length + 1), `${cents} and ${shown}`)
  }
})

test('usage is shown as figures, a course and three lists', { skip }, async (t) => {
  const { page, complaints } = await open(t)
  await page.locator('keelson-chart canvas').waitFor()
  for (const heading of ['By model', 'By person', 'By meter']) {
    await table(page, heading).locator('tbody tr[data-id]').first().waitFor()
  }
  t.equal(await page.locator('h1').textContent(), 'Usage')
  await page.getByTitle('$12.340000000001').getByText('$12.34', { exact: true }).waitFor()
  t.same(complaints, [])
})

test('a model becomes a filter, the measure and the payer stand in the address', {
  skip
}, async (t) => {
  const { page } = await open(t)
  const model = table(page, 'By model').locator('tbody a').first()
  await model.click()
  await page.waitForFunction(() => location.search.includes('attrs=model'))
  await page.getByLabel('Measure').selectOption('count')
  await page.waitForFunction(() => location.search.includes('measure=count'))
  await page.getByRole('link', { name: 'Show who is billed' }).click()
  await table(page, 'By payer').waitFor()
  t.match(query(page), { measure: 'count', person: 'billedTo' })
})

test('Back shows the measure that the page goes by again', { skip }, async (t) => {
  const { page } = await open(t)
  const measure = page.getByLabel('Measure')
  for (const one of ['count', 'cost_usd']) {
    await measure.selectOption(one)
    await page.waitForFunction((text) => location.search.includes(text), `measure=${one}`)
  }
  await page.goBack()
  await page.waitForFunction(() => location.search.includes('measure=count'))
  t.equal(await measure.inputValue(), 'count')
})

test('a viewer of all tenants sees the tenant of each person', {
  skip
}, async (t) => {
  const used = rows.filter(({ kind, subject }) => kind === 'usage' && subject !== undefined)
  const both = used
    .slice(0, 1)
    .flatMap((row) => ['acme', 'beta'].map((tenantId) => ({ ...row, tenantId })))
  const { page } = await open(t, { store: sampleStore(both), viewer: PLATFORM })
  const people = table(page, 'By person').locator('tbody tr[data-id]')
  await people.first().waitFor()
  const ids = await people.evaluateAll((found) => found.map((row) => row.getAttribute('data-id')))
  t.same(
    ids.map((id) => id?.split(' ')[0]),
    ['acme', 'beta']
  )
  t.equal(await table(page, 'By meter').getByText('beta').count(), 0)
  await people.getByRole('link', { name: 'beta' }).first().click()
  await page.waitForFunction(() => location.search.includes('tenant=beta'))
  t.equal(query(page)['tenant'], 'beta')
})

test('a viewer of all tenants sees what each spent, in any order, and opens one', {
  skip
}, async (t) => {
  const { page, complaints } = await open(t, { viewer: PLATFORM })
  const tenants = table(page, 'By tenant')
  const lines = tenants.locator('tbody tr[data-id]')
  await lines.nth(1).waitFor()
  const spent = async () =>
    (await lines.locator('td:last-child').allTextContents()).map((text) =>
      Number(text.replace(/[^\d.]/g, ''))
    )
  const [most = 0, least = 0] = await spent()
  t.ok(most > least)
  t.equal(
    await tenants
      .locator('th.sorted')
      .textContent()
      .then((text) => text?.trim()),
    'Cost (USD)'
  )
  await tenants.getByRole('button', { name: 'Cost (USD)' }).click()
  await page.waitForFunction(() => location.search.includes('sort=figure+asc'))
  t.same(await spent(), [least, most])
  await tenants.getByRole('button', { name: 'Tenant' }).click()
  await page.waitForFunction(() => location.search.includes('sort=value+asc'))
  t.same(await textsOf(lines.locator('td:first-child')), ['acme', 'globex'])
  await tenants.getByRole('link', { name: 'globex' }).click()
  await page.waitForFunction(() => location.search.includes('tenant=globex'))
  t.same(complaints, [])
})

test('a viewer of one tenant has no list of tenants', { skip }, async (t) => {
  const { page } = await open(t)
  await table(page, 'By person').locator('tbody tr[data-id]').first().waitFor()
  t.equal(await table(page, 'By tenant').count(), 0)
})

test('units that are words are plural, symbols are not', async (t) => {
  t.equal(unitText('token', 2_300_000), 'tokens')
  t.equal(unitText('token', 1), 'token')
  for (const unit of ['GB', 'ms', 'kb', 'seats', 'USD']) t.equal(unitText(unit, 2), unit)
})

test('no usage says what usage is', { skip }, async (t) => {
  const { page } = await open(t, { store: sampleStore([]) })
  await page.getByText('No usage in this range').waitFor()
  await page.getByRole('link', { name: 'Show 30d' }).click()
  await page.waitForFunction(() => location.search.includes('range=30d'))
  t.pass('it does')
})

test('no state of Usage has a fault, and nothing scrolls sideways', { skip }, async (t) => {
  const { page } = await open(t, { viewer: PLATFORM })
  await table(page, 'By person').locator('tbody tr[data-id]').first().waitFor()
  t.same(await faultsInEveryLook(page), [])
})
