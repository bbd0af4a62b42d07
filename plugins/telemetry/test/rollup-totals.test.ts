// Totals of a rollup family over a range, against a plain recount of what was written.

import { testDatabase } from '@keelson/sdk/testing'
import { test } from 'tap'
import { createQueries } from '../create-queries.ts'
import { createTelemetry } from '../create-telemetry.ts'
import { rollupTotalsPipeline } from '../queries/rollup-totals.ts'
import type { QueryLimits } from '../queries/types.ts'
import { SAMPLE_SPEC } from './sample-registry.ts'

const DAY = 86_400_000
const TODAY = Math.floor(Date.now() / DAY) * DAY
const DAYS = 12
const SOURCES = ['ads', 'mail', 'web']
const range = { from: new Date(TODAY - (DAYS - 1) * DAY), to: new Date(TODAY + 1) }

type T = Parameters<typeof testDatabase>[0]

/** Views of three sources on each of twelve days: `ads` has one a day, `mail` two, `web` three. */
async function open(t: T, limits: Partial<QueryLimits> = {}) {
  const { db } = await testDatabase(t)
  const telemetry = createTelemetry({ registry: SAMPLE_SPEC, connection: db })
  await telemetry.syncIndexes()
  const views = SOURCES.flatMap((source, at) =>
    Array.from({ length: DAYS * (at + 1) }, (_, n) => ({
      source,
      occurredAt: TODAY - (n % DAYS) * DAY
    }))
  )
  await Promise.all(
    views.map(({ source, occurredAt }, n) =>
      telemetry.emit('page.viewed', {
        tenantId: n % 6 === 5 ? 'globex' : 'acme',
        occurredAt,
        subjects: [{ type: 'user', id: `u${n}` }],
        attrs: { source },
        metrics: { load_ms: 10 }
      })
    )
  )
  await telemetry.flush()
  return { db, telemetry, queries: createQueries({ telemetry, cacheMs: 0, limits }) }
}

test('documents of all buckets of the range are added up, the largest first', async (t) => {
  const { db, queries } = await open(t, { rollups: 5 })
  const answer = await queries.rollupTotals('*', { ...range, as: 'pages_by_source' })
  t.match(answer, { values: 6, bucket: 'day', truncated: false, dataSource: 'rollups' })
  const rows = await db.collection('telemetry').find().toArray()
  for (const { tenantId, dims, count, sums, bucketAt } of answer.totals) {
    const counted = rows.filter(
      (row) => row['tenantId'] === tenantId && `source=${row['attrs'].source}` === dims[0]
    )
    t.equal(count, counted.length, `${tenantId} ${dims}`)
    t.same(sums, { load_ms: 10 * counted.length })
    t.equal(
      bucketAt?.getTime(),
      Math.max(...counted.map((row) => row['occurredAt'].getTime())),
      'the newest bucket'
    )
  }
  const counts = answer.totals.map(({ count }) => count)
  t.equal(counts.length, 5, 'as many as the limit')
  t.same(
    counts,
    [...counts].sort((a, b) => b - a)
  )
})

test('buckets that start outside of the range are left out', async (t) => {
  const { queries } = await open(t)
  const last = { from: new Date(TODAY - 2 * DAY), to: new Date(TODAY) }
  const { totals } = await queries.rollupTotals('acme', { ...last, as: 'pages_by_source' })
  const whole = await queries.rollups('acme', { ...last, as: 'pages_by_source' })
  t.equal(
    totals.reduce((sum, { count }) => sum + count, 0),
    whole.rows.reduce((sum, { count }) => sum + count, 0)
  )
  t.ok(totals.every(({ bucketAt }) => bucketAt !== undefined && bucketAt < last.to))
})

test('more documents than the limit are cut to the newest, and marked', async (t) => {
  const { queries } = await open(t, { distinct: 4 })
  const answer = await queries.rollupTotals('acme', { ...range, as: 'pages_by_source' })
  t.match(answer, { documents: 4, truncated: true })
  t.ok(answer.totals.some(({ bucketAt }) => bucketAt?.getTime() === TODAY))
})

test('a lifetime family has one total for each subject', async (t) => {
  const { queries, telemetry } = await open(t)
  for (const id of ['a', 'b']) {
    await telemetry.emit('account.signed_up', {
      tenantId: 'acme',
      occurredAt: TODAY,
      subjects: [{ type: 'user', id }]
    })
  }
  await telemetry.flush()
  const answer = await queries.rollupTotals('acme', { ...range, as: 'signed_up' })
  t.match(answer, { values: 2, documents: 2, bucket: null, truncated: false })
  t.same(answer.totals.map(({ dims }) => dims[0]).sort(), ['user:a', 'user:b'])
  t.ok(answer.totals.every(({ bucketAt, subjectType }) => !bucketAt && subjectType === 'user'))
})

test('a family without documents, and one of the system, have no totals', async (t) => {
  const { queries } = await open(t)
  for (const as of ['none', '$daily']) {
    t.match(await queries.rollupTotals('*', { ...range, as }), { totals: [], values: 0 })
  }
  await t.rejects(queries.rollupTotals('*', { ...range, as: '' }), {
    message: 'rollup family required'
  })
})

test('totals read their documents in order from an index', async (t) => {
  const { db, telemetry } = await open(t)
  for (const scope of ['acme', '*']) {
    for (const [as, index] of [
      ['pages_by_source', scope === '*' ? 'bucket' : 'tenant_bucket'],
      ['signed_up', scope === '*' ? 'last' : 'tenant_last']
    ] as const) {
      const family = telemetry.registry.family(as)
      const pipeline = rollupTotalsPipeline(
        scope,
        { ...range, as },
        { family, documents: 9, groups: 9 }
      )
      const plan = JSON.stringify(
        await db.collection('telemetry_rollups').aggregate(pipeline).explain('queryPlanner')
      )
      t.notMatch(plan, /"stage":"(COLLSCAN|SORT)"/, `${scope} ${as}`)
      t.match(plan, `"indexName":"${index}"`, `${scope} ${as}`)
    }
  }
})
