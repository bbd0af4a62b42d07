// Retryable writes: a repeat answers as the first time and does nothing, also after opening again.
import { test } from 'tap'
import { doc, plain } from '../bson/arbitrary-values.test.data.ts'
import type { Engine } from '../engine.ts'
import { RETRY_LIFETIME_MS } from '../storage/retry-log.ts'
import { openEngine } from './open.ts'
import {
  type Cleaner,
  codeOf,
  contextOf,
  openTestEngine,
  TestCollection,
  temporaryFolder,
  updateStatement
} from './open-engine.test.data.ts'

const retry = (txnNumber: bigint, more = {}) =>
  contextOf({ retry: { sessionId: 's', txnNumber, ...more } })

async function open(t: Cleaner, folder?: string) {
  return new TestCollection(await openTestEngine(t, {}, folder), { db: 'd', collection: 'c' })
}

test('a repeated insert, update and delete answer as before and do nothing', async (t) => {
  const c = await open(t)
  t.match(await c.insert([{ _id: 1 }, { _id: 2 }], retry(1n)), { n: 2, retriedStatementIds: [] })
  t.match(await c.insert([{ _id: 1 }, { _id: 2 }], retry(1n)), {
    n: 2,
    writeErrors: [],
    retriedStatementIds: [0, 1]
  })
  for (const repeated of [false, true]) {
    const result = await c.update({ _id: 1 }, { $inc: { n: 1 } }, {}, retry(2n))
    t.match(result, { n: 1, nModified: 1, retriedStatementIds: repeated ? [0] : [] })
  }
  for (let i = 0; i < 2; i++) t.match(await c.delete({}, { single: true }, retry(3n)), { n: 1 })
  t.equal(await c.count(), 1)
})

test('only the statements that were done are not done again', async (t) => {
  const c = await open(t)
  const update = (id: number) => updateStatement({ _id: id }, { $inc: { n: 1 } }, { upsert: true })
  const run = (updates: ReturnType<typeof update>[], statementIds: number[]) =>
    c.engine.update(c.ns, { updates, ordered: true }, retry(5n, { statementIds }))
  await run([update(1)], [3])
  const { n, upserted, retriedStatementIds } = await run([update(1), update(2)], [3, 4])
  t.equal(n, 2)
  t.same(
    upserted.map(({ index, _id }) => [index, plain(_id)]),
    [
      [0, 1],
      [1, 2]
    ]
  )
  t.same(retriedStatementIds, [3])
  t.same(await c.find(), [
    { _id: 1, n: 1 },
    { _id: 2, n: 1 }
  ])
})

test('a failed statement is tried again', async (t) => {
  const c = await open(t)
  await c.insert([{ _id: 1 }])
  t.equal((await c.insert([{ _id: 1 }], retry(1n))).writeErrors.length, 1)
  await c.delete({})
  t.match(await c.insert([{ _id: 1 }], retry(1n)), { n: 1, writeErrors: [] })
})

test('an older number than the session’s last is refused with 225', async (t) => {
  const c = await open(t)
  await c.insert([{ _id: 1 }], retry(7n))
  t.equal(await codeOf(() => c.insert([{ _id: 2 }], retry(6n))), 225)
})

test('findAndModify answers with the same document after opening again', async (t) => {
  const folder = await temporaryFolder(t)
  const first = await openEngine(folder)
  const c = new TestCollection(first, { db: 'd', collection: 'c' })
  const options = { update: doc({ $inc: { n: 10 } }), upsert: true, returnNew: true }
  const before = await c.modify({ _id: 1 }, options, retry(9n))
  t.match(before, { value: { _id: 1, n: 10 }, retried: false })
  const none = await c.modify(
    { _id: 5 },
    { remove: true },
    contextOf({ retry: { sessionId: 'x', txnNumber: 1n } })
  )
  await first.close()
  const again = await open(t, folder)
  t.same(await again.modify({ _id: 1 }, options, retry(9n)), { ...before, retried: true })
  t.same(
    await again.modify(
      { _id: 5 },
      { remove: true },
      contextOf({ retry: { sessionId: 'x', txnNumber: 1n } })
    ),
    { ...none, retried: true }
  )
  t.same(await again.find(), [{ _id: 1, n: 10 }])
})

test('a command of very many statements is repeated as one of few, also after opening again', async (t) => {
  const folder = await temporaryFolder(t)
  const first = await openEngine(folder)
  const c = new TestCollection(first, { db: 'd', collection: 'c' })
  const updates = Array.from({ length: 3_000 }, (_, _id) =>
    updateStatement({ _id }, { $inc: { n: 1 } }, { upsert: _id % 3 > 0 })
  )
  const run = (engine: Engine) =>
    engine.update(c.ns, { updates, ordered: true }, retry(4n, { firstStatementId: 10 }))
  const before = await run(first)
  t.match(before, { n: 2_000, nModified: 0, retriedStatementIds: [] })
  t.equal(before.upserted.length, 2_000)
  await first.close()
  const again = await open(t, folder)
  const repeated = await run(again.engine)
  t.same(
    repeated.retriedStatementIds,
    updates.map((_, index) => index + 10)
  )
  t.same({ ...repeated, retriedStatementIds: [] }, before)
  t.same(await again.find({ n: { $ne: 1 } }), [])
  await again.insert([{ _id: 'x' }], retry(5n))
  t.equal(await codeOf(() => run(again.engine)), 225)
  t.match(await again.insert([{ _id: 'x' }], retry(5n)), { retriedStatementIds: [0] })
})

test('records are kept for half an hour after their last use', async (t) => {
  const c = await open(t)
  await c.insert([{ _id: 1 }], retry(1n))
  await c.engine.sweepExpired(new Date())
  t.match(await c.insert([{ _id: 1 }], retry(1n)), { n: 1 })
  await c.engine.sweepExpired(new Date(Date.now() + RETRY_LIFETIME_MS + 60_000))
  t.match(await c.insert([{ _id: 1 }], retry(1n)), { n: 0 })
})
