// Every read that the code issues is served by an index: no collection scan anywhere, no sort in memory for pages.

import { testDatabase } from '@keelson/sdk/testing'
import type { Document } from 'mongodb'
import { test } from 'tap'
import { createTelemetry } from '../create-telemetry.ts'
import { storedId } from '../envelope/stored-id.ts'
import { systemFilter } from '../queries/activity.ts'
import { writeCursor } from '../queries/cursor.ts'
import { distinctPipeline } from '../queries/distinct.ts'
import { distributionPipeline } from '../queries/distribution.ts'
import { cohortFilter, stagesFilter } from '../queries/funnel.ts'
import { recordsFilter } from '../queries/records.ts'
import { rollupsFind } from '../queries/rollups.ts'
import { scopeFilter } from '../queries/row-filter.ts'
import { NEWEST_FIRST, OLDEST_FIRST } from '../queries/row-source.ts'
import { seriesPipeline } from '../queries/series.ts'
import type { RollupsParams } from '../queries/types.ts'
import type { RecordFilters } from '../schemas/filters.ts'
import { SAMPLE_SPEC } from './sample-registry.ts'

const NOW = Date.now()
const range = { from: new Date(NOW - 3_600_000), to: new Date(NOW) }
const SCOPES = ['acme', '*']

/** Names of the stages and indexes of a plan that was chosen. */
function planOf(explained: Document): { stages: Set<string>; indexes: Set<string> } {
  const stages = new Set<string>()
  const indexes = new Set<string>()
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'rejectedPlans') continue
      if (key === 'stage' && typeof inner === 'string') stages.add(inner)
      if (key === 'indexName') indexes.add(String(inner))
      walk(inner)
    }
  }
  walk(explained)
  return { stages, indexes }
}

async function openFilled(t: Parameters<typeof testDatabase>[0]) {
  const { db } = await testDatabase(t)
  // With all indexes, as where records are not sealed.
  const telemetry = createTelemetry({
    registry: SAMPLE_SPEC,
    connection: db,
    history: { enabled: false }
  })
  await telemetry.syncIndexes()
  const names = ['page.viewed', 'account.signed_up', 'account.activated']
  await Promise.all(
    Array.from({ length: 600 }, (_, n) =>
      telemetry.emit(n % 50 === 0 ? 'app.error' : (names[n % 3] ?? ''), {
        tenantId: n % 4 === 0 ? 'globex' : 'acme',
        service: `s${n % 5}`,
        occurredAt: NOW - n * 5000,
        subjects: [{ type: 'user', id: `u${n % 20}` }],
        actor: 'admin:a',
        traceId: `trace-${n % 30}`,
        ...(n % 50 === 0 && { error: { type: 'T', message: `m${n % 3}` } }),
        ...(n % 50 !== 0 &&
          n % 3 === 0 && {
            attrs: { source: n % 99 === 0 ? 'rare' : `a${n % 2}` },
            metrics: { load_ms: n }
          })
      })
    )
  )
  await telemetry.flush()
  const rows = db.collection('telemetry')
  const rollups = db.collection('telemetry_rollups')
  return { rows, rollups, telemetry }
}

test('every page of records is read in order from an index', async (t) => {
  const { rows } = await openFilled(t)
  const cursor = writeCursor({ occurredAt: new Date(NOW - 600_000), _id: storedId('acme', 'x') })
  const filters: RecordFilters[] = [
    {},
    { name: 'page.viewed' },
    { kind: 'error' },
    { kind: 'event' },
    { kind: 'error', name: 'app.error' },
    { subject: 'user:u1' },
    { subject: 'user:u1', name: 'page.viewed' },
    { service: 's1' },
    { severity: 'error', env: 'dev', release: 'unknown' },
    { name: 'page.viewed', attrs: new Map([['source', 'a1']]) },
    { attrs: new Map([['source', 'a1']]) },
    { metrics: [{ key: 'load_ms', op: 'gte', value: 5 }] },
    { excludeActors: ['admin'] },
    { kind: 'error', excludeActors: ['admin'] }
  ]
  for (const scope of SCOPES) {
    for (const given of filters) {
      for (const more of [{}, { cursor }]) {
        const filter = recordsFilter(scope, { ...range, filters: given, ...more })
        const { stages } = planOf(
          await rows.find(filter).sort(NEWEST_FIRST).limit(51).explain('queryPlanner')
        )
        const label = JSON.stringify([scope, given, more])
        t.notOk(stages.has('COLLSCAN'), `no scan: ${label}`)
        t.notOk(stages.has('SORT'), `no sort: ${label}`)
      }
    }
  }
})

test('the index meant for a filter is the one that is used', async (t) => {
  const { rows } = await openFilled(t)
  const cases: readonly [string, RecordFilters, string][] = [
    ['acme', {}, 'tenant_time'],
    ['*', {}, 'time'],
    ['acme', { name: 'page.viewed' }, 'tenant_name_time'],
    ['*', { name: 'page.viewed' }, 'name_time'],
    ['acme', { kind: 'error' }, 'tenant_kind_time'],
    ['*', { kind: 'error' }, 'kind_time'],
    ['acme', { subject: 'user:u1' }, 'tenant_subject_time'],
    ['*', { subject: 'user:u1' }, 'subject_time'],
    [
      'acme',
      { name: 'page.viewed', attrs: new Map([['source', 'rare']]) },
      'attr_page_viewed_source'
    ]
  ]
  for (const [scope, filters, index] of cases) {
    const filter = recordsFilter(scope, { ...range, filters })
    const { indexes } = planOf(
      await rows.find(filter).sort(NEWEST_FIRST).limit(51).explain('queryPlanner')
    )
    t.same([...indexes], [index], JSON.stringify([scope, filters]))
  }
})

test('traces, series and distributions are served by indexes', async (t) => {
  const { rows } = await openFilled(t)
  for (const scope of SCOPES) {
    const trace = await rows
      .find({ ...scopeFilter(scope), traceId: 'trace-1' })
      .sort(OLDEST_FIRST)
      .explain('queryPlanner')
    t.same([...planOf(trace).indexes], ['trace'])
    t.notOk(planOf(trace).stages.has('SORT'))
    for (const filters of [{}, { name: 'page.viewed' }, { kind: 'error' }]) {
      for (const pipeline of [
        seriesPipeline(scope, { ...range, filters, interval: 'hour' }, { buckets: 745 }),
        seriesPipeline(scope, { ...range, filters, measure: 'sum:load_ms' }, { buckets: 745 }),
        distributionPipeline(scope, { ...range, filters, measure: 'load_ms' }, 1000)
      ]) {
        const { stages, indexes } = planOf(await rows.aggregate(pipeline).explain('queryPlanner'))
        t.notOk(stages.has('COLLSCAN'), JSON.stringify(pipeline))
        t.ok(indexes.size > 0, JSON.stringify(pipeline))
      }
    }
  }
})

test('every read of rollups is served by an index, and its default order comes from it', async (t) => {
  const { rollups, telemetry } = await openFilled(t)
  const cases: readonly [RollupsParams, boolean][] = [
    [{ as: 'signed_up' }, true],
    [{ as: 'signed_up', sort: 'firstAt' }, true],
    [{ as: 'signed_up', sort: 'lastAt' }, true],
    [{ as: 'signed_up', ...range, sort: 'lastAt' }, true],
    [{ as: 'signed_up', ...range }, false],
    [{ as: 'signed_up', dims: ['user:u1', 'user:u2'] }, false],
    [{ as: 'daily_active', ...range }, true],
    [{ as: 'daily_active' }, true],
    [{ as: 'daily_active', ...range, on: 'firstAt' }, true],
    [{ as: 'daily_active', ...range, sort: 'count' }, false],
    [{ as: 'pages_by_source', dims: ['source=a1'] }, false],
    [{ as: 'issues' }, true]
  ]
  for (const scope of SCOPES) {
    for (const [params, isOrdered] of cases) {
      const { filter, sort } = rollupsFind(scope, params, telemetry.registry.family(params.as))
      const { stages } = planOf(
        await rollups.find(filter).sort(sort).limit(501).explain('queryPlanner')
      )
      const label = JSON.stringify([scope, params])
      t.notOk(stages.has('COLLSCAN'), `no scan: ${label}`)
      if (isOrdered) t.notOk(stages.has('SORT'), `no sort: ${label}`)
    }
    const others: readonly Document[] = [
      { ...scopeFilter(scope), dims: 'user:u1', lifetime: true },
      cohortFilter(scope, 'signed_up', { ...range, stages: ['signed_up'] }),
      stagesFilter(scope, ['activated', 'signed_up'], ['user:u1', 'user:u2'], range.from),
      systemFilter(scope, range, { source: 'daily', from: NOW - 1e9, to: NOW })
    ]
    for (const filter of others) {
      const { stages } = planOf(await rollups.find(filter).explain('queryPlanner'))
      t.notOk(stages.has('COLLSCAN'), JSON.stringify(filter))
    }
    const distinct = distinctPipeline(scope, { ...range, as: 'daily_active' }, 1000)
    t.notOk(
      planOf(await rollups.aggregate(distinct).explain('queryPlanner')).stages.has('COLLSCAN')
    )
  }
})

test('erasure, quarantine and keys are served by indexes', async (t) => {
  const { rows, rollups } = await openFilled(t)
  const { db } = await testDatabase(t)
  const telemetry = createTelemetry({ registry: SAMPLE_SPEC, connection: db })
  await telemetry.syncIndexes()
  const reads: readonly Promise<Document>[] = [
    rows
      .find({ tenantId: 'acme', subjectKeys: { $in: ['user:u1', 'anon:1'] } })
      .explain('queryPlanner'),
    rows.find({ tenantId: 'acme', otherPrincipals: { $in: ['admin:a'] } }).explain('queryPlanner'),
    rows.find({ tenantId: 'acme', dedupeKey: { $in: ['x'] } }).explain('queryPlanner'),
    rows.find({ tenantId: 'acme', 'usage.idempotencyKey': { $in: ['x'] } }).explain('queryPlanner'),
    rollups.find({ tenantId: 'acme', dims: { $in: ['user:u1'] } }).explain('queryPlanner'),
    db
      .collection('telemetry_rejects')
      .find({ tenantId: 'acme' })
      .sort({ at: -1 })
      .explain('queryPlanner'),
    db.collection('telemetry_rejects').find({}).sort({ at: -1 }).explain('queryPlanner'),
    db
      .collection('telemetry_keys')
      .find({ owner: 'acme' })
      .sort({ createdAt: -1 })
      .explain('queryPlanner'),
    db.collection('telemetry_keys').find({}).sort({ createdAt: -1 }).explain('queryPlanner'),
    db
      .collection('telemetry_aliases')
      .find({ tenantId: 'acme', userRef: 'user:1' })
      .explain('queryPlanner')
  ]
  for (const [index, read] of reads.entries()) {
    const { stages } = planOf(await read)
    t.notOk(stages.has('COLLSCAN') || stages.has('SORT'), `read ${index}`)
  }
})
