// Expiry, checks, validation and backup.
import { chmod, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'tap'
import { doc, plain } from '../bson/arbitrary-values.test.data.ts'
import { openEnvironment } from '../storage/environment.ts'
import { openTree } from '../storage/index-entries.ts'
import { FIRST_FREE_TREE, slotTree, splitTree } from '../storage/tree-keys.ts'
import { copyDataFile } from './backup.ts'
import { openEngine } from './open.ts'
import {
  type Cleaner,
  codeOf,
  contextOf,
  openTestCollection,
  openTestEngine,
  TestCollection,
  temporaryFolder
} from './open-engine.test.data.ts'
import { hasGarbage } from './purge.ts'

/** Of the first collection in a new folder. */
const DOCUMENTS = slotTree(FIRST_FREE_TREE, 0)

const now = new Date('2026-05-01T12:00:00Z')
const before = (seconds: number) => new Date(now.getTime() - seconds * 1_000)

test('documents expire by their date or the earliest of several; others stay', async (t) => {
  for (const direction of [1, -1]) {
    const c = await openTestCollection(t)
    await c.index({ at: direction }, { expireAfterSeconds: 60 })
    await c.insert([
      { _id: 'old', at: before(61) },
      { _id: 'edge', at: before(60) },
      { _id: 'young', at: before(59) },
      { _id: 'list', at: [before(-1_000), before(1_000)] },
      { _id: 'future', at: before(-5) },
      { _id: 'text', at: 'yesterday' },
      { _id: 'number', at: 5 },
      { _id: 'none' }
    ])
    t.equal(await c.engine.sweepExpired(now), 3)
    t.same((await c.ids()).sort(), ['future', 'none', 'number', 'text', 'young'])
    t.equal(await c.engine.sweepExpired(now), 0)
    t.match(await c.engine.check(), { ok: true })
  }
})

test('a partial or unique index expires what it holds, and many documents take many turns', async (t) => {
  const c = await openTestCollection(t)
  await c.index({ at: 1 }, { expireAfterSeconds: 0, partialFilterExpression: { done: true } })
  await c.index({ u: 1 }, { expireAfterSeconds: 0, unique: true, sparse: true })
  await c.insert(
    Array.from({ length: 700 }, (_, i) => ({ _id: i, at: before(i + 1), done: i % 2 === 0 }))
  )
  await c.insert([{ _id: 'u', u: before(1) }])
  const [first, second] = await Promise.all([
    c.engine.sweepExpired(now),
    c.engine.sweepExpired(now)
  ])
  t.same([first, second], [351, 351], 'two sweeps at a time are one')
  t.equal(await c.count(), 350)
})

test('a sweep without TTL leaves documents that are over', async (t) => {
  const c = await openTestCollection(t)
  await c.index({ at: 1 }, { expireAfterSeconds: 0 })
  await c.insert([{ _id: 1, at: before(5) }])
  t.equal(await c.engine.sweepExpired(now, { ttl: false }), 0)
  t.equal(await c.count(), 1)
  t.equal(await c.engine.sweepExpired(now), 1)
})

test('a sweep that is interrupted leaves the rest for the next', async (t) => {
  const c = await openTestCollection(t)
  await c.index({ at: 1 }, { expireAfterSeconds: 0 })
  await c.insert(Array.from({ length: 2_000 }, (_, _id) => ({ _id, at: before(5) })))
  const stop = new AbortController()
  const sweeping = c.engine.sweepExpired(now, { signal: stop.signal })
  stop.abort()
  const first = await sweeping
  t.ok(first < 2_000)
  t.equal(await c.engine.sweepExpired(now, { signal: stop.signal }), 0)
  t.equal(await c.engine.sweepExpired(now), 2_000 - first)
})

test('what is left of a dropped collection when the engine is closed is removed at the next start', async (t) => {
  const folder = await temporaryFolder(t)
  const engine = await openEngine(folder)
  const c = new TestCollection(engine, { db: 'd', collection: 'c' })
  await c.insert(Array.from({ length: 5_000 }, (_, _id) => ({ _id })))
  await engine.dropCollection(c.ns, contextOf())
  await engine.close()
  const file = openEnvironment(join(folder, 'data.mdb'))
  t.ok(hasGarbage(file.live), 'closing does not wait for it')
  await file.close()
  const again = await openTestEngine(t, {}, folder)
  await again.createCollection(c.ns, doc({}), contextOf())
  t.match(await again.check(), { ok: true, documents: 0 })
})

test('a document that a transaction holds is left for the next sweep', async (t) => {
  const c = await openTestCollection(t)
  await c.index({ at: 1 }, { expireAfterSeconds: 0 })
  await c.insert([
    { _id: 1, at: before(5) },
    { _id: 2, at: before(5) }
  ])
  const id = { sessionId: 's', txnNumber: 1n }
  const transaction = c.engine.transactions.begin(id, { now: new Date() })
  await c.update({ _id: 1 }, { $set: { x: 1 } }, {}, contextOf({ transaction }))
  t.equal(await c.engine.sweepExpired(now), 1)
  c.engine.transactions.abort(id)
  t.equal(await c.engine.sweepExpired(now), 1)
})

test('validate tells keys of each index and pages of the file, or that there is no collection', async (t) => {
  const c = await openTestCollection(t)
  await c.index({ t: 1 })
  await c.insert([{ _id: 1, t: [1, 2] }])
  t.match(plain(await c.engine.validate(c.ns, contextOf())), {
    ns: 'test.things',
    nrecords: 1,
    nIndexes: 2,
    keysPerIndex: { _id_: 1, t_1: 2 },
    valid: true,
    errors: [],
    pages: c.engine.fileUsage().bytes / 4_096,
    leakedPages: 0
  })
  t.equal(await codeOf(() => c.engine.validate({ db: 'no', collection: 'no' }, contextOf())), 26)
})

/** A folder with one collection, whose file was then changed behind the engine's back. */
async function openDamaged(t: Cleaner, damage: (file: string) => Promise<void>) {
  const folder = await temporaryFolder(t)
  const engine = await openEngine(folder)
  const c = new TestCollection(engine, { db: 'd', collection: 'c' })
  await c.index({ a: 1 })
  await c.insert(Array.from({ length: 5 }, (_, i) => ({ _id: i, a: i })))
  await engine.close()
  await damage(join(folder, 'data.mdb'))
  return openTestEngine(t, {}, folder)
}

/** Removes the first entry of a tree. */
function removeFirst(tree: number) {
  return async (file: string) => {
    const environment = openEnvironment(file)
    await environment.write((view) => {
      const walk = openTree(view, tree)
      const entry = walk.next()
      walk.close()
      if (entry !== undefined) view.remove(entry.key)
    })
    await environment.close()
  }
}

test('check finds a document without its entry, an entry without its document, and a wrong count', async (t) => {
  const noEntry = await openDamaged(t, removeFirst(splitTree(FIRST_FREE_TREE + 1)))
  t.match((await noEntry.check()).problems, [
    /has no entry in index a_1/,
    /a_1 has 4 entries instead of 5/
  ])
  const noDocument = await openDamaged(t, removeFirst(DOCUMENTS))
  t.match((await noDocument.check()).problems, [
    /a_1 has 5 entries instead of 4/,
    /which is not there/,
    /count says 5 documents, there are 4/,
    /bytes/
  ])
})

test('check finds what is not BSON and what is stored under another _id', async (t) => {
  const rewrite = (change: (value: Uint8Array) => Uint8Array) => async (file: string) => {
    const environment = openEnvironment(file)
    await environment.write((view) => {
      const walk = openTree(view, DOCUMENTS)
      const entry = walk.next()
      walk.close()
      if (entry !== undefined) view.put(entry.key, change(entry.value))
    })
    await environment.close()
  }
  const broken = await openDamaged(
    t,
    rewrite((value) => value.subarray(0, 7))
  )
  t.match((await broken.check()).problems, [/not valid BSON/])
  const moved = await openDamaged(
    t,
    rewrite((value) => Buffer.from(value).fill(9, 9, 10))
  )
  t.match((await moved.check()).problems, [/stored under another _id/])
})

test('a backup made while writes go on is a whole database', async (t) => {
  const c = await openTestCollection(t)
  await c.index({ a: 1 })
  await c.insert(Array.from({ length: 2_000 }, (_, i) => ({ _id: i, a: i })))
  const target = join(await temporaryFolder(t), 'copy')
  let isDone = false
  const writing = (async () => {
    for (let i = 0; !isDone; i++) await c.insert([{ _id: `w${i}`, a: i }])
  })()
  await c.engine.backup(target)
  isDone = true
  await writing
  const copy = await openTestEngine(t, {}, target)
  const report = await copy.check()
  t.match(report, { ok: true, problems: [] })
  t.ok(report.documents >= 2_000)
  t.equal(report.indexEntries, report.documents)
})

test('a backup is the owner’s alone, and there whole or not at all', async (t) => {
  const c = await openTestCollection(t)
  await c.insert([{ _id: 1 }])
  const target = await temporaryFolder(t)
  await chmod(target, 0o755)
  await c.engine.backup(target)
  t.equal((await stat(join(target, 'data.mdb'))).mode & 0o777, 0o600)
  t.same(await readdir(target), ['data.mdb'])
  const broken = await temporaryFolder(t)
  await t.rejects(
    copyDataFile(broken, async (path) => {
      await writeFile(path, 'half')
      throw new Error('the disk is full')
    }),
    { message: 'the disk is full' }
  )
  t.same(await readdir(broken), [])
})

test('what $out was filling when the process ended is dropped at the next start', async (t) => {
  const folder = await temporaryFolder(t)
  const engine = await openEngine(folder)
  const c = new TestCollection(engine, { db: 'd', collection: 'c' })
  await c.insert([{ _id: 1 }])
  const half = new TestCollection(engine, { db: 'd', collection: 'tmp.agg_out.half' })
  await half.insert([{ _id: 1 }])
  await engine.close()
  const again = await openTestEngine(t, {}, folder)
  t.same(
    again.listCollections('d').map(({ name }) => name),
    ['c']
  )
  t.match(await again.check(), { ok: true, documents: 1 })
})

test('closing aborts transactions and finishes what was begun', async (t) => {
  const folder = await temporaryFolder(t)
  const engine = await openEngine(folder)
  const c = new TestCollection(engine, { db: 'd', collection: 'c' })
  const transaction = engine.transactions.begin(
    { sessionId: 's', txnNumber: 1n },
    { now: new Date() }
  )
  await c.insert([{ _id: 'in a transaction' }], contextOf({ transaction }))
  const last = c.insert([{ _id: 'last' }])
  await engine.close()
  await last
  t.equal(await codeOf(() => c.insert([{ _id: 'late' }])), 91)
  const again = new TestCollection(await openTestEngine(t, {}, folder), c.ns)
  t.same(await again.ids(), ['last'])
})
