// kill -9 of a process that seals, at each call of the database: no record is lost, none is there twice.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { databaseUri, testDatabase } from '@keelson/sdk/testing'
import { type Test, test } from 'tap'
import { createQueries } from '../create-queries.ts'
import { createTelemetry } from '../create-telemetry.ts'
import type { Queries } from '../queries/queries.ts'
import { HISTORY_SPEC, recordAt, writeRecords } from './history-rows.ts'

const SEALER = fileURLToPath(new URL('./seal-process.js', import.meta.url))
const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = Math.floor(Date.now() / DAY) * DAY
const START = NOW - 6 * DAY
const range = { from: new Date(START - DAY), to: new Date(NOW + DAY) }
const RECORDS = 60
/** Those of two tenants' slices: what comes after them is met by the test that fails each call. */
const CALLS = 14

async function folder(t: Test): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'keelson-history-'))
  t.teardown(() => rm(made, { recursive: true, force: true }))
  return made
}

/** Whether it was killed; false when it ended before that call. */
async function sealAndKill(args: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, [SEALER, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  if (line === 'here') child.kill('SIGKILL')
  await ended
  return line === 'here'
}

const idsOf = async (queries: Queries) =>
  (await queries.records('*', { ...range, limit: 200 })).items.map(
    ({ _id, tenantId }) => `${tenantId} ${_id}`
  )

test('a process killed at any call while it seals loses no record and leaves none twice', async (t) => {
  const { db } = await testDatabase(t)
  const telemetry = createTelemetry({
    registry: HISTORY_SPEC,
    connection: db,
    pepper: 'p',
    history: { enabled: true, cacheDir: await folder(t), threads: 1 }
  })
  t.teardown(() => telemetry.close())
  await telemetry.syncIndexes()
  const queries = createQueries({ telemetry, cacheMs: 0 })
  await writeRecords(
    telemetry,
    Array.from({ length: RECORDS }, (_, n) => recordAt(n, START))
  )
  const all = await idsOf(queries)
  t.equal(new Set(all).size, RECORDS)
  const [uri, cacheDir] = [await databaseUri(), await folder(t)]
  let killed = 0
  for (let call = 1; call <= CALLS; call++) {
    // Each time some more rows are old enough, so that a slice is under way at every call.
    const before = new Date(START + call * 4 * HOUR).toISOString()
    const isKilled = await sealAndKill([uri, db.databaseName, cacheDir, before, String(call)])
    t.same(await idsOf(queries), all, `killed at call ${call}`)
    if (isKilled) killed++
  }
  t.ok(killed > CALLS / 2, `killed at ${killed} calls`)
  await telemetry.seal({ before: new Date(NOW) })
  const { hotRows, sealedRows } = await telemetry.historyUse()
  t.same([hotRows, sealedRows], [0, RECORDS])
  t.same(await idsOf(queries), all)
})
