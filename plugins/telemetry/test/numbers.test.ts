// Numbers that are right: bounds of metrics, times, sampling, and tenants that are told apart.
import { randomUUID } from 'node:crypto'
import { testDatabase } from '@keelson/sdk/testing'
import fc from 'fast-check'
import { test } from 'tap'
import type { RegistrySpec } from '../contracts/telemetry-registry.ts'
import { createQueries } from '../create-queries.ts'
import { createTelemetry } from '../create-telemetry.ts'
import { traceKeep } from '../emit/sampling.ts'
import { readTime } from '../envelope/time.ts'
import { splitTerms } from '../queries/filter-text.ts'
import { defineRegistry } from '../registry/registry.ts'
import { SAMPLE_SPEC } from './sample-registry.ts'
import { batch, openWire, SHOP, viewed } from './wire.ts'

const NOW = Date.now()
const HOUR = 3_600_000
const range = { from: new Date(NOW - 24 * HOUR), to: new Date(NOW + HOUR) }

test('a number too large to be added up is refused, whatever the key', async (t) => {
  const { mint, post, telemetry } = await openWire(t)
  const key = await mint({ kind: 'publishable', origins: [SHOP] })
  const giant = [1.7e308, -1.7e308, 9.1e15, 9_007_199_254_740_992]
  const records = giant.map((load_ms) => viewed({ metrics: { load_ms } }))
  const long = viewed({ durationMs: 1e300 })
  t.same((await post(key, batch(...records, long, viewed({ metrics: { load_ms: 9e15 } })))).json, {
    accepted: 1,
    rejected: 5
  })
  const queries = createQueries({ telemetry })
  const { buckets } = await queries.series('acme', { ...range, measure: 'avg:load_ms' })
  t.same(
    buckets.map(({ value }) => value),
    [9e15]
  )
  const reasons = (await telemetry.quarantine('acme')).map(({ reason }) => reason)
  t.match(reasons.join('\n'), /metric load_ms must be a number between/)
  t.match(reasons.join('\n'), /durationMs must be a number from 0 to/)
})

test('a time that names no zone is UTC, in any form', async (t) => {
  const wanted = Date.UTC(2026, 10, 20, 10)
  for (const text of [
    '2026-11-20 10:00:00',
    'Nov 20, 2026 10:00',
    '2026/11/20 10:00',
    '2026-11-20T10:00:00,000',
    '2026-11-20T12:00:00+0200',
    '2026-11-20 05:00 -05:00',
    'Fri, 20 Nov 2026 10:00:00 GMT'
  ]) {
    t.equal(readTime(text), wanted, text)
  }
  t.equal(readTime('2026-11-20'), Date.UTC(2026, 10, 20))
})

test('a day that no month has is not a date', async (t) => {
  for (const text of ['2026-02-30T10:00:00Z', '2026-02-30', '2026/04/31 10:00', '2026-13-01']) {
    t.equal(readTime(text), undefined, text)
  }
})

test('every ISO text of a time is read as that time', async () => {
  fc.assert(
    fc.property(
      fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2999-01-01') }),
      (at) => {
        const iso = at.toISOString()
        return (
          readTime(iso) === at.getTime() &&
          readTime(iso.slice(0, -1)) === at.getTime() &&
          readTime(iso.slice(0, -1).replace('T', ' ')) === at.getTime()
        )
      }
    )
  )
})

test('a rate keeps its share of ids that count up or end in the time', async (t) => {
  const forms: readonly ((n: number) => string)[] = [
    (n) => `order-event-${String(n).padStart(12, '0')}`,
    (n) => `client-record-${1_700_000_000_000 + n}`,
    (n) => n.toString(16).padStart(32, '0'),
    () => randomUUID()
  ]
  for (const form of forms) {
    for (const rate of [0.1, 0.5]) {
      const kept = Array.from({ length: 4000 }, (_, n) => traceKeep(form(n), rate)).filter(Boolean)
      t.ok(Math.abs(kept.length / 4000 - rate) < 0.03, `${form(7)} at ${rate}: ${kept.length}`)
    }
  }
})

test('a breakdown by subject tells equal refs of two tenants apart', async (t) => {
  const { db } = await testDatabase(t)
  const telemetry = createTelemetry({ registry: SAMPLE_SPEC, connection: db })
  await telemetry.syncIndexes()
  for (const tenantId of ['acme', 'acme', 'globex', 'globex', 'globex']) {
    await telemetry.emit('account.activated', { tenantId, subjects: [{ type: 'user', id: '1' }] })
  }
  await telemetry.flush()
  const queries = createQueries({ telemetry })
  const shown = async (scope: string) =>
    (await queries.breakdown(scope, { ...range, by: 'subject' })).groups.map(
      ({ value, tenantId, count }) => [value, tenantId, count]
    )
  t.same(await shown('*'), [
    ['user:1', 'globex', 3],
    ['user:1', 'acme', 2]
  ])
  t.same(await shown('acme'), [['user:1', undefined, 2]])
})

test('declarations that cannot be meant are refused by name', async (t) => {
  const event = (more: object) => () =>
    defineRegistry({ ev: { kind: 'event', attrs: ['a'], metrics: ['m'], ...more } } as RegistrySpec)
  const family = { as: 'dd', by: ['attr:a'] }
  for (const [more, path] of [
    [{ rollups: [family, family] }, 'ev.rollups.1.as'],
    [{ rollups: [{ as: 'x', by: ['attr:a', 'attr:a'] }] }, 'ev.rollups.0.by'],
    [{ burst: null }, 'ev.burst'],
    [{ burst: 7 }, 'ev.burst'],
    [{ metrics: { m: { minimum: 3, maximum: 2 } } }, 'ev.metrics.m.minimum'],
    [{ metrics: { m: { maximum: 'x' } } }, 'ev.metrics.m.maximum'],
    [{ indexedAttrs: 'a' }, 'ev.indexedAttrs']
  ] as const) {
    t.throws(event(more), { code: 'TEL_REGISTRY_INVALID', message: new RegExp(path) }, path)
  }
})

test('a backslash before a comma can belong to the value', async (t) => {
  t.same(splitTerms('a:C:\\\\,b:x'), ['a:C:\\', 'b:x'])
  t.same(splitTerms('a:1\\,2,b:\\x,'), ['a:1,2', 'b:\\x'])
  t.same(splitTerms('a:\\\\srv\\share'), ['a:\\\\srv\\share'])
  const write = (value: string) =>
    value.replace(/\\+(?=,|$)/g, (run) => run + run).replaceAll(',', '\\,')
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('\\', ',', 'a') }), { minLength: 1 }),
      (values) => {
        const terms = values.map((value) => `k:${value}`)
        t.same(splitTerms(terms.map(write).join(',')), terms)
      }
    )
  )
})

test('of too many subjects the newest buckets are counted', async (t) => {
  const { db } = await testDatabase(t)
  const telemetry = createTelemetry({ registry: SAMPLE_SPEC, connection: db })
  await telemetry.syncIndexes()
  for (const days of [1, 2, 3]) {
    for (const id of ['u1', 'u2']) {
      const occurredAt = new Date(NOW - days * 24 * HOUR)
      await telemetry.emit('page.viewed', {
        tenantId: 'acme',
        occurredAt,
        subjects: [{ type: 'user', id }]
      })
    }
  }
  await telemetry.flush()
  const queries = createQueries({ telemetry, limits: { distinct: 3 } })
  const { buckets, truncated } = await queries.distinctCount('acme', {
    from: new Date(NOW - 5 * 24 * HOUR),
    to: new Date(NOW),
    as: 'daily_active'
  })
  t.equal(truncated, true)
  const day = (days: number) => Math.floor((NOW - days * 24 * HOUR) / (24 * HOUR)) * 24 * HOUR
  t.same(
    buckets.map(({ at, value }) => [at.getTime(), value]),
    [
      [day(2), 2],
      [day(1), 2]
    ]
  )
})

test('a listener of slow reads that throws costs no answer', async (t) => {
  const { db } = await testDatabase(t)
  const telemetry = createTelemetry({ registry: SAMPLE_SPEC, connection: db })
  const onSlowQuery = () => {
    throw new Error('listener')
  }
  const queries = createQueries({ telemetry, slowMs: 0, onSlowQuery })
  t.same((await queries.records('acme', range)).items, [])
})

test('issues of a range that is over are those seen in it, also when they came again', async (t) => {
  const { db } = await testDatabase(t)
  const telemetry = createTelemetry({ registry: SAMPLE_SPEC, connection: db })
  await telemetry.syncIndexes()
  const fail = (fingerprint: string, hoursAgo: number) =>
    telemetry.emit('app.error', {
      tenantId: 'acme',
      occurredAt: new Date(NOW - hoursAgo * HOUR),
      error: { type: 'Boom', message: fingerprint, fingerprint }
    })
  await fail('again', 30)
  await fail('again', 2)
  await fail('around', 60)
  await fail('around', 2)
  await fail('once', 29)
  await telemetry.flush()
  const queries = createQueries({ telemetry })
  const past = { from: new Date(NOW - 36 * HOUR), to: new Date(NOW - 24 * HOUR) }
  const seen = async (more: object) =>
    (await queries.issues('acme', { ...past, ...more })).issues
      .map(({ fingerprint, lastAt }) => [fingerprint, lastAt.getTime()])
      .sort()
  t.same(await seen({}), [
    ['again', NOW - 30 * HOUR],
    ['once', NOW - 29 * HOUR]
  ])
  t.same(await seen({}), await seen({ interval: 'day' }))
})

test('a scoped pipeline cannot read or write beyond its tenant', async (t) => {
  const { db } = await testDatabase(t)
  const telemetry = createTelemetry({ registry: SAMPLE_SPEC, connection: db })
  const union = { $unionWith: { coll: 'telemetry', pipeline: [] } }
  const scoped = telemetry.scoped('acme')
  for (const pipeline of [[union], [{ $facet: { a: [union] } }], [{ $out: 'x' }]]) {
    await t.rejects(scoped.aggregate(pipeline), { code: 'TEL_SCOPE_WIDENED' })
    await t.rejects(scoped.rollupAggregate(pipeline), { code: 'TEL_SCOPE_WIDENED' })
  }
  t.same(await scoped.aggregate([{ $match: {} }]), [])
})

test('a batch that can never fit its key is taken in part, and says so', async (t) => {
  const { mint, post } = await openWire(t)
  const key = await mint({ maxPerMinute: 3 })
  const records = Array.from({ length: 5 }, () => viewed())
  t.match(await post(key, batch(...records)), {
    status: 429,
    json: { error: 'rate_limited', max: 3 }
  })
  t.match(await post(key, batch(...records)), {
    status: 202,
    json: { accepted: 3, rejected: 2, overRate: 2 },
    headers: { 'retry-after': /^\d+$/ }
  })
  t.match(await post(key, batch(...records.slice(3))), { status: 429 })
})
