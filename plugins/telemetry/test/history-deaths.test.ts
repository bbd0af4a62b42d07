// A process that dies at any call of the database while it merges, erases or drops segments: beside a host that reads.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testDatabase } from '@keelson/sdk/testing'
import type { Db } from 'mongodb'
import { type Test, test } from 'tap'
import { createQueries } from '../create-queries.ts'
import { openTelemetry } from '../create-telemetry.ts'
import type { Queries } from '../queries/queries.ts'
import type { TelemetryStorage } from '../storage/storage.ts'
import { HISTORY_SPEC, recordAt, writeRecords } from './history-rows.ts'
import { Death } from './storage-death.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = Math.floor(Date.now() / DAY) * DAY
const START = NOW - 6 * DAY
const range = { from: new Date(START - DAY), to: new Date(NOW + DAY) }
const RECORDS = 60

interface Given {
  readonly db?: Db
  readonly now?: number
  readonly change?: (storage: TelemetryStorage) => TelemetryStorage
}

async function open(t: Test, given: Given = {}) {
  const db = given.db ?? (await testDatabase(t)).db
  const cacheDir = await mkdtemp(join(tmpdir(), 'keelson-history-'))
  t.teardown(() => rm(cacheDir, { recursive: true, force: true }))
  const { telemetry } = openTelemetry(
    {
      registry: HISTORY_SPEC,
      connection: db,
      clock: { now: () => new Date(given.now ?? NOW) },
      pepper: 'p',
      history: { cacheDir, threads: 1 }
    },
    given.change === undefined ? {} : { change: given.change }
  )
  t.teardown(() => telemetry.close())
  await telemetry.syncIndexes()
  return { db, telemetry, queries: createQueries({ telemetry, cacheMs: 0 }) }
}

type Opened = Awaited<ReturnType<typeof open>>

/** With its records, and a host beside it that dies. */
async function openBoth(t: Test, now = NOW) {
  const one = await open(t)
  await writeRecords(
    one.telemetry,
    Array.from({ length: RECORDS }, (_, n) => recordAt(n, START))
  )
  const death = new Death()
  const dying = await open(t, { db: one.db, now, change: (storage) => death.within(storage) })
  return { one, dying, death }
}

const rowsOf = async (queries: Queries) => {
  const { items } = await queries.records('*', { ...range, limit: 200 })
  return items.map(({ _id, tenantId, subject }) => `${tenantId} ${_id} ${subject}`)
}

/** Seals in as many runs as there are hours, so that no run has enough small segments to merge but the last. */
async function sealApart({ db }: Opened, t: Test, hours: readonly number[]): Promise<void> {
  for (const hour of hours) {
    const ended = new AbortController()
    const { telemetry } = await open(t, {
      db,
      change: (storage) => ({
        ...storage,
        async transaction(fn) {
          const result = await storage.transaction(fn)
          ended.abort()
          return result
        }
      })
    })
    const before = new Date(START + hour * HOUR)
    await telemetry.seal({ before, tenantId: 'acme', signal: ended.signal })
    await telemetry.close()
  }
}

/** Runs until it ends without a death, one call further each time; how often it died. */
async function dieAtEachCall(
  death: Death,
  act: () => Promise<unknown>,
  check: (nth: number) => Promise<void>
): Promise<number> {
  for (let nth = 1; ; nth++) {
    death.arm(nth)
    const isKilled = await act().then(
      () => false,
      (error: Error) => {
        if (!error.message.includes('killed')) throw error
        return true
      }
    )
    await check(nth)
    if (!isKilled) return nth - 1
  }
}

test('a merge that dies at any call loses no record and shows none twice', async (t) => {
  const { one, dying, death } = await openBoth(t)
  const all = await rowsOf(one.queries)
  await sealApart(one, t, [7, 14, 21, 28, 35])
  const before = (await one.telemetry.historyUse()).segments
  t.ok(before > 8, `${before} segments`)
  const killed = await dieAtEachCall(
    death,
    () => dying.telemetry.seal({ before: new Date(START) }),
    async (nth) => {
      const rows = await rowsOf(one.queries)
      if (JSON.stringify(rows) !== JSON.stringify(all)) t.same(rows, all, `at call ${nth}`)
    }
  )
  t.ok(killed > 8, `killed at ${killed} calls`)
  t.ok((await one.telemetry.historyUse()).segments < before)
  t.same(await rowsOf(one.queries), all)
})

test('an erasure that dies at any call shows every other record once, and ends when it is asked again', async (t) => {
  const { one, dying, death } = await openBoth(t)
  const of = { tenant: 'acme', subject: 'user:u3' }
  const isTheirs = (row: string) => row.startsWith('acme ') && row.endsWith(' user:u3')
  const all = await rowsOf(one.queries)
  const others = all.filter((row) => !isTheirs(row))
  t.ok(others.length < all.length)
  await one.telemetry.seal({ before: new Date(NOW) })
  const killed = await dieAtEachCall(
    death,
    () => dying.telemetry.forget('acme', 'user:u3'),
    async (nth) => {
      const rows = (await rowsOf(one.queries)).filter((row) => !isTheirs(row))
      const left = rows.filter((row) => others.includes(row))
      if (JSON.stringify(left) !== JSON.stringify(others)) t.same(left, others, `at call ${nth}`)
      if (new Set(rows).size !== rows.length) t.fail(`twice at call ${nth}`)
    }
  )
  t.ok(killed > 20, `killed at ${killed} calls`)
  t.same((await one.queries.records('*', { ...range, filters: of })).items, [])
  const receipt = await one.telemetry.forget('acme', 'user:u3')
  t.equal(
    Object.values(receipt.remaining).reduce((sum, count) => sum + count, 0),
    0
  )
})

test('a removal of expired segments that dies at any call shows what has not expired, once', async (t) => {
  const later = NOW + 91 * DAY
  const { one, dying, death } = await openBoth(t, later)
  await one.telemetry.seal({ before: new Date(NOW) })
  const reader = await open(t, { db: one.db, now: later })
  const kept = await rowsOf(reader.queries)
  t.ok(kept.length > 0 && kept.length < RECORDS)
  const killed = await dieAtEachCall(
    death,
    () => dying.telemetry.seal(),
    async (nth) => {
      t.same(await rowsOf(reader.queries), kept, `at call ${nth}`)
    }
  )
  t.ok(killed > 4, `killed at ${killed} calls`)
  t.equal((await reader.telemetry.historyUse()).sealedRows, kept.length)
})
