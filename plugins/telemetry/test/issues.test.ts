// Issues: from rollups when nothing is asked of the rows, counted from the rows that filters leave; on a real database.

import { testDatabase } from '@keelson/sdk/testing'
import { test } from 'tap'
import { createQueries, type QueriesOptions } from '../create-queries.ts'
import { createTelemetry } from '../create-telemetry.ts'
import type { EmitRecord } from '../envelope/types.ts'
import { QueryError } from '../queries/types.ts'
import { SAMPLE_SPEC } from './sample-registry.ts'

const DAY = 86_400_000
const TODAY = Math.floor(Date.now() / DAY) * DAY
const RANGE = { from: new Date(TODAY - 3 * DAY), to: new Date(TODAY + DAY) }

type T = Parameters<typeof testDatabase>[0]

const error = (daysAgo: number, fingerprint: string, more: Partial<EmitRecord> = {}) => ({
  tenantId: 'acme',
  service: 'web',
  release: 'r1',
  env: 'prod' as const,
  occurredAt: TODAY - daysAgo * DAY,
  error: { type: `T-${fingerprint}`, message: `m-${fingerprint}`, fingerprint },
  ...more
})

const ERRORS: readonly EmitRecord[] = [
  error(9, 'a', { traceId: 'first-of-a' }),
  error(2, 'a', { attrs: { code: 'E_1' } }),
  error(1, 'a', { attrs: { code: 'E_2' }, subjects: [{ type: 'user', id: 'u1' }] }),
  error(1, 'b', { attrs: { code: 'E_1' }, service: 'api' }),
  error(1, 'b', { tenantId: 'globex' })
]

async function open(t: T, more: Partial<QueriesOptions> = {}) {
  const { db } = await testDatabase(t)
  const telemetry = createTelemetry({ registry: SAMPLE_SPEC, connection: db })
  await telemetry.syncIndexes()
  for (const record of ERRORS) await telemetry.emit('app.error', record)
  await telemetry.flush()
  return createQueries({ telemetry, cacheMs: 0, ...more })
}

test('without filters issues are those last seen in the range, from rollups', async (t) => {
  const queries = await open(t)
  const answer = await queries.issues('acme', RANGE)
  t.match(answer, { values: 2, truncated: false, dataSource: 'rollups' })
  t.match(answer.issues, [
    { fingerprint: 'a', message: 'm-a', count: null, total: 3 },
    { fingerprint: 'b', total: 1 }
  ])
  t.equal(answer.issues[0]?.firstTraceId, 'first-of-a')
})

test('with filters the errors that they leave are counted, totals stay those of ever', async (t) => {
  const queries = await open(t)
  const counts = async (filters: object) =>
    (await queries.issues('acme', { ...RANGE, filters })).issues.map(
      ({ fingerprint, count, total }) => [fingerprint, count, total]
    )
  t.same(await counts({ attrs: new Map([['code', 'E_1']]) }), [
    ['b', 1, 1],
    ['a', 1, 3]
  ])
  t.same(await counts({ subject: 'user:u1' }), [['a', 1, 3]])
  t.same(await counts({ exclude: [{ field: 'service', value: 'web' }] }), [['b', 1, 1]])
  t.same(await counts({ exclude: [{ field: 'fingerprint', value: 'a' }] }), [['b', 1, 1]])
  t.same(await counts({ name: 'otlp.exception' }), [])
  t.same(await counts({ kind: 'event' }), [])
})

test('an interval tells each issue over time', async (t) => {
  const queries = await open(t)
  const { issues } = await queries.issues('acme', { ...RANGE, interval: 'day' })
  const a = issues.find(({ fingerprint }) => fingerprint === 'a')
  t.equal(a?.count, 2)
  t.same(a?.firstAt, new Date(TODAY - 9 * DAY))
  t.same(a?.buckets, [
    { at: new Date(TODAY - 2 * DAY), value: 1 },
    { at: new Date(TODAY - DAY), value: 1 }
  ])
})

test('issues are counted per tenant', async (t) => {
  const queries = await open(t)
  const { issues } = await queries.issues('*', { ...RANGE, interval: 'day' })
  t.same(issues.map(({ tenantId, fingerprint }) => `${tenantId} ${fingerprint}`).sort(), [
    'acme a',
    'acme b',
    'globex b'
  ])
})

test('issues are sorted among all of them, before the list is cut', async (t) => {
  const { db } = await testDatabase(t)
  const telemetry = createTelemetry({ registry: SAMPLE_SPEC, connection: db })
  await telemetry.syncIndexes()
  const of = (fingerprint: string, people: readonly string[], daysAgo: number) =>
    people.map((id) => error(daysAgo, fingerprint, { subjects: [{ type: 'user', id }] }))
  const records = [
    ...of('loud', ['u1', 'u1', 'u1', 'u1'], 2),
    ...of('wide', ['u1', 'u2', 'u3'], 2),
    ...of('late', ['u9'], 0),
    error(2, 'late'),
    error(9, 'wide'),
    error(9, 'wide')
  ]
  for (const record of records) await telemetry.emit('app.error', record)
  await telemetry.flush()
  const queries = createQueries({ telemetry, cacheMs: 0 })
  const first = async (more: object) => {
    const { issues, values } = await queries.issues('acme', { ...RANGE, limit: 1, ...more })
    t.equal(values, 3)
    return [issues[0]?.fingerprint, issues[0]?.count, issues[0]?.people, issues[0]?.total]
  }
  t.same(await first({}), ['late', null, null, 2])
  t.same(await first({ sort: 'total' }), ['wide', null, null, 5])
  t.same(await first({ sort: 'firstAt' }), ['late', null, null, 2])
  t.same(await first({ sort: 'count' }), ['loud', 4, 1, 4])
  t.same(await first({ sort: 'people' }), ['wide', 3, 3, 5])
  const counted = { interval: 'day' as const }
  t.same(await first({ ...counted, sort: 'people' }), ['wide', 3, 3, 5])
  t.same(await first({ ...counted, sort: 'total' }), ['wide', 3, 3, 5])
  t.same(await first(counted), ['late', 2, 1, 2])
  await t.rejects(queries.issues('acme', { ...RANGE, sort: 'age' as 'count' }), QueryError)
})

test('more groups than fifty are listed where they are asked for, not over time', async (t) => {
  const { db } = await testDatabase(t)
  const telemetry = createTelemetry({ registry: SAMPLE_SPEC, connection: db })
  await telemetry.syncIndexes()
  for (let n = 0; n < 60; n++) {
    await telemetry.emit('app.error', error(1, 'f', { subjects: [{ type: 'user', id: `u${n}` }] }))
  }
  await telemetry.flush()
  const queries = createQueries({ telemetry, cacheMs: 0 })
  const groups = async (more: object) =>
    (await queries.breakdown('acme', { ...RANGE, by: 'subject', ...more })).groups.length
  t.equal(await groups({}), 50)
  t.equal(await groups({ limit: 1000 }), 60)
  t.equal(await groups({ limit: 1000, interval: 'day' }), 50)
})

test('caps are kept and told', async (t) => {
  const queries = await open(t, { limits: { distribution: 1 } })
  t.match(await queries.issues('acme', { ...RANGE, limit: 1 }), { truncated: true, values: 2 })
  t.equal((await queries.issues('acme', { ...RANGE, interval: 'day' })).truncated, true)
  await t.rejects(queries.issues('acme', { ...RANGE, limit: 0 }), QueryError)
  await t.rejects(queries.issues('acme', { ...RANGE, interval: 'year' as 'day' }), QueryError)
})

test('a search finds issues beyond those that one answer lists', async (t) => {
  const { db } = await testDatabase(t)
  const registry = {
    'app.error': {
      kind: 'error',
      attrs: ['code'],
      rollups: [
        {
          as: 'issues',
          by: ['field:error.fingerprint'],
          capture: ['field:error.type', 'field:error.message']
        }
      ]
    }
  } as const
  const telemetry = createTelemetry({ registry, connection: db })
  await telemetry.syncIndexes()
  // The searched ones were seen first, so a list of the newest has none of them.
  for (let at = 0; at < 260; at += 1) {
    const isWanted = at < 3
    const fault = {
      type: isWanted ? 'StockError' : 'TimeoutError',
      message: isWanted ? `Nothing left of item ${at}` : `No answer of host ${at}`,
      fingerprint: `fp-${at}`
    }
    await telemetry.emit('app.error', {
      ...error(1, `fp-${at}`, { error: fault }),
      occurredAt: TODAY - DAY + at
    })
  }
  await telemetry.flush()
  const queries = createQueries({ telemetry, cacheMs: 0 })
  t.notMatch(
    (await queries.issues('acme', RANGE)).issues.map(({ type }) => type),
    ['StockError']
  )
  const past = { from: RANGE.from, to: new Date(TODAY - DAY + 3) }
  const asked = [
    { ...RANGE },
    { ...RANGE, sort: 'total' },
    { ...RANGE, sort: 'people' },
    { ...RANGE, interval: 'day' },
    { ...RANGE, filters: { service: 'web' } },
    past
  ] as const
  for (const params of asked) {
    const found = async (contains: string) => {
      const answer = await queries.issues('acme', { ...params, contains })
      t.equal(answer.values, answer.issues.length, contains)
      t.equal(answer.truncated, false, contains)
      return answer.issues.map(({ fingerprint }) => fingerprint).sort()
    }
    t.same(await found('nothing LEFT'), ['fp-0', 'fp-1', 'fp-2'])
    t.same(await found('stock -"item 1"'), ['fp-0', 'fp-2'])
    t.same(await found('/item [12]$/'), ['fp-1', 'fp-2'])
    t.same(await found('fp-2 stock'), ['fp-2'], 'a fingerprint')
    t.same(await found('fingerprint='), [], 'not how it is stored')
    t.same(await found('(.*'), [], 'signs stand for themselves')
  }
  const many = await queries.issues('acme', { ...RANGE, contains: 'timeout' })
  t.match(many, { values: 257, truncated: true })
  t.equal(many.issues.length, 200)
  for (const sort of ['lastAt', 'total', 'count'] as const) {
    const whole = await queries.issues('acme', { ...RANGE, sort, limit: 1000 })
    t.match(whole, { values: 260, truncated: false }, sort)
    t.equal(new Set(whole.issues.map(({ fingerprint }) => fingerprint)).size, 260, sort)
  }
  t.equal((await queries.issues('globex', { ...RANGE, contains: 'stock' })).values, 0)
  await t.rejects(queries.issues('acme', { ...RANGE, contains: '/(a+)+$/' }), QueryError)
})
