// The pages of spans and of one trace in a browser.

import { faultsInEveryLook, textsOf } from '@keelson/ui/testing'
import type { Page } from 'playwright-core'
import { test } from 'tap'
import { countTicks } from '../pages/traces/count-axis.ts'
import { mergedBars } from '../pages/traces/histogram.ts'
import { exactly, noBrowser, type OpenOptions, openPage, parent, settled } from './browser.ts'
import { SAMPLE_REGISTRY, sampleRows, sampleStore, sampleTrace } from './sample-store.ts'

const skip = noBrowser ?? false
const TRACE = 'ab'.repeat(16)
const now = Date.now()
/** Three traces of six spans each. */
const nested = ['ab', 'cd', 'ef'].flatMap((id, at) =>
  sampleTrace(id.repeat(16), now - (at + 1) * 60_000)
)
const rows = [...sampleTrace(TRACE, now - 60_000), ...sampleRows(600, now - 61_000)]

async function open(
  t: { teardown(fn: () => Promise<void>): unknown },
  options: Partial<OpenOptions> = {}
) {
  const opened = await openPage({ store: sampleStore(rows), page: 'traces', ...options })
  t.teardown(opened.close)
  return opened
}

const SPANS = 'keelson-table:not(.groups) tbody tr[data-id]'
const firstRow = (page: Page) => page.locator(SPANS).first()
const groups = (page: Page) => page.locator('keelson-table.groups')
const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

/** What the page counts as, by the place: tile, note of the list, groups, bars. */
async function counted(page: Page) {
  await settled(page)
  const number = (text: string | null) => Number(/\d+/.exec(text ?? '')?.[0])
  const sum = (texts: readonly (string | null)[]) =>
    texts.reduce((all, text) => all + number(text), 0)
  const labels = (places: string) =>
    page.locator(places).evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel))
  return {
    tile: number(await page.locator('keelson-stat .value').first().textContent()),
    note: number(await page.locator('keelson-table:not(.groups) .note').textContent()),
    rows: await page.locator(SPANS).count(),
    groups: sum(await groups(page).locator('tbody tr[data-id] td:nth-child(2)').allTextContents()),
    bars: sum(await labels('.many .bars a'))
  }
}

test('traces are listed by their root spans, and every figure counts those', {
  skip
}, async (t) => {
  const { page } = await open(t, { query: '?range=1h&by=service', store: sampleStore(nested) })
  await firstRow(page).waitFor()
  t.same(await counted(page), { tile: 3, note: 3, rows: 3, groups: 3, bars: 3 })
  t.equal(await page.locator('keelson-stat .label').first().innerText(), 'Traces')
  await page.getByText('All figures count root spans: one per trace').waitFor()
  await page.getByRole('link', { name: 'All spans' }).click()
  await page.getByText('All figures count every span').waitFor()
  t.same(query(page), { range: '1h', by: 'service', spans: 'all' })
  t.same(await counted(page), { tile: 18, note: 18, rows: 18, groups: 18, bars: 18 })
  t.equal(await page.locator('keelson-stat .label').first().innerText(), 'Spans')
  await page.getByRole('link', { name: 'Traces', exact: true }).last().click()
  await page.getByText('All figures count root spans: one per trace').waitFor()
  t.same(query(page), { range: '1h', by: 'service' })
})

test('filters and a trace keep the switch', { skip }, async (t) => {
  const { page } = await open(t, { query: '?range=1h&spans=all', store: sampleStore(nested) })
  await firstRow(page).waitFor()
  await groups(page).getByLabel('Group by').selectOption('service')
  await groups(page).getByRole('link', { name: 'payments' }).click()
  await page.waitForURL(/service=payments/)
  t.match(query(page), { spans: 'all', service: 'payments' })
  await firstRow(page).click()
  await parent(page).click()
  await firstRow(page).waitFor()
  t.match(query(page), { spans: 'all', service: 'payments' })
})

test('a trace whose root is missing is found among all spans', { skip }, async (t) => {
  const remote = sampleTrace(TRACE, now - 60_000).filter(({ parentId }) => parentId !== undefined)
  const { page } = await open(t, { query: '?range=1h', store: sampleStore(remote) })
  await page.getByText('No traces in this range').waitFor()
  await page.getByRole('link', { name: 'Show all spans' }).click()
  await firstRow(page).waitFor()
  t.same(query(page), { range: '1h', spans: 'all' })
})

test('a search that its limit ends goes on until it finds spans', { skip }, async (t) => {
  const whole = sampleStore(nested)
  const records = (scope: string, asked: { readonly cursor?: string }) =>
    asked.cursor === undefined || asked.cursor === 'first'
      ? {
          items: [],
          nextCursor: asked.cursor === undefined ? 'first' : '0',
          truncated: true,
          dataSource: 'raw'
        }
      : whole.queries.records(scope, asked as never)
  const { page } = await open(t, { query: '?range=1h', store: sampleStore(nested, { records }) })
  await firstRow(page).waitFor()
  t.equal(await page.locator(SPANS).count(), 3)
})

test('spans are shown with their percentiles and a histogram', { skip }, async (t) => {
  const { page, complaints } = await open(t)
  await firstRow(page).waitFor()
  t.equal(await page.locator('h1').textContent(), 'Traces')
  t.equal(await page.locator('keelson-stat').count(), 4)
  const spans = page.locator('keelson-stat').first()
  t.equal(await spans.locator('.better, .worse').count(), 0, 'more spans are not good or bad')
  t.equal(await exactly(page.locator('.many .bars li'), 20), 20)
  t.same(complaints, [])
})

test('the change of a percentile says what it is compared with', { skip }, async (t) => {
  const { page } = await open(t, { query: '?range=24h' })
  const p99 = page.locator('keelson-stat').nth(3).locator('.change')
  await p99.getByText(/^vs .+ · slowest /).waitFor()
  t.match((await p99.textContent())?.replace(/\s+/g, ' '), /\d% vs \d.* · slowest \d/)
})

test('a bar of the histogram shows its spans alone', { skip }, async (t) => {
  const { page } = await open(t)
  await firstRow(page).waitFor()
  await page.locator('.many .bars a').nth(19).click()
  await page.waitForFunction(() => location.search.includes('durationMs'))
  const bound = String.raw`\d+(\.\d{1,2})?`
  t.match(query(page)['metrics'], new RegExp(`^durationMs>${bound},durationMs<${bound}$`))
  const chips = await textsOf(page.locator('keelson-filter-chips .chip'))
  t.equal(chips.length, 2)
  for (const chip of chips) t.match(chip, 'duration (ms)')
})

test('on a phone the histogram is whole, in bars that a finger can press', { skip }, async (t) => {
  const { page } = await open(t, { width: 380 })
  await exactly(page.locator('.few .bars li:visible'), 10)
  t.equal(await page.locator('.many .bars li:visible').count(), 0)
  const { cut, narrowest } = await page.locator('.few').evaluate((plot) => ({
    cut: plot.scrollWidth - plot.clientWidth,
    narrowest: Math.min(
      ...[...plot.querySelectorAll('li')].map((bar) => bar.getBoundingClientRect().width)
    )
  }))
  t.equal(cut, 0, 'nothing is outside')
  t.ok(narrowest >= 24, `${narrowest} pixels`)
  const ends = await textsOf(page.locator('.few .ends span'))
  const whole = await page.locator('.many .ends span').allTextContents()
  t.same([ends[0], ends.at(-1)], [whole[0], whole.at(-1)], 'from the first to the last duration')
})

test('two bars become one that counts both', async (t) => {
  const bars = [1, 2, 3].map((n) => ({ min: n - 1, max: n, n }))
  t.same(mergedBars(bars), [
    { min: 0, max: 2, n: 3 },
    { min: 2, max: 3, n: 3 }
  ])
})

test('the histogram says how many spans its highest bar counts', { skip }, async (t) => {
  const { page } = await open(t)
  await exactly(page.locator('.many .bars li'), 20)
  const counts = await page
    .locator('.many .bars a')
    .evaluateAll((bars) => bars.map((bar) => Number.parseInt(bar.ariaLabel ?? '', 10)))
  const most = String(Math.max(...counts))
  const name = `Spans by duration, at most ${most} in a bar`
  await page.getByRole('list', { name }).waitFor()
})

test('counts beside the histogram are where its bars reach them', { skip }, async (t) => {
  const { page } = await open(t)
  await exactly(page.locator('.many .bars li'), 20)
  const placed = (places: string, part?: string) =>
    page.locator(places).evaluateAll(
      (all, inner) =>
        all.map((one) => ({
          count: Number.parseInt(one.ariaLabel ?? one.textContent ?? '', 10),
          y: (inner === undefined ? one : one.querySelector(inner))?.getBoundingClientRect().y ?? 0
        })),
      part
    )
  const counts = await placed('.many .axis text')
  const lines = await placed('.many .axis line')
  const ticks = counts.map(({ count }, at) => ({ count, y: lines[at]?.y ?? 0 }))
  const bars = await placed('.many .bars a', 'rect')
  const floor = await page
    .locator('.many .bars')
    .evaluate((one) => one.getBoundingClientRect().bottom)
  t.ok(ticks.length >= 2 && ticks.length <= 5, `${ticks.length} ticks`)
  const most = bars.reduce((a, b) => (b.count > a.count ? b : a))
  const pixelsPerSpan = (floor - most.y) / most.count
  for (const { count, y } of ticks) {
    t.ok(Math.abs(floor - y - count * pixelsPerSpan) < 1.5, `${count} at ${y}`)
  }
})

test('ticks are round counts, whole ones too where there are few', async (t) => {
  t.same([0, 1, 2, 4, 10, 42, 790, 997].map(countTicks), [
    [0, 1],
    [0, 1],
    [0, 1, 2],
    [0, 1, 2, 3, 4],
    [0, 5, 10],
    [0, 20, 40, 60],
    [0, 200, 400, 600, 800],
    [0, 500, 1000]
  ])
})

test('the slowest route is found with its p95, and leads to its slowest trace', {
  skip
}, async (t) => {
  const { page, complaints } = await open(t, { query: '?by=attr:route' })
  const first = groups(page).locator('tbody tr[data-id]:not([data-id=""])').first()
  await first.waitFor()
  const heads = await textsOf(groups(page).locator('thead th'))
  t.same(heads, ['Route', 'Traces', 'Failed', 'Median', 'p95', 'Slowest'])
  const route = (await first.getAttribute('data-id')) ?? ''
  await groups(page).getByRole('button', { name: 'Traces' }).click()
  await page.waitForURL(/sort=n/)
  await groups(page).getByLabel('Group by').selectOption('service')
  await page.waitForURL(/by=service/)
  await groups(page).getByRole('columnheader', { name: 'Service' }).waitFor()
  await page.goBack()
  await groups(page).locator(`tr[data-id="${route}"]`).getByRole('link', { name: route }).click()
  await page.waitForURL(/route/)
  t.match(query(page)['attrs'], `route:${route}`)
  t.same(complaints, [])
})

test('the slowest trace of a route is a link', { skip }, async (t) => {
  const { page } = await open(t)
  await groups(page).locator('tbody a[href*="/trace?"]').first().click()
  await page.getByRole('heading', { name: 'Waterfall' }).waitFor()
  t.ok(query(page)['trace'])
})

test('a span opens its trace as a waterfall, and a row of it the record', { skip }, async (t) => {
  const { page, complaints } = await open(t, { query: '?range=24h' })
  await firstRow(page).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'POST /checkout' }).waitFor()
  t.match(query(page), { range: '24h', trace: TRACE, span: /trace-/ })
  t.equal(await exactly(page.locator('keelson-table tbody tr[data-id]'), 7), 7)
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await parent(page).click()
  await firstRow(page).waitFor()
  t.same(query(page), { range: '24h' })
  t.same(complaints, [])
})

test('a trace that is not there says so', { skip }, async (t) => {
  const { page } = await open(t, { page: 'trace', query: '?trace=none' })
  await page.getByText('Trace not found').waitFor()
  t.equal(await page.getByRole('link', { name: 'All traces' }).count(), 1)
  t.equal(await parent(page).textContent(), 'Traces')
})

test('a trace ID behind the address of Traces opens that trace', { skip }, async (t) => {
  const { page } = await open(t, { page: `traces/${TRACE}`, query: '?range=24h' })
  await page.getByRole('heading', { level: 1, name: 'POST /checkout' }).waitFor()
  t.same(query(page), { range: '24h', trace: TRACE })
})

test('an unknown trace ID behind the address of Traces says so', { skip }, async (t) => {
  const { page } = await open(t, { page: 'traces/none' })
  await page.getByText('Trace not found').waitFor()
  await page.getByRole('link', { name: 'All traces' }).click()
  await firstRow(page).waitFor()
})

test('a trace that cannot be read says so, and is read again', { skip }, async (t) => {
  let isBroken = true
  const whole = sampleStore(rows)
  const trace = (scope: string, asked: never) => {
    if (isBroken) throw new Error('down')
    return whole.queries.trace(scope, TRACE, asked)
  }
  const store = sampleStore(rows, { trace })
  const { page } = await open(t, { store, page: 'trace', query: `?trace=${TRACE}` })
  await page.getByRole('alert').waitFor()
  const values = await page.locator('keelson-stat .value').allTextContents()
  t.same([...new Set(values)], ['–'], 'no figure of it is made up')
  isBroken = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { level: 1, name: 'POST /checkout' }).waitFor()
})

test('a record elsewhere leads to its trace', { skip }, async (t) => {
  const { page } = await open(t, { page: 'events', query: '?name=otlp.exception' })
  await firstRow(page).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.locator('keelson-drawer').getByRole('link', { name: TRACE }).click()
  await page.waitForURL(/\/telemetry\/trace\?/)
  await page.getByRole('heading', { name: 'Waterfall' }).waitFor()
  t.pass('it does')
})

test('spans without a match say why', { skip }, async (t) => {
  const { page } = await open(t, { query: '?service=none' })
  await page.getByText('No matches in this range').waitFor()
  await page.getByRole('link', { name: 'Remove none' }).click()
  await firstRow(page).waitFor()
  t.same(query(page), {})
})

test('durations that cannot be read leave the spans standing', { skip }, async (t) => {
  const distribution = () => {
    throw new Error('down')
  }
  const { page } = await open(t, { store: sampleStore(rows, { distribution }) })
  await firstRow(page).waitFor()
  await page.getByRole('alert').first().waitFor()
  t.pass('they do')
})

test('no state of the Traces page has a fault, and nothing scrolls sideways', {
  skip
}, async (t) => {
  const { page } = await open(t)
  await firstRow(page).waitFor()
  t.same(await faultsInEveryLook(page), [])
  // The address of the list with a trace in it leads on to its page.
  await page.goto(`${page.url().split('?')[0]}?trace=${TRACE}`)
  await page.waitForURL(/\/telemetry\/trace\?/)
  await firstRow(page).waitFor()
  t.same(await faultsInEveryLook(page), [], 'one trace')
  await firstRow(page).press('Enter')
  await page.locator('keelson-drawer dl.facts a').first().waitFor()
  t.same(await faultsInEveryLook(page), [], 'the panel of a span')
})

test('spans of OpenTelemetry are grouped by the attributes that they have', { skip }, async (t) => {
  const group = { n: 3, failed: 0, p50: 5, p95: 9, max: 9, slowest: { id: 'a', tenantId: 'acme' } }
  const asked: unknown[] = []
  const store = sampleStore(nested, {
    seenKeys: { 'otlp.span': { attrKeys: ['http.route', 'span.name'], metricKeys: [] } },
    durations: (_scope: string, { by }: { by: string }) => {
      asked.push(by)
      const value = by === 'attr:http.route' ? '/cart/:id' : null
      // A few spans of the platform itself have the route that it declares.
      const few = by === 'attr:route' ? [{ ...group, n: 1, value: '/own' }] : []
      const groups = [{ ...group, value }, ...few]
      return { groups, values: groups.length, truncated: false, dataSource: 'raw' }
    }
  })
  const request = SAMPLE_REGISTRY['http.request']
  const registry = {
    ...SAMPLE_REGISTRY,
    'http.request': { ...request, indexedAttrs: ['route'] },
    'otlp.span': { ...request, attrKeys: [], metricKeys: [] }
  }
  Object.assign(store.telemetry, { registry: { project: () => registry } })
  const { page } = await open(t, { query: '?range=1h', store })
  await groups(page).getByText('/cart/:id').first().waitFor()
  t.same(asked, ['attr:route', 'attr:http.route'], 'the declared route is tried first')
  t.equal(await groups(page).getByLabel('Group by').inputValue(), 'attr:http.route')
  await groups(page).getByLabel('Group by').selectOption('attr:span.name')
  await page.waitForURL(/by=attr%3Aspan.name/)
  await page.goto(page.url().replace('span.name', 'rare.key'))
  await groups(page).getByText('no value').first().waitFor()
  t.equal(asked.at(-1), 'attr:rare.key', 'a key of the address is asked for all the same')
})

test('a trace is found by its ID behind the address of the page, too', { skip }, async (t) => {
  const { page } = await open(t, { page: `trace/${TRACE}` })
  await page.locator('keelson-table tbody tr[data-id]').first().waitFor()
  t.equal(await page.locator('keelson-page-header .id').textContent(), TRACE)
})
