// Whatever index serves a query, the answer is that of a scan.
import { Binary, ObjectId } from 'bson'
import fc from 'fast-check'
import { test } from 'tap'
import { doc, numbers, plain, texts, values } from '../bson/arbitrary-values.test.data.ts'
import { decodeDoc } from '../bson/decode.ts'
import { encodeDoc } from '../bson/encode.ts'
import { encodeKey } from '../bson/key-string.ts'
import { parseSort } from '../bson/sort.ts'
import type { Doc, Value } from '../bson/value.ts'
import type { FindRequest } from '../engine.ts'
import { CommandError } from '../errors.ts'
import { contextOf, openTestCollection, TestCollection } from './open-engine.test.data.ts'

const few = fc.oneof(
  fc.constantFrom<unknown[]>(null, 1, 2, 2.5, 'a', 'b', 'ab', true, new Date(5)),
  fc.integer({ min: 0, max: 6 })
)
/** Values that meet often, and now and then any. */
const value: fc.Arbitrary<Value> = fc.oneof(
  { weight: 8, arbitrary: few.map((plain) => doc({ v: plain }).get('v')) },
  {
    weight: 2,
    arbitrary: fc.array(few, { maxLength: 3 }).map((list) => doc({ v: list }).get('v'))
  },
  { weight: 1, arbitrary: fc.oneof(values, texts, numbers) },
  { weight: 1, arbitrary: fc.constant(doc({ v: [{ b: 1, c: 2 }, { b: 3 }] }).get('v')) },
  { weight: 1, arbitrary: few.map((plain) => doc({ v: { b: plain, c: plain } }).get('v')) }
)

const document: fc.Arbitrary<Doc> = fc
  .record(
    { a: value, b: value, c: few.map((plain) => doc({ v: plain }).get('v')) },
    { requiredKeys: [] }
  )
  .map((fields) => new Map(Object.entries(fields)) as Doc)

const path = fc.constantFrom('a', 'b', 'c', 'a.b', 'a.c')
const operand = value.filter(
  (v) => !(v instanceof Map && v.size > 0 && [...v.keys()].some((k) => k.startsWith('$')))
)
const single = (name: string, v: Value): Doc => new Map([[name, v]])

const condition: fc.Arbitrary<Value> = fc.oneof(
  { weight: 3, arbitrary: operand.map((v) => single('$eq', v)) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom('$gt', '$gte', '$lt', '$lte'), operand)
      .map(([op, v]) => single(op, v))
  },
  {
    weight: 2,
    arbitrary: fc.tuple(operand, operand).map(
      ([low, high]) =>
        new Map([
          ['$gte', low],
          ['$lt', high]
        ]) as Doc
    )
  },
  { weight: 2, arbitrary: fc.array(operand, { maxLength: 4 }).map((list) => single('$in', list)) },
  { weight: 1, arbitrary: operand.map((v) => single('$ne', v)) },
  { weight: 1, arbitrary: fc.array(operand, { maxLength: 3 }).map((list) => single('$nin', list)) },
  { weight: 1, arbitrary: fc.boolean().map((is) => single('$exists', is)) },
  { weight: 1, arbitrary: operand.map((v) => single('$not', single('$gt', v))) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('string', 'number', 'null', 'array', 'object', 'bool')
      .map((v) => single('$type', v))
  },
  { weight: 1, arbitrary: fc.constantFrom('^a', 'b', '^ab').map((v) => single('$regex', v)) },
  { weight: 1, arbitrary: operand.map((v) => single('$elemMatch', single('$gte', v))) },
  {
    weight: 1,
    arbitrary: fc.tuple(operand, operand).map(([low, high]) =>
      single(
        '$elemMatch',
        new Map([
          ['$gt', low],
          ['$lte', high]
        ])
      )
    )
  }
)

/** A number, a text or bytes, so that all that an entry may end in is met. */
const idOf = (n: number): Value =>
  doc({
    id: [n, `id ${n}`, new Binary(Buffer.of(n, 0, 255)), ObjectId.createFromTime(n)][n % 4]
  }).get('id')
const someId = fc.integer({ min: 0, max: 25 }).map(idOf)
const idCondition: fc.Arbitrary<Value> = fc.oneof(
  fc
    .tuple(fc.constantFrom('$eq', '$ne', '$gt', '$gte', '$lt', '$lte'), someId)
    .map(([op, v]) => single(op, v)),
  fc.array(someId, { maxLength: 4 }).map((list) => single('$in', list))
)

const leaf: fc.Arbitrary<Doc> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(path, condition).map(([p, c]) => single(p, c)) },
  { weight: 1, arbitrary: idCondition.map((c) => single('_id', c)) },
  {
    weight: 1,
    arbitrary: fc.tuple(condition, condition).map(([b, c]) =>
      single(
        'a',
        single(
          '$elemMatch',
          new Map([
            ['b', b],
            ['c', c]
          ])
        )
      )
    )
  }
)
const filter: fc.Arbitrary<Doc> = fc.oneof(
  { weight: 3, arbitrary: leaf },
  { weight: 3, arbitrary: fc.tuple(leaf, leaf).map((list) => single('$and', list)) },
  { weight: 2, arbitrary: fc.tuple(leaf, leaf).map((list) => single('$or', list)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(leaf, leaf, leaf)
      .map(([x, y, z]) => single('$and', [x, single('$or', [y, z])]))
  }
)

const direction = fc.constantFrom(1, -1)
const sort: fc.Arbitrary<Doc | undefined> = fc.option(
  fc
    .uniqueArray(fc.tuple(fc.oneof(path, fc.constant('_id')), direction), {
      minLength: 1,
      maxLength: 2,
      selector: ([p]) => p
    })
    .map((parts) => doc(Object.fromEntries(parts))),
  { nil: undefined }
)

const INDEXES: readonly (readonly [Record<string, number>, Record<string, unknown>])[] = [
  [{ a: 1 }, {}],
  [{ a: -1 }, {}],
  [{ a: 1, b: 1 }, {}],
  [{ a: 1, b: -1 }, {}],
  [{ c: 1, a: 1 }, {}],
  [{ c: 1, b: -1, a: 1 }, {}],
  [{ a: -1, _id: -1 }, {}],
  [{ c: 1, b: -1, _id: -1 }, {}],
  [{ c: -1, _id: 1 }, { sparse: true }],
  [{ b: 1 }, { sparse: true }],
  [{ a: 1, c: 1 }, { sparse: true }],
  [{ 'a.b': 1 }, {}],
  [{ 'a.b': 1, 'a.c': 1 }, {}],
  [{ 'a.b': -1 }, { sparse: true }],
  [{ a: 1, b: 1, c: 1 }, { partialFilterExpression: { c: { $gt: 1 } } }],
  [{ b: 1 }, { name: 'b_partial', partialFilterExpression: { b: { $exists: true } } }]
]

/** Two arrays side by side cannot be indexed by a compound index. */
const canBeIndexed = (one: Doc) =>
  !['a', 'b', 'c'].some((x, i, all) =>
    all.some((y, j) => j > i && Array.isArray(one.get(x)) && Array.isArray(one.get(y)))
  )

const keyOf = (id: unknown) => Buffer.from(encodeKey([id as Value], [1])).toString('hex')

async function answer(collection: TestCollection, request: FindRequest): Promise<Doc[]> {
  const rows = await collection.engine.find(collection.ns, request, contextOf())
  const all: Doc[] = []
  while (!rows.exhausted)
    for (const bytes of await rows.next(3, 1_000_000)) all.push(decodeDoc(bytes))
  return all
}

/** Some values cannot be compared with, some arrays cannot be sorted by. */
function refused(error: unknown): undefined {
  if (!(error instanceof CommandError) || error.code !== 2) throw error
}

const show = (value: unknown) => JSON.stringify(plain(value))

/** Holds one query against the scan; answers a description of the difference. */
async function difference(
  collection: TestCollection,
  [wanted, order]: readonly [Doc, Doc | undefined],
  hints: readonly (Doc | undefined)[]
): Promise<string | undefined> {
  const scanned = await answer(collection, {
    filter: wanted,
    hint: doc({ $natural: 1 })
  }).catch(refused)
  if (scanned === undefined) return undefined
  const expected = scanned.map((one) => keyOf(one.get('_id'))).sort()
  for (const hint of hints) {
    const request: FindRequest = {
      filter: wanted,
      ...(order === undefined ? {} : { sort: order }),
      ...(hint === undefined ? {} : { hint })
    }
    const found = await answer(collection, request).catch(refused)
    if (found === undefined) continue
    const ids = found.map((one) => keyOf(one.get('_id'))).sort()
    const what = `${show(wanted)} sort ${show(order)} hint ${show(hint)}`
    if (ids.join() !== expected.join()) return `${what}: ${ids.length} of ${expected.length}`
    if (order !== undefined && !isSorted(found, order)) return `${what}: not in order`
    const request2 = { filter: wanted, ...(hint === undefined ? {} : { hint }) }
    const count = await collection.engine.count(collection.ns, request2, contextOf())
    if (count !== expected.length) return `${what}: counts ${count}, not ${expected.length}`
  }
  return undefined
}

const PROJECTIONS = [
  ...[{ a: 1 }, { b: 1 }, { a: 1, c: 1 }, { a: 1, b: 1, c: 1 }, { c: 1, b: 1 }].map((fields) => ({
    ...fields,
    _id: 0
  })),
  ...[{ a: 1 }, { _id: 1 }, { c: 1, b: 1 }]
].map((fields) => doc(fields))

/** The fields in the order of their names: an index gives them in its own. */
const fieldsInOrder = (one: Doc) =>
  Buffer.from(encodeDoc(new Map([...one].sort(([a], [b]) => (a < b ? -1 : 1))))).toString('hex')

let projected = 0

/** Holds a projection, which an index may answer alone, against the scan's. */
async function projectedDifference(
  collection: TestCollection,
  wanted: Doc,
  hints: readonly (Doc | undefined)[]
): Promise<string | undefined> {
  const projection = PROJECTIONS[projected++ % PROJECTIONS.length] as Doc
  const shown = async (hint: Doc | undefined) => {
    const request = { filter: wanted, projection, ...(hint === undefined ? {} : { hint }) }
    const found = await answer(collection, request).catch(refused)
    return found?.map(fieldsInOrder).sort().join()
  }
  const expected = await shown(doc({ $natural: 1 }))
  if (expected === undefined) return undefined
  for (const hint of hints) {
    const found = await shown(hint)
    if (found === undefined || found === expected) continue
    return `${show(wanted)} projected to ${show(projection)} hint ${show(hint)}: ${found} not ${expected}`
  }
  return undefined
}

function isSorted(found: readonly Doc[], order: Doc): boolean {
  const parsed = parseSort(order)
  const keys = found.map((one) => parsed.sortKey(one))
  return keys.every((key, i) => i === 0 || Buffer.compare(keys[i - 1] as Uint8Array, key) <= 0)
}

test('any index answers as a scan does, for random documents, filters and sorts', async (t) => {
  t.setTimeout(120_000)
  let number = 0
  const base = await openTestCollection(t)
  const { engine } = base
  await fc.assert(
    fc.asyncProperty(
      fc.array(document.filter(canBeIndexed), { maxLength: 25 }),
      fc.subarray([...INDEXES], { minLength: 1, maxLength: 4 }),
      fc.array(fc.tuple(filter, sort), { minLength: 8, maxLength: 8 }),
      async (documents, indexes, queries) => {
        const collection = new TestCollection(engine, { db: 'test', collection: `c${number++}` })
        const numbered = documents.map((fields, n) => new Map([['_id', idOf(n)], ...fields]) as Doc)
        await collection.insertDocs(numbered.slice(0, 12))
        for (const [key, options] of indexes) await collection.index(key, options)
        await collection.insertDocs(numbered.slice(12))
        const whole = indexes.filter(([, options]) => Object.keys(options).length === 0)
        const hints = [undefined, ...whole.map(([key]) => doc(key))]
        for (const query of queries) {
          const found =
            (await difference(collection, query, hints)) ??
            (await projectedDifference(collection, query[0], hints))
          if (found !== undefined) throw new Error(found)
        }
        await engine.dropCollection(collection.ns, contextOf())
      }
    ),
    { numRuns: Number(process.env['KEELSON_PROPERTY_RUNS'] ?? 100) }
  )
  t.ok((await engine.check()).ok, 'indexes and documents agree')
})
