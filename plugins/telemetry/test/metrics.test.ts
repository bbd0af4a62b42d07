// Metrics read from stored points: the list, series with exemplars, and sums that are refused.
import { testDatabase } from '@keelson/sdk/testing'
import { type Test, test } from 'tap'
import { createQueries } from '../create-queries.ts'
import { createTelemetry } from '../create-telemetry.ts'
import { QueryError } from '../queries/types.ts'
import { SAMPLE_SPEC } from './sample-registry.ts'

const HOUR = 3_600_000
const START = Math.floor(Date.now() / HOUR) * HOUR - 10 * HOUR
const range = { from: new Date(START), to: new Date(START + 9 * HOUR) }

const sum = {
  'metric.type': 'sum',
  'metric.temporality': 'cumulative',
  'metric.monotonic': 'true'
}

async function open(t: Test) {
  const { db } = await testDatabase(t)
  const telemetry = createTelemetry({
    registry: SAMPLE_SPEC,
    connection: db,
    history: { enabled: false }
  })
  t.teardown(() => telemetry.close())
  await telemetry.syncIndexes()
  const point = (
    name: string,
    hours: number,
    attrs: Record<string, string>,
    metrics: Record<string, number>
  ) =>
    telemetry.emit('otlp.metric', {
      tenantId: 'acme',
      service: 'shop',
      occurredAt: START + hours * HOUR,
      attrs: { 'metric.name': name, ...attrs },
      metrics
    })
  const queries = createQueries({ telemetry, cacheMs: 0 })
  return { db, telemetry, queries, point }
}

test('metrics are listed with their kind and how many points they have', async (t) => {
  const { telemetry, queries, point } = await open(t)
  await point('orders', 1, { ...sum, 'metric.unit': '{order}' }, { value: 3 })
  await point('orders', 2, { ...sum, 'metric.unit': '{order}' }, { value: 5 })
  await point('heap', 2, { 'metric.type': 'gauge' }, { value: 1 })
  await telemetry.flush()
  const { metrics, values } = await queries.metrics('acme', range)
  t.equal(values, 2)
  t.match(metrics, [
    { name: 'heap', type: 'gauge', points: 1 },
    {
      name: 'orders',
      type: 'sum',
      unit: '{order}',
      temporality: 'cumulative',
      monotonic: true,
      points: 2,
      lastAt: new Date(START + 2 * HOUR)
    }
  ])
  t.match(await queries.metrics('acme', { ...range, contains: 'ORD' }), { values: 1 })
  t.match(await queries.metrics('acme', { ...range, filters: { name: 'x' } }), { values: 0 })
  t.match(await queries.metrics('globex', range), { values: 0 })
})

test('a counter is read as its rate by route, over a restart', async (t) => {
  const { telemetry, queries, point } = await open(t)
  const at = (hours: number, route: string, value: number, start = START) =>
    point('orders', hours, { ...sum, route, 'metric.start': String(start) }, { value })
  await at(1, '/a', 3600)
  await at(2, '/a', 10_800)
  await at(3, '/a', 1800, START + 2.5 * HOUR)
  await at(2, '/b', 36)
  await telemetry.flush()
  const asked = { ...range, metric: 'orders', by: 'attr:route' }
  const { groups, measure } = await queries.metricSeries('acme', asked)
  t.equal(measure, 'rate')
  t.same(
    groups.map(({ value, buckets }) => [value, buckets.map((one) => one.value)]),
    [
      ['/a', [1, 2, 0.5]],
      ['/b', [0.01]]
    ]
  )
  const all = await queries.metricSeries('acme', { ...asked, measure: 'increase' })
  t.equal(all.groups[0]?.figure, 12_600)
})

test('the rate of a short range counts from the point before it', async (t) => {
  const { telemetry, queries, point } = await open(t)
  const minutes = [57, 58, 59, 60, 61, 62, 63, 64]
  for (const at of minutes) await point('orders', at / 60, sum, { value: at * 120 })
  await point('gone', 57 / 60, sum, { value: 1 })
  await telemetry.flush()
  const from = new Date(START + HOUR)
  const to = new Date(START + HOUR + 5 * 60_000)
  const asked = { from, to, metric: 'orders' }
  const { groups } = await queries.metricSeries('acme', asked)
  t.same(
    groups.map(({ points, figure }) => [points, figure]),
    [[5, 2]],
    'five points, each of them 120 more than the one before, in 300 seconds'
  )
  const none = await queries.metricSeries('acme', { ...asked, metric: 'gone' })
  t.same(none.groups, [], 'a stream that ended before the range is not in it')
})

test('a histogram is read by percentiles, with the traces of its exemplars', async (t) => {
  const { telemetry, queries, point } = await open(t)
  const traceId = 'ab'.repeat(16)
  await point(
    'took',
    1,
    {
      'metric.type': 'histogram',
      'metric.temporality': 'delta',
      'metric.bounds': '[100,200]',
      'metric.bucket_counts': '[0,10,0]',
      'metric.exemplars': JSON.stringify([[150, traceId, 'cd', START + 5]])
    },
    { count: 10, sum: 1500 }
  )
  await telemetry.flush()
  const p95 = await queries.metricSeries('acme', { ...range, metric: 'took' })
  t.match(p95, { measure: 'p95', groups: [{ value: null, points: 1, figure: 195 }] })
  t.same(p95.exemplars, [
    { at: new Date(START + 5), value: 150, traceId, spanId: 'cd', tenantId: 'acme' }
  ])
  const mean = await queries.metricSeries('acme', { ...range, metric: 'took', measure: 'avg' })
  t.equal(mean.groups[0]?.figure, 150)
})

test('what a metric cannot say is refused with what it can', async (t) => {
  const { telemetry, queries, point } = await open(t)
  await point('heap', 1, { 'metric.type': 'gauge' }, { value: 1 })
  await telemetry.flush()
  const ask = (more: object) => queries.metricSeries('acme', { ...range, metric: 'heap', ...more })
  await t.rejects(ask({ measure: 'rate' }), /a gauge has no rate: .* avg, min, max/)
  await t.rejects(ask({ measure: 'sum' }), QueryError)
  await t.rejects(ask({ by: 'x' }), QueryError)
  await t.rejects(ask({ metric: '' }), /metric required/)
})

test('cumulative points are never added up, whichever read asks', async (t) => {
  const { telemetry, queries, point } = await open(t)
  await point('orders', 1, sum, { value: 3 })
  await point('sales', 1, { 'metric.type': 'sum', 'metric.temporality': 'delta' }, { value: 4 })
  await telemetry.flush()
  const words = /cumulative points .* measure rate or increase/
  const asked = [
    { measure: 'sum:value' },
    { measure: 'sum:value', filters: { name: 'otlp.metric' } },
    { measure: 'sum:value', filters: { attrs: new Map([['metric.name', 'orders']]) } }
  ]
  for (const one of asked) {
    await t.rejects(queries.series('acme', { ...range, ...one }), words)
    await t.rejects(queries.breakdown('acme', { ...range, ...one, by: 'service' }), words)
    const signal = {
      source: 'series' as const,
      measure: one.measure,
      ...(one.filters?.name !== undefined && { filters: { name: one.filters.name } })
    }
    const rule = {
      name: 'r',
      signal,
      windowMinutes: 60,
      condition: { type: 'threshold' as const, op: 'above' as const, value: 1 }
    }
    const viewer = { tenantId: 'acme', role: 'admin' as const, viewerRef: 'user:a' }
    await t.rejects(telemetry.alerts.preview(viewer, rule as never, range), words)
  }
  const deltas = { filters: { attrs: new Map([['metric.temporality', 'delta']]) } }
  const { buckets } = await queries.series('acme', { ...range, measure: 'sum:value', ...deltas })
  t.same(
    buckets.map(({ value }) => value),
    [4]
  )
  t.equal((await queries.series('acme', { ...range, measure: 'max:value' })).buckets[0]?.value, 4)
})

test('points of one metric are found by the index of its name', async (t) => {
  const { db, telemetry, point } = await open(t)
  await point('orders', 1, sum, { value: 3 })
  await telemetry.flush()
  const plan = await db
    .collection('telemetry')
    .find({
      tenantId: 'acme',
      name: 'otlp.metric',
      occurredAt: { $gte: range.from, $lt: range.to },
      'attrs.metric%2Ename': 'orders'
    })
    .sort({ occurredAt: -1, _id: -1 })
    .explain('queryPlanner')
  t.match(JSON.stringify(plan), /"indexName":"points_of_metric"/)
})
