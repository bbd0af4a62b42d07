// syncCollections: the collections of a manifest on a database without the kernel, and with it later.
import { type Manifest, syncCollections } from '@keelson/sdk'
import { readIndexes } from '@keelson/sdk/storage'
import { test } from 'tap'
import { planStorage } from './plan.ts'
import { openTestDatabase, type TestDatabase } from './testing/test-database.ts'

const manifest = {
  manifestVersion: 1,
  id: 'alpha-x',
  name: 'Alpha',
  version: '1.0.0',
  kernel: '*',
  description: 'For tests.',
  license: 'MIT',
  collections: [
    {
      name: 'alpha_x',
      indexes: [
        { name: 'by_key', keys: { key: 1 }, unique: true },
        { name: 'expiry', keys: { expiresAt: 1 }, ttlSeconds: 60 }
      ],
      payloadIndexBudget: 1
    },
    { name: 'alpha_x_work', indexes: [] }
  ],
  queues: [{ name: 'work', collection: 'alpha_x_work' }]
} satisfies Manifest

const payload = (field: string) => ({ name: `attr_${field}`, keys: { [field]: 1 as const } })

async function indexNames({ db }: TestDatabase, collection: string) {
  return (await readIndexes(db, collection)).map(({ name }) => name).sort()
}

test('collections, indexes and those of queues are made, and a kernel finds nothing left to do', async (t) => {
  const database = await openTestDatabase(t)
  await syncCollections(database.db, manifest)
  t.same(await indexNames(database, 'alpha_x'), ['_id_', 'by_key', 'expiry'])
  t.same(await indexNames(database, 'alpha_x_work'), ['_id_', 'keelson_due'])
  const plan = await planStorage(database.db, [{ manifest, migrations: {} }])
  t.same([plan.steps, plan.unrecorded.size], [[], 0])
})

test('new collections take one write of records, and one command each', async (t) => {
  const database = await openTestDatabase(t)
  const before = database.commands.length
  await syncCollections(database.db, manifest)
  const commands = database.commands.slice(before).map(({ command }) => command)
  const made = ['createIndexes', 'createIndexes']
  t.same(commands.sort(), [...made, 'find', 'listCollections', 'update'])
})

test('a second sync writes nothing', async (t) => {
  const database = await openTestDatabase(t)
  await syncCollections(database.db, manifest)
  const before = database.commands.length
  await syncCollections(database.db, manifest)
  const commands = new Set(database.commands.slice(before).map(({ command }) => command))
  t.same([...commands].sort(), ['find', 'listCollections', 'listIndexes'])
})

test('a prefix takes the place of the declared one, also where it ends in an underscore', async (t) => {
  const database = await openTestDatabase(t)
  await syncCollections(database.db, manifest, { prefix: 'shop' })
  const withUnderscore = {
    ...manifest,
    collectionPrefix: 'alpha_x_',
    collections: manifest.collections.slice(1)
  }
  await syncCollections(database.db, withUnderscore, { prefix: 'own' })
  const listed = await database.db.listCollections().toArray()
  t.same(listed.map(({ name }) => name).sort(), ['keelson_indexes', 'ownwork', 'shop', 'shop_work'])
  t.same(await indexNames(database, 'shop_work'), ['_id_', 'keelson_due'])
})

test('indexes of user configuration are exactly those given', async (t) => {
  const database = await openTestDatabase(t)
  const options = { prefix: 'shop' }
  await syncCollections(database.db, manifest, { ...options, payload: { alpha_x: [payload('a')] } })
  t.same(await indexNames(database, 'shop'), ['_id_', 'attr_a', 'by_key', 'expiry'])
  await syncCollections(database.db, manifest, { ...options, payload: { alpha_x: [payload('b')] } })
  t.same(await indexNames(database, 'shop'), ['_id_', 'attr_b', 'by_key', 'expiry'])
})

test('what was removed from the manifest is hidden first and dropped by the next version', async (t) => {
  const database = await openTestDatabase(t)
  await syncCollections(database.db, manifest)
  const fewer = { ...manifest, collections: [{ name: 'alpha_x', indexes: [] }], queues: [] }
  await syncCollections(database.db, fewer)
  t.ok((await readIndexes(database.db, 'alpha_x')).slice(1).every(({ hidden }) => hidden === true))
  await syncCollections(database.db, { ...fewer, version: '99.0.0' })
  t.same(await indexNames(database, 'alpha_x'), ['_id_'])
})

test('what is wrong is refused before anything is made', async (t) => {
  const database = await openTestDatabase(t)
  const { db } = database
  const broken = { ...manifest, collections: [{ name: 'alpha_x', indexes: [{ name: 'x' }] }] }
  await t.rejects(syncCollections(db, broken), {
    code: 'KRN_COLLECTIONS_INVALID',
    message: /alpha-x: \/collections\/0\/indexes\/0/
  })
  await t.rejects(syncCollections(db, manifest, { payload: { other: [] } }), {
    code: 'KRN_COLLECTIONS_INVALID',
    message: /does not declare "other"/
  })
  await t.rejects(
    syncCollections(db, manifest, { payload: { alpha_x: [payload('a'), payload('b')] } }),
    { code: 'KRN_PAYLOAD_BUDGET' }
  )
  t.same(await db.listCollections().toArray(), [])
})
