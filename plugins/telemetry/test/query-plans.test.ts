// The pure halves of the read primitives.

import { test } from 'tap'
import { storedId } from '../envelope/stored-id.ts'
import { cutRange } from '../queries/activity-pieces.ts'
import { readCursor, writeCursor } from '../queries/cursor.ts'
import { describeValues } from '../queries/distribution.ts'
import { requireDistinctFamily, requireMilestoneFamily } from '../queries/families.ts'
import { type Member, median, summarizeStages } from '../queries/funnel-math.ts'
import { readMeasure } from '../queries/measure.ts'
import { sortedNumbers } from '../queries/percentile.ts'
import { clampLimit } from '../queries/reader.ts'
import { recordsFilter } from '../queries/records.ts'
import { rollupsFind } from '../queries/rollups.ts'
import { rowFilter } from '../queries/row-filter.ts'
import { createSharedReads } from '../queries/shared-reads.ts'
import { QueryError } from '../queries/types.ts'
import { defineRegistry } from '../registry/registry.ts'
import type { RecordFilters } from '../schemas/filters.ts'
import { sampleRegistry } from './sample-registry.ts'

const DAY = 86_400_000
const from = new Date(Date.UTC(2026, 0, 1))
const to = new Date(Date.UTC(2026, 0, 8))
const range = { from, to }

test('a filter holds the tenant, the range and each term by equality', async (t) => {
  const filters: RecordFilters = {
    kind: 'error',
    name: 'app.error',
    subject: 'user:1',
    attrs: new Map([['db.system', 'mongodb']]),
    metrics: [
      { key: 'load_ms', op: 'gte', value: 5 },
      { key: 'load_ms', op: 'lte', value: 9 },
      { key: 'load_ms', op: 'gte', value: 7 },
      { key: 'durationMs', op: 'gte', value: 1 }
    ],
    excludeActors: ['admin']
  }
  t.same(rowFilter('acme', range, filters), {
    tenantId: 'acme',
    occurredAt: { $gte: from, $lt: to },
    kind: 'error',
    rareKind: 'error',
    name: 'app.error',
    subjectKeys: 'user:1',
    'attrs.db%2Esystem': 'mongodb',
    'metrics.load_ms': { $gte: 7, $lte: 9 },
    durationMs: { $gte: 1 },
    actorType: { $nin: ['admin'] }
  })
})

test('the platform scope drops the tenant term and nothing else', async (t) => {
  t.same(rowFilter('*', range, { name: 'x' }), { occurredAt: { $gte: from, $lt: to }, name: 'x' })
})

test('values other than text never become operators', async (t) => {
  const wrong: unknown[] = [
    { name: { $ne: '' } },
    { kind: ['event'] },
    { attrs: new Map([['a', { $gt: '' }]]) },
    { attrs: new Map([['', 'x']]) },
    { metrics: [{ key: 'a', op: 'gte', value: Number.NaN }] },
    { excludeActors: [{}] }
  ]
  for (const filters of wrong) {
    t.throws(() => rowFilter('acme', range, filters as RecordFilters), QueryError)
  }
  t.throws(() => rowFilter('', range), { message: 'scope required', status: 400 })
  t.throws(() => rowFilter('acme', { from, to: from }), { message: 'invalid time range' })
})

test('a cursor comes back as it was written, and anything else is malformed', async (t) => {
  const position = { occurredAt: from, _id: storedId('acme', 'x') }
  t.same(readCursor(writeCursor(position)), position)
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  for (const bad of [
    '',
    'not-a-cursor',
    encoded([1]),
    encoded(['x', 'y']),
    encoded({}),
    encoded([1, {}]),
    'x'.repeat(2000),
    encoded([1e300, 'x']),
    encoded([1, 'acme|x']),
    encoded([1, '80AAAA'])
  ]) {
    t.throws(() => readCursor(bad), { message: 'malformed cursor' })
  }
})

test('a cursor bounds the scan and never widens the range', async (t) => {
  const inside = new Date(from.getTime() + DAY)
  t.match(
    recordsFilter('acme', {
      ...range,
      cursor: writeCursor({ occurredAt: inside, _id: storedId('acme', 'x') })
    }),
    {
      occurredAt: { $gte: from, $lte: inside },
      $or: [{ occurredAt: { $lt: inside } }, { _id: { $lt: storedId('acme', 'x') } }]
    }
  )
  const beyond = writeCursor({ occurredAt: new Date(to.getTime() + 1), _id: storedId('acme', 'x') })
  t.match(recordsFilter('acme', { ...range, cursor: beyond }).occurredAt, { $lt: to })
})

test('a limit above the cap is the cap, and one that is none is refused', async (t) => {
  t.same([clampLimit(undefined, 5), clampLimit(9, 5), clampLimit(3, 5)], [5, 5, 3])
  for (const bad of [0, -1, 1.5, Number.NaN])
    t.throws(() => clampLimit(bad, 5), { message: /limit/ })
})

test('measures are count, sum and avg of a metric', async (t) => {
  t.same(readMeasure(), { op: 'count' })
  t.same(readMeasure('sum:a.b'), {
    op: 'sum',
    field: 'metrics.a%2Eb',
    value: '$metrics.a%2Eb'
  })
  t.same(readMeasure('avg:durationMs'), {
    op: 'avg',
    field: 'durationMs',
    value: '$durationMs'
  })
  for (const bad of ['median:x', 'sum:', 'sum', 'x'])
    t.throws(() => readMeasure(bad), { message: /measure/ })
})

test('a distribution is exact, and its histogram adds up', async (t) => {
  const values = Array.from({ length: 400 }, (_, n) => ((n * 157) % 400) + 1)
  const answer = describeValues(sortedNumbers([values]))
  t.match(answer, { n: 400, min: 1, max: 400, avg: 200.5, p50: 200.5 })
  t.equal(answer.histogram.length, 20)
  t.equal(
    answer.histogram.reduce((sum, bar) => sum + bar.n, 0),
    400
  )
  t.same(describeValues(sortedNumbers([])), { n: 0, histogram: [] })
  t.same(describeValues(sortedNumbers([[3, 3]])).histogram, [{ min: 3, max: 3, n: 2 }])
})

test('values of several orders of magnitude spread over bars of equal ratio', async (t) => {
  const tenths = Array.from({ length: 1000 }, (_, n) => 10 ** (n / 250))
  for (const values of [tenths, [0, ...tenths]]) {
    const { histogram, min, max } = describeValues(sortedNumbers([values]))
    t.equal(histogram.length, 20)
    t.same([histogram[0]?.min, histogram.at(-1)?.max], [min, max])
    t.equal(
      histogram.reduce((sum, bar) => sum + bar.n, 0),
      values.length
    )
    t.ok(Math.max(...histogram.map(({ n }) => n)) < 60, 'no bar holds them all')
    for (const [at, bar] of histogram.entries()) {
      const next = histogram[at + 1]
      if (next !== undefined) t.equal(bar.max, next.min)
      if (at < 19) t.equal(bar.n, values.filter((v) => v >= bar.min && v < bar.max).length)
    }
  }
})

test('a rollup read asks what an index can serve', async (t) => {
  const registry = sampleRegistry()
  const find = (params: object, as: string) =>
    rollupsFind('acme', { as, ...params }, registry.family(as))
  t.same(find({}, 'signed_up'), {
    filter: { tenantId: 'acme', as: 'signed_up', lifetime: true },
    sort: { count: -1, _id: 1 }
  })
  t.same(find({ from, to, dims: ['a', 'b'] }, 'daily_active'), {
    filter: {
      tenantId: 'acme',
      as: 'daily_active',
      bucketAt: { $gte: from, $lt: to },
      dims: { $in: ['a', 'b'] }
    },
    sort: { bucketAt: 1, _id: 1 }
  })
  const late = new Date(from.getTime() + DAY / 2)
  t.same(find({ from: late, to, on: 'firstAt' }, 'daily_active').filter, {
    tenantId: 'acme',
    as: 'daily_active',
    bucketAt: { $gte: from, $lt: to },
    firstAt: { $gte: late, $lt: to }
  })
  t.same(find({ from }, 'signed_up').filter.lastAt, { $gte: from })
  const wrong: readonly [object, RegExp][] = [
    [{ sort: 'dims' }, /sort/],
    [{ on: 'expiresAt' }, /on must/],
    [{ dims: Array(101).fill('x') }, /100/],
    [{ dims: [{}] }, /text/],
    [{ from: to, to: from }, /invalid time range/],
    [{ subjectType: {} }, /subjectType/]
  ]
  for (const [params, message] of wrong)
    t.throws(() => find(params, 'signed_up'), { message, status: 400 })
  t.throws(() => find({}, ''), { message: 'rollup family required' })
})

test('unsuitable families are named with the fix', async (t) => {
  const registry = defineRegistry({
    e: {
      kind: 'event',
      subjects: ['user'],
      attrs: ['a'],
      rollups: [
        { as: 'life', by: ['subject'] },
        { as: 'daily', by: ['subject'], bucket: 'day' },
        { as: 'both', by: ['subject', 'attr:a'], bucket: 'day' },
        { as: 'plain', by: ['attr:a'], bucket: 'day' }
      ]
    }
  })
  t.equal(requireMilestoneFamily(registry, 'life').as, 'life')
  t.throws(() => requireMilestoneFamily(registry, 'daily'), { message: /"daily" is BUCKETED/ })
  t.throws(() => requireMilestoneFamily(registry, 'none'), {
    message: 'no rollup family "none" is declared'
  })
  t.equal(requireDistinctFamily(registry, 'daily').bucket, 'day')
  for (const as of ['life', 'both', 'plain', 'none']) {
    t.throws(() => requireDistinctFamily(registry, as), {
      message: new RegExp(`"${as}"`),
      status: 400
    })
  }
})

test('medians average the middle two and are null of nothing', async (t) => {
  t.same([median([]), median([3]), median([4, 1]), median([9, 1, 5])], [null, 3, 2.5, 5])
})

test('stages count literally, and shares of nothing are null', async (t) => {
  const member = (reached: Record<string, number>): Member => ({
    anchorAt: 0,
    reached: new Map(Object.entries(reached))
  })
  const stages = summarizeStages(
    [member({ a: 0, b: DAY }), member({ a: 0, c: 2 * DAY }), member({ a: 0, b: 3 * DAY, c: DAY })],
    ['a', 'b', 'c']
  )
  t.match(stages, [
    {
      order: 1,
      subjects: 3,
      pctOfFirst: 100,
      pctOfPrevious: null,
      medianDaysFromAnchor: 0,
      notReached: 0,
      stalledAt: 1
    },
    { order: 2, subjects: 2, medianDaysFromAnchor: 2, notReached: 1, stalledAt: 1 },
    {
      order: 3,
      subjects: 2,
      pctOfPrevious: 100,
      medianDaysFromPrevious: -2,
      notReached: 1,
      stalledAt: null
    }
  ])
  t.match(summarizeStages([], ['a']), [
    { subjects: 0, pctOfFirst: null, medianDaysFromAnchor: null }
  ])
})

test('a range is cut into days, hours and raw ends without gap or overlap', async (t) => {
  const now = Date.UTC(2026, 0, 20)
  const hour = 3_600_000
  const cases: readonly [number, number, 'hour' | undefined][] = [
    [from.getTime(), to.getTime(), undefined],
    [from.getTime() + 1, to.getTime() - 1, undefined],
    [from.getTime() + 90 * 60_000, from.getTime() + 5 * hour, undefined],
    [from.getTime() + 5, from.getTime() + 10, undefined],
    [from.getTime() + 1, to.getTime(), 'hour']
  ]
  for (const [start, end, interval] of cases) {
    const pieces = cutRange(start, end, interval === undefined ? {} : { interval }, now)
    t.equal(pieces[0]?.from, start)
    t.equal(pieces.at(-1)?.to, end)
    for (const [index, piece] of pieces.entries()) {
      t.ok(piece.from < piece.to)
      if (index > 0) t.equal(piece.from, pieces[index - 1]?.to)
    }
  }
  t.same(
    cutRange(from.getTime(), to.getTime(), {}, now).map((piece) => piece.source),
    ['daily']
  )
  t.same(
    cutRange(from.getTime() + 1, to.getTime() - 1, {}, now).map((piece) => piece.source),
    ['raw', 'hourly', 'daily', 'hourly', 'raw']
  )
  t.same(
    cutRange(from.getTime(), to.getTime(), { interval: 'hour' }, now).map((piece) => piece.source),
    ['hourly']
  )
})

test('days of another zone are cut of hours, and of rows where they start inside one', async (t) => {
  const now = Date.UTC(2026, 0, 20)
  const cut = (timeZone: string) =>
    cutRange(from.getTime(), to.getTime(), { interval: 'day', timeZone }, now)
  t.same(
    cut('America/Los_Angeles').map(({ source }) => source),
    ['hourly']
  )
  const pieces = cut('Asia/Kolkata')
  const days = Math.round((to.getTime() - from.getTime()) / DAY)
  t.equal(pieces.filter(({ source }) => source === 'raw').length, days)
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) t.equal(piece.from, pieces[index - 1]?.to)
  }
  const minutes = cutRange(from.getTime(), to.getTime(), { interval: 'minute' }, now)
  t.same(
    minutes.map(({ source }) => source),
    ['raw']
  )
})

test('a range that ends now takes the running hour from rollups', async (t) => {
  const now = Date.UTC(2026, 0, 8, 10, 30)
  t.notOk(cutRange(from.getTime(), now, {}, now).some((piece) => piece.source === 'raw'))
})

test('hours that are no longer kept are counted from rows', async (t) => {
  const now = from.getTime() + 500 * DAY
  t.same(
    cutRange(from.getTime() + DAY / 2, to.getTime(), {}, now).map((piece) => piece.source),
    ['raw', 'daily']
  )
})

test('equal reads share one answer for a moment, and failures are forgotten', async (t) => {
  let now = 0
  let reads = 0
  const shared = createSharedReads(700, () => now)
  const read = () => shared.share('k', async () => ++reads)
  t.same(await Promise.all([read(), read()]), [1, 1])
  now = 699
  t.equal(await read(), 1)
  now = 700
  t.equal(await read(), 2)
  shared.clear()
  t.equal(await read(), 3)
  await t.rejects(shared.share('f', async () => Promise.reject(new Error('no'))))
  t.equal(await shared.share('f', async () => 'yes'), 'yes')
})
