// Of which collection the dictionary learns, and that an engine learns while it is written to.
import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { serialize } from 'bson'
import { test } from 'tap'
import { doc } from '../bson/arbitrary-values.test.data.ts'
import { openEngine } from '../engine/open.ts'
import { contextOf, TestCollection, temporaryFolder } from '../engine/open-engine.test.data.ts'
import { type Collection, prepareCollection } from './catalog.ts'
import { openEnvironment } from './environment.ts'
import { learnOne, worthLearning } from './learning.ts'
import { treeKey } from './tree-keys.ts'

const key = (text: string) => Buffer.from(text)

const collectionOf = (id: number): Collection =>
  prepareCollection({
    id,
    slot: undefined,
    db: 'd',
    name: `c${id}`,
    uuid: Buffer.alloc(16),
    options: doc({}),
    indexes: [],
    hasExactIds: true
  })

test('the largest collection that is not known yet is worth learning', (t) => {
  const sizes = new Map([
    [70, { documents: 1_000, bytes: 300_000 }],
    [71, { documents: 5_000, bytes: 900_000 }],
    [72, { documents: 20, bytes: 9_000_000 }],
    [73, { documents: 9_000, bytes: 10_000 }]
  ])
  const collections = [...sizes.keys()].map(collectionOf)
  const countOf = (id: number) => sizes.get(id) ?? { documents: 0, bytes: 0 }
  const next = (...learned: number[]) => worthLearning(collections, countOf, new Set(learned))?.id
  t.equal(next(), 71)
  t.equal(next(71), 70)
  t.equal(next(70, 71), undefined, 'few documents tell too much, small ones are not worth it')
  sizes.set(73, { documents: 9_000, bytes: 9_000 * 250_000 })
  t.equal(next(70, 71), undefined, 'large ones have little in common and take long to read')
  t.end()
})

test('a collection with a few documents that are far larger than the others is not read for it', async (t) => {
  const environment = openEnvironment(join(await temporaryFolder(t), 'data.mdb'))
  t.teardown(() => environment.close())
  const collection = collectionOf(70)
  const store = (count: number, size: number) =>
    environment.write((view) => {
      const bytes = serialize({ kind: 'event', text: 'x'.repeat(size) })
      for (let n = 0; n < count; n++) view.put(treeKey(collection.tree, Buffer.of(n)), bytes)
    })
  const learn = () =>
    learnOne(environment, [collection], () => ({ documents: 10_000, bytes: 10e6 }))
  await store(10, 2_000_000)
  await learn()
  await environment.write((view) => view.put(key('a'), key('b')))
  t.equal(environment.learned()?.size, 1, 'it is not looked at again')
})

test('an engine learns what documents have in common, and takes less for those that come', async (t) => {
  const folder = await temporaryFolder(t)
  const engine = await openEngine(folder)
  const c = new TestCollection(engine, { db: 'd', collection: 'events' })
  const batch = (from: number) =>
    Array.from({ length: 500 }, (_, n) => ({
      _id: from + n,
      tenantId: 'acme',
      kind: 'event',
      name: 'page.viewed',
      attributes: { plan: 'free', country: 'de', source: 'search', own: randomUUID() },
      description: 'the same words in every one of these documents, as it is with real ones'
    }))
  for (let from = 0; from < 5_000; from += 500) await c.insert(batch(from))
  t.equal(await engine.count(c.ns, { filter: doc({}) }, contextOf()), 5_000)
  t.ok((await engine.check()).ok)
  await engine.close()
  const environment = openEnvironment(join(folder, 'data.mdb'))
  t.teardown(() => environment.close())
  t.equal(environment.learned()?.size, 1)
  const { size } = await stat(join(folder, 'data.mdb'))
  t.ok(size < 5_000 * serialize(batch(0)[0] ?? {}).length, 'smaller than the documents are')
})
