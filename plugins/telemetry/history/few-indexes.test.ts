// The two states of the indexes of rows, and which reads the few serve.
import { test } from 'tap'
import { areFewEnough, createFewIndexes, isServedByFew, MOST_SCANNED } from './few-indexes.ts'

const logger = { info: () => {}, warn: () => {}, error: () => {} }

test('indexes are few where records are sealed and all others can be mirrored', async (t) => {
  const hot = { isSealing: true, rows: 200, mirrorRows: 200 }
  t.equal(areFewEnough(hot), true)
  t.equal(areFewEnough({ ...hot, rows: 201 }), false)
  t.equal(areFewEnough({ ...hot, isSealing: false }), false)
  t.equal(areFewEnough({ ...hot, rows: 1, mirrorRows: 0 }), false)
  t.equal(areFewEnough({ ...hot, rows: 0, mirrorRows: 0 }), false, 'of a new database')
})

test('the few serve traces, the people of a tenant, and pages in order of time', async (t) => {
  const time = { occurredAt: { $gte: new Date(0) } }
  const cases = [
    [{ traceId: 'a' }, 'groups', true],
    [{ tenantId: 'a', subjectKeys: 'user:1', ...time }, 'groups', true],
    [{ subjectKeys: 'user:1', ...time }, 'page', false],
    [{ tenantId: 'a', ...time }, 'page', true],
    [{ ...time, $or: [{ _id: 1 }] }, 'page', true],
    [{ ...time }, 'groups', false],
    [{ tenantId: 'a', name: 'b', ...time }, 'page', false],
    [{ tenantId: 'a', 'error.fingerprint': 'b', ...time }, 'page', false]
  ] as const
  for (const [filter, reading, isServed] of cases) {
    t.equal(isServedByFew(filter, reading), isServed, JSON.stringify([filter, reading]))
  }
})

test('documents are looked through while they are few, and indexes are built again when they are too many', async (t) => {
  let rows = 0
  let now = 0
  const applied: boolean[] = []
  let isBuilt = () => {}
  const built = new Promise<void>((resolve) => {
    isBuilt = resolve
  })
  const indexes = createFewIndexes({
    isSealing: true,
    mirrorRows: 20_000,
    count: async () => rows,
    logger,
    elapsed: () => now
  })
  const filter = { name: 'a' }
  t.equal(await indexes.serve(filter, 'page'), true, 'all indexes are there at first')
  await indexes.choose(async (areFew) => {
    applied.push(areFew)
    if (!areFew) isBuilt()
  })
  t.same([indexes.areFew, applied], [true, [true]])
  t.equal(await indexes.serve(filter, 'page'), true)
  rows = MOST_SCANNED + 1
  t.equal(await indexes.serve(filter, 'page'), true, 'counted a moment ago')
  now += 60_000
  t.equal(await indexes.serve(filter, 'page'), false)
  t.equal(await indexes.serve({ traceId: 'a' }, 'page'), true)
  rows = 20_001
  now += 60_000
  await indexes.serve(filter, 'page')
  await built
  await indexes.serve(filter, 'page')
  t.same(applied, [true, false], 'once')
  t.equal(indexes.areFew, false)
  t.equal(await indexes.serve(filter, 'page'), true)
})
