// The keys of events that declare none: from their newest records, each tenant its own.
import { testDatabase } from '@keelson/sdk/testing'
import { test } from 'tap'
import { createQueries } from '../create-queries.ts'
import { createTelemetry } from '../create-telemetry.ts'
import { NEWEST_FIRST } from './row-source.ts'
import { keysOf, seenFilter } from './seen-keys.ts'

test('the most frequent keys come first, as they were written, and at most 100 of them', (t) => {
  t.same(
    keysOf([
      { attrs: { 'http%2Eroute': '/a', b: '1' } },
      { attrs: { b: '2' }, metrics: { ms: 1 } },
      {}
    ]),
    { attrKeys: ['b', 'http.route'], metricKeys: ['ms'] }
  )
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`k${at}`, 'v']))
  t.equal(keysOf([{ attrs: many }]).attrKeys.length, 100)
  t.end()
})

test('an open event shows what its records have, to their tenant alone', async (t) => {
  const { db } = await testDatabase(t)
  const registry = { 'page.viewed': { kind: 'event', origin: 'server', attrs: ['path'] } } as const
  const telemetry = createTelemetry({ registry, connection: db, history: { enabled: false } })
  await telemetry.syncIndexes()
  const span = { durationMs: 5, traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8) }
  await telemetry.emit('otlp.span', { ...span, tenantId: 'acme', attrs: { 'http.route': '/cart' } })
  await telemetry.emit('otlp.span', { ...span, tenantId: 'globex', attrs: { secret: 'x' } })
  await telemetry.emit('page.viewed', { tenantId: 'acme', attrs: { path: '/' } })
  await telemetry.flush()
  const queries = createQueries({ telemetry, cacheMs: 0 })
  t.same(await queries.seenKeys('acme'), {
    'otlp.span': { attrKeys: ['http.route'], metricKeys: [] }
  })
  const all = await queries.seenKeys('*')
  t.same([...(all['otlp.span']?.attrKeys ?? [])].sort(), ['http.route', 'secret'])
  for (const [scope, index] of [
    ['acme', 'tenant_name_time'],
    ['*', 'name_time']
  ] as const) {
    const find = db.collection('telemetry').find(seenFilter(scope, 'otlp.span')).sort(NEWEST_FIRST)
    const plan = JSON.stringify((await find.limit(500).explain('queryPlanner'))['queryPlanner'])
    t.match(plan, new RegExp(`"indexName":"${index}"`))
    t.notMatch(plan, /COLLSCAN|"SORT"/)
  }
})
