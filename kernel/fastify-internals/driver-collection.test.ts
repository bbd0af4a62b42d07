// What the kernel relies on in the MongoDB driver: one object per call, and no methods it does not know.
import { Collection, type Document, MongoClient } from 'mongodb'
import { test } from 'tap'
import { guardCollection, REFUSED_METHODS } from './driver-collection.ts'

/** Methods and accessors that a guarded collection keeps. Read the driver's notes before adding one. */
const KEPT = [
  'aggregate bsonOptions bulkWrite collectionName constructor count countDocuments dbName',
  'deleteMany deleteOne distinct estimatedDocumentCount find findOne findOneAndDelete',
  'findOneAndReplace findOneAndUpdate fullNamespace hint indexExists indexInformation indexes',
  'initializeOrderedBulkOp initializeUnorderedBulkOp insertMany insertOne isCapped listIndexes',
  'listSearchIndexes namespace options readConcern readPreference replaceOne timeoutMS updateMany',
  'updateOne watch writeConcern'
].flatMap((line) => line.split(' '))

// Never connected: commands go no further than these tests look.
const client = new MongoClient('mongodb://127.0.0.1:9/?serverSelectionTimeoutMS=1')
const db = client.db('sample')

function guarded() {
  const refused: string[] = []
  const checked: (readonly Document[])[] = []
  const collection = guardCollection(db.collection('items'), {
    refuse(method, kind) {
      refused.push(`${kind} ${method}`)
      throw new Error('refused')
    },
    checkPipeline: (pipeline) => void checked.push(pipeline)
  })
  return { collection, refused, checked }
}

test('every method of a collection is either kept or refused', async (t) => {
  const methods = Object.getOwnPropertyNames(Collection.prototype)
  t.same(methods.sort(), [...KEPT, ...Object.keys(REFUSED_METHODS)].sort())
})

test('each refused method is redefined', async (t) => {
  const { collection, refused } = guarded()
  const methods = collection as unknown as Record<string, () => Promise<unknown>>
  for (const [method, kind] of Object.entries(REFUSED_METHODS)) {
    await t.rejects(methods[method]?.() ?? Promise.resolve(), { message: 'refused' })
    t.equal(refused.at(-1), `${kind} ${method}`)
  }
})

test('other objects of the same collection are not guarded', async (t) => {
  guarded()
  const other = db.collection('items')
  t.equal(other.createIndex, Collection.prototype.createIndex)
  t.equal(other.aggregate, Collection.prototype.aggregate)
})

test('a pipeline is checked before the driver has it, an empty one too', async (t) => {
  const { collection, checked } = guarded()
  collection.aggregate([{ $match: {} }])
  collection.aggregate()
  t.same(checked, [[{ $match: {} }], []])
})

test('of the other methods only countDocuments calls a redefined one', async (t) => {
  const { collection, refused, checked } = guarded()
  await t.rejects(collection.countDocuments({}))
  await t.rejects(collection.distinct('a'))
  await t.rejects(collection.indexes())
  await t.rejects(collection.insertOne({}))
  t.same(refused, [])
  t.same(
    checked.map((pipeline) => pipeline.flatMap((stage) => Object.keys(stage))),
    [['$match', '$group']]
  )
})
