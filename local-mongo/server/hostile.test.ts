// Mutated commands of every kind: each is answered or costs its connection, and the server goes on.
import fc from 'fast-check'
import { BSON, Long } from 'mongodb'
import { test } from 'tap'
import { rawConnection, rawMessage, startTestServer } from './test-server.fixture.ts'

const lsid = { id: new BSON.Binary(Buffer.alloc(16, 3), 4) }
const COMMANDS: readonly BSON.Document[] = [
  { hello: 1, $db: 'admin' },
  { insert: 'c', documents: [{ _id: 1, a: [1, { b: 'x' }] }], ordered: true, $db: 'd' },
  { find: 'c', filter: { a: { $in: [1, 'x', /y/] } }, sort: { a: -1 }, limit: 3, $db: 'd' },
  { find: 'c', projection: { a: { $slice: 1 } }, lsid, txnNumber: Long.ONE, $db: 'd' },
  { update: 'c', updates: [{ q: { _id: 1 }, u: { $push: { a: { $each: [1] } } } }], $db: 'd' },
  { delete: 'c', deletes: [{ q: { a: { $gt: 5 } }, limit: 1 }], $db: 'd' },
  { findAndModify: 'c', query: {}, update: [{ $set: { b: '$a' } }], new: true, $db: 'd' },
  { aggregate: 'c', pipeline: [{ $match: { a: 1 } }, { $count: 'n' }], cursor: {}, $db: 'd' },
  { createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a_1', sparse: true }], $db: 'd' },
  { getMore: Long.fromNumber(5), collection: 'c', $db: 'd' },
  { explain: { find: 'c', filter: { a: 1 } }, verbosity: 'executionStats', $db: 'd' },
  {
    bulkWrite: 1,
    ops: [{ insert: 0, document: { a: 1 } }],
    nsInfo: [{ ns: 'd.c' }],
    $db: 'admin'
  },
  { listCollections: 1, filter: { name: 'c' }, $db: 'd' },
  { abortTransaction: 1, lsid, txnNumber: Long.ONE, autocommit: false, $db: 'admin' }
]
const FRAMES = COMMANDS.map((command) => rawMessage(command))

/** Some bytes of a command's message replaced; its declared length stays true. */
const mutated = fc
  .tuple(
    fc.nat(FRAMES.length - 1),
    fc.array(fc.tuple(fc.nat(10_000), fc.nat(255)), { minLength: 1, maxLength: 4 })
  )
  .map(([which, changes]) => {
    const frame = Buffer.from(FRAMES[which] ?? [])
    for (const [at, byte] of changes) frame[20 + (at % (frame.length - 20))] = byte
    return frame
  })

test('mutated commands are answered or cost their connection, nothing else', async (t) => {
  const { port, db, events } = await startTestServer(t)
  await fc.assert(
    fc.asyncProperty(fc.array(mutated, { minLength: 10, maxLength: 10 }), async (frames) => {
      for (const frame of frames) {
        const raw = await rawConnection(t, port)
        raw.write(frame)
        const outcome = await Promise.race([raw.reply().catch(() => 'closed'), raw.closed])
        raw.socket.destroy()
        if (Buffer.isBuffer(outcome)) BSON.deserialize(outcome.subarray(21))
      }
      return (await db.command({ ping: 1 }))['ok'] === 1
    }),
    { numRuns: 40 }
  )
  t.same(
    events.filter(({ message }) => message === 'a command broke'),
    []
  )
})

test('documents nested deeper than any can be are refused', async (t) => {
  const { port } = await startTestServer(t)
  const levels = 20_000
  const deep = Buffer.alloc(8 * levels + 5)
  for (let level = 0; level < levels; level++) {
    deep.writeInt32LE(deep.length - 8 * level, 7 * level)
    deep[7 * level + 4] = 3
    deep.write('a', 7 * level + 5)
  }
  deep.writeInt32LE(5, 7 * levels)
  const raw = await rawConnection(t, port)
  raw.write(rawMessage(deep))
  t.match(BSON.deserialize((await raw.reply()).subarray(21)), { ok: 0 })
})
