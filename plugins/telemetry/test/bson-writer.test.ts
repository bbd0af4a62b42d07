// Documents written as BSON here are those that the driver would have written, byte for byte.
import fc from 'fast-check'
import { Binary, BSON, Decimal128, MongoClient } from 'mongodb'
import { test } from 'tap'
import { BsonWriter } from '../emit/bson-writer.ts'
import { documentsFor } from '../emit/raw-documents.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constant('x'.repeat(300)),
  fc.constant('\ud800 alone')
)
const key = fc.string({ unit: 'grapheme', maxLength: 30 }).filter((name) => !name.includes('\0'))
const leaf = fc.oneof(
  text,
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -0, 2_147_483_647, 2_147_483_648, -2_147_483_648, -2_147_483_649),
  fc.boolean(),
  fc.constantFrom(null, undefined, Decimal128.fromString('12.50')),
  fc.date({ noInvalidDate: true }),
  fc.uint8Array({ maxLength: 80 }).map((bytes) => new Binary(bytes, 0x80))
)
const { document } = fc.letrec<{ value: unknown; document: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    tie('document'),
    fc.array(tie('value'), { maxLength: 12 })
  ),
  document: fc.dictionary(key, tie('value'), { maxKeys: 8, noNullPrototype: false })
}))

test('any document is written as the driver writes it', async (t) => {
  const writer = new BsonWriter()
  fc.assert(
    fc.property(fc.array(document, { maxLength: 4 }), (documents) => {
      for (const one of documents) writer.write(one)
      const wanted = documents.map((one) => BSON.serialize(one, { ignoreUndefined: true }))
      return Buffer.concat(wanted).equals(writer.take())
    })
  )
  t.pass()
})

test('documents larger than the buffer are whole, and the next ones too', async (t) => {
  const writer = new BsonWriter()
  const large = { body: 'é'.repeat(3_000_000), nested: { list: Array(2000).fill('text') } }
  for (const one of [large, { a: 1 }]) {
    writer.write(one)
    t.ok(writer.take().equals(BSON.serialize(one)))
  }
})

test('what cannot be stored is refused, and nothing of it is left', async (t) => {
  const writer = new BsonWriter()
  for (const bad of [
    { 'a\0b': 1 },
    { a: () => 1 },
    { a: 1n },
    { a: Symbol('s') },
    { a: new Map() },
    { a: /x/ },
    { a: new Date(Number.NaN) }
  ]) {
    t.throws(() => writer.write({ before: 1, ...bad }), { name: 'BSONError' })
  }
  writer.write({ a: 1 })
  t.ok(writer.take().equals(BSON.serialize({ a: 1 })))
})

test('a driver that has no place for raw documents gets them as they are', async (t) => {
  const documents = [{ a: 1 }]
  const foreign = { db: () => undefined } as unknown as MongoClient
  t.equal(documentsFor(foreign, 'documents', documents), documents)
  const own = new MongoClient('mongodb://127.0.0.1:1')
  t.not(documentsFor(own, 'documents', documents), documents)
})
