import { Int32 } from 'bson'
import fc from 'fast-check'
import { test } from 'tap'
import { caught, doc, documents } from './arbitrary-values.test.data.ts'
import { compareValues } from './compare.ts'
import { decodeDoc } from './decode.ts'
import { encodeDoc } from './encode.ts'
import { compileIndexKeys, type KeyPart } from './index-keys.ts'
import { encodeKey } from './key-string.ts'
import { decodeRaw, rawElements, rawField } from './raw.ts'
import { validateBson } from './validate.ts'
import type { Value } from './value.ts'

const asc = (...paths: string[]): KeyPart[] => paths.map((path) => ({ path, direction: 1 }))
const keysOf = (parts: KeyPart[], plain: Record<string, unknown>, options = {}) =>
  compileIndexKeys(parts, options)(encodeDoc(doc(plain)))
const keyTexts = (keys: readonly Uint8Array[]) =>
  keys.map((key) => Buffer.from(key).toString('hex')).sort()
const expected = (rows: readonly (readonly unknown[])[]) =>
  keyTexts(
    rows.map((row) =>
      encodeKey(
        row.map((value) => (typeof value === 'number' ? new Int32(value) : (value as Value))),
        row.map(() => 1)
      )
    )
  )

test('every field is found in the bytes and read as decoding reads it', async (t) => {
  fc.assert(
    fc.property(documents, (document) => {
      const bytes = encodeDoc(document)
      for (const [name, value] of document) {
        const raw = rawField(bytes, name)
        if (raw === undefined || compareValues(decodeRaw(raw), value) !== 0) return false
      }
      const listed = [...rawElements(bytes, 0)].map(({ name }) => name)
      return (
        rawField(bytes, 'no such field') === undefined &&
        listed.join() === [...document.keys()].join()
      )
    })
  )
  t.pass()
})

test('a document without arrays has one key of its values', async (t) => {
  const { keys, exact, arrays } = keysOf(asc('a.b', 'c', 'none'), { a: { b: 1 }, c: 'x' })
  t.same(keyTexts(keys), expected([[1, 'x', null]]))
  t.same([exact, arrays], [true, [false, false, false]])
  t.same(keyTexts(keysOf(asc('a.b'), { a: 5 }).keys), expected([[null]]))
})

test('an array has a key for each different element', async (t) => {
  const { keys, arrays } = keysOf(asc('t', 'n'), { t: [1, 2, 2], n: 7 })
  t.same(
    keyTexts(keys),
    expected([
      [1, 7],
      [2, 7]
    ])
  )
  t.same(arrays, [true, false])
})

test('an empty array is undefined, an array of arrays keeps the inner ones', async (t) => {
  t.same(keyTexts(keysOf(asc('t'), { t: [] }).keys), expected([[undefined]]))
  t.same(
    keyTexts(keysOf(asc('t'), { t: [[1, 2]] }).keys),
    keyTexts([encodeKey([[new Int32(1), new Int32(2)]], [1])])
  )
})

test('fields of documents in one array keep together', async (t) => {
  const { keys, arrays } = keysOf(asc('a.x', 'a.y'), { a: [{ x: 1, y: 2 }, { x: 3 }, 9] })
  t.same(
    keyTexts(keys),
    expected([
      [1, 2],
      [3, null],
      [null, null]
    ])
  )
  t.same(arrays, [true, true])
})

test('a path may name a place in an array', async (t) => {
  t.same(keyTexts(keysOf(asc('a.1'), { a: [5, 6] }).keys), expected([[6]]))
  t.same(keyTexts(keysOf(asc('a.1.b'), { a: [{ b: 1 }, { b: 2 }] }).keys), expected([[2]]))
  t.same(
    keyTexts(keysOf(asc('a.0'), { a: [[1, 2]] }).keys),
    keyTexts([encodeKey([[new Int32(1), new Int32(2)]], [1])])
  )
  t.equal(caught(() => keysOf(asc('a.0'), { a: [{ 0: 1 }] })).code, 16746)
})

test('two arrays side by side are refused', async (t) => {
  const error = caught(() => keysOf(asc('a', 'b'), { a: [1], b: [2] }))
  t.match(error, { code: 171, message: 'cannot index parallel arrays [b] [a]' })
})

test('a sparse index leaves out what has none of its fields', async (t) => {
  const sparse = { sparse: true }
  t.same(keysOf(asc('a', 'b'), { c: 1 }, sparse).keys, [])
  t.equal(keysOf(asc('a', 'b'), { b: null }, sparse).keys.length, 1)
  t.same(keysOf(asc('a.b'), { a: [1, 2] }, sparse).keys, [])
  t.equal(keysOf(asc('a.b'), { a: [1, { b: 1 }] }, sparse).keys.length, 1)
})

test('a long value makes the key inexact', async (t) => {
  t.notOk(keysOf(asc('a'), { a: 'x'.repeat(3000) }).exact)
  t.notOk(keysOf(asc('a'), { a: ['x'.repeat(3000)] }).exact)
})

test('what decodes is valid and what is valid decodes', async (t) => {
  fc.assert(
    fc.property(
      documents,
      fc.nat(),
      fc.option(fc.integer({ min: 0, max: 255 })),
      (document, place, byte) => {
        const bytes = encodeDoc(document)
        if (byte !== null) bytes[place % bytes.length] = byte
        const outcomes = [validateBson, decodeDoc].map((read) => {
          try {
            read(bytes)
            return 'fine'
          } catch {
            return 'refused'
          }
        })
        return outcomes[0] === outcomes[1]
      }
    ),
    { numRuns: 3000 }
  )
  t.pass()
})

test('a stored document may be nested 180 deep', async (t) => {
  const nested = (depth: number): Value =>
    depth === 0 ? null : new Map([['a', nested(depth - 1)]])
  validateBson(encodeDoc(nested(180) as never))
  t.equal(caught(() => validateBson(encodeDoc(nested(181) as never))).code, 15)
  t.equal(caught(() => validateBson(new Uint8Array(3))).code, 22)
})
