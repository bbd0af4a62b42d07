// The Overview page: what it makes of counts, and the page in a browser.
import { createFormat } from '@keelson/ui'
import { accessibilityFaults, faultsInEveryLook } from '@keelson/ui/testing'
import type { TemplateResult } from 'lit'
import type { Page } from 'playwright-core'
import { test } from 'tap'
import {
  type ActivityGroup,
  activityPath,
  countOf,
  rank,
  seriesByKind,
  spendOf
} from '../pages/overview/activity.ts'
import { rankColumns } from '../pages/overview/columns.ts'
import { exactly, noBrowser, type OpenOptions, openPage } from './browser.ts'
import { sampleRows, sampleStore } from './sample-store.ts'

const skip = noBrowser ?? false
const rows = sampleRows(900, Date.now())

const span = { from: Date.parse('2025-06-01T00:00:00Z'), to: Date.parse('2025-06-03T00:00:00Z') }
const group = (
  more: ActivityGroup['group'],
  count: number,
  rest: Partial<ActivityGroup> = {}
): ActivityGroup => ({
  group: more,
  count,
  sums: {},
  ...rest
})

test('counts are asked for in groups, with an interval or without', async (t) => {
  const query = (path: string) => Object.fromEntries(new URLSearchParams(path.split('?')[1]))
  t.same(query(activityPath(span, ['name', 'kind'])), {
    from: '2025-06-01T00:00:00.000Z',
    to: '2025-06-03T00:00:00.000Z',
    groupBy: 'name,kind'
  })
  t.match(query(activityPath(span, ['kind'], { interval: 'day', timeZone: 'UTC' })), {
    interval: 'day'
  })
})

test('each kind that occurs is a series along the whole range', async (t) => {
  const groups = [
    group({ kind: 'error' }, 2, { at: '2025-06-02T00:00:00.000Z' }),
    group({ kind: 'span' }, 5, { at: '2025-06-01T00:00:00.000Z' }),
    group({ kind: 'unheard' }, 5, { at: '2025-06-01T00:00:00.000Z' })
  ]
  t.same(seriesByKind(groups, [span.from, span.from + 86_400_000]), [
    { kind: 'span', values: [5, 0] },
    { kind: 'error', values: [0, 2] }
  ])
})

test('counts add up, over all kinds or one', async (t) => {
  const groups = [group({ kind: 'error' }, 2), group({ kind: 'span' }, 5)]
  t.equal(countOf(groups), 7)
  t.equal(countOf(groups, 'error'), 2)
})

test('spend is what usage cost, and unknown where nothing has a price', async (t) => {
  const priced = group({ kind: 'usage' }, 1, { sums: { cost_usd: 0.5, tokens: 9 } })
  const order = group({ kind: 'event' }, 1, { sums: { amount_usd: 99 } })
  t.equal(spendOf([priced, order, priced]), 1)
  t.equal(spendOf([order]), undefined)
})

test('names are ranked by count, with their change and their share of all', async (t) => {
  const now = [
    group({ name: 'b', kind: 'event' }, 5),
    group({ name: 'a' }, 10),
    group({ name: 'c' }, 5)
  ]
  t.same(rank(now, [group({ name: 'a' }, 8), group({ name: 'c' }, 10)], 'name'), [
    { id: 'a', name: 'a', kind: undefined, count: 10, change: 0.25, before: 8, share: 0.5 },
    { id: 'b', name: 'b', kind: 'event', count: 5, change: null, before: 0, share: 0.25 },
    { id: 'c', name: 'c', kind: undefined, count: 5, change: -0.5, before: 10, share: 0.25 }
  ])
  t.same(rank([group({}, 1)], [], 'service')[0]?.name, '')
})

test('a name whose count stays the same says 0%', async (t) => {
  const row = { id: 'a', name: 'a', kind: undefined, count: 125, before: 100, share: 1 }
  const words = { format: createFormat('en', 'UTC'), t: (key: string) => key }
  const columns = rankColumns('name', words as unknown as Parameters<typeof rankColumns>[1])
  const shown = (change: number) => {
    const cell = columns.find(({ id }) => id === 'change')?.cell({ ...row, change })
    return (cell as TemplateResult).values.join(' ')
  }
  t.equal(shown(0), '0%')
  t.equal(shown(0.25), '▲ 25%')
  row.before = 4
  t.equal(shown(30.25), '▲ 4 → 125', 'of few no percentage')
})

async function open(
  t: { teardown(fn: () => Promise<void>): unknown },
  options: Partial<OpenOptions> = {}
) {
  const opened = await openPage({ store: sampleStore(rows), page: 'overview', ...options })
  t.teardown(opened.close)
  return opened
}

const table = (page: Page, heading: string) => page.locator('keelson-table', { hasText: heading })
const ready = (page: Page) => table(page, 'By name').locator('tbody tr[data-id]').first().waitFor()

test('the overview shows figures, a chart, names, issues and services', { skip }, async (t) => {
  const { page, complaints } = await open(t)
  await ready(page)
  await page.locator('keelson-chart canvas').waitFor()
  await page.locator('keelson-stat', { hasText: 'Spend' }).waitFor()
  t.equal(await exactly(page.locator('keelson-stat'), 5), 5)
  t.equal(await table(page, 'By name').locator('tbody tr[data-id]').count(), 7)
  t.match(await page.title(), /^Overview/)
  t.same(complaints, [])
})

test('people are not counted over a range that their buckets cannot answer', {
  skip
}, async (t) => {
  const { page } = await open(t)
  const people = page.locator('keelson-stat', { hasText: 'People' })
  await people.waitFor()
  await page.getByRole('button', { name: '1h' }).click()
  await people.getByText('no rollup counts them').waitFor()
  t.equal(await people.locator('.value').textContent(), '–')
  await page.getByRole('button', { name: '30d' }).click()
  await people.locator('.value', { hasText: /^\d/ }).waitFor()
  t.pass('and are again where they can')
})

test('in a narrow place of a wide window it has one column', { skip }, async (t) => {
  const { page } = await open(t)
  await ready(page)
  const tracks = () =>
    page
      .locator('.columns')
      .first()
      .evaluate((one) => getComputedStyle(one).gridTemplateColumns.split(' ').length)
  t.equal(await tracks(), 2)
  await page.locator('telemetry-dashboard-overview').evaluate((one) => {
    one.style.inlineSize = '420px'
  })
  t.equal(await tracks(), 1)
  t.same(await accessibilityFaults(page), [])
})

test('the mount itself shows the overview', { skip }, async (t) => {
  const { page } = await open(t)
  await page.goto(page.url().replace('/overview', ''))
  await ready(page)
  t.equal(await page.locator('h1').textContent(), 'Overview')
})

test('a name leads to its events, in the same range', { skip }, async (t) => {
  const { page } = await open(t, { query: '?range=30d' })
  await ready(page)
  await table(page, 'By name').getByText('order.placed').click()
  await page.waitForURL(/\/telemetry\/events\?range=30d&name=order\.placed/)
  const heading = page.getByRole('heading', { level: 1, name: 'Events' })
  await heading.and(page.locator(':focus')).waitFor()
  t.pass('it does, and the reader is at its heading')
})

test('an issue leads to the Errors page', { skip }, async (t) => {
  const { page } = await open(t)
  await ready(page)
  await table(page, 'Latest issues').locator('tbody tr[data-id]').first().click()
  await page.waitForURL(/\/telemetry\/errors\?issue=/)
  await page.getByRole('dialog').waitFor()
  t.pass('and opens it there')
})

test('nothing recorded says what to do first', { skip }, async (t) => {
  const { page } = await open(t, { store: sampleStore([]) })
  await page.getByText('No records in this range').waitFor()
  t.equal(await page.getByRole('link', { name: 'Create a key' }).count(), 1)
  t.equal(await page.locator('keelson-table').count(), 0)
})

test('a part that cannot be read leaves the others standing', { skip }, async (t) => {
  const distribution = () => {
    throw new Error('down')
  }
  const { page } = await open(t, {
    store: sampleStore(rows, { distribution, issues: distribution })
  })
  await ready(page)
  await table(page, 'Latest issues').locator('.failed').waitFor()
  await page.locator('keelson-stat', { hasText: 'p95' }).getByText('–').waitFor()
  t.equal(await page.getByRole('alert').count(), 1)
})

test('no state of the Overview has a fault, and nothing scrolls sideways', { skip }, async (t) => {
  const { page } = await open(t)
  await ready(page)
  t.same(await faultsInEveryLook(page), [])
})

test('a change of latency names what it is against before the median', { skip }, async (t) => {
  const { page } = await open(t, { query: '?range=24h' })
  const tile = page.locator('keelson-stat', { hasText: 'p95 latency' })
  const note = tile.locator('[part=change]')
  await note.getByText('median').waitFor()
  const text = (await note.innerText()).replace(/\s+/g, ' ')
  t.match(text, /^\S+ (up|down|no change) [\d.,]+% vs [\d.]+ m?s · median [\d.]+ m?s$/)
})
