// What metrics grew by: over restarts, of both temporalities, and percentiles of their buckets.
import fc from 'fast-check'
import { test } from 'tap'
import { barsOf, countedSince, percentileOfBars } from './counts-in-bars.ts'
import { increasesOf } from './increases.ts'
import { figuresOf, readsOf } from './measured-points.ts'
import { type MetricPoint, pointOf } from './point.ts'

const HOUR = 3_600_000

const made = (more: Partial<MetricPoint> & { value?: number } = {}): MetricPoint => {
  const { value, ...rest } = more
  return {
    at: 0,
    start: undefined,
    type: 'sum',
    unit: '',
    isCumulative: true,
    isMonotonic: true,
    stream: 's',
    attrs: new Map(),
    service: 'web',
    tenantId: 'acme',
    numbers: value === undefined ? {} : { value },
    bounds: [],
    bucketCounts: [],
    scale: undefined,
    zeroCount: 0,
    positive: { offset: 0, counts: [] },
    negative: { offset: 0, counts: [] },
    exemplars: [],
    ...rest
  }
}

const counts = (points: readonly MetricPoint[], from = 0) =>
  increasesOf(points, from).map(({ count }) => count)

test('a cumulative sum grows by the difference of its points, in whatever order they came', async (t) => {
  const points = [30, 10, 25].map((value) => made({ at: value, value }))
  t.same(counts(points), [15, 5])
})

test('the first point tells the growth where its sender began in the range', async (t) => {
  t.same(counts([made({ at: 9, start: 5, value: 4 })], 5), [4])
  t.same(counts([made({ at: 9, start: 4, value: 4 })], 5), [])
})

test('after a restart all is new, by the start or by a smaller total', async (t) => {
  const restarted = [made({ at: 1, start: 0, value: 7 }), made({ at: 2, start: 1, value: 9 })]
  t.same(counts(restarted, 1), [9])
  t.same(counts([made({ at: 1, value: 7 }), made({ at: 2, value: 3 })]), [3])
})

test('a sum that may fall falls', async (t) => {
  const point = (at: number, value: number) => made({ at, value, isMonotonic: false })
  t.same(counts([point(1, 7), point(2, 3)]), [-4])
})

test('whatever is counted, deltas and totals over restarts add up to the same', async (t) => {
  const steps = fc.array(fc.record({ by: fc.nat(1000), isRestart: fc.boolean() }), {
    minLength: 1,
    maxLength: 40
  })
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      let total = 0
      let start = 0
      const totals = list.map(({ by, isRestart }, at) => {
        if (isRestart) [total, start] = [0, at * 10 + 5]
        total += by
        return made({ at: at * 10 + 10, start, value: total })
      })
      const deltas = list.map(({ by }, at) =>
        made({ at: at * 10 + 10, value: by, isCumulative: false })
      )
      const sum = (points: readonly MetricPoint[]) => counts(points).reduce((a, b) => a + b, 0)
      t.equal(sum(totals), sum(deltas))
    })
  )
})

test('buckets of histograms become bars, the outer ones with the least and greatest value', async (t) => {
  const point = made({
    type: 'histogram',
    bounds: [10, 20],
    bucketCounts: [1, 0, 2],
    numbers: { count: 3, sum: 70, min: 4, max: 50 }
  })
  t.same(barsOf(point), [
    { low: 4, high: 10, n: 1 },
    { low: 20, high: 50, n: 2 }
  ])
})

test('a bucket that is wider than its values ends where they end', async (t) => {
  const point = (numbers: Record<string, number>) =>
    made({ type: 'histogram', bounds: [0, 5], bucketCounts: [0, 20, 0], numbers })
  t.same(barsOf(point({ count: 20, min: 0.1, max: 0.6 })), [{ low: 0.1, high: 0.6, n: 20 }])
  t.same(
    barsOf(point({ count: 20, min: 7, max: 9 })),
    [{ low: 0, high: 5, n: 20 }],
    'a wrong sender'
  )
})

test('exponential histograms of different scales are compared at the coarser one', async (t) => {
  const point = (scale: number, counts: readonly number[], zeroCount = 0) =>
    made({
      type: 'exponential_histogram',
      scale,
      zeroCount,
      positive: { offset: 0, counts },
      numbers: { count: counts.reduce((a, b) => a + b, zeroCount) }
    })
  const since = countedSince(point(0, [5, 4], 1), point(1, [1, 1, 2, 0]))
  t.match(since, { scale: 0, zeroCount: 1, positive: { offset: 0, counts: [3, 2] } })
  t.equal(countedSince(point(0, [1, 9]), point(0, [2, 1])), undefined)
  t.same(barsOf(point(0, [0, 3])), [{ low: 2, high: 4, n: 3 }])
})

test('a percentile is between the least and greatest value, and never falls with its rank', async (t) => {
  const bar = fc
    .tuple(fc.integer({ min: -100, max: 100 }), fc.nat(50), fc.integer({ min: 1, max: 99 }))
    .map(([low, width, n]) => ({ low, high: low + width, n }))
  await fc.assert(
    fc.asyncProperty(fc.array(bar, { minLength: 1, maxLength: 20 }), async (bars) => {
      const all = [0, 0.25, 0.5, 0.95, 1].map((rank) => percentileOfBars(bars, rank) ?? Number.NaN)
      const low = Math.min(...bars.map((one) => one.low))
      const high = Math.max(...bars.map((one) => one.high))
      t.ok(all.every((value) => value >= low - 1e-6 && value <= high + 1e-6))
      t.ok(all.every((value, at) => at === 0 || value >= (all[at - 1] ?? value) - 1e-6))
    })
  )
})

test('a percentile of one even bar is linear', async (t) => {
  t.equal(percentileOfBars([{ low: 0, high: 100, n: 10 }], 0.95), 95)
  t.equal(percentileOfBars([{ low: 3, high: 3, n: 2 }], 0.5), 3)
  t.equal(percentileOfBars([], 0.5), undefined)
})

test('a rate is per second of the bucket, and of the part of it in the range', async (t) => {
  const points = [0, 3600, 10_800].map((value, at) => made({ at: at * HOUR, value }))
  const over = {
    measure: 'rate',
    from: 0,
    since: 0,
    to: 2.5 * HOUR,
    startOf: (at: number) => Math.floor(at / HOUR) * HOUR,
    nextOf: (at: number) => at + HOUR
  } as const
  t.same(figuresOf(points, over), {
    figure: 1.2,
    buckets: [
      { at: HOUR, value: 1 },
      { at: 2 * HOUR, value: 4 }
    ]
  })
})

test('points before the range tell what the first in it grew by, and nothing else', async (t) => {
  const over = {
    measure: 'increase',
    from: HOUR,
    to: 2 * HOUR,
    since: 0,
    startOf: (at: number) => Math.floor(at / HOUR) * HOUR,
    nextOf: (at: number) => at + HOUR
  } as const
  const counter = [10, 25, 30].map((value, at) => made({ at: at * 0.9 * HOUR, value }))
  t.same(figuresOf(counter, over), { figure: 5, buckets: [{ at: HOUR, value: 5 }] })
  const gauge = [10, 4].map((value, at) => made({ type: 'gauge', at: at * 1.5 * HOUR, value }))
  t.equal(figuresOf(gauge, { ...over, measure: 'max' }).figure, 4)
})

test('each kind of metric has its reads, and none adds up totals', async (t) => {
  const kinds = [
    [made(), ['rate', 'increase']],
    [made({ isMonotonic: false }), ['avg', 'min', 'max', 'increase']],
    [made({ type: 'gauge' }), ['avg', 'min', 'max']],
    [made({ type: 'summary' }), ['rate', 'increase', 'avg']],
    [made({ type: 'histogram' }), ['p95', 'p50', 'p99', 'avg', 'rate', 'increase']]
  ] as const
  for (const [point, reads] of kinds) t.same(readsOf(point), reads)
})

test('texts of a row that are cut or are not lists make no buckets', async (t) => {
  const row = (attrs: Record<string, string>) =>
    pointOf({ occurredAt: new Date(0), tenantId: 'acme', service: 'web', attrs, metrics: {} })
  t.equal(row({}), undefined)
  const type = { 'metric%2Etype': 'histogram' }
  t.match(row({ ...type, 'metric%2Ebounds': '[1,"…"]', 'metric%2Eexemplars': '{' }), {
    bounds: [],
    exemplars: []
  })
  t.equal(
    row({ ...type, 'metric%2Estart': '5' })?.stream,
    row({ ...type, 'metric%2Estart': '6' })?.stream
  )
})
