// Mongoose, unmodified, on the built-in engine: models, indexes, populate, transactions, change streams.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalMongo } from '@keelson/local-mongo'
import { type Connection, createConnection, Schema, type Types } from 'mongoose'
import { test } from 'tap'

interface Author {
  name: string
  born?: Date
}

interface Book {
  title: string
  author: Types.ObjectId
  tags: string[]
  stock: number
  shelf: { room: string; row: number }
}

const authors = new Schema<Author>({ name: { type: String, required: true }, born: Date })
authors.index({ name: 1 }, { unique: true })

const books = new Schema<Book>(
  {
    title: { type: String, required: true },
    author: { type: Schema.Types.ObjectId, ref: 'Author', required: true },
    tags: [String],
    stock: { type: Number, min: 0, default: 0 },
    shelf: { room: String, row: Number }
  },
  { timestamps: true, optimisticConcurrency: true }
)
books.index({ tags: 1, title: 1 })

interface Scope {
  teardown(fn: () => Promise<unknown>): void
}

/** A connection to an engine of the test's own, with its models and their indexes. */
async function openShop(t: Scope) {
  const dataDir = await mkdtemp(join(tmpdir(), 'keelson-mongoose-'))
  const engine = await startLocalMongo({ dataDir })
  const connection: Connection = await createConnection(engine.uri, { dbName: 'shop' }).asPromise()
  t.teardown(async () => {
    await connection.close()
    await engine.close()
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
  })
  const Authors = connection.model<Author>('Author', authors)
  const Books = connection.model<Book>('Book', books)
  await Promise.all([Authors.init(), Books.init()])
  const author = await Authors.create({ name: 'Ada', born: new Date('1815-12-10') })
  await Books.create(
    [1, 2, 3, 4].map((n) => ({
      title: `Book ${n}`,
      author: author._id,
      tags: n % 2 === 0 ? ['even', 'all'] : ['all'],
      stock: n,
      shelf: { room: 'north', row: n }
    }))
  )
  return { connection, Authors, Books, author }
}

test('documents are made, found, changed and removed through models', async (t) => {
  const { Books } = await openShop(t)
  t.equal(await Books.countDocuments({ tags: 'even' }), 2)
  const found = await Books.findOne({ 'shelf.row': 3 }).orFail()
  found.stock += 10
  found.tags.push('new')
  await found.save()
  t.match(await Books.findById(found._id).lean(), { stock: 13, tags: ['all', 'new'], __v: 1 })
  const { modifiedCount } = await Books.updateMany({ tags: 'all' }, { $inc: { stock: 1 } })
  t.equal(modifiedCount, 4)
  const removed = await Books.findOneAndDelete({ title: 'Book 1' }).lean()
  t.match(removed, { stock: 2 })
  t.same((await Books.distinct('tags')).sort(), ['all', 'even', 'new'])
})

test('a validation error names the field, and a stale save is refused', async (t) => {
  const { Books, Authors, author } = await openShop(t)
  await t.rejects(Books.create({ title: 'No author' }), { name: 'ValidationError' })
  await t.rejects(Authors.create({ name: 'Ada' }), { code: 11000 })
  const [one, other] = await Promise.all([Books.findOne().orFail(), Books.findOne().orFail()])
  one.title = 'first'
  await one.save()
  other.title = 'second'
  await t.rejects(other.save(), { name: 'VersionError' })
  t.ok(author._id)
})

test('indexes of schemas are made, kept in step and used', async (t) => {
  const { Books } = await openShop(t)
  t.same(
    (await Books.collection.indexes()).map(({ name }) => name),
    ['_id_', 'tags_1_title_1']
  )
  t.same(await Books.diffIndexes(), { toDrop: [], toCreate: [] })
  const plan = await Books.find({ tags: 'even' }).sort({ title: 1 }).explain('executionStats')
  t.match(plan, { executionStats: { nReturned: 2, totalDocsExamined: 2 } })
})

test('references are populated, and pipelines join', async (t) => {
  const { Books, author } = await openShop(t)
  const populated = await Books.find().sort('title').populate<{ author: Author }>('author').lean()
  t.same(
    populated.map((book) => book.author.name),
    ['Ada', 'Ada', 'Ada', 'Ada']
  )
  const joined = await Books.aggregate([
    { $match: { author: author._id } },
    { $lookup: { from: 'authors', localField: 'author', foreignField: '_id', as: 'by' } },
    { $group: { _id: { $first: '$by.name' }, stock: { $sum: '$stock' } } }
  ])
  t.same(joined, [{ _id: 'Ada', stock: 10 }])
})

test('a cursor walks all documents, a bulk write does many things at once', async (t) => {
  const { Books } = await openShop(t)
  const rows: number[] = []
  for await (const book of Books.find().sort({ stock: 1 }).cursor({ batchSize: 2 })) {
    rows.push(book.shelf.row)
  }
  t.same(rows, [1, 2, 3, 4])
  const result = await Books.bulkWrite([
    { updateOne: { filter: { stock: 1 }, update: { $set: { title: 'One' } } } },
    { deleteMany: { filter: { stock: { $gt: 2 } } } }
  ])
  t.match(result, { modifiedCount: 1, deletedCount: 2 })
})

test('a transaction commits as a whole, or leaves documents as they were', async (t) => {
  const { connection, Authors, Books } = await openShop(t)
  await connection.transaction(async (session) => {
    const [grace] = await Authors.create([{ name: 'Grace' }], { session })
    await Books.updateMany({}, { author: grace?._id }, { session })
  })
  t.equal(await Authors.countDocuments(), 2)
  await t.rejects(
    connection.transaction(async (session) => {
      await Books.deleteMany({}, { session })
      throw new Error('no')
    }),
    { message: 'no' }
  )
  t.equal(await Books.countDocuments(), 4)
})

test('changes are watched through a model', async (t) => {
  const { Books, author } = await openShop(t)
  const stream = Books.watch([{ $match: { operationType: 'insert' } }])
  t.teardown(() => stream.close())
  const seen = new Promise<{ fullDocument: Book }>((resolve) => stream.once('change', resolve))
  await new Promise<void>((resolve) => stream.once('resumeTokenChanged', () => resolve()))
  await Books.create({ title: 'Watched', author: author._id })
  t.match(await seen, { fullDocument: { title: 'Watched' } })
})
