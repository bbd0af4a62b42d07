// A read says that it is truncated only where its limit of rows left some out: of documents, of segments, of both,
// whether documents are mirrored or copied.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testDatabase } from '@keelson/sdk/testing'
import { type Test, test } from 'tap'
import { createQueries } from '../create-queries.ts'
import { openTelemetry } from '../create-telemetry.ts'
import type { Queries } from '../queries/queries.ts'
import type { TelemetryStorage } from '../storage/storage.ts'
import { MANY_ROWS, withMethods } from './history-rows.ts'
import { SAMPLE_SPEC } from './sample-registry.ts'

const DAY = 86_400_000
const NOW = Math.floor(Date.now() / DAY) * DAY
const START = NOW - 6 * DAY
const range = { from: new Date(START - DAY), to: new Date(NOW) }
/** Of each kind; the two oldest at the same millisecond. */
const TIMES = [0, 0, 1, DAY, 2 * DAY, 3 * DAY, 4 * DAY]

async function open(t: Test) {
  const cacheDir = await mkdtemp(join(tmpdir(), 'keelson-history-'))
  t.teardown(() => rm(cacheDir, { recursive: true, force: true }))
  const { db } = await testDatabase(t)
  const start = (change = (storage: TelemetryStorage) => storage) => {
    const { telemetry } = openTelemetry(
      {
        registry: SAMPLE_SPEC,
        connection: db,
        clock: { now: () => new Date(NOW) },
        history: { cacheDir, threads: 1 }
      },
      { change }
    )
    t.teardown(() => telemetry.close())
    return telemetry
  }
  const watch = () => {
    throw new Error('no log of changes')
  }
  const telemetry = start()
  const copying = start((storage) => withMethods(storage, 'rows', { ...MANY_ROWS, watch }))
  await telemetry.syncIndexes()
  await copying.syncIndexes()
  for (const [at, ms] of TIMES.entries()) {
    const subjects = [{ type: 'user', id: 'a' }]
    const shared = { tenantId: 'acme', service: 'shop', occurredAt: START + ms, subjects }
    const span = { traceId: `trace-${at}`, spanId: `span-${at}` }
    const usage = { meter: 'tokens', quantity: 1, unit: 'token', billedTo: 'user:a' }
    const attrs = { 'metric.name': 'heap', 'metric.type': 'gauge' }
    await telemetry.emit('page.viewed', shared)
    await telemetry.emit('http.request', { ...shared, ...span, durationMs: 5 })
    await telemetry.emit('app.error', { ...shared, error: { type: 'T', message: 'm' } })
    await telemetry.emit('llm.tokens', { ...shared, usage })
    await telemetry.emit('otlp.metric', { ...shared, attrs, metrics: { value: 1 } })
  }
  await telemetry.flush()
  return { telemetry, copying }
}

const views = { filters: { name: 'page.viewed' } }
const measure = 'p50:durationMs'
const total = (numbers: readonly (number | null)[]) =>
  numbers.reduce<number>((sum, one) => sum + (one ?? 0), 0)

/** Of each read: whether it is truncated, and of how many rows its figures are, where they tell. */
const READS: Readonly<
  Record<string, (queries: Queries) => Promise<{ truncated: boolean; rows?: number }>>
> = {
  breakdown: async (queries) => {
    const answer = await queries.breakdown('acme', { ...range, ...views, by: 'service' })
    return { truncated: answer.truncated, rows: answer.total }
  },
  'breakdown over time': async (queries) => {
    const asked = { ...range, ...views, by: 'service', interval: 'day' } as const
    const { truncated, groups } = await queries.breakdown('acme', asked)
    return { truncated, rows: total(groups.map(({ count }) => count)) }
  },
  series: async (queries) => {
    const { truncated } = await queries.series('acme', { ...range, measure, interval: 'day' })
    return { truncated }
  },
  durations: async (queries) => {
    const { truncated, groups } = await queries.durations('acme', { ...range, by: 'name' })
    return { truncated, rows: total(groups.map(({ n }) => n)) }
  },
  usageTotals: async (queries) => {
    const answer = await queries.usageTotals('acme', { ...range, by: 'meter' })
    return { truncated: answer.truncated, rows: answer.total.count }
  },
  metrics: async (queries) => {
    const { truncated, metrics } = await queries.metrics('acme', range)
    return { truncated, rows: total(metrics.map(({ points }) => points)) }
  },
  eventFunnel: async (queries) => {
    const { truncated } = await queries.eventFunnel('acme', { ...range, steps: ['page.viewed'] })
    return { truncated }
  },
  eventRetention: async (queries) => {
    const asked = { ...range, first: 'page.viewed', interval: 'day' } as const
    const { truncated } = await queries.eventRetention('acme', asked)
    return { truncated }
  },
  issues: async (queries) => {
    const { truncated, issues } = await queries.issues('acme', { ...range, interval: 'day' })
    return { truncated, rows: total(issues.map(({ count }) => count)) }
  }
}

test('a read is truncated where one row more than its limit fits, and not where just as many do', async (t) => {
  const { telemetry, copying } = await open(t)
  const all = TIMES.length
  const check = async (where: string, one = telemetry) => {
    for (const distribution of [all + 1, all, all - 1, 1]) {
      const queries = createQueries({ telemetry: one, cacheMs: 0, limits: { distribution } })
      for (const [name, read] of Object.entries(READS)) {
        const { truncated, rows } = await read(queries)
        const said = `${name} of ${distribution} rows, ${where}`
        t.equal(truncated, distribution < all, said)
        if (rows !== undefined) t.equal(rows, Math.min(distribution, all), `rows: ${said}`)
      }
    }
  }
  await check('documents')
  await check('copied documents', copying)
  await telemetry.seal({ before: new Date(START + 2 * DAY) })
  const { sealedRows } = await telemetry.historyUse()
  t.ok(sealedRows > 0 && sealedRows < 5 * all)
  await check('documents and segments')
  await check('copied documents and segments', copying)
  await telemetry.seal({ before: new Date(NOW) })
  t.match(await telemetry.historyUse(), { hotRows: 0, sealedRows: 5 * all })
  await check('segments')
})
