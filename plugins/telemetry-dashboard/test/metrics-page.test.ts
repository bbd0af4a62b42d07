// The page of metrics in a browser: the list, one metric over time, the way to a trace.
import { createFormat } from '@keelson/ui'
import { faultsInEveryLook } from '@keelson/ui/testing'
import { test } from 'tap'
import { readsOf } from '../pages/metrics/choices.ts'
import { metricLines, metricText } from '../pages/metrics/metric.ts'
import { exactly, noBrowser, openPage, settled } from './browser.ts'
import { sampleRows, sampleStore } from './sample-store.ts'

const skip = noBrowser ?? false
const TRACE = 'ab'.repeat(16)
const HOUR = 3_600_000
const now = Math.floor(Date.now() / HOUR) * HOUR
const iso = (hours: number) => new Date(now - hours * HOUR).toISOString()

const kind = { type: 'histogram', unit: 'ms', temporality: 'delta', monotonic: false } as const
const took = {
  name: 'http.server.duration',
  ...kind,
  measure: 'p95',
  groups: [
    { value: '/a', points: 4, figure: 120, buckets: [{ at: iso(2), value: 120 }] },
    { value: null, points: 2, figure: 30, buckets: [{ at: iso(1), value: 30 }] }
  ],
  values: 2,
  exemplars: [{ at: iso(1), value: 118, traceId: TRACE, spanId: 'cd', tenantId: 'acme' }],
  truncated: false,
  dataSource: 'raw'
} as const

const store = () =>
  sampleStore(sampleRows(10, now), {
    metrics: {
      metrics: [
        { name: 'heap', ...kind, type: 'gauge', points: 1, lastAt: iso(1) },
        { name: took.name, ...kind, points: 6, lastAt: iso(1) }
      ],
      values: 2,
      truncated: false,
      dataSource: 'raw'
    },
    metricSeries: took
  })

test('a metric is opened from the list, and its exemplar leads to the trace', {
  skip
}, async (t) => {
  const opened = await openPage({ store: store(), page: 'metrics', query: '?range=24h' })
  t.teardown(opened.close)
  const { page, complaints } = opened
  t.equal(await exactly(page.locator('keelson-table tbody tr[data-id]'), 2), 2)
  await page.getByText(took.name).click()
  await page.waitForURL(/metric=http\.server\.duration/)
  await settled(page)
  t.match(await page.locator('keelson-chart').textContent(), /Measure|p95/)
  const link = page.locator(`a[href*="trace=${TRACE}"]`)
  await link.waitFor()
  t.match(await link.getAttribute('href'), /\/telemetry\/trace\?/)
  t.same(complaints, [])
  t.same(await faultsInEveryLook(page), [])
})

test('a metric in groups shows each group, with its filter', { skip }, async (t) => {
  const query = `?range=24h&metric=${took.name}&by=attr:http.route`
  const opened = await openPage({ store: store(), page: 'metrics', query })
  t.teardown(opened.close)
  const link = opened.page.locator('a[href*="attrs=http.route"]').first()
  t.equal((await link.textContent())?.trim(), '/a')
})

test('a metric on screen becomes a rule on it', { skip }, async (t) => {
  const query = `?range=24h&metric=${took.name}&by=attr:http.route&service=web`
  const opened = await openPage({ store: store(), page: 'metrics', query })
  t.teardown(opened.close)
  const { page, complaints } = opened
  await settled(page)
  await page.getByRole('link', { name: 'New alert for this view' }).click()
  await page.waitForURL(/\/telemetry\/alerts\?/)
  await page.getByRole('dialog').waitFor()
  const select = (name: string) => page.getByRole('combobox', { name, exact: true })
  const chosen = (name: string) => select(name).inputValue()
  t.equal(await chosen('Number'), 'metric')
  t.equal(await chosen('Metric'), took.name)
  t.equal(await chosen('Measure'), 'p95')
  t.equal(await chosen('One alert for each'), 'attr:http.route')
  await page.locator('keelson-filter-chips').getByText('web').waitFor()
  await select('Metric').selectOption('heap')
  await select('Measure').selectOption('max')
  const preview = page.waitForRequest(/\/api\/alerts\/preview/)
  await page.getByLabel('Threshold').fill('10')
  await page.getByRole('button', { name: 'Preview on last 30 days' }).click()
  t.match((await preview).postDataJSON(), {
    signal: {
      source: 'metric',
      metric: 'heap',
      measure: 'max',
      filters: { service: 'web' },
      by: 'attr:http.route'
    }
  })
  t.same(complaints, [])
})

test('each kind of metric is read by what it can say, in its unit', async (t) => {
  t.same(readsOf({ type: 'sum', monotonic: true }), ['rate', 'increase'])
  t.equal(readsOf({ ...kind })[0], 'p95')
  t.same(readsOf({ type: '', monotonic: false }), [])
  const format = {
    duration: (ms: number) => `${ms} ms`,
    bytes: (bytes: number) => `${bytes} B`,
    number: String,
    compact: String
  } as unknown as Parameters<typeof metricText>[2]
  const text = (more: object, value: number) => metricText({ ...took, ...more }, value, format)
  t.equal(text({ unit: 's' }, 2), '2000 ms')
  t.equal(text({ unit: 'By' }, 5), '5 B')
  t.equal(text({ measure: 'rate' }, 5), '5/s')
  t.equal(text({ type: 'sum', measure: 'rate', unit: 'By' }, 5), '5 B/s')
  const rare = { type: 'sum', measure: 'rate', unit: '{order}' } as const
  t.equal(metricText(rare, 0.0333, createFormat('en')), '0.033/s', 'a low rate is not nothing')
})

test('a counter without points grew by nothing, a percentile without any is a gap', async (t) => {
  const starts = [now - 2 * HOUR, now - HOUR]
  const values = (measure: string) =>
    metricLines({ ...took, measure } as never, starts, 'all')[0]?.values
  t.same(values('p95'), [120, null])
  t.same(values('increase'), [120, 0])
})
