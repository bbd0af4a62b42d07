// The read primitives on a real database, each against a plain recount of what was written.
// Runs beside the others: it waits for much of its time.

import { testDatabase } from '@keelson/sdk/testing'
import { test } from 'tap'
import { createQueries, type QueriesOptions } from '../create-queries.ts'
import { createTelemetry } from '../create-telemetry.ts'
import type { EmitRecord } from '../envelope/types.ts'
import type { Queries, SlowQuery } from '../queries/queries.ts'
import type { Envelope } from '../schemas/envelope.ts'
import type { RecordFilters } from '../schemas/filters.ts'
import type { Telemetry } from '../telemetry.ts'
import { SAMPLE_SPEC } from './sample-registry.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
// A Monday, so that a week lies inside.
const MONDAY = (() => {
  const day = Math.floor((Date.now() - 20 * DAY) / DAY) * DAY
  return day - ((new Date(day).getUTCDay() + 6) % 7) * DAY
})()

type T = Parameters<typeof testDatabase>[0]
interface Sent extends EmitRecord {
  readonly name: string
  readonly at: number
}

async function open(t: T, more: Partial<QueriesOptions> = {}) {
  const { db } = await testDatabase(t)
  const telemetry = createTelemetry({ registry: SAMPLE_SPEC, connection: db })
  await telemetry.syncIndexes()
  return { db, telemetry, queries: createQueries({ telemetry, cacheMs: 0, ...more }) }
}

const sent = (name: string, at: number, user: string, more: Partial<EmitRecord> = {}): Sent => ({
  name,
  at,
  occurredAt: at,
  tenantId: 'acme',
  service: 'web',
  release: 'r1',
  env: 'prod',
  subjects: [{ type: 'user', id: user }],
  ...more
})

async function write(telemetry: Telemetry, records: readonly Sent[]): Promise<void> {
  await Promise.all(records.map(({ name, at: _at, ...record }) => telemetry.emit(name, record)))
  await telemetry.flush()
}

async function everyPage(
  queries: Queries,
  scope: string,
  range: { from: Date; to: Date },
  limit: number
): Promise<Envelope[]> {
  const items: Envelope[] = []
  let cursor: string | undefined
  for (;;) {
    const page = await queries.records(scope, {
      ...range,
      limit,
      ...(cursor !== undefined && { cursor })
    })
    items.push(...page.items)
    if (page.nextCursor === null) return items
    cursor = page.nextCursor
  }
}

const span = (from: number, to: number) => ({ from: new Date(from), to: new Date(to) })

test('pages neither skip nor overlap, ties included, while rows keep coming', async (t) => {
  const { telemetry, queries } = await open(t)
  const rows = Array.from({ length: 60 }, (_, n) =>
    sent('page.viewed', MONDAY + Math.floor(n / 4) * 1000, `u${n}`)
  )
  await write(telemetry, rows)
  await write(telemetry, [sent('page.viewed', MONDAY, 'other', { tenantId: 'globex' })])
  const range = span(MONDAY, MONDAY + HOUR)
  for (const limit of [7, 60]) {
    const items = await everyPage(queries, 'acme', range, limit)
    const inOrder = [...items].sort(
      (a, b) => b.occurredAt.getTime() - a.occurredAt.getTime() || (a._id < b._id ? 1 : -1)
    )
    t.equal(new Set(items.map((item) => item._id)).size, 60)
    t.same(
      items.map((item) => item._id),
      inOrder.map((item) => item._id)
    )
  }
  t.equal((await everyPage(queries, '*', range, 13)).length, 61)
  const seen: string[] = []
  let cursor: string | undefined
  for (let round = 0; ; round++) {
    const page = await queries.records('acme', {
      ...range,
      limit: 9,
      ...(cursor !== undefined && { cursor })
    })
    seen.push(...page.items.filter((item) => item.subject !== 'user:new').map((item) => item._id))
    if (page.nextCursor === null) break
    cursor = page.nextCursor
    await write(
      telemetry,
      [0, 7, 20].map((second) => sent('page.viewed', MONDAY + second * 1000 + (round % 2), 'new'))
    )
  }
  t.equal(seen.length, 60)
  t.equal(new Set(seen).size, 60)
})

test('the range is half-open, and a limit is clamped to the cap', async (t) => {
  const { telemetry, queries } = await open(t, { limits: { records: 3 } })
  await write(
    telemetry,
    [0, 1, 2, 3, 4].map((n) => sent('page.viewed', MONDAY + n, 'u'))
  )
  const count = async (from: number, to: number) =>
    (await queries.records('acme', span(from, to))).items.length
  t.same(
    [
      await count(MONDAY, MONDAY + 1),
      await count(MONDAY + 1, MONDAY + 3),
      await count(MONDAY - 5, MONDAY)
    ],
    [1, 2, 0]
  )
  const page = await queries.records('acme', { ...span(MONDAY, MONDAY + HOUR), limit: 1000 })
  t.same([page.items.length, typeof page.nextCursor], [3, 'string'])
  await t.rejects(queries.records('acme', { ...span(MONDAY, MONDAY + 1), cursor: 'x' }), {
    message: 'malformed cursor',
    status: 400
  })
})

test('every filter finds what it says, in records, series and distributions alike', async (t) => {
  const { telemetry, queries } = await open(t)
  const at = MONDAY + 5 * HOUR
  const rows: Record<string, Sent> = {
    boss: sent('page.viewed', at, 'boss', {
      attrs: { path: '/a:b', source: 'one' },
      metrics: { load_ms: 100 },
      severity: 'warn',
      traceId: 'tr1',
      actor: 'admin:boss'
    }),
    plain: sent('page.viewed', at + 1, 'plain', {
      attrs: { path: '/c', source: 'one' },
      metrics: { load_ms: 200 }
    }),
    bot: sent('page.viewed', at + 2, 'plain', {
      attrs: { path: '/c', source: 'two' },
      metrics: { load_ms: 300 },
      actor: 'agent:bot',
      release: 'r2'
    }),
    ticket: sent('ticket.status', at + 3, 'boss', {
      state: { key: 'k', to: 'open' },
      service: 'desk'
    }),
    crash: sent('app.error', at + 4, 'boss', {
      error: { type: 'T', message: 'm', fingerprint: 'fp' }
    })
  }
  await write(telemetry, Object.values(rows))
  const metric = (op: 'gte' | 'lte', value: number) => ({ key: 'load_ms', op, value })
  const cases: readonly [RecordFilters, string][] = [
    [{}, 'boss plain bot ticket crash'],
    [{ kind: 'event' }, 'boss plain bot'],
    [{ kind: 'error' }, 'crash'],
    [{ kind: 'nothing' }, ''],
    [{ name: 'ticket.status' }, 'ticket'],
    [{ severity: 'warn' }, 'boss'],
    [{ env: 'dev' }, ''],
    [{ service: 'desk' }, 'ticket'],
    [{ release: 'r2' }, 'bot'],
    [{ traceId: 'tr1' }, 'boss'],
    [{ subject: 'user:boss' }, 'boss ticket crash'],
    [{ fingerprint: 'fp' }, 'crash'],
    [{ attrs: new Map([['path', '/a:b']]) }, 'boss'],
    [
      {
        attrs: new Map([
          ['source', 'one'],
          ['path', '/c']
        ])
      },
      'plain'
    ],
    [{ attrs: new Map([['source', 'on']]) }, ''],
    [{ metrics: [metric('gte', 150), metric('lte', 250)] }, 'plain'],
    [{ metrics: [metric('gte', 200)] }, 'plain bot'],
    [{ excludeActors: ['admin'] }, 'plain bot ticket crash'],
    [{ excludeActors: ['admin', 'agent'] }, 'plain ticket crash'],
    [{ excludeActors: ['adm'] }, 'boss plain bot ticket crash']
  ]
  const range = span(at - HOUR, at + HOUR)
  for (const [filters, names] of cases) {
    const expected = names.split(' ').filter(Boolean)
    const label = JSON.stringify([filters, [...(filters.attrs ?? [])]])
    const { items } = await queries.records('acme', { ...range, filters })
    t.same(
      items.map((item) => item.occurredAt.getTime()),
      expected.map((name) => rows[name]?.at).reverse(),
      label
    )
    const { buckets } = await queries.series('acme', { ...range, filters, interval: 'hour' })
    t.equal(
      buckets.reduce((sum, bucket) => sum + bucket.value, 0),
      expected.length,
      label
    )
    const measured = expected.filter((name) => rows[name]?.metrics !== undefined)
    t.equal(
      (await queries.distribution('acme', { ...range, filters, measure: 'load_ms' })).n,
      measured.length,
      label
    )
  }
})

test('series count, sum and average by UTC interval, newest kept under the cap', async (t) => {
  const { telemetry, queries } = await open(t, { limits: { series: 5 } })
  await write(
    telemetry,
    Array.from({ length: 40 }, (_, n) =>
      sent('page.viewed', MONDAY + n * 6 * HOUR, 'u', { metrics: n % 2 ? { load_ms: n } : {} })
    )
  )
  const range = span(MONDAY, MONDAY + 30 * DAY)
  const day = await queries.series('acme', range)
  t.same(
    day.buckets.map(({ at, value }) => [at.getTime(), value]),
    [5, 6, 7, 8, 9].map((n) => [MONDAY + n * DAY, 4])
  )
  t.equal(day.truncated, true)
  const week = await queries.series('acme', { ...range, interval: 'week', measure: 'sum:load_ms' })
  t.same(
    week.buckets.map(({ at, value }) => [at.getTime(), value]),
    [
      [MONDAY, 196],
      [MONDAY + 7 * DAY, 204]
    ]
  )
  const average = await queries.series('acme', {
    ...range,
    interval: 'week',
    measure: 'avg:load_ms'
  })
  t.same(
    average.buckets.map(({ value }) => value),
    [14, 34]
  )
  t.same((await queries.series('acme', { ...range, measure: 'sum:nothing' })).buckets, [])
  await t.rejects(queries.series('acme', { ...range, interval: 'second' as 'hour' }), {
    message: /interval/,
    status: 400
  })
})

test('sampled rows count for all they stand for', async (t) => {
  const { telemetry, queries, db } = await open(t)
  await write(
    telemetry,
    Array.from({ length: 200 }, (_, n) => sent('cache.read', MONDAY + n, 'u'))
  )
  const rows = await db.collection('telemetry').countDocuments()
  const answer = await queries.series('acme', span(MONDAY, MONDAY + HOUR))
  t.same([answer.buckets[0]?.value, answer.sampled], [rows * 4, true])
})

test('a distribution says when it was cut short, and has no percentiles of nothing', async (t) => {
  const { telemetry, queries } = await open(t, { limits: { distribution: 50 } })
  await write(
    telemetry,
    Array.from({ length: 60 }, (_, n) =>
      sent('http.request', MONDAY + n, 'u', { traceId: 't', spanId: `s${n}`, durationMs: n })
    )
  )
  const cut = await queries.distribution('acme', span(MONDAY, MONDAY + HOUR))
  t.match(cut, { n: 50, truncated: true, min: 10, max: 59, dataSource: 'raw' })
  t.same(await queries.distribution('globex', span(MONDAY, MONDAY + HOUR)), {
    n: 0,
    histogram: [],
    truncated: false,
    dataSource: 'raw'
  })
})

test('rollups are read by family, dimension, time and order, and truncation is observed', async (t) => {
  const { telemetry, queries } = await open(t)
  const users = ['a', 'b', 'b', 'c', 'c', 'c']
  await write(
    telemetry,
    users.map((user, n) =>
      sent('account.signed_up', MONDAY + n * DAY, user, { attrs: { source: `s${n}`, plan: 'pro' } })
    )
  )
  await write(telemetry, [sent('account.signed_up', MONDAY, 'a', { tenantId: 'globex' })])
  const read = async (params: object, scope = 'acme') => {
    const { rows, truncated } = await queries.rollups(scope, { as: 'signed_up', ...params })
    return [rows.map(({ dims, count }) => `${dims[0]?.slice(5)}${count}`).join(' '), truncated]
  }
  t.same(await read({}), ['c3 b2 a1', false])
  t.same(await read({ sort: 'firstAt' }), ['a1 b2 c3', false])
  t.same(await read({ sort: 'lastAt', limit: 2 }), ['c3 b2', true])
  t.same(await read({ limit: 3 }), ['c3 b2 a1', false])
  t.same(await read({ dims: ['user:a', 'user:b'] }), ['b2 a1', false])
  t.same(await read({ subjectType: 'org' }), ['', false])
  t.same(await read({ on: 'firstAt', ...span(MONDAY, MONDAY + 2 * DAY) }), ['b2 a1', false])
  t.same(await read(span(MONDAY + 2 * DAY, MONDAY + 3 * DAY)), ['b2', false])
  t.same(await read({ sort: 'firstAt' }, 'globex'), ['a1', false])
  t.equal((await queries.rollups('*', { as: 'signed_up' })).rows.length, 4)
  t.same((await queries.rollups('acme', { as: '$daily' })).rows, [])
  const [row] = (await queries.rollups('acme', { as: 'signed_up', dims: ['user:c'] })).rows
  t.same(row?.firstCapture, { 'attr:source': 's3', 'attr:plan': 'pro' })
  t.notOk(row !== undefined && 'bucketAt' in row)
  const weekly = await queries.rollups('acme', { as: 'signups_by_plan' })
  t.same(
    [weekly.bucketed, weekly.rows.map(({ dims, count }) => [dims, count])],
    [true, [[['plan=pro'], 6]]]
  )
})

test('a trace is oldest first and its own tenant', async (t) => {
  const { telemetry, queries } = await open(t, { limits: { trace: 2 } })
  const piece = (n: number, tenantId: string) =>
    sent('http.request', MONDAY + n, 'u', {
      tenantId,
      traceId: 'shared',
      spanId: `s${n}`,
      durationMs: n
    })
  await write(telemetry, [piece(2, 'acme'), piece(1, 'acme'), piece(3, 'globex')])
  const acme = await queries.trace('acme', 'shared')
  t.same([acme.items.map((item) => item.spanId), acme.truncated], [['s1', 's2'], false])
  t.equal((await queries.trace('*', 'shared')).truncated, true)
  t.same((await queries.trace('acme', 'none')).items, [])
})

test('a journey has its range of records and milestones of all times', async (t) => {
  const { telemetry, queries } = await open(t)
  await write(telemetry, [
    sent('account.activated', MONDAY + 2 * DAY, 'x'),
    sent('account.signed_up', MONDAY, 'x'),
    sent('page.viewed', MONDAY + 3 * DAY, 'x', { attrs: { source: 's' } }),
    sent('account.signed_up', MONDAY, 'x', { tenantId: 'globex' })
  ])
  const journey = await queries.journey('acme', {
    ref: 'user:x',
    ...span(MONDAY + DAY, MONDAY + 4 * DAY)
  })
  t.same(
    journey.records.map((record) => record.name),
    ['page.viewed', 'account.activated']
  )
  t.same(
    journey.milestones.map((row) => row.as),
    ['signed_up', 'activated']
  )
  t.equal(
    (await queries.journey('*', { ref: 'user:x', ...span(MONDAY, MONDAY + DAY) })).milestones
      .length,
    3
  )
  await t.rejects(queries.journey('acme', { ref: 'x', ...span(MONDAY, MONDAY + 1) }), {
    message: /subject ref required/
  })
})

test('distinct subjects over a range are not the sum of its buckets, and tenants do not mix', async (t) => {
  const { telemetry, queries } = await open(t, { limits: { distinct: 8 } })
  const visits: readonly [number, string, string][] = [
    [0, 'a', 'acme'],
    [0, 'b', 'acme'],
    [1, 'a', 'acme'],
    [8, 'a', 'acme'],
    [8, 'c', 'acme'],
    [8, 'a', 'globex']
  ]
  await write(
    telemetry,
    visits.map(([day, user, tenantId]) =>
      sent('page.viewed', MONDAY + day * DAY + HOUR, user, { tenantId })
    )
  )
  const range = span(MONDAY, MONDAY + 14 * DAY)
  const read = async (scope: string, interval?: 'hour' | 'day' | 'week') => {
    const answer = await queries.distinctCount(scope, {
      as: 'daily_active',
      ...range,
      ...(interval && { interval })
    })
    return [answer.buckets.map(({ value }) => value), answer.distinct, answer.interval]
  }
  t.same(await read('acme'), [[2, 1, 2], 3, 'day'])
  t.same(await read('acme', 'week'), [[2, 2], 3, 'week'])
  t.same(await read('acme', 'hour'), [[2, 1, 2], 3, 'day'])
  t.same(await read('*', 'week'), [[2, 3], 4, 'week'])
  t.equal(
    (await queries.distinctCount('acme', { as: 'daily_active', ...range, subjectType: 'org' }))
      .distinct,
    0
  )
  await write(
    telemetry,
    Array.from({ length: 5 }, (_, n) => sent('page.viewed', MONDAY + n * DAY, `more${n}`))
  )
  t.equal((await queries.distinctCount('acme', { as: 'daily_active', ...range })).truncated, true)
  await t.rejects(queries.distinctCount('acme', { as: 'signed_up', ...range }), {
    message: /"signed_up" has no bucket/,
    status: 400
  })
})

test('a funnel is split by a value that its anchor captures', async (t) => {
  const { telemetry, queries } = await open(t)
  const signUp = (user: string, source?: string) =>
    sent('account.signed_up', MONDAY, user, source === undefined ? {} : { attrs: { source } })
  await write(telemetry, [
    ...['a', 'b', 'c'].map((user) => signUp(user, 'ads')),
    signUp('d', 'blog'),
    signUp('e'),
    ...['a', 'd'].map((user) => sent('account.activated', MONDAY + HOUR, user))
  ])
  const asked = { ...span(MONDAY, MONDAY + DAY), stages: ['signed_up', 'activated'] }
  const { groups, cohortSubjects } = await queries.funnel('acme', { ...asked, by: 'attr:source' })
  t.equal(cohortSubjects, 5)
  t.same(
    groups?.map(({ value, subjects, stages }) => [value, subjects, stages[1]?.subjects]).sort(),
    [
      [null, 1, 0],
      ['ads', 3, 1],
      ['blog', 1, 1]
    ].sort()
  )
  t.equal(groups?.[0]?.value, 'ads', 'the largest first')
  t.notOk('groups' in (await queries.funnel('acme', asked)))
  await t.rejects(queries.funnel('acme', { ...asked, by: 'attr:path' }), {
    message: 'by must be a value that "signed_up" captures; it captures attr:source, attr:plan',
    status: 400
  })
})

test('a funnel counts its cohort by the anchor and stages without an end', async (t) => {
  const { telemetry, queries } = await open(t)
  const order = (at: number, user: string) =>
    sent('order.placed', at, user, { metrics: { amount_usd: 1 } })
  await write(telemetry, [
    sent('account.signed_up', MONDAY, 'a'),
    sent('account.activated', MONDAY + HOUR, 'a'),
    order(MONDAY + 9 * DAY, 'a'),
    sent('account.signed_up', MONDAY + DAY, 'b'),
    order(MONDAY + 2 * DAY, 'b'),
    sent('account.signed_up', MONDAY + 2 * DAY, 'c'),
    sent('account.signed_up', MONDAY + 3 * DAY, 'edge'),
    sent('account.activated', MONDAY - 5 * DAY, 'c'),
    sent('account.signed_up', MONDAY, 'a', { tenantId: 'globex' })
  ])
  const stages = ['signed_up', 'activated', 'first_order']
  const range = span(MONDAY, MONDAY + 3 * DAY)
  const funnel = await queries.funnel('acme', {
    ...range,
    stages,
    exits: ['first_order'],
    interval: 'week'
  })
  t.equal(funnel.cohortSubjects, 3)
  t.same(
    funnel.stages.map(({ subjects, notReached, stalledAt }) => [subjects, notReached, stalledAt]),
    [
      [3, 0, 2],
      [1, 2, 0],
      [2, 0, null]
    ]
  )
  t.same(
    funnel.stages.map(({ label, medianDaysFromAnchor }) => [label, medianDaysFromAnchor]),
    [
      ['signed_up', 0],
      ['activated', 1 / 24],
      ['first_order', 5]
    ]
  )
  t.same(funnel.exits, [
    { key: 'first_order', as: 'first_order', label: 'first_order', subjects: 2 }
  ])
  t.same(
    funnel.slices?.map(({ at, subjects }) => [at.getTime(), subjects]),
    [[MONDAY, 3]]
  )
  t.match(funnel.cohort, { endInclusive: false, anchor: 'signed_up' })
  t.equal(
    (await queries.funnel('acme', { ...range, stages, endInclusive: true })).cohortSubjects,
    4
  )
  t.equal((await queries.funnel('*', { ...range, stages })).cohortSubjects, 4)
  const capped = await queries.funnel('acme', { ...range, stages, limit: 2 })
  t.same([capped.cohortSubjects, capped.truncated], [2, true])
  const anchored = await queries.funnel('acme', { ...range, stages, anchor: 'activated' })
  t.same([anchored.cohortSubjects, anchored.stages.map(({ subjects }) => subjects)], [1, [1, 1, 1]])
  for (const bad of [['daily_active'], ['issues'], ['none'], []]) {
    await t.rejects(queries.funnel('acme', { ...range, stages: bad }), {
      message: /family|stages required/
    })
  }
})

test('activity counts exactly what rows say, wherever the range is cut', async (t) => {
  const { telemetry, queries } = await open(t)
  const rows = Array.from({ length: 300 }, (_, n) =>
    sent(n % 3 ? 'page.viewed' : 'account.activated', MONDAY + n * 37 * 60_000, `u${n % 4}`, {
      tenantId: n % 5 ? 'acme' : 'globex',
      service: `s${n % 2}`,
      ...(n % 3 !== 0 && { metrics: { load_ms: n } })
    })
  )
  await write(telemetry, rows)
  const ranges = [
    span(MONDAY, MONDAY + 8 * DAY),
    span(MONDAY + 1, MONDAY + 5 * DAY + 1),
    span(MONDAY + 90 * 60_000, MONDAY + 100 * 60_000),
    span(MONDAY + DAY / 3, MONDAY + 3 * DAY + 17 * 60_000)
  ]
  for (const { from, to } of ranges) {
    const inside = rows.filter(({ at }) => at >= from.getTime() && at < to.getTime())
    const expect = (scope: string) =>
      inside.filter((row) => scope === '*' || row.tenantId === scope)
    for (const scope of ['acme', '*']) {
      const total = await queries.activity(scope, { from, to })
      t.equal(total.groups[0]?.count ?? 0, expect(scope).length)
      t.equal(
        total.groups[0]?.sums['load_ms'] ?? 0,
        expect(scope).reduce((sum, row) => sum + Number(row.metrics?.['load_ms'] ?? 0), 0)
      )
      const byDay = await queries.activity(scope, {
        from,
        to,
        interval: 'day',
        groupBy: ['name'],
        service: 's1'
      })
      const wanted = new Map<string, number>()
      for (const row of expect(scope).filter(({ service }) => service === 's1')) {
        const key = `${row.name} ${Math.floor(row.at / DAY) * DAY}`
        wanted.set(key, (wanted.get(key) ?? 0) + 1)
      }
      t.same(
        Object.fromEntries(
          byDay.groups.map(({ group, at, count }) => [`${group.name} ${at?.getTime()}`, count])
        ),
        Object.fromEntries(wanted)
      )
    }
  }
  const whole = await queries.activity('acme', span(MONDAY, MONDAY + 2 * DAY))
  t.equal(whole.dataSource, 'rollups')
})

test('slow reads are reported, with what was asked', async (t) => {
  const slow: SlowQuery[] = []
  const { queries } = await open(t, { slowMs: -1, onSlowQuery: (one) => slow.push(one) })
  await queries.trace('acme', 'x')
  await t.rejects(queries.series('acme', { ...span(1, 2), measure: 'bad' }))
  t.same(
    slow.map(({ op }) => op),
    ['trace', 'series']
  )
  t.match(slow[0], { params: { traceId: 'x' } })
  t.throws(() => createQueries({ telemetry: {} as Telemetry }), { code: 'TEL_OPTION_INVALID' })
})

test('caps that are none are refused', async (t) => {
  const { telemetry } = await open(t)
  for (const limits of [{ records: 0 }, { nothing: 5 } as object, { series: 1.5 }]) {
    t.throws(() => createQueries({ telemetry, limits }), { code: 'TEL_OPTION_INVALID' })
  }
  t.throws(() => createQueries({ telemetry, cacheMs: 5000 }), { code: 'TEL_OPTION_INVALID' })
})
