// Breakdowns, usage totals, retention, the people of a funnel, exclusions: on a real database.

import { testDatabase } from '@keelson/sdk/testing'
import type { Document } from 'mongodb'
import { test } from 'tap'
import { createQueries, type QueriesOptions } from '../create-queries.ts'
import { createTelemetry } from '../create-telemetry.ts'
import type { EmitRecord } from '../envelope/types.ts'
import { breakdownPipeline } from '../queries/breakdown.ts'
import { activeFilter, countRetention } from '../queries/retention.ts'
import { QueryError } from '../queries/types.ts'
import { addDecimals, usagePipeline } from '../queries/usage-totals.ts'
import { SAMPLE_SPEC } from './sample-registry.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
// A Monday three weeks ago.
const MONDAY = (() => {
  const day = Math.floor((Date.now() - 21 * DAY) / DAY) * DAY
  return day - ((new Date(day).getUTCDay() + 6) % 7) * DAY
})()
const RANGE = { from: new Date(MONDAY), to: new Date(Date.now() + 1000) }

type T = Parameters<typeof testDatabase>[0]
type Sent = readonly [name: string, at: number, user: string, more?: Partial<EmitRecord>]

async function open(t: T, records: readonly Sent[], more: Partial<QueriesOptions> = {}) {
  const { db } = await testDatabase(t)
  const telemetry = createTelemetry({ registry: SAMPLE_SPEC, connection: db })
  await telemetry.syncIndexes()
  await Promise.all(
    records.map(([name, at, user, rest = {}]) =>
      telemetry.emit(name, {
        tenantId: 'acme',
        service: 'web',
        release: 'r1',
        env: 'prod',
        occurredAt: at,
        subjects: [{ type: 'user', id: user }],
        ...rest
      })
    )
  )
  await telemetry.flush()
  return { db, queries: createQueries({ telemetry, cacheMs: 0, ...more }) }
}

const view = (at: number, user: string, source: string, load: number, service = 'web'): Sent => [
  'page.viewed',
  at,
  user,
  { attrs: { source }, metrics: { load_ms: load }, service }
]

const VIEWS: readonly Sent[] = [
  view(MONDAY, 'a', 'ads', 10),
  view(MONDAY + DAY, 'a', 'ads', 30),
  view(MONDAY + DAY, 'b', 'blog', 100),
  ['page.viewed', MONDAY + DAY, 'b', { service: 'api' }]
]

test('rows are grouped by an attribute, largest first, rows without it as null', async (t) => {
  const { queries } = await open(t, VIEWS)
  const answer = await queries.breakdown('acme', { ...RANGE, by: 'attr:source' })
  t.same(
    answer.groups.map(({ value, count, figure }) => [value, count, figure]),
    [
      ['ads', 2, 2],
      [null, 1, 1],
      ['blog', 1, 1]
    ]
  )
  t.match(answer, { values: 3, truncated: false, sampled: false, dataSource: 'raw' })
})

test('a breakdown measures, over time too', async (t) => {
  const { queries } = await open(t, VIEWS)
  const asked = { ...RANGE, by: 'attr:source', interval: 'day' as const }
  const sums = await queries.breakdown('acme', { ...asked, measure: 'sum:load_ms' })
  t.same(
    sums.groups.map(({ value, figure }) => [value, figure]),
    [
      ['blog', 100],
      ['ads', 40]
    ]
  )
  t.same(sums.groups[1]?.buckets, [
    { at: new Date(MONDAY), value: 10 },
    { at: new Date(MONDAY + DAY), value: 30 }
  ])
  const means = await queries.breakdown('acme', { ...asked, measure: 'avg:load_ms' })
  t.equal(means.groups.find(({ value }) => value === 'ads')?.figure, 20)
})

test('rows are grouped by two of their values, each measured over time too', async (t) => {
  const { queries } = await open(t, [
    ...VIEWS,
    view(MONDAY, 'c', 'ads', 50, 'app'),
    view(MONDAY + DAY, 'd', 'ads', 70, 'app')
  ])
  const asked = { ...RANGE, by: 'attr:source', alsoBy: 'service', measure: 'avg:load_ms' }
  const pairs = await queries.breakdown('acme', asked)
  const rows = await queries.records('acme', { ...RANGE, filters: { name: 'page.viewed' } })
  const recount = new Map<string, number[]>()
  for (const { attrs, service, metrics } of rows.items) {
    const load = metrics?.['load_ms']
    const key = `${attrs?.['source'] ?? null} ${service}`
    if (load !== undefined) recount.set(key, [...(recount.get(key) ?? []), load])
  }
  t.same(
    new Map(pairs.groups.map(({ value, also, figure }) => [`${value} ${also}`, figure])),
    new Map([...recount].map(([key, loads]) => [key, loads.reduce((a, b) => a + b) / loads.length]))
  )
  t.ok(pairs.groups.length > 2)
  t.equal(pairs.values, pairs.groups.length)
  const daily = await queries.breakdown('acme', { ...asked, interval: 'day' })
  t.same(daily.groups.find(({ value, also }) => value === 'ads' && also === 'app')?.buckets, [
    { at: new Date(MONDAY), value: 50 },
    { at: new Date(MONDAY + DAY), value: 70 }
  ])
  const found = await queries.breakdown('acme', { ...asked, contains: 'APP' })
  t.same(
    found.groups.map(({ value, also }) => [value, also]),
    [['ads', 'app']],
    'a text is found in either value'
  )
  await t.rejects(queries.breakdown('acme', { ...asked, alsoBy: '$where' }), /^.*alsoBy must be/)
})

test('people of two tenants with one ref are two groups, records of no person one', async (t) => {
  const span = { subjects: [], durationMs: 5, traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8) }
  const { queries } = await open(t, [
    view(MONDAY, 'a', 'ads', 10),
    ['page.viewed', MONDAY, 'a', { tenantId: 'globex' }],
    ['http.request', MONDAY, 'a', span],
    ['http.request', MONDAY, 'a', { ...span, tenantId: 'globex' }]
  ])
  const { groups } = await queries.breakdown('*', { ...RANGE, by: 'name', alsoBy: 'subject' })
  t.same(
    groups.map(({ value, also, tenantId, count }) => [value, also, tenantId, count]),
    [
      ['http.request', null, undefined, 2],
      ['page.viewed', 'user:a', 'acme', 1],
      ['page.viewed', 'user:a', 'globex', 1]
    ]
  )
  const daily = await queries.breakdown('*', { ...RANGE, by: 'subject', interval: 'day' })
  t.same(
    daily.groups.find(({ value }) => value === null)?.buckets,
    [{ at: new Date(MONDAY), value: 2 }],
    'a day is one bucket'
  )
})

test('a breakdown of the newest rows finds the values that hold a text', async (t) => {
  const { queries } = await open(t, VIEWS)
  const valuesOf = async (more: object) => {
    const asked = { ...RANGE, by: 'attr:source', ...more }
    return (await queries.breakdown('acme', asked)).groups.map(({ value }) => value)
  }
  t.same(await valuesOf({ contains: 'LO' }), ['blog'])
  t.same(await valuesOf({ contains: 'none' }), [])
  t.equal((await valuesOf({ newest: 1 })).length, 1)
  t.equal((await queries.breakdown('acme', { ...RANGE, by: 'name', newest: 2 })).truncated, true)
  await t.rejects(valuesOf({ newest: 0 }), QueryError)
})

test('a breakdown keeps to its limits and says so', async (t) => {
  const { queries } = await open(t, VIEWS, { limits: { distribution: 2 } })
  const answer = await queries.breakdown('acme', { ...RANGE, by: 'subject', limit: 1 })
  t.equal(answer.groups.length, 1)
  t.equal(answer.truncated, true)
  t.equal((await queries.breakdown('globex', { ...RANGE, by: 'subject' })).groups.length, 0)
  for (const by of ['secretHash', 'attr:', '$where']) {
    await t.rejects(queries.breakdown('acme', { ...RANGE, by }), QueryError)
  }
})

test('of more values than are listed the largest have exact counts, and the others are in the total', async (t) => {
  const views = Array.from({ length: 60 }, (_, n) =>
    Array.from({ length: n < 3 ? 2 : 1 }, (_one, at) => view(MONDAY + at, `u${n}`, `s${n}`, 1))
  )
  const { queries } = await open(t, views.flat())
  for (const interval of [undefined, 'day'] as const) {
    const answer = await queries.breakdown('acme', {
      ...RANGE,
      by: 'attr:source',
      ...(interval !== undefined && { interval })
    })
    t.equal(answer.groups.length, 50)
    t.same(
      answer.groups.slice(0, 4).map(({ count }) => count),
      [2, 2, 2, 1]
    )
    t.match(answer, { values: 60, total: 63, truncated: false })
  }
})

test('durations are grouped, the slowest 95th percentile first, with the slowest trace', async (t) => {
  const span = (
    route: string,
    ms: number,
    traceId: string,
    more: Partial<EmitRecord> = {}
  ): Sent => [
    'http.request',
    MONDAY + ms,
    'a',
    { attrs: { route }, durationMs: ms, traceId, spanId: traceId.slice(16), subjects: [], ...more }
  ]
  const trace = (digit: number) => String(digit).repeat(32)
  const { queries } = await open(t, [
    ...[10, 20, 30, 40].map((ms, at) => span('/fast', ms, trace(at + 1))),
    span('/slow', 900, trace(6), { severity: 'error' }),
    span('/slow', 100, trace(7)),
    view(MONDAY, 'a', 'ads', 10)
  ])
  const answer = await queries.durations('acme', { ...RANGE, by: 'attr:route' })
  t.match(answer, { values: 2, truncated: false, dataSource: 'raw' })
  t.match(answer.groups, [
    { value: '/slow', n: 2, failed: 1, p50: 500, max: 900, slowest: { traceId: trace(6) } },
    { value: '/fast', n: 4, failed: 0, p50: 25, p95: 38.5, max: 40, slowest: { traceId: trace(4) } }
  ])
  const { items } = await queries.trace('acme', trace(6))
  t.equal(answer.groups[0]?.slowest.id, items[0]?._id, 'the id is that of the record')
  t.same((await queries.durations('globex', { ...RANGE, by: 'service' })).groups, [])
  await t.rejects(queries.durations('acme', { ...RANGE, by: 'subject' }), QueryError)
})

test('a tenant is a filter for who sees them all, and for no other viewer', async (t) => {
  const { queries } = await open(t, [
    view(MONDAY, 'a', 'ads', 10),
    ['page.viewed', MONDAY, 'b', { tenantId: 'globex' }]
  ])
  const tenants = async (scope: string, filters: object) =>
    (await queries.records(scope, { ...RANGE, filters })).items.map(({ tenantId }) => tenantId)
  t.same(await tenants('*', { tenant: 'globex' }), ['globex'])
  t.same(await tenants('*', { exclude: [{ field: 'tenant', value: 'globex' }] }), ['acme'])
  t.same(await tenants('acme', { tenant: 'globex' }), ['acme'])
})

test('usage is filtered by meter and payer', async (t) => {
  const used = (user: string, meter: string): Sent => [
    'llm.tokens',
    MONDAY,
    user,
    { usage: { meter, quantity: 1, unit: 'token', billedTo: `user:${user}` } }
  ]
  const { queries } = await open(t, [used('a', 'tokens'), used('b', 'tokens'), used('b', 'seats')])
  const count = async (filters: object) =>
    (await queries.records('acme', { ...RANGE, filters })).items.length
  t.equal(await count({ meter: 'tokens' }), 2)
  t.equal(await count({ meter: 'tokens', billedTo: 'user:b' }), 1)
  t.equal(await count({ exclude: [{ field: 'billedTo', value: 'user:b' }] }), 1)
})

test('excluded values are left out; a record without the value stays', async (t) => {
  const { queries } = await open(t, VIEWS)
  const count = async (field: string, value: string) => {
    const exclude = [{ field, value }]
    return (await queries.records('acme', { ...RANGE, filters: { exclude } })).items.length
  }
  t.equal(await count('attrs.source', 'ads'), 2)
  t.equal(await count('service', 'web'), 1)
  t.equal(await count('subject', 'user:a'), 2)
  t.equal(await count('kind', 'event'), 0)
  const both = await queries.records('acme', {
    ...RANGE,
    filters: { service: 'web', exclude: [{ field: 'service', value: 'web' }] }
  })
  t.same(both.items, [])
  await t.rejects(count('tenantId', 'acme'), QueryError)
  await t.rejects(count('attrs.', 'x'), QueryError)
})

test('usage adds up by meter and by person, money without rounding', async (t) => {
  const used = (user: string, quantity: number, more: object = {}, cost = 0.5): Sent => [
    'llm.tokens',
    MONDAY,
    user,
    {
      metrics: { cost_usd: cost },
      usage: { meter: 'tokens', quantity, unit: 'token', billedTo: `user:${user}`, ...more }
    }
  ]
  const { queries } = await open(t, [
    used('a', 10, { amount: '0.10', currency: 'USD' }),
    used('a', 5, { amount: '0.20', currency: 'USD' }),
    used('b', 1, { amount: '7.000000000001', currency: 'EUR' }),
    used('b', 2, { amount: '100', currency: 'EUR', billable: false }),
    used('c', 3, { meter: 'seats', unit: 'seat' })
  ])
  const byPerson = await queries.usageTotals('acme', {
    ...RANGE,
    by: 'billedTo',
    sums: ['cost_usd']
  })
  t.same(byPerson.groups, [
    {
      value: 'user:a',
      count: 2,
      unbilled: 0,
      quantities: { token: 15 },
      amounts: { USD: '0.3' },
      sums: { cost_usd: 1 }
    },
    {
      value: 'user:b',
      count: 2,
      unbilled: 1,
      quantities: { token: 3 },
      amounts: { EUR: '7.000000000001' },
      sums: { cost_usd: 1 }
    },
    {
      value: 'user:c',
      count: 1,
      unbilled: 0,
      quantities: { seat: 3 },
      amounts: {},
      sums: { cost_usd: 0.5 }
    }
  ])
  t.notOk(byPerson.groups.some((group) => 'tenantId' in group))
  const one = await queries.usageTotals('acme', {
    ...RANGE,
    by: 'billedTo',
    sums: ['cost_usd'],
    limit: 1
  })
  t.same(
    [one.groups.length, one.values, one.total],
    [
      1,
      3,
      {
        count: 5,
        unbilled: 1,
        quantities: { token: 18, seat: 3 },
        amounts: { USD: '0.3', EUR: '7.000000000001' },
        sums: { cost_usd: 2.5 }
      }
    ],
    'the total is of all groups, not of those that are listed'
  )
  const byMeter = await queries.usageTotals('*', { ...RANGE, by: 'meter' })
  t.same(
    byMeter.groups.map(({ value, count, amounts }) => [value, count, amounts]),
    [
      ['tokens', 4, { USD: '0.3', EUR: '7.000000000001' }],
      ['seats', 1, {}]
    ]
  )
  t.match(byMeter, { truncated: false, values: 2 })
})

test('usage of all tenants keeps persons apart that two of them name alike', async (t) => {
  const used = (tenantId: string, quantity: number): Sent => [
    'llm.tokens',
    MONDAY,
    'a',
    { tenantId, usage: { meter: 'tokens', quantity, unit: 'token', billedTo: 'user:a' } }
  ]
  const { queries } = await open(t, [used('acme', 1), used('acme', 2), used('beta', 4)])
  for (const by of ['subject', 'billedTo']) {
    const { groups, values } = await queries.usageTotals('*', { ...RANGE, by })
    t.same(
      groups.map(({ tenantId, value, quantities }) => [tenantId, value, quantities['token']]),
      [
        ['acme', 'user:a', 3],
        ['beta', 'user:a', 4]
      ]
    )
    t.equal(values, 2)
  }
})

test('decimals add up exactly, whatever their form', async (t) => {
  t.equal(addDecimals('0.1', '0.2'), '0.3')
  t.equal(addDecimals('-5', '2.50'), '-2.5')
  t.equal(addDecimals('1E+3', '1E-12'), '1000.000000000001')
  t.equal(addDecimals('-0.5', '0.5'), '0')
  t.throws(() => addDecimals('NaN', '1'), RangeError)
})

test('retention counts who came back, once a period', async (t) => {
  const week = 7 * DAY
  const { queries } = await open(t, [
    ['account.signed_up', MONDAY + HOUR, 'a'],
    ['account.signed_up', MONDAY + DAY, 'b'],
    ['account.signed_up', MONDAY + week, 'c'],
    view(MONDAY + HOUR, 'a', 'x', 1),
    view(MONDAY + DAY, 'a', 'x', 1),
    view(MONDAY + week + DAY, 'a', 'x', 1),
    view(MONDAY + week + DAY, 'b', 'x', 1),
    view(MONDAY + week + DAY, 'stranger', 'x', 1),
    view(MONDAY + 2 * week, 'c', 'x', 1)
  ])
  const params = { ...RANGE, anchor: 'signed_up', activity: 'daily_active' }
  const answer = await queries.retention('acme', params)
  t.equal(answer.interval, 'week')
  t.same(
    answer.cohorts.map(({ at, subjects, active }) => [
      at.getTime(),
      subjects,
      active.slice(0, 3).join()
    ]),
    [
      [MONDAY, 2, '1,2,0'],
      [MONDAY + week, 1, '0,1,0']
    ]
  )
  t.equal(answer.truncated, false)
  const capped = await queries.retention('acme', { ...params, limit: 1 })
  t.equal(capped.truncated, true)
  await t.rejects(queries.retention('acme', { ...params, anchor: 'daily_active' }), QueryError)
  await t.rejects(queries.retention('acme', { ...params, activity: 'signed_up' }), QueryError)
})

test('activity beyond its cap makes retention an undercount that says so', async (t) => {
  const { queries } = await open(
    t,
    [
      ['account.signed_up', MONDAY, 'a'],
      view(MONDAY, 'a', 'x', 1),
      view(MONDAY + DAY, 'a', 'x', 1)
    ],
    { limits: { distinct: 1 } }
  )
  const answer = await queries.retention('acme', {
    ...RANGE,
    anchor: 'signed_up',
    activity: 'daily_active'
  })
  t.equal(answer.truncated, true)
})

test('periods end with now, also for a cohort that never came back', async (t) => {
  const [cohort] = countRetention([{ who: 'a', at: 0 }], [], 'day', 2 * DAY + 1)
  t.same(cohort, { at: new Date(0), subjects: 1, active: [0, 0, 0] })
})

test('the people of a funnel are those who reached a stage, or missed it', async (t) => {
  const { queries } = await open(t, [
    ['account.signed_up', MONDAY, 'a'],
    ['account.signed_up', MONDAY + HOUR, 'b'],
    ['account.signed_up', MONDAY + DAY, 'c'],
    ['account.activated', MONDAY + DAY, 'a'],
    ['order.placed', MONDAY + 2 * DAY, 'b', { metrics: { amount_usd: 3 } }]
  ])
  const stages = ['signed_up', 'activated', 'first_order']
  const people = async (stage: string, outcome: 'reached' | 'missed') => {
    const answer = await queries.funnelPeople('acme', { ...RANGE, stages, stage, outcome })
    return answer.people.map(({ ref, last }) => `${ref} ${last}`).join()
  }
  t.equal(
    await people('signed_up', 'reached'),
    'user:c signed_up,user:b first_order,user:a activated'
  )
  t.equal(await people('activated', 'missed'), 'user:c signed_up,user:b first_order')
  t.equal(await people('first_order', 'missed'), 'user:a activated')
  t.equal(await people('signed_up', 'missed'), '')
  const asked = { ...RANGE, stages, stage: 'signed_up' }
  t.match(await queries.funnelPeople('acme', { ...asked, limit: 1 }), { total: 1, truncated: true })
  await t.rejects(queries.funnelPeople('acme', { ...asked, stage: 'other' }), QueryError)
  await t.rejects(queries.funnelPeople('acme', { ...asked, stages: [] }), QueryError)
  await t.rejects(
    queries.funnelPeople('acme', { ...asked, outcome: 'lost' as 'missed' }),
    QueryError
  )
})

function stagesOf(value: unknown, found: Set<string> = new Set()): Set<string> {
  if (typeof value !== 'object' || value === null) return found
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'stage' && typeof inner === 'string') found.add(inner)
    if (key !== 'rejectedPlans') stagesOf(inner, found)
  }
  return found
}

test('each of these reads is served by an index', async (t) => {
  const { db } = await open(t, VIEWS)
  const rows = db.collection('telemetry')
  for (const scope of ['acme', '*']) {
    const plans: readonly Promise<Document>[] = [
      rows
        .aggregate(breakdownPipeline(scope, { ...RANGE, by: 'service' }, 9))
        .explain('queryPlanner'),
      rows.aggregate(usagePipeline(scope, { ...RANGE, by: 'meter' }, 9)).explain('queryPlanner'),
      db
        .collection('telemetry_rollups')
        .find(activeFilter(scope, 'daily_active', ['user:a', 'user:b'], RANGE.from))
        .explain('queryPlanner')
    ]
    for (const plan of plans) t.notOk(stagesOf(await plan).has('COLLSCAN'), scope)
  }
})
