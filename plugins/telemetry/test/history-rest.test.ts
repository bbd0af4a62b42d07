// DuckDB is loaded when it is needed and gives its memory back; without it telemetry works on documents, and says so.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testDatabase } from '@keelson/sdk/testing'
import type { Db } from 'mongodb'
import { type Test, test } from 'tap'
import { createQueries } from '../create-queries.ts'
import { openTelemetry } from '../create-telemetry.ts'
import { type DuckDBModule, type DuckDBSource, installedDuckDB } from '../history/duckdb.ts'
import { internalsOf } from '../internals.ts'
import { HISTORY_SPEC, recordAt, writeRecords } from './history-rows.ts'

const DAY = 86_400_000
const NOW = Math.floor(Date.now() / DAY) * DAY
const START = NOW - 6 * DAY
const clock = { now: () => new Date(NOW) }
const range = { from: new Date(START - DAY), to: new Date(NOW + DAY) }

interface Instances {
  readonly create: (...args: readonly unknown[]) => Promise<{ closeSync: () => void }>
}

/** DuckDB, with what was loaded, opened and closed. */
function watchedDuckDB(more: Partial<DuckDBSource> = {}) {
  const seen = { loaded: 0, opened: 0, closed: 0 }
  let onClosed = () => {}
  const source: DuckDBSource = {
    isInstalled: () => installedDuckDB.isInstalled(),
    async load() {
      seen.loaded++
      const module = (await installedDuckDB.load()) as DuckDBModule
      const { create } = module.DuckDBInstance as Instances
      return {
        ...module,
        DuckDBInstance: {
          async create(...args: readonly unknown[]) {
            const instance = await Reflect.apply(create, module.DuckDBInstance, args)
            seen.opened++
            const close = () => instance.closeSync()
            return {
              connect: () => (instance as unknown as { connect(): unknown }).connect(),
              closeSync() {
                close()
                seen.closed++
                onClosed()
              }
            }
          }
        }
      }
    },
    ...more
  }
  return {
    source,
    seen,
    closed: () => {
      const before = seen.closed
      return new Promise<void>((resolve) => {
        onClosed = () => seen.closed > before && resolve()
      })
    }
  }
}

const MISSING: DuckDBSource = { isInstalled: () => false, load: async () => undefined }

interface Given {
  readonly db?: Db
  readonly duckdb: DuckDBSource
  readonly mirrorRows?: number
}

async function open(t: Test, { db, duckdb, mirrorRows = 200_000 }: Given) {
  const cacheDir = await mkdtemp(join(tmpdir(), 'keelson-history-'))
  t.teardown(() => rm(cacheDir, { recursive: true, force: true }))
  const database = db ?? (await testDatabase(t)).db
  const warnings: string[] = []
  const logger = {
    info: () => {},
    error: () => {},
    warn: (_: object, text: string) => warnings.push(text)
  }
  const { telemetry } = openTelemetry(
    {
      registry: HISTORY_SPEC,
      connection: database,
      clock,
      logger,
      history: { cacheDir, threads: 1, mirrorRows }
    },
    { duckdb }
  )
  t.teardown(() => telemetry.close())
  await telemetry.syncIndexes()
  return { db: database, telemetry, warnings, queries: createQueries({ telemetry, cacheMs: 0 }) }
}

type Opened = Awaited<ReturnType<typeof open>>

const write = ({ telemetry }: Opened, count: number) =>
  writeRecords(
    telemetry,
    Array.from({ length: count }, (_, n) => recordAt(n, START))
  )

const countOf = async ({ queries }: Opened) => {
  const { buckets } = await queries.series('*', range)
  return buckets.reduce((sum, { value }) => sum + value, 0)
}

const runJob = ({ telemetry }: Opened) =>
  internalsOf(telemetry).history.sealWhenOn(new AbortController().signal)

test('the package is found without loading it', async (t) => {
  t.equal(installedDuckDB.isInstalled(), (await installedDuckDB.load()) !== undefined)
})

test('DuckDB is loaded when something is sealed, and not before', async (t) => {
  const { source, seen } = watchedDuckDB()
  const one = await open(t, { duckdb: source })
  t.match(await one.telemetry.historyUse(), { state: 'on', engine: 'duckdb' })
  t.equal(await countOf(one), 0)
  await runJob(one)
  t.same(seen, { loaded: 0, opened: 0, closed: 0 })
  await write(one, 40)
  t.equal(await countOf(one), 40)
  t.equal(seen.loaded, 0)
  await runJob(one)
  t.same(seen, { loaded: 1, opened: 1, closed: 1 }, 'nothing was read: its memory is given back')
  t.match(await one.telemetry.historyUse(), { hotRows: 0, sealedRows: 40 })
})

test('records are sealed sooner while more are left than half of what may be mirrored, but none of the last hour', async (t) => {
  const db = (await testDatabase(t)).db
  const start = (mirrorRows: number) => open(t, { db, duckdb: installedDuckDB, mirrorRows })
  const [roomy, close, closer] = [await start(60), await start(20), await start(2)]
  await writeRecords(
    roomy.telemetry,
    Array.from({ length: 30 }, (_, n) => recordAt(n, NOW - 18 * 3_600_000))
  )
  const hot = async () => (await roomy.telemetry.historyUse()).hotRows
  await runJob(roomy)
  t.equal(await hot(), 30)
  await runJob(close)
  t.ok((await hot()) >= 10 && (await hot()) <= 12, `${await hot()} are left`)
  await runJob(closer)
  t.equal(await hot(), 2, 'of the last hour')
  t.equal(await countOf(roomy), 30)
})

test('what a read has opened and mirrored stays when the job has sealed', async (t) => {
  const { source, seen } = watchedDuckDB()
  const one = await open(t, { duckdb: source })
  await write(one, 40)
  await runJob(one)
  t.equal(await countOf(one), 40)
  await writeRecords(
    one.telemetry,
    Array.from({ length: 20 }, (_, n) => recordAt(40 + n, START))
  )
  await runJob(one)
  t.equal(await countOf(one), 60)
  t.same(seen, { loaded: 1, opened: 2, closed: 1 })
})

test('DuckDB gives its memory back when no read came for a while, and the next one answers the same', async (t) => {
  const { source, seen, closed } = watchedDuckDB({ idleMs: 1 })
  const one = await open(t, { duckdb: source })
  await write(one, 80)
  const resting = closed()
  await one.telemetry.seal({ before: new Date(START + DAY) })
  await resting
  for (let turn = 0; turn < 3; turn++) {
    const rested = closed()
    t.equal(await countOf(one), 80)
    await rested
    t.equal((await one.telemetry.historyUse()).mirroredRows, 0)
  }
  t.equal(seen.loaded, 1)
  t.ok(seen.opened >= 4)
})

test('a platform without DuckDB says so at its start, and reads records as documents', async (t) => {
  const one = await open(t, { duckdb: MISSING })
  t.match(one.warnings, [/@duckdb\/node-api is not installed/])
  t.match(await one.telemetry.historyUse(), { state: 'unavailable', engine: 'none' })
  await write(one, 40)
  await runJob(one)
  t.equal(one.warnings.length, 1)
  t.equal(await countOf(one), 40)
  t.match(await one.telemetry.historyUse(), { hotRows: 40, sealedRows: 0 })
  await t.rejects(one.telemetry.seal(), { code: 'TEL_HISTORY_ENGINE' })
})

test('a host without DuckDB names the times that others have sealed as missing, and one with it reads them again', async (t) => {
  const one = await open(t, { duckdb: installedDuckDB })
  await write(one, 80)
  await one.telemetry.seal({ before: new Date(START + DAY) })
  const { sealedRows } = await one.telemetry.historyUse()
  const other = await open(t, { db: one.db, duckdb: MISSING })
  const answer = await other.queries.series('*', range)
  t.equal(answer.truncated, true)
  t.ok((answer.missing ?? []).length > 0)
  t.equal(await countOf(other), 80 - sealedRows)
  t.equal(await countOf(one), 80)
})
