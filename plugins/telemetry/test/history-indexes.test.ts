// Indexes of rows with and without DuckDB: the few where columns serve the reads, all of them again where they do not.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testDatabase } from '@keelson/sdk/testing'
import type { Db } from 'mongodb'
import { type Test, test } from 'tap'
import { createQueries } from '../create-queries.ts'
import { openTelemetry } from '../create-telemetry.ts'
import type { StoredRow } from '../envelope/stored-row.ts'
import { type DuckDBSource, installedDuckDB } from '../history/duckdb.ts'
import { afterNewest } from '../history/seal-age.ts'
import manifest from '../plugin.json' with { type: 'json' }
import { readIndexes } from '../storage/payload-indexes.ts'
import { HISTORY_SPEC, recordAt, writeRecords } from './history-rows.ts'

const DAY = 86_400_000
const NOW = Math.floor(Date.now() / DAY) * DAY
const START = NOW - 6 * DAY
const clock = { now: () => new Date(NOW) }
const range = { from: new Date(START - DAY), to: new Date(NOW + DAY) }
const MISSING: DuckDBSource = { isInstalled: () => false, load: async () => undefined }
const ON_DEMAND = readIndexes.map(({ name }) => name).sort()

/** One start of a host, which is closed by `close`. */
async function start(t: Test, db: Db, duckdb: DuckDBSource, mirrorRows = 200_000) {
  const cacheDir = await mkdtemp(join(tmpdir(), 'keelson-history-'))
  t.teardown(() => rm(cacheDir, { recursive: true, force: true }))
  const warnings: string[] = []
  const warn = (_: object, text: string) => warnings.push(text)
  const { telemetry } = openTelemetry(
    {
      registry: HISTORY_SPEC,
      connection: db,
      clock,
      logger: { info: () => {}, error: () => {}, warn },
      history: { cacheDir, threads: 1, mirrorRows }
    },
    { duckdb }
  )
  t.teardown(() => telemetry.close())
  await telemetry.syncIndexes()
  const queries = createQueries({ telemetry, cacheMs: 0 })
  /** What a user sees who filters by what has its index on demand. */
  const answers = async () =>
    JSON.stringify(
      await Promise.all([
        queries.records('*', { ...range, filters: { name: 'page.viewed' } }),
        queries.records('acme', { ...range, filters: { kind: 'error' } }),
        queries.records('*', { ...range, filters: { subject: 'user:u3' } }),
        queries.breakdown('acme', { ...range, by: 'name' }),
        queries.issues('*', { ...range, interval: 'day' })
      ])
    )
  return { telemetry, warnings, answers }
}

async function onDemand(db: Db): Promise<readonly string[]> {
  const found = await db.collection('telemetry').indexes()
  return found.flatMap(({ name = '' }) => (ON_DEMAND.includes(name) ? [name] : [])).sort()
}

const write = (telemetry: Parameters<typeof writeRecords>[0]) =>
  writeRecords(
    telemetry,
    Array.from({ length: 80 }, (_, n) => recordAt(n, START))
  )

test('a platform has the few indexes with DuckDB, all without it, and the few again; reads stay the same', async (t) => {
  const { db } = await testDatabase(t)
  const first = await start(t, db, installedDuckDB)
  t.same(await onDemand(db), [])
  await write(first.telemetry)
  const expected = await first.answers()
  await first.telemetry.close()
  const without = await start(t, db, MISSING)
  t.same(await onDemand(db), ON_DEMAND)
  t.match(without.warnings, [/not installed.*all indexes/])
  t.equal(await without.answers(), expected)
  await without.telemetry.close()
  const again = await start(t, db, installedDuckDB)
  t.same(await onDemand(db), [])
  t.equal(await again.answers(), expected)
})

test('a host without DuckDB beside one with it answers the same', async (t) => {
  const { db } = await testDatabase(t)
  const without = await start(t, db, MISSING)
  await write(without.telemetry)
  const expected = await without.answers()
  const beside = await start(t, db, installedDuckDB)
  t.same(await onDemand(db), [])
  t.equal(await without.answers(), expected)
  t.equal(await beside.answers(), expected)
})

test('a host with more records than are mirrored has all indexes', async (t) => {
  const { db } = await testDatabase(t)
  const one = await start(t, db, installedDuckDB)
  await write(one.telemetry)
  await one.telemetry.close()
  await start(t, db, installedDuckDB, 20)
  t.same(await onDemand(db), ON_DEMAND)
})

test('the indexes that are always there serve writes, dedupe, traces, subjects, erasure and expiry', async (t) => {
  const { db } = await testDatabase(t)
  await start(t, db, installedDuckDB)
  const found = (await db.collection('telemetry').indexes()).map(({ name }) => name)
  const [rows] = manifest.collections
  const always = (rows?.indexes ?? []).map(({ name }) => name)
  t.same(
    found.filter((name) => name !== '_id_' && always.includes(name ?? '')),
    [
      'tenant_time',
      'time',
      'tenant_subject_time',
      'trace',
      'principals',
      'dedupe',
      'idempotency',
      'expiry'
    ]
  )
})

test('the job finds how many records it may leave by the keys of one of the few indexes', async (t) => {
  const { db } = await testDatabase(t)
  const { telemetry } = await start(t, db, installedDuckDB)
  await write(telemetry)
  const cursor = afterNewest(db.collection<StoredRow>('telemetry'), 50)
  t.equal((await cursor.clone().toArray()).length, 1)
  const { executionStats } = await cursor.explain('executionStats')
  t.equal(executionStats['totalKeysExamined'], 51)
  t.equal(executionStats['totalDocsExamined'], 0)
})
