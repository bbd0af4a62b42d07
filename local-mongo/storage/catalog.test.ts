// The catalog: what is saved, what an undone transaction leaves, and the flags of indexes.
import { join } from 'node:path'
import { test } from 'tap'
import { doc } from '../bson/arbitrary-values.test.data.ts'
import { type Cleaner, temporaryFolder } from '../engine/open-engine.test.data.ts'
import { type Catalog, type Collection, openCatalog, prepareCollection } from './catalog.ts'
import { openCounts } from './counts.ts'
import { type Environment, openEnvironment } from './environment.ts'
import { openFormat } from './format.ts'
import { prepareIndex } from './index-definition.ts'
import { PLAIN_LAYOUT } from './index-layout.ts'
import { FIRST_FREE_TREE, TREE, treeKey } from './tree-keys.ts'
import type { WriteView } from './view.ts'

function newCollection(id: number, name: string): Collection {
  const spec = doc({ v: 2, key: { a: 1, b: -1 }, name: 'a_1_b_-1' })
  const flags = { arrays: [false, false], isExact: true, isPlain: true }
  return prepareCollection({
    id,
    slot: undefined,
    db: 'd',
    name,
    uuid: Buffer.alloc(16, 3),
    options: doc({ comment: 'x' }),
    indexes: [prepareIndex({ id: id + 1, spec, flags, layout: PLAIN_LAYOUT, isReady: true })],
    hasExactIds: true
  })
}

async function change(
  environment: Environment,
  catalog: Catalog,
  act: (draft: ReturnType<Catalog['draft']>, view: WriteView) => void
): Promise<void> {
  const draft = await environment.write((view) => {
    const open = catalog.draft(view)
    act(open, view)
    open.finish()
    return open
  })
  catalog.publish(draft)
}

async function openTest(t: Cleaner) {
  const environment = openEnvironment(join(await temporaryFolder(t), 'data.mdb'))
  t.teardown(() => environment.close())
  return { environment, catalog: openCatalog(environment.live) }
}

test('a collection is there after its draft is published and after opening again', async (t) => {
  const { environment, catalog } = await openTest(t)
  await change(environment, catalog, (draft) => {
    const id = draft.newTree()
    draft.newTree()
    draft.put(newCollection(id, 'c'))
    t.equal(draft.find('d', 'c')?.name, 'c', 'the draft sees it')
    t.equal(catalog.find('d', 'c'), undefined, 'others do not')
  })
  for (const one of [catalog, openCatalog(environment.live)]) {
    const found = one.find('d', 'c')
    t.equal(found?.id, FIRST_FREE_TREE)
    t.same([...(found?.uuid ?? [])], [...Buffer.alloc(16, 3)])
    t.equal(found?.indexes[0]?.name, 'a_1_b_-1')
    t.same(found?.indexes[0]?.parts, [
      { path: 'a', direction: 1 },
      { path: 'b', direction: -1 }
    ])
    t.equal(found?.idIndex.isOnId, true)
    t.equal(found?.isBuilding, false)
  }
})

test('a removed collection is gone, also after opening again', async (t) => {
  const { environment, catalog } = await openTest(t)
  await change(environment, catalog, (draft) => draft.put(newCollection(draft.newTree(), 'c')))
  const collection = catalog.find('d', 'c')
  await change(environment, catalog, (draft) => draft.remove(collection as Collection))
  t.equal(catalog.find('d', 'c'), undefined)
  t.equal(openCatalog(environment.live).state.size, 0)
})

test('tree numbers are never given twice, whether saved or not', async (t) => {
  const { environment, catalog } = await openTest(t)
  const first = catalog.newTree()
  await change(environment, catalog, (draft) => {
    t.equal(draft.newTree(), first + 1)
  })
  t.equal(catalog.newTree(), first + 2)
  t.equal(openCatalog(environment.live).newTree(), first + 2, 'what was committed is not reused')
})

test('flags of an index are saved with the next commit, also when a transaction was undone', async (t) => {
  const { environment, catalog } = await openTest(t)
  await change(environment, catalog, (draft) => draft.put(newCollection(draft.newTree(), 'c')))
  const collection = catalog.find('d', 'c') as Collection
  const index = collection.indexes[0]
  if (index === undefined) throw new Error('no index')
  catalog.markIndex(collection, index, { arrays: [false, true], exact: true, plain: false })
  await t.rejects(
    environment.write((view) => {
      catalog.draft(view).finish()
      throw new Error('undone')
    })
  )
  await change(environment, catalog, () => undefined)
  catalog.markIndex(collection, collection.idIndex, { arrays: [], exact: false, plain: true })
  catalog.markIndex(collection, index, { arrays: [false, true], exact: true, plain: false })
  await change(environment, catalog, () => undefined)
  const again = openCatalog(environment.live).find('d', 'c')
  t.same(again?.indexes[0]?.flags, { arrays: [false, true], isExact: true, isPlain: false })
  t.equal(again?.idIndex.flags.isExact, false)
})

test('flags that are set in the transaction that makes the collection are saved too', async (t) => {
  const { environment, catalog } = await openTest(t)
  await change(environment, catalog, (draft) => {
    const collection = newCollection(draft.newTree(), 'c')
    draft.put(collection)
    const [index] = collection.indexes
    if (index !== undefined)
      catalog.markIndex(collection, index, { arrays: [true, false], exact: false, plain: true })
  })
  const again = openCatalog(environment.live).find('d', 'c')
  t.same(again?.indexes[0]?.flags, { arrays: [true, false], isExact: false, isPlain: true })
})

test('flags of a collection that was dropped meanwhile are forgotten', async (t) => {
  const { environment, catalog } = await openTest(t)
  await change(environment, catalog, (draft) => draft.put(newCollection(draft.newTree(), 'c')))
  const collection = catalog.find('d', 'c') as Collection
  catalog.markIndex(collection, collection.idIndex, { arrays: [], exact: false, plain: true })
  await change(environment, catalog, (draft) => draft.remove(collection))
  t.equal(openCatalog(environment.live).state.size, 0)
})

test('counts are exact after publishing and after opening again', async (t) => {
  const { environment } = await openTest(t)
  const counts = openCounts(environment.live)
  const draft = counts.draft()
  draft.add(70, 2, 100)
  draft.add(70, -1, -40)
  draft.add(71, 5, 5)
  t.same(draft.of(70), { documents: 1, bytes: 60 })
  t.same(counts.of(70), { documents: 0, bytes: 0 })
  await environment.write((view) => draft.finish(view))
  counts.publish(draft)
  const second = counts.draft()
  second.forget(71)
  await environment.write((view) => second.finish(view))
  counts.publish(second)
  for (const one of [counts, openCounts(environment.live)]) {
    t.same(one.of(70), { documents: 1, bytes: 60 })
    t.same(one.of(71), { documents: 0, bytes: 0 })
  }
})

test('a folder of a later format is refused', async (t) => {
  const { environment } = await openTest(t)
  await openFormat(environment)
  await openFormat(environment)
  await environment.write((view) =>
    view.put(treeKey(TREE.settings, Buffer.from('format')), Buffer.from('99'))
  )
  await t.rejects(openFormat(environment), { code: 12, message: /format 99.*reads format 2/ })
})
