// Change streams: what is told, in which order, from where on, and until when.
import { join } from 'node:path'
import { type Binary, Timestamp } from 'bson'
import { test } from 'tap'
import { doc, plain } from '../bson/arbitrary-values.test.data.ts'
import { decodeDoc } from '../bson/decode.ts'
import { ChangeLog, type LogLimits, type LogScope, UNUSED_MS } from '../change-log/change-log.ts'
import type { ChangeStream, Engine } from '../engine.ts'
import { ClusterClock } from '../sessions/cluster-clock.ts'
import { openEnvironment } from '../storage/environment.ts'
import { openChangeStream } from './change-stream.ts'
import { openEngine } from './open.ts'
import {
  type Cleaner,
  codeOf,
  contextOf,
  openTestCollection,
  openTestEngine,
  type Plain,
  TestCollection,
  temporaryFolder
} from './open-engine.test.data.ts'

const never = new AbortController().signal

interface Options {
  readonly options?: Plain
  readonly pipeline?: readonly Plain[]
}

function watch(
  engine: Engine,
  ns: { db: string; collection: string },
  { options = {}, pipeline = [] }: Options = {}
) {
  return engine.changeStream(
    ns,
    { options: doc(options), pipeline: pipeline.map(doc) },
    contextOf()
  )
}

/** What is there to be told now. */
async function told(stream: ChangeStream, waitMs = 0): Promise<Plain[]> {
  const batch = await stream.next(1_000, 16e6, waitMs, never)
  return batch.map((bytes) => plain(decodeDoc(bytes)) as Plain)
}

const kinds = (events: readonly Plain[]) => events.map(({ operationType }) => operationType)

test('inserts, updates, replacements and deletes arrive in order with what they changed', async (t) => {
  const c = await openTestCollection(t)
  await c.insert([{ _id: 0 }])
  const stream = await watch(c.engine, c.ns)
  t.same(await told(stream), [])
  await c.insert([{ _id: 1, a: 1, b: 1 }])
  await c.update({ _id: 1 }, { $set: { a: 2 }, $unset: { b: '' } })
  await c.update({ _id: 1 }, { z: 1 })
  await c.delete({ _id: 1 })
  const events = await told(stream)
  t.same(kinds(events), ['insert', 'update', 'replace', 'delete'])
  const [insert, update, replace, remove] = events
  t.same(Object.keys(insert ?? {}), [
    '_id',
    'operationType',
    'clusterTime',
    'wallTime',
    'fullDocument',
    'ns',
    'documentKey'
  ])
  t.match(insert, {
    fullDocument: { _id: 1, a: 1, b: 1 },
    ns: { db: 'test', coll: 'things' },
    documentKey: { _id: 1 }
  })
  t.match(update, {
    updateDescription: { updatedFields: { a: 2 }, removedFields: ['b'], truncatedArrays: [] }
  })
  t.notOk('fullDocument' in (update ?? {}))
  t.match(replace, { fullDocument: { _id: 1, z: 1 } })
  t.match(remove, { documentKey: { _id: 1 } })
  const times = events.map(({ clusterTime }) => (clusterTime as Timestamp).toString())
  t.same(
    [...times].sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)),
    times
  )
})

test('a stream goes on after any of its tokens, also after opening the database again', async (t) => {
  const folder = await temporaryFolder(t)
  const first = await openEngine(folder)
  const ns = { db: 'd', collection: 'c' }
  const c = new TestCollection(first, ns)
  const stream = await watch(first, ns)
  const begin = plain(stream.postBatchResumeToken)
  await c.insert([{ _id: 1 }, { _id: 2 }, { _id: 3 }])
  const batch = (await stream.next(10, 1e6, 0, never)).map((bytes) => decodeDoc(bytes))
  const time = batch[1]?.get('clusterTime')
  const events = batch.map((event) => plain(event) as Plain)
  t.same(plain(stream.postBatchResumeToken), events[2]?.['_id'])
  stream.close()
  await first.close()
  const engine = await openTestEngine(t, {}, folder)
  await new TestCollection(engine, ns).insert([{ _id: 4 }])
  const ids = async (options: Plain) =>
    (await told(await watch(engine, ns, { options }))).map(
      ({ documentKey }) => (documentKey as Plain)['_id']
    )
  t.same(await ids({ resumeAfter: events[0]?.['_id'] }), [2, 3, 4])
  t.same(await ids({ startAfter: events[2]?.['_id'] }), [4])
  t.same(await ids({ resumeAfter: begin }), [1, 2, 3, 4])
  t.same(await ids({ startAtOperationTime: time }), [2, 3, 4])
})

test('a stream sees a transaction when it commits and never an aborted one', async (t) => {
  const c = await openTestCollection(t)
  const stream = await watch(c.engine, c.ns)
  const run = async (txnNumber: bigint, end: 'commit' | 'abort') => {
    const id = { sessionId: 's', txnNumber }
    const transaction = c.engine.transactions.begin(id, { now: new Date() })
    await c.insert([{ _id: Number(txnNumber) }], contextOf({ transaction }))
    t.same(await told(stream), [])
    await c.engine.transactions[end](id, {})
    return kinds(await told(stream))
  }
  t.same(await run(1n, 'commit'), ['insert'])
  t.same(await run(2n, 'abort'), [])
})

test('a stream waits for the next event, and ends its wait by time or by signal', async (t) => {
  const c = await openTestCollection(t)
  const stream = await watch(c.engine, c.ns)
  const waiting = told(stream, 10_000)
  await c.insert([{ _id: 1 }])
  t.same(kinds(await waiting), ['insert'])
  t.same(await told(stream, 5), [])
  const stop = new AbortController()
  const stopped = stream.next(1, 1e6, 10_000, stop.signal)
  stop.abort()
  t.same(await stopped, [])
  t.same(await stream.next(1, 1e6, 10_000, AbortSignal.abort()), [])
})

test('batches keep to documents and bytes, and their token is that of the last one given', async (t) => {
  const c = await openTestCollection(t)
  const stream = await watch(c.engine, c.ns)
  await c.insert(Array.from({ length: 10 }, (_, i) => ({ _id: i, text: 'x'.repeat(1_000) })))
  t.equal((await stream.next(3, 1e6, 0, never)).length, 3)
  const token = plain(stream.postBatchResumeToken) as Plain
  const rest = await told(await watch(c.engine, c.ns, { options: { resumeAfter: token } }))
  t.equal(rest.length, 7)
  t.equal((await stream.next(10, 3_000, 0, never)).length, 2)
  t.equal((await stream.next(10, 1, 0, never)).length, 1)
  t.equal((await stream.next(0, 1, 10_000, never)).length, 0)
  t.equal((await stream.next(100, 1e6, 0, never)).length, 4)
})

test('a pipeline selects and shapes events, but not their tokens', async (t) => {
  const c = await openTestCollection(t)
  const stream = await watch(c.engine, c.ns, {
    pipeline: [
      { $match: { 'fullDocument.a': { $gt: 1 } } },
      { $project: { operationType: 1, a: '$fullDocument.a' } }
    ]
  })
  await c.insert([
    { _id: 1, a: 1 },
    { _id: 2, a: 2 }
  ])
  t.match(await told(stream), [{ operationType: 'insert', a: 2 }])
  const broken = await watch(c.engine, c.ns, { pipeline: [{ $project: { _id: 0 } }] })
  await c.insert([{ _id: 3 }])
  t.equal(await codeOf(() => told(broken)), 280)
  t.equal(await codeOf(() => watch(c.engine, c.ns, { pipeline: [{ $group: { _id: 1 } }] })), 20)
})

test('updateLookup adds the document as it is now', async (t) => {
  const c = await openTestCollection(t)
  await c.insert([
    { _id: 1, n: 1 },
    { _id: 2, n: 1 }
  ])
  const stream = await watch(c.engine, c.ns, { options: { fullDocument: 'updateLookup' } })
  await c.update({ _id: 1 }, { $inc: { n: 1 } })
  await c.update({ _id: 1 }, { $inc: { n: 1 } })
  await c.update({ _id: 2 }, { $inc: { n: 1 } })
  await c.delete({ _id: 2 })
  t.match(await told(stream), [
    { fullDocument: { _id: 1, n: 3 } },
    { fullDocument: { _id: 1, n: 3 } },
    { fullDocument: null },
    { operationType: 'delete' }
  ])
  await c.update({ _id: 1 }, { $inc: { n: 1 } })
  await c.engine.dropCollection(c.ns, contextOf())
  t.match((await told(stream))[0], { fullDocument: null })
})

test('events carry images before and after where the collection keeps them', async (t) => {
  const c = await openTestCollection(t)
  await c.engine.createCollection(
    c.ns,
    doc({ changeStreamPreAndPostImages: { enabled: true } }),
    contextOf()
  )
  await c.insert([{ _id: 1, n: 1 }])
  const stream = await watch(c.engine, c.ns, {
    options: { fullDocument: 'required', fullDocumentBeforeChange: 'required' }
  })
  await c.update({ _id: 1 }, { $inc: { n: 1 } })
  await c.update({ _id: 1 }, { n: 5 })
  await c.delete({ _id: 1 })
  t.match(await told(stream), [
    { fullDocument: { n: 2 }, fullDocumentBeforeChange: { n: 1 } },
    { fullDocument: { n: 5 }, fullDocumentBeforeChange: { n: 2 } },
    { fullDocumentBeforeChange: { n: 5 } }
  ])
  const plainCollection = new TestCollection(c.engine, { db: 'test', collection: 'plain' })
  await plainCollection.insert([{ _id: 1 }])
  const open = (options: Plain) => watch(c.engine, plainCollection.ns, { options })
  const streams = await Promise.all(
    [
      { fullDocument: 'required' },
      { fullDocumentBeforeChange: 'required' },
      { fullDocument: 'whenAvailable', fullDocumentBeforeChange: 'whenAvailable' }
    ].map(open)
  )
  await plainCollection.update({ _id: 1 }, { $set: { a: 1 } })
  const [after, before, available] = streams as [ChangeStream, ChangeStream, ChangeStream]
  t.equal(await codeOf(() => told(after)), 280)
  t.equal(await codeOf(() => told(before)), 280)
  t.match(await told(available), [{ fullDocument: null, fullDocumentBeforeChange: null }])
})

test('dropping or renaming the collection gives its event, then invalidate', async (t) => {
  const c = await openTestCollection(t)
  await c.insert([{ _id: 1 }])
  const stream = await watch(c.engine, c.ns)
  await c.engine.dropCollection(c.ns, contextOf())
  await c.insert([{ _id: 2 }])
  const events = await told(stream)
  t.same(kinds(events), ['drop', 'invalidate'])
  t.equal(stream.exhausted, true)
  t.same(await told(stream), [])
  const token = events[1]?.['_id']
  t.equal(await codeOf(() => watch(c.engine, c.ns, { options: { resumeAfter: token } })), 260)
  const again = await watch(c.engine, c.ns, { options: { startAfter: token } })
  t.same(kinds(await told(again)), ['insert'])
  const to = { db: 'test', collection: 'renamed' }
  await c.engine.renameCollection(c.ns, to, { dropTarget: false }, contextOf())
  const renamed = await told(again)
  t.same(kinds(renamed), ['rename', 'invalidate'])
  t.match(renamed[0], { ns: { coll: 'things' }, to: { db: 'test', coll: 'renamed' } })
})

test('a stream of a database or of all sees their collections', async (t) => {
  const c = await openTestCollection(t)
  const other = new TestCollection(c.engine, { db: 'other', collection: 'x' })
  const database = await watch(c.engine, { db: 'test', collection: '' })
  const all = await watch(
    c.engine,
    { db: '', collection: '' },
    { options: { showExpandedEvents: true } }
  )
  await c.insert([{ _id: 1 }])
  await other.insert([{ _id: 1 }])
  await c.engine.dropDatabase('test', contextOf())
  t.same(kinds(await told(database)), ['insert', 'drop', 'dropDatabase', 'invalidate'])
  t.equal(database.exhausted, true)
  t.same(kinds(await told(all)), ['create', 'insert', 'create', 'insert', 'drop', 'dropDatabase'])
  t.equal(all.exhausted, false)
})

test('what cannot be resumed from is refused', async (t) => {
  const c = await openTestCollection(t)
  const cases: [Plain, number][] = [
    [{ resumeAfter: { _data: 'zz' } }, 260],
    [{ resumeAfter: {} }, 260],
    [{ resumeAfter: 1 }, 14],
    [{ resumeAfter: { _data: `82${'0'.repeat(32)}00` } }, 286],
    [{ startAtOperationTime: new Timestamp({ t: 1, i: 1 }) }, 286],
    [{ startAtOperationTime: 5 }, 14],
    [{ resumeAfter: { _data: '82' }, startAfter: { _data: '82' } }, 40674],
    [{ fullDocument: 'nope' }, 2],
    [{ fullDocumentBeforeChange: 'nope' }, 2],
    [{ nope: 1 }, 40415]
  ]
  for (const [options, code] of cases)
    t.equal(await codeOf(() => watch(c.engine, c.ns, { options })), code, JSON.stringify(options))
})

test('a closed stream gives nothing more', async (t) => {
  const c = await openTestCollection(t)
  const stream = await watch(c.engine, c.ns)
  await c.insert([{ _id: 1 }])
  stream.close()
  stream.close()
  t.equal(stream.exhausted, true)
  t.same(await told(stream, 10_000), [])
})

test('the log is dropped after an hour without a stream', async (t) => {
  const c = await openTestCollection(t)
  const stream = await watch(c.engine, c.ns)
  await c.insert([{ _id: 1 }])
  const [event] = await told(stream)
  const token = event?.['_id']
  const later = new Date(Date.now() + UNUSED_MS + 60_000)
  await c.engine.sweepExpired(later)
  t.equal(
    await codeOf(() =>
      watch(c.engine, c.ns, { options: { resumeAfter: token } }).then((one) => one.close())
    ),
    undefined
  )
  stream.close()
  await c.engine.sweepExpired(later)
  t.equal(await codeOf(() => watch(c.engine, c.ns, { options: { resumeAfter: token } })), 286)
})

/** A log by itself, and how changes are committed to it. */
async function openLog(t: Cleaner, limits: LogLimits) {
  const environment = openEnvironment(join(await temporaryFolder(t), 'data.mdb'))
  t.teardown(() => environment.close())
  const open = () => new ChangeLog(environment.live, new ClusterClock(), limits)
  const log = open()
  const commit = async (act: (scope: LogScope) => void) => {
    const effects: (() => void)[] = []
    await environment.write((view) =>
      act({ view, afterCommit: (effect) => void effects.push(effect) })
    )
    for (const effect of effects) effect()
  }
  /** Logs one change for each name. */
  const tell = (names: readonly string[]) =>
    commit(({ view, afterCommit }) => {
      const draft = log.draft(view)
      for (const collection of names) draft.tellCatalog({ kind: 'create', db: 'd', collection })
      afterCommit(() => draft.publish())
    })
  /** How many commits pruning takes. */
  const prune = async (of = log) => {
    let commits = 0
    for (; of.hasTooMuch(new Date()); commits++)
      await commit((scope) => of.prune(scope, new Date()))
    return commits
  }
  await commit((scope) => log.turnOn(scope))
  return { log, open, commit, tell, prune }
}

test('a log that grows too long loses its oldest entries, and a stream that needs them gets an error', async (t) => {
  for (const limits of [
    { events: 3, bytes: 1e9 },
    { events: 1e9, bytes: 300 }
  ]) {
    const { log, open, tell, prune } = await openLog(t, limits)
    const stream = openChangeStream(
      log,
      { db: '', collection: '' },
      {
        request: { options: doc({ showExpandedEvents: true }), pipeline: [] },
        lookup: () => undefined
      },
      { now: new Date() }
    )
    await tell(['c0', 'c1', 'c2', 'c3', 'c4', 'c5'])
    await prune()
    t.ok(log.first > 1)
    t.ok(log.last - log.first < 5)
    t.equal(await codeOf(() => told(stream)), 286)
    const again = open()
    t.same([again.first, again.last, again.name], [log.first, log.last, log.name])
  }
})

test('a log that is too large is cut by many entries at once', async (t) => {
  const { log, tell, prune } = await openLog(t, { events: 1e9, bytes: 40_000 })
  await tell(Array.from({ length: 2_000 }, (_, i) => `c${i}`))
  t.ok((await prune()) < 5, 'each commit is one flush')
  t.ok(log.last - log.first > 100, 'what fits is kept')
})

test('a log that is opened again is as large as it was, whatever its last entry', async (t) => {
  const long = 'x'.repeat(200)
  const { open, tell, prune } = await openLog(t, { events: 1e9, bytes: 40_000 })
  await tell([...Array.from({ length: 100 }, () => 'c'), long.repeat(20)])
  t.equal(await prune(open()), 0, 'small ones and a large one')
  await tell([...Array.from({ length: 300 }, () => long), 'c'])
  t.ok((await prune(open())) > 0, 'large ones and a small one')
})

test('a stream opened just when the log is dropped sees what follows', async (t) => {
  const { log, commit, tell } = await openLog(t, { events: 1e9, bytes: 1e9 })
  const later = new Date(Date.now() + UNUSED_MS + 60_000)
  await commit((scope) => {
    log.prune(scope, later)
    log.turnOn(scope)
  })
  const before = log.last
  await tell(['c'])
  t.equal(log.last, before + 1)
  t.equal(log.read(before, 10).length, 1)
})

test('a stream that starts at the time of the last write tells that write and all that follow', async (t) => {
  const c = await openTestCollection(t)
  ;(await watch(c.engine, c.ns)).close()
  for (let _id = 0; _id < 20; _id++) await c.insert([{ _id }])
  const time = c.engine.clock.current
  for (let _id = 20; _id < 25; _id++) await c.insert([{ _id }])
  const stream = await watch(c.engine, c.ns, { options: { startAtOperationTime: time } })
  t.same(
    (await told(stream)).map(({ documentKey }) => (documentKey as Plain)['_id']),
    [19, 20, 21, 22, 23, 24]
  )
  const later = await watch(c.engine, c.ns, {
    options: { startAtOperationTime: c.engine.clock.tick() }
  })
  t.same(await told(later), [])
})

test('a stream that lets nothing through gets on in parts, and others have their turn', async (t) => {
  const c = await openTestCollection(t)
  const stream = await watch(c.engine, c.ns, {
    pipeline: [{ $match: { 'fullDocument.wanted': true } }]
  })
  await c.insert(Array.from({ length: 6_000 }, (_, _id) => ({ _id, text: 'x'.repeat(200) })))
  await c.insert([{ _id: 'last', wanted: true }])
  let turns = 0
  const counting = setInterval(() => turns++, 1)
  const found: Plain[] = []
  while (found.length === 0) found.push(...(await told(stream)))
  clearInterval(counting)
  t.match(found, [{ fullDocument: { _id: 'last' } }])
  t.ok(turns > 1)
})

test('a stream sees a write that was not answered yet when it was opened', async (t) => {
  const engine = await openTestEngine(t, { slowerFlushMs: 20 })
  const c = new TestCollection(engine, { db: 'test', collection: 'things' })
  await c.insert([{ _id: 0 }])
  const ids = async (stream: ChangeStream) => {
    const events = await told(stream, 2_000)
    return events.map(({ documentKey }) => (documentKey as Plain)['_id'])
  }
  // The first stream turns the log on, the second finds it on.
  for (const round of [1, 2]) {
    const order: string[] = []
    const flushed = c.insert([{ _id: `flushed ${round}` }]).then(() => order.push('write'))
    await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setImmediate(resolve))
    const waiting = c.insert([{ _id: `waiting ${round}` }])
    order.push('stream')
    const stream = await watch(engine, c.ns)
    await Promise.all([flushed, waiting])
    t.same(order, ['stream', 'write'])
    t.same(await ids(stream), [`flushed ${round}`, `waiting ${round}`])
    await c.insert([{ _id: `later ${round}` }])
    t.same(await ids(stream), [`later ${round}`])
  }
})

test('a stream does not see a write that was answered before it was opened', async (t) => {
  const c = await openTestCollection(t)
  await c.insert([{ _id: 1 }])
  const first = await watch(c.engine, c.ns)
  await c.insert([{ _id: 2 }])
  const second = await watch(c.engine, c.ns)
  t.same(kinds(await told(first)), ['insert'])
  t.same(await told(second), [])
})

test('expanded events tell of indexes and options, with the id of their collection', async (t) => {
  const c = await openTestCollection(t)
  await c.insert([{ _id: 1 }])
  const [found] = c.engine.listCollections('test')
  const uuid = Buffer.from(found?.uuid ?? []).toString('hex')
  const plainStream = await watch(c.engine, c.ns)
  const stream = await watch(c.engine, c.ns, { options: { showExpandedEvents: true } })
  await c.index({ a: 1 })
  await c.engine.collMod(c.ns, doc({ index: { name: 'a_1', hidden: true } }), contextOf())
  await c.engine.dropIndexes(c.ns, 'a_1', contextOf())
  await c.insert([{ _id: 2 }])
  const batch = await stream.next(1_000, 16e6, 0, never)
  const events = batch.map((bytes) => decodeDoc(bytes))
  t.same(
    events.map((event) => event.get('operationType')),
    ['createIndexes', 'modify', 'dropIndexes', 'insert']
  )
  for (const event of events) {
    const id = event.get('collectionUUID') as Binary
    t.equal(Buffer.from(id.buffer).toString('hex'), uuid)
  }
  const index = { v: 2, key: { a: 1 }, name: 'a_1' }
  const operations = events.map((event) => plain(event.get('operationDescription')))
  t.same(operations.slice(0, 3), [
    { indexes: [index] },
    { index: { name: 'a_1', hidden: true } },
    { indexes: [{ ...index, hidden: true }] }
  ])
  const plainEvents = await told(plainStream)
  t.same(kinds(plainEvents), ['insert'])
  t.notOk('collectionUUID' in (plainEvents[0] as Plain))
})

test('expanded updates say which numbers of a path are places in arrays', async (t) => {
  const c = await openTestCollection(t)
  await c.insert([{ _id: 1, a: { 1: 1 }, b: [{ 1: 1 }], c: 1 }])
  const stream = await watch(c.engine, c.ns, { options: { showExpandedEvents: true } })
  const other = await watch(c.engine, c.ns)
  await c.update({ _id: 1 }, { $set: { 'a.1': 2, 'b.0.1': 2 } })
  await c.update({ _id: 1 }, { $set: { c: 2 } })
  const paths = (await told(stream)).map(
    ({ updateDescription }) => (updateDescription as Plain)['disambiguatedPaths']
  )
  t.same(paths, [{ 'a.1': ['a', '1'], 'b.0.1': ['b', 0, '1'] }, {}])
  const [event] = await told(other)
  const { updateDescription } = event as { updateDescription: Plain }
  t.notOk('disambiguatedPaths' in updateDescription)
})

test('an unknown stage and one that streams do not allow have different codes', async (t) => {
  const c = await openTestCollection(t)
  const code = (stage: Plain) => codeOf(() => watch(c.engine, c.ns, { pipeline: [stage] }))
  t.equal(await code({ $nope: {} }), 40_324)
  t.equal(await code({ $group: { _id: 1 } }), 20)
})
