// Data of versions that named rows by text: moved once, whole, and as it was.
import { definitionOf, type Host } from '@keelson/sdk'
import { type Binary, type Collection, type Db, type Document, Long } from 'mongodb'
import { test } from 'tap'
import { createQueries } from '../create-queries.ts'
import { escapePart, unescapePart } from '../envelope/record-id.ts'
import { wireId } from '../envelope/stored-id.ts'
import telemetryPlugin from '../plugin.ts'
import { moveStoredIds, textNamed } from '../storage/move-stored-ids.ts'
import type { TelemetryStorage } from '../storage/storage.ts'
import { differences } from './recount.ts'
import { SAMPLE_SPEC } from './sample-registry.ts'
import { storageOf } from './storage-of.ts'
import { batch, openWire, type Wire } from './wire.ts'

const TENANT = 'a|b=100%7C'
const NOW = Date.now()
const CLOCK = { now: () => new Date() }
const RANGE = { from: new Date(NOW - 86_400_000), to: new Date(NOW + 1000) }
/** More than two batches. */
const VIEWS = 1100
const DROPPABLE = 40

const uuid = (n: number) => `0197a3c4-5b6d-7e8f-9012-${n.toString(16).padStart(12, '0')}`
const view = (n: number) => ({
  _id: n % 3 === 0 ? `record|${String(n).padStart(12, '0')}` : uuid(n),
  name: 'page.viewed',
  occurredAt: new Date(NOW - n * 1000).toISOString(),
  subjects: [{ type: 'user', id: `u${n % 40}` }],
  attrs: { source: `s${n % 3}` },
  metrics: { load_ms: n / 2 }
})
const droppable = (n: number) => ({ _id: uuid(1e6 + n), name: 'cache.read', traceId: `trace-${n}` })
const views = Array.from({ length: VIEWS }, (_, n) => view(n))
const droppables = Array.from({ length: DROPPABLE }, (_, n) => droppable(n))

const NAMES = ['telemetry', 'telemetry_seen', 'telemetry_rollups']

type Named = Collection<Document & { _id: string | Binary }>
const open = (db: Db, name: string) => db.collection(name) as unknown as Named

/** Every document, byte by byte, in the order of ids. */
async function bytesOf(db: Db): Promise<string[]> {
  const all: string[] = []
  for (const name of NAMES) {
    const documents = await open(db, name).find({}, { raw: true }).sort({ _id: 1 }).toArray()
    all.push(...documents.map((one) => (one as unknown as Buffer).toString('base64')))
  }
  return all
}

async function send(wire: Wire, key: string): Promise<void> {
  for (let from = 0; from < VIEWS; from += 100) {
    await wire.post(key, batch(...views.slice(from, from + 100)))
  }
  await wire.post(key, batch(...droppables))
  await wire.telemetry.flush()
}

async function openWithKey(t: Parameters<typeof openWire>[0]) {
  const wire = await openWire(t)
  const key = await wire.mint({ tenantId: TENANT, maxPerMinute: 1_000_000 })
  await send(wire, key)
  // Of a type that reading and writing again would change.
  await wire.db.collection('telemetry').updateMany({}, { $set: { wide: Long.fromNumber(7) } })
  return { ...wire, key, storage: storageOf(wire.db) }
}

/** Makes everything be as earlier versions wrote it. */
async function age(db: Db): Promise<void> {
  const tenant = escapePart(TENANT)
  for (const name of ['telemetry', 'telemetry_seen']) {
    const collection = open(db, name)
    const documents = await collection.find({}, { promoteValues: false }).toArray()
    await collection.deleteMany({})
    if (documents.length === 0) continue
    await collection.insertMany(
      documents.map((one) => ({ ...one, _id: `${tenant}|${wireId(one._id as Binary)}` }))
    )
  }
  const rollups = open(db, 'telemetry_rollups')
  for (const { _id, firstId } of await rollups.find({ firstId: { $exists: true } }).toArray()) {
    await rollups.updateOne({ _id }, { $set: { firstId: wireId(firstId as Binary) } })
  }
}

async function oldOnes(db: Db): Promise<readonly [rows: number, seen: number]> {
  const count = (name: string) =>
    db.collection<Document & { _id: string }>(name).countDocuments(textNamed())
  return [await count('telemetry'), await count('telemetry_seen')]
}

const idsOf = async ({ telemetry }: Wire) => {
  const queries = createQueries({ telemetry })
  const { items } = await queries.records(TENANT, { ...RANGE, limit: 200 })
  return items.map(({ _id }) => _id)
}

/** Storage whose transactions are cut short: the n-th before its commit, and all after it. */
function dyingStorage(storage: TelemetryStorage, n: number): TelemetryStorage {
  let count = 0
  return {
    ...storage,
    transaction: (fn) =>
      storage.transaction(async (session) => {
        const result = await fn(session)
        if (++count >= n) throw new Error('killed')
        return result
      })
  }
}

test('rows, seen ids and rollups become, byte by byte, what this version writes', async (t) => {
  const wire = await openWithKey(t)
  const [before, ids] = [await bytesOf(wire.db), await idsOf(wire)]
  await age(wire.db)
  const [rows, seen] = await oldOnes(wire.db)
  t.ok(rows >= VIEWS && seen > 0 && rows + seen === VIEWS + DROPPABLE)
  const moved = await moveStoredIds(wire.storage, CLOCK)
  t.match(moved, { rows, seen })
  t.ok(moved.rollups > 40)
  t.same(await bytesOf(wire.db), before)
  t.same(await idsOf(wire), ids)
  t.ok(ids.includes(view(1)._id) && ids.includes(view(3)._id))
  t.same(await moveStoredIds(wire.storage, CLOCK), { rollups: 0, seen: 0, rows: 0 })
  t.same(await bytesOf(wire.db), before)
})

test('records of before that are sent again are known, stored or not, and rollups equal a recount', async (t) => {
  const wire = await openWithKey(t)
  await age(wire.db)
  await moveStoredIds(wire.storage, CLOCK)
  const before = await bytesOf(wire.db)
  await send(wire, wire.key)
  t.same(await bytesOf(wire.db), before)
  await wire.db.collection('telemetry_seen').deleteMany({})
  await wire.db.collection('telemetry').deleteMany({ name: 'cache.read' })
  await wire.db.collection('telemetry_rollups').deleteMany({ dims: 'name=cache.read' })
  t.same(await differences(wire.db, SAMPLE_SPEC), [])
})

test('a move that dies in any batch leaves every record once, and the next one ends it', async (t) => {
  const wire = await openWithKey(t)
  const before = await bytesOf(wire.db)
  await age(wire.db)
  const total = VIEWS + DROPPABLE
  // One batch of seen ids and an empty one, then those of rows.
  for (const [n, left] of [
    [1, total],
    [3, undefined],
    [4, undefined]
  ] as const) {
    await t.rejects(moveStoredIds(dyingStorage(wire.storage, n), CLOCK), { message: 'killed' })
    const [rows, seen] = await oldOnes(wire.db)
    t.equal(await countAll(wire.db), total)
    t.ok(rows > 0 && (left === undefined ? seen === 0 : rows + seen === left), `${rows} ${seen}`)
  }
  await moveStoredIds(wire.storage, CLOCK)
  t.same(await oldOnes(wire.db), [0, 0])
  t.same(await bytesOf(wire.db), before)
})

test('two hosts that move at once move everything once', async (t) => {
  const wire = await openWithKey(t)
  const before = await bytesOf(wire.db)
  await age(wire.db)
  const moves = await Promise.all([1, 2].map(() => moveStoredIds(wire.storage, CLOCK)))
  t.equal(
    moves.reduce((sum, { rows, seen }) => sum + rows + seen, 0),
    VIEWS + DROPPABLE
  )
  t.same(await bytesOf(wire.db), before)
})

test('a move does not wait for the transaction of one that was killed', async (t) => {
  const wire = await openWithKey(t)
  const before = await bytesOf(wire.db)
  await age(wire.db)
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  let hung: Promise<unknown> = released
  await new Promise<void>((isStuck) => {
    const transaction: TelemetryStorage['transaction'] = (fn) =>
      wire.storage.transaction(async (session) => {
        const result = await fn(session)
        isStuck()
        // As if the process were gone: nothing more is sent.
        await released
        return result
      })
    hung = moveStoredIds({ ...wire.storage, transaction }, CLOCK)
  })
  const moved = await moveStoredIds(wire.storage, CLOCK)
  t.equal(moved.rows + moved.seen, VIEWS + DROPPABLE)
  release()
  t.match(await hung, { seen: 0, rows: 0 })
  t.same(await bytesOf(wire.db), before)
})

const countAll = async (db: Db) =>
  (await db.collection('telemetry').countDocuments()) +
  (await db.collection('telemetry_seen').countDocuments())

test('a record that a newer host has taken already stays one row', async (t) => {
  const wire = await openWithKey(t)
  const rows = open(wire.db, 'telemetry')
  const newer = await rows.findOne({ name: 'page.viewed' })
  await age(wire.db)
  await rows.insertOne(newer as Document & { _id: Binary })
  await moveStoredIds(wire.storage, CLOCK)
  t.equal(await rows.countDocuments({ name: 'page.viewed' }), VIEWS)
})

test('keys that are unique move with their rows', async (t) => {
  const wire = await openWire(t)
  const once = () =>
    wire.telemetry.emit('account.activated', {
      tenantId: TENANT,
      dedupeKey: 'once',
      subjects: [{ type: 'user', id: 'u1' }]
    })
  t.match(await once(), { outcome: 'written' })
  await age(wire.db)
  t.match(await moveStoredIds(storageOf(wire.db), CLOCK), { rows: 1 })
  t.match(await once(), { outcome: 'deduped' })
  await t.rejects(
    wire.db.collection('telemetry').insertOne({ tenantId: TENANT, dedupeKey: 'once' })
  )
})

test('the sync of a plain host moves, and after that only looks for old ids', async (t) => {
  const wire = await openWithKey(t)
  const before = await bytesOf(wire.db)
  await age(wire.db)
  await wire.telemetry.syncIndexes()
  t.same(await bytesOf(wire.db), before)
  wire.commands()
  await wire.telemetry.syncIndexes()
  t.notOk(wire.commands().some((name) => name === 'commitTransaction'))
})

test('the migration of the plugin moves', async (t) => {
  const wire = await openWithKey(t)
  const before = await bytesOf(wire.db)
  await age(wire.db)
  const host = {
    collection: (name: string) => wire.db.collection(name),
    withTransaction: wire.storage.transaction,
    clock: CLOCK,
    log: { info: () => undefined }
  } as unknown as Host
  await definitionOf(telemetryPlugin)?.migrations['stored-ids']?.(host)
  t.same(await bytesOf(wire.db), before)
})

test('old ids are found by index, and rows that have new ones are not looked at', async (t) => {
  const { db } = await openWithKey(t)
  const plan = await db
    .collection<Document & { _id: string }>('telemetry')
    .find(textNamed())
    .sort({ _id: 1 })
    .limit(500)
    .explain('executionStats')
  t.notOk(/COLLSCAN|"SORT"/.test(JSON.stringify(plan)))
  t.match(plan['executionStats'], { nReturned: 0, totalDocsExamined: 0 })
})

test('what was escaped comes back', async (t) => {
  for (const text of [TENANT, '%257C', '%%', 'a=b|c', 'plain', '%41']) {
    t.equal(unescapePart(escapePart(text)), text)
  }
})
