// Rows that are not sealed, as reads of history see them: mirrored, caught up at each read, within bounds.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testDatabase } from '@keelson/sdk/testing'
import type { Binary, Db, Document } from 'mongodb'
import { type Test, test } from 'tap'
import { createQueries } from '../create-queries.ts'
import { openTelemetry } from '../create-telemetry.ts'
import type { StoredRow } from '../envelope/stored-row.ts'
import type { TelemetryStorage } from '../storage/storage.ts'
import { HISTORY_SPEC, recordAt, withMethods, writeRecords } from './history-rows.ts'

const DAY = 86_400_000
const NOW = Math.floor(Date.now() / DAY) * DAY
const START = NOW - 6 * DAY
const clock = { now: () => new Date(NOW) }
const range = { from: new Date(START - DAY), to: new Date(NOW + DAY) }

interface Given {
  readonly db?: Db
  readonly mirrorRows?: number
  readonly change?: (storage: TelemetryStorage) => TelemetryStorage
}

/** With the filters of all reads of rows as documents. */
async function open(
  t: Test,
  { db = undefined, mirrorRows = 200_000, change = (storage) => storage }: Given = {}
) {
  const database = db ?? (await testDatabase(t)).db
  const cacheDir = await mkdtemp(join(tmpdir(), 'keelson-history-'))
  t.teardown(() => rm(cacheDir, { recursive: true, force: true }))
  const finds: Document[] = []
  const { telemetry } = openTelemetry(
    {
      registry: HISTORY_SPEC,
      connection: database,
      clock,
      pepper: 'p',
      history: {
        enabled: true,
        cacheDir,
        threads: 1,
        mirrorRows
      }
    },
    { change: (storage) => watched(change(storage), finds) }
  )
  t.teardown(() => telemetry.close())
  await telemetry.syncIndexes()
  return { db: database, telemetry, queries: createQueries({ telemetry, cacheMs: 0 }), finds }
}

function watched(storage: TelemetryStorage, finds: Document[]): TelemetryStorage {
  const { rows } = storage.collections
  return withMethods(storage, 'rows', {
    find: (...args: Parameters<typeof rows.find>) => {
      finds.push(args[0] as Document)
      return rows.find(...args)
    }
  })
}

type Opened = Awaited<ReturnType<typeof open>>

const write = ({ telemetry }: Opened, count: number, from = 0) =>
  writeRecords(
    telemetry,
    Array.from({ length: count }, (_, n) => recordAt(from + n, START))
  )

const countOf = async ({ queries }: Opened, filters = {}) => {
  const { buckets } = await queries.series('*', { ...range, filters })
  return buckets.reduce((sum, { value }) => sum + value, 0)
}

const rowsOf = ({ db }: Opened) => db.collection<StoredRow & Document>('telemetry')

test('a read of history reads documents once, and then what has changed', async (t) => {
  const one = await open(t)
  await write(one, 80)
  await one.telemetry.seal({ before: new Date(START + DAY) })
  t.equal(await countOf(one), 80)
  one.finds.length = 0
  await write(one, 20, 80)
  t.equal(await countOf(one), 100)
  t.same(one.finds, [])
})

test('each read sees what was written, changed, deleted and sealed before it, by this host and others', async (t) => {
  const one = await open(t)
  const other = await open(t, { db: one.db })
  await write(one, 80)
  await one.telemetry.seal({ before: new Date(START + DAY) })
  const hot = await rowsOf(one).countDocuments()
  t.ok(hot > 20, `${hot} rows hot`)
  t.equal(await countOf(one), 80)
  for (let round = 0; round < 5; round++) {
    await write(other, 7, 80 + round * 7)
    t.equal(await countOf(one), 80 + (round + 1) * 7, `written in round ${round}`)
  }
  const some = await rowsOf(one).find().limit(6).toArray()
  const [first, second, ...others] = some.map(({ _id }) => _id as Binary)
  await rowsOf(one).updateOne({ _id: first as Binary }, { $set: { service: 'renamed' } })
  t.equal(await countOf(one, { service: 'renamed' }), 1)
  await rowsOf(one).deleteOne({ _id: second as Binary })
  t.equal(await countOf(one), 114)
  await rowsOf(one).deleteMany({ _id: { $in: others } })
  t.equal(await countOf(one), 110)
  await other.telemetry.seal({ before: new Date(START + 2 * DAY) })
  t.equal(await countOf(one), 110, 'sealed')
  const subject = 'user:u3'
  t.ok((await countOf(one, { subject })) > 0)
  await other.telemetry.forget('acme', subject)
  t.equal(await countOf(one, { subject, tenant: 'acme' }), 0)
  t.equal(await countOf(one), await countOf(other))
})

test('reads at the same time see each record once while another host seals and writes', async (t) => {
  const one = await open(t)
  const other = await open(t, { db: one.db })
  await write(one, 60)
  await one.telemetry.seal({ before: new Date(START + DAY / 2) })
  let sealed = 0
  const sealing = (async () => {
    for (let hour = 13; hour <= 48; hour += 3) {
      sealed += (await other.telemetry.seal({ before: new Date(START + hour * 3_600_000) })).rows
    }
  })()
  for (let round = 0; round < 12; round++) {
    t.same(await Promise.all(Array.from({ length: 6 }, () => countOf(one))), Array(6).fill(60))
  }
  await sealing
  t.ok(sealed > 10, `${sealed} sealed meanwhile`)
})

/** Runs something once, before the next look at which segments there are. */
function beforeList() {
  let act: (() => Promise<unknown>) | undefined
  const change = (storage: TelemetryStorage): TelemetryStorage => {
    const { checkpoints } = storage.collections
    return withMethods(storage, 'checkpoints', {
      findOne: async (...args: Parameters<typeof checkpoints.findOne>) => {
        const next = act
        act = undefined
        await next?.()
        return checkpoints.findOne(...args)
      }
    })
  }
  return {
    change,
    run(next: () => Promise<unknown>): void {
      act = next
    }
  }
}

test('a page has a record once that is sealed while the page is read', async (t) => {
  const list = beforeList()
  const one = await open(t, { change: list.change })
  const other = await open(t, { db: one.db })
  await write(one, 120)
  await one.telemetry.seal({ before: new Date(NOW) })
  await write(one, 5)
  const seal = () => other.telemetry.seal({ before: new Date(NOW) })
  const idsOf = async () =>
    (await one.queries.records('*', { ...range, limit: 123 })).items.map(({ _id }) => _id)
  const before = await idsOf()
  t.equal(new Set(before).size, 123)
  let sealed = 0
  list.run(async () => {
    sealed = (await seal()).rows
  })
  const ids = await idsOf()
  t.equal(sealed, 5)
  t.ok((await one.telemetry.historyUse()).segments > 6, 'more than one step')
  t.same(ids, before)
})

test('more records than may be mirrored are copied by each read', async (t) => {
  const one = await open(t, { mirrorRows: 30 })
  await write(one, 80)
  await one.telemetry.seal({ before: new Date(START + DAY) })
  t.equal(await countOf(one), 80)
  one.finds.length = 0
  await write(one, 5, 80)
  t.equal(await countOf(one), 85)
  t.equal(one.finds.length, 1)
})

test('a collection that was dropped and made again is mirrored anew', async (t) => {
  const one = await open(t)
  await write(one, 80)
  await one.telemetry.seal({ before: new Date(START + DAY) })
  t.equal(await countOf(one), 80)
  const kept = await rowsOf(one).find().limit(10).toArray()
  const hot = await rowsOf(one).countDocuments()
  await rowsOf(one).drop()
  await rowsOf(one).insertMany(kept)
  t.equal(await countOf(one), 80 - hot + 10)
})

test('a read of history ends with its signal', async (t) => {
  const one = await open(t)
  await write(one, 80)
  await one.telemetry.seal({ before: new Date(START + DAY) })
  const request = new AbortController()
  const within = one.queries.within(request.signal)
  t.ok((await within.series('*', range)).buckets.length > 0)
  request.abort(new Error('the request is gone'))
  const gone = { message: 'the request is gone' }
  await t.rejects(within.records('*', range), gone)
  await t.rejects(within.journey('acme', { ...range, ref: 'user:u3' }), gone)
  t.equal(await countOf(one), 80)
})

test('the newest records up to a cap are the same ones, sealed or not', async (t) => {
  const one = await open(t)
  await write(one, 200)
  const ask = (distribution: number) => {
    const queries = createQueries({
      telemetry: one.telemetry,
      cacheMs: 0,
      limits: { distribution }
    })
    return Promise.all(
      ['*', 'acme'].flatMap((scope) => [
        queries.breakdown(scope, { ...range, by: 'attr:source' }),
        queries.breakdown(scope, { ...range, by: 'service', measure: 'p95:durationMs' }),
        queries.durations(scope, { ...range, by: 'service' }),
        queries.distribution(scope, range),
        queries.series(scope, { ...range, measure: 'p50:durationMs' }),
        queries.series(scope, { ...range, measure: 'unique' })
      ])
    )
  }
  const caps = [1, 20, 39, 40, 160, 200]
  const expected = []
  for (const cap of caps) expected.push(JSON.stringify(await ask(cap)))
  for (const hours of [50, 200]) {
    await one.telemetry.seal({ before: new Date(START + hours * 3_600_000) })
    for (const [index, cap] of caps.entries()) {
      t.equal(JSON.stringify(await ask(cap)), expected[index], `${cap}, ${hours} hours sealed`)
    }
  }
})

test('a read sees what was written before it while other collections are written much', async (t) => {
  const one = await open(t)
  await write(one, 80)
  await one.telemetry.seal({ before: new Date(START + DAY) })
  t.equal(await countOf(one), 80)
  const others = one.db.collection('noise')
  for (let round = 0; round < 5; round++) {
    const noise = Array.from({ length: 8_000 }, (_, at) => ({ text: `${round} ${at}`.repeat(20) }))
    await others.insertMany(noise)
    await write(one, 3, 80 + round * 3)
    t.equal(await countOf(one), 80 + (round + 1) * 3, `in round ${round}`)
  }
})
