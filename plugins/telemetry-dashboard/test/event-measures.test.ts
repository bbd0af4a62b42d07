// Events are measured in other ways than by their count: over time, and in groups.
import { METRIC_MEASURES } from '@keelson/telemetry'
import { createFormat } from '@keelson/ui'
import { test } from 'tap'
import { drawn } from '../pages/events/chart.ts'
import { groupsPath } from '../pages/events/groups.ts'
import { addsUp, measureChoices, measureText } from '../pages/events/measures.ts'
import texts from '../pages/events/texts.en.json' with { type: 'json' }
import type { RegistryAnswer } from '../pages/registry.ts'
import { noBrowser, openPage } from './browser.ts'
import { SAMPLE_REGISTRY, sampleRows, sampleStore } from './sample-store.ts'

const skip = noBrowser ?? false
const t0 = Date.parse('2025-06-01T00:00:00Z')
const DAY = 86_400_000
const words = { format: createFormat('en'), t: (key: string) => key }
const registry = { registry: SAMPLE_REGISTRY } as unknown as RegistryAnswer

const measured = {
  now: {
    buckets: [{ at: new Date(t0).toISOString(), value: 40 }],
    source: 'raw',
    truncated: false,
    sampled: false
  },
  before: { buckets: [], source: 'raw', truncated: false, sampled: false },
  span: { from: t0, to: t0 + 2 * DAY },
  interval: 'day'
} as const

test('a bucket without records is 0 of a total, and a gap of a mean or a rate', async (t) => {
  const drawing = { label: 'x', groups: undefined }
  for (const [measure, empty] of [
    [null, 0],
    ['sum:amount_usd', 0],
    ['unique', 0],
    ['p95:load_ms', null],
    ['avg:load_ms', null],
    ['error_rate', null]
  ] as const) {
    const { series, caption } = drawn(measured, { ...drawing, measure }, words)
    t.same(series[0]?.values, [40, empty], String(measure))
    t.same(series[1]?.values, [empty, empty], `${measure}, the period before`)
    t.equal(caption !== '', addsUp(measure) && measure !== 'unique', `${measure}, caption`)
  }
})

test('figures are written in the unit of what is measured', async (t) => {
  const { format } = words
  t.equal(measureText('error_rate', 12.5, format), format.percent(0.125))
  t.equal(measureText('p95:load_ms', 1500, format), format.duration(1500))
  t.equal(measureText('sum:amount_usd', 12, format), format.money(12, 'USD'))
  t.equal(measureText(null, 1200, format), format.compact(1200))
})

test('the choices are those that the records have', async (t) => {
  const ids = (name: string | null) => measureChoices(registry, name, words.t).map(([id]) => id)
  t.same(ids('page.viewed').slice(0, 4), ['', 'error_rate', 'unique', 'avg:load_ms'])
  t.notOk(ids('page.viewed').includes('p95:durationMs'), 'a page view has no duration')
  t.ok(ids(null).includes('p95:durationMs'))
})

test('every measure of a metric that the API takes can be chosen', async (t) => {
  const [metric = ''] = SAMPLE_REGISTRY['page.viewed'].metricKeys
  const ids = measureChoices(registry, 'page.viewed', (key) => {
    t.ok(Object.hasOwn(texts, key), `${key} has a text`)
    return key
  }).map(([id]) => id)
  for (const op of METRIC_MEASURES) t.ok(ids.includes(`${op}:${metric}`), op)
})

test('a measure is asked of the rows, though rollups could count', async (t) => {
  const span = { from: t0, to: t0 + DAY }
  const asked = { interval: 'day', timeZone: 'UTC', by: 'service', also: null } as const
  const counts = groupsPath(new URLSearchParams(), span, { ...asked, measure: null })
  t.match(counts, /^\/api\/activity\?/)
  const path = groupsPath(new URLSearchParams(), span, { ...asked, measure: 'error_rate' })
  t.match(path, /^\/api\/breakdown\?.*measure=error_rate/)
})

test('the measure is chosen beside the chart, is in the address, and names the groups', {
  skip
}, async (t) => {
  const opened = await openPage({
    store: sampleStore(sampleRows(400, Date.now())),
    query: '?name=page.viewed&by=attr:source'
  })
  t.teardown(opened.close)
  const { page, complaints } = opened
  await page.getByLabel('Measure').selectOption('sum:load_ms')
  await page.waitForFunction(() => location.search.includes('measure=sum'))
  const chart = page.locator('keelson-chart')
  await chart.getByText('sum of Load (ms) by day').waitFor()
  const groups = page.locator('keelson-table', { hasText: 'By source' })
  await groups.getByText('sum of Load (ms)').waitFor()
  const first = await groups.locator('tbody tr[data-id]').first().innerText()
  t.match(first, /\d+ ?(s|min|ms|sec)/, 'a duration')
  await page.getByLabel('Measure').selectOption('')
  await page.waitForFunction(() => !location.search.includes('measure='))
  t.same(complaints, [])
})
