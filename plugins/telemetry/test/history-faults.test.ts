// What history survives: kills at every step, two hosts, replays, lost and foreign caches, damaged segments.

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testDatabase } from '@keelson/sdk/testing'
import { Binary, type Collection, type Db, type Document } from 'mongodb'
import { type Test, test } from 'tap'
import { measureSignal } from '../alerts/measure.ts'
import { readMinutes } from '../alerts/minute-windows.ts'
import { createQueries } from '../create-queries.ts'
import { openTelemetry } from '../create-telemetry.ts'
import { wireId } from '../envelope/stored-id.ts'
import { internalsOf } from '../internals.ts'
import type { Queries } from '../queries/queries.ts'
import { DEFAULT_LIMITS } from '../queries/reader.ts'
import type { TelemetryStorage } from '../storage/storage.ts'
import { HISTORY_SPEC, recordAt, writeRecords } from './history-rows.ts'
import { Death } from './storage-death.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = Math.floor(Date.now() / DAY) * DAY
const START = NOW - 6 * DAY
const clock = { now: () => new Date(NOW) }
const range = { from: new Date(START - DAY), to: new Date(NOW + DAY) }

interface Given {
  readonly db?: Db
  readonly cacheDir?: string
  readonly change?: (storage: TelemetryStorage) => TelemetryStorage
}

async function open(t: Test, given: Given = {}) {
  const db = given.db ?? (await testDatabase(t)).db
  const cacheDir = given.cacheDir ?? (await mkdtemp(join(tmpdir(), 'keelson-history-')))
  t.teardown(() => rm(cacheDir, { recursive: true, force: true }).catch(() => undefined))
  const { telemetry } = openTelemetry(
    {
      registry: HISTORY_SPEC,
      connection: db,
      clock,
      pepper: 'p',
      history: { enabled: true, cacheDir, threads: 1 }
    },
    given.change === undefined ? {} : { change: given.change }
  )
  t.teardown(() => telemetry.close())
  await telemetry.syncIndexes()
  return { db, cacheDir, telemetry, queries: createQueries({ telemetry, cacheMs: 0 }) }
}

const write = (telemetry: Parameters<typeof writeRecords>[0], count: number, from = 0) =>
  writeRecords(
    telemetry,
    Array.from({ length: count }, (_, n) => recordAt(from + n, START))
  )

/** Ids of all records, page by page. */
async function idsOf(queries: Queries, limit = 200): Promise<readonly string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await queries.records('*', { ...range, limit, ...(cursor && { cursor }) })
    ids.push(...page.items.map(({ _id, tenantId }) => `${tenantId} ${_id}`))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return ids
}

test('a seal that dies at any step loses no record and shows none twice', async (t) => {
  const { db, telemetry, queries } = await open(t)
  await write(telemetry, 40)
  const all = await idsOf(queries)
  t.equal(new Set(all).size, 40)
  const death = new Death()
  const dying = await open(t, { db, change: (storage) => death.within(storage) })
  const left = () => db.collection('telemetry').countDocuments()
  let killed = 0
  for (let nth = 1; (await left()) > 0; nth++) {
    death.arm(nth)
    const before = new Date(START + nth * 2 * HOUR)
    await dying.telemetry.seal({ before }).catch(() => killed++)
    const ids = await idsOf(queries, 25)
    if (JSON.stringify(ids) !== JSON.stringify(all)) t.same(ids, all, `killed at step ${nth}`)
  }
  t.ok(killed > 5, `killed at ${killed} steps`)
})

test('while one host seals, another reads each record once, whatever page it is at', async (t) => {
  const one = await open(t)
  await write(one.telemetry, 60)
  const other = await open(t, { db: one.db })
  const all = await idsOf(other.queries)
  let isSealed = false
  const sealing = (async () => {
    for (let hours = 4; hours < 40; hours += 8) {
      await one.telemetry.seal({ before: new Date(START + hours * HOUR) })
    }
    await one.telemetry.seal({ before: new Date(NOW) })
    isSealed = true
  })()
  let rounds = 0
  do {
    rounds++
    const ids = await idsOf(other.queries, 17)
    if (JSON.stringify(ids) !== JSON.stringify(all)) t.same(ids, all, `round ${rounds}`)
    const { buckets } = await other.queries.series('*', range)
    const count = buckets.reduce((sum, { value }) => sum + value, 0)
    if (count !== 60) t.equal(count, 60)
  } while (!isSealed)
  await sealing
  t.ok(rounds > 0)
  t.equal(await one.db.collection('telemetry').countDocuments(), 0)
})

test('two hosts that seal the same records at once seal each of them once', async (t) => {
  const one = await open(t)
  await write(one.telemetry, 80)
  const other = await open(t, { db: one.db })
  const all = await idsOf(one.queries)
  await Promise.all(
    [one, other].map(({ telemetry }) =>
      telemetry.seal({ before: new Date(NOW) }).catch(() => undefined)
    )
  )
  await one.telemetry.seal({ before: new Date(NOW) })
  t.same(await idsOf(other.queries), all)
  t.equal((await one.telemetry.historyUse()).sealedRows, 80)
})

test('a record that changed since it was read is not sealed as it was', async (t) => {
  let isArmed = false
  const { db } = await testDatabase(t)
  const others = db.collection<Document & { _id: Binary }>('telemetry')
  const { telemetry, queries } = await open(t, {
    db,
    change: (storage) => ({
      ...storage,
      collections: {
        ...storage.collections,
        rows: new Proxy(storage.collections.rows, {
          get(inner, key) {
            const value = Reflect.get(inner, key, inner) as unknown
            if (key !== 'deleteMany' || typeof value !== 'function' || !isArmed) return value
            return async (...args: unknown[]) => {
              isArmed = false
              await others.updateOne({ tenantId: 'acme' }, { $set: { service: 'changed' } })
              return Reflect.apply(value, inner, args) as unknown
            }
          }
        })
      }
    })
  })
  await write(telemetry, 20)
  isArmed = true
  await telemetry.seal({ before: new Date(NOW) })
  t.equal(isArmed, false)
  t.equal(await others.countDocuments(), 0)
  const changed = await queries.records('*', { ...range, filters: { service: 'changed' } })
  t.equal(changed.items.length, 1)
  t.equal((await idsOf(queries)).length, 20)
})

test('a sealed record that comes again is known by its id and by its key', async (t) => {
  const { db, telemetry, queries } = await open(t)
  const { recorder } = internalsOf(telemetry)
  const usage = { meter: 'tokens', quantity: 2, unit: 'token', idempotencyKey: 'once' }
  const charge = {
    tenantId: 'acme',
    occurredAt: START,
    usage,
    subjects: [{ type: 'user', id: 'u' }]
  }
  const visit = {
    tenantId: 'acme',
    occurredAt: START,
    dedupeKey: 'visit',
    subjects: [{ type: 'user', id: 'u' }],
    attrs: { path: '/' }
  }
  await telemetry.emit('llm.tokens', charge)
  await telemetry.emit('page.viewed', visit)
  await write(telemetry, 10)
  const sent = await db.collection<Document & { _id: Binary }>('telemetry').find().toArray()
  await telemetry.seal({ before: new Date(NOW) })
  t.equal((await telemetry.emit('llm.tokens', charge)).outcome, 'deduped')
  t.equal((await telemetry.emit('page.viewed', visit)).outcome, 'deduped')
  // As a client that did not hear the answer sends it again.
  const items = sent.flatMap((row) => {
    const event = telemetry.registry.event(row['name'])
    if (event === undefined || row['name'] !== 'account.signed_up') return []
    const reading = recorder.read({
      event,
      id: wireId(row._id),
      tenantId: row['tenantId'],
      occurredAt: row['occurredAt'].getTime(),
      isTimeDefaulted: false,
      receivedAt: clock.now(),
      service: 's',
      release: 'r',
      env: 'prod',
      isClient: false,
      subjects: { refs: ['user:u0'], roles: undefined },
      actor: undefined,
      onBehalfOf: undefined,
      client: undefined,
      dedupeKey: undefined,
      forceKeep: false,
      content: {}
    })
    return 'record' in reading ? [recorder.decide(reading.record, true)] : []
  })
  t.equal(items.length, 2)
  const { repeats } = await recorder.submit({ items, rejects: [], aliases: [] })
  t.equal(repeats.size, 2)
  t.equal((await idsOf(queries)).length, 12)
})

test('a lost, foreign or damaged cache is made again', async (t) => {
  const { cacheDir, telemetry, queries } = await open(t)
  await write(telemetry, 40)
  const all = await idsOf(queries)
  await telemetry.seal({ before: new Date(NOW) })
  const files = async () => (await readdir(cacheDir)).filter((name) => name.endsWith('.parquet'))
  t.ok((await files()).length > 0)
  for (const name of await files()) await rm(join(cacheDir, name))
  t.same(await idsOf(queries), all, 'lost')
  for (const name of await files()) await writeFile(join(cacheDir, name), 'not a file of columns')
  t.same(await idsOf(queries), all, 'damaged')
  await writeFile(join(cacheDir, `${'0'.repeat(64)}.parquet`), 'foreign')
  t.same(await idsOf(queries), all, 'foreign')
})

test('files that another process took away are brought again by an erasure and by a merge', async (t) => {
  const { cacheDir, telemetry, queries } = await open(t)
  const takeAway = async () => {
    const files = (await readdir(cacheDir)).filter((name) => name.endsWith('.parquet'))
    t.ok(files.length > 0)
    for (const name of files) await rm(join(cacheDir, name))
  }
  await write(telemetry, 40)
  await telemetry.seal({ before: new Date(NOW) })
  await idsOf(queries)
  await takeAway()
  await telemetry.forget('acme', 'user:u3')
  const left = await idsOf(queries)
  await write(telemetry, 20, 40)
  await telemetry.seal({ before: new Date(NOW) })
  t.equal((await idsOf(queries)).length, left.length + 20)
  await takeAway()
  await telemetry.seal({ before: new Date(NOW) })
  t.equal((await idsOf(queries)).length, left.length + 20)
})

test('a cache that cannot be written is given up, not the read', async (t) => {
  const one = await open(t)
  await write(one.telemetry, 40)
  const all = await idsOf(one.queries)
  await one.telemetry.seal({ before: new Date(NOW) })
  const file = join(one.cacheDir, 'a-file')
  await writeFile(file, '')
  const other = await open(t, { db: one.db, cacheDir: join(file, 'cache') })
  t.same(await idsOf(other.queries), all)
})

type Segments = Collection<Document & { _id: string }>

/** What happens to the bytes of a segment. */
const FAULTS: Readonly<Record<string, (segments: Segments, id: unknown) => Promise<unknown>>> = {
  damaged: (segments, id) =>
    segments.updateOne({ segment: id }, { $set: { data: new Binary(Buffer.from('x')) } }),
  missing: (segments, id) => segments.deleteMany({ segment: id })
}

for (const [fault, act] of Object.entries(FAULTS)) {
  test(`a read without a ${fault} segment says which times are missing, and nothing is overwritten`, async (t) => {
    const one = await open(t)
    await write(one.telemetry, 60)
    await one.telemetry.seal({ before: new Date(NOW) })
    const segments: Segments = one.db.collection('telemetry_segments')
    const [first] = await segments
      .find({ rows: { $exists: true } })
      .sort({ from: 1 })
      .limit(1)
      .toArray()
    await act(segments, first?._id)
    const before = await segments.find().sort({ _id: 1 }).toArray()
    const other = await open(t, { db: one.db })
    const answer = await other.queries.series('*', range)
    t.equal(answer.truncated, true)
    t.same(answer.missing, [{ from: first?.['from'], to: new Date(first?.['to'].getTime() + 1) }])
    const count = answer.buckets.reduce((sum, { value }) => sum + value, 0)
    t.equal(count, 60 - first?.['rows'])
    t.match(internalsOf(other.telemetry).history.damage(), [{ from: first?.['from'] }])
    const page = await other.queries.records('*', { ...range, limit: 200 })
    t.equal(page.items.length, 60 - first?.['rows'])
    t.match(page, { truncated: true, missing: answer.missing })
    t.same(await segments.find().sort({ _id: 1 }).toArray(), before)
  })
}

test('what must be of all records fails without a damaged segment', async (t) => {
  const one = await open(t)
  await write(one.telemetry, 60)
  await one.telemetry.seal({ before: new Date(NOW) })
  await one.db
    .collection('telemetry_segments')
    .updateMany({ segment: { $exists: true } }, { $set: { data: new Binary(Buffer.from('x')) } })
  const other = await open(t, { db: one.db })
  const { history, recorder, storage } = internalsOf(other.telemetry)
  const reader = {
    ...storage.collections,
    rows: history.rows,
    anonymousTypes: recorder.anonymousTypes,
    registry: () => recorder.registry,
    limits: DEFAULT_LIMITS,
    now: clock.now
  }
  const series = { source: 'series', filters: { service: 's1', env: 'prod' } } as const
  const scoped = other.telemetry.scoped('acme')
  const asked: Readonly<Record<string, () => Promise<unknown>>> = {
    'an alert': () => measureSignal(reader, 'acme', series, range),
    'an alert whose window cuts an hour': () =>
      measureSignal(
        reader,
        'acme',
        { source: 'series' },
        { from: new Date(START + 7), to: new Date(START + HOUR) }
      ),
    'the preview of one': () => readMinutes(reader, 'acme', series, { range, isLate: () => false }),
    'a scoped list': () => scoped.find({ name: 'page.viewed' }),
    'a scoped figure': () =>
      scoped.aggregate([{ $match: {} }, { $group: { _id: null, n: { $sum: 1 } } }])
  }
  for (const [what, ask] of Object.entries(asked)) {
    await t.rejects(ask(), { code: 'TEL_SEGMENT_MISSING', statusCode: 503 }, what)
  }
})

test('a segment goes when the last of its records has expired, and shows none that has', async (t) => {
  const one = await open(t)
  await write(one.telemetry, 30)
  await one.telemetry.seal({ before: new Date(NOW) })
  const later = { now: () => new Date(NOW + 91 * DAY) }
  const { telemetry } = openTelemetry({
    registry: HISTORY_SPEC,
    connection: one.db,
    clock: later,
    history: { enabled: true, cacheDir: one.cacheDir }
  })
  t.teardown(() => telemetry.close())
  const queries = createQueries({ telemetry, cacheMs: 0 })
  const spans = await queries.records('*', { ...range, filters: { kind: 'span' } })
  const events = await queries.records('*', { ...range, filters: { kind: 'event' } })
  t.same([spans.items.length, events.items.length > 0], [0, true])
  await telemetry.seal()
  const { sealedRows } = await telemetry.historyUse()
  t.equal(sealedRows, (await idsOf(queries)).length)
})

test('a person is erased although another host seals what has come back', async (t) => {
  const one = await open(t)
  await write(one.telemetry, 40)
  await one.telemetry.seal({ before: new Date(NOW) })
  const other = await open(t, { db: one.db })
  const { history } = internalsOf(one.telemetry)
  const { returnRows } = history
  let isFirst = true
  Object.assign(history, {
    async returnRows(tenantId: string, refs: readonly string[]) {
      const returned = await returnRows(tenantId, refs)
      if (isFirst) await other.telemetry.seal({ before: new Date(NOW) })
      isFirst = false
      return returned
    }
  })
  const receipt = await one.telemetry.forget('acme', 'user:u3')
  t.ok(receipt.deleted > 0)
  t.same(
    Object.values(receipt.remaining).filter((left) => left > 0),
    []
  )
  const filters = { subject: 'user:u3', tenant: 'acme' }
  t.same((await other.queries.records('*', { ...range, filters })).items, [])
})
