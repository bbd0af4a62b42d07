// What is read back from a key is what was written, to the byte, or nothing.
import { Binary, serialize } from 'bson'
import fc from 'fast-check'
import { test } from 'tap'
import { doc, numbers, texts, values } from './arbitrary-values.test.data.ts'
import { decodeDoc } from './decode.ts'
import { encodeDoc } from './encode.ts'
import { compileIndexKeys } from './index-keys.ts'
import { compileKeyReader } from './key-reader.ts'
import type { Doc } from './value.ts'

const value = fc
  .oneof(values, numbers, texts, fc.date({ noInvalidDate: true }), fc.boolean())
  .filter((one) => !Array.isArray(one))
const document: fc.Arbitrary<Doc> = fc
  .record({ a: value, b: value, c: value }, { requiredKeys: [] })
  .map((fields) => new Map(Object.entries(fields)) as Doc)
const direction = fc.constantFrom<1 | -1>(1, -1)

const hex = (one: Doc) => Buffer.from(encodeDoc(one)).toString('hex')

test('a plain key gives back the wanted fields, byte by byte', async (t) => {
  let read = 0
  fc.assert(
    fc.property(
      document,
      fc.tuple(direction, direction, direction),
      fc.subarray(['a', 'b', 'c'], { minLength: 1 }),
      (whole, directions, wanted) => {
        const parts = ['a', 'b', 'c'].map((path, i) => ({ path, direction: directions[i] ?? 1 }))
        const { keys, plain, exact, arrays } = compileIndexKeys(parts)(encodeDoc(whole))
        const [key] = keys
        if (!plain || !exact || arrays.includes(true) || key === undefined) return
        const reader = compileKeyReader(
          parts.map((part) => ({ ...part, name: part.path, isWanted: wanted.includes(part.path) }))
        )
        const found = reader(key, 0)
        if (found === undefined) return
        read++
        const expected = new Map(
          ['a', 'b', 'c']
            .filter((name) => wanted.includes(name))
            .map((name) => [name, whole.get(name)])
        ) as Doc
        if (hex(decodeDoc(found)) !== hex(expected)) throw new Error(`${hex(expected)}`)
      }
    ),
    { numRuns: 3_000 }
  )
  t.ok(read > 100, `${read} keys were read`)
})

test('numbers come back as the type that JavaScript’s driver gives them, others are not plain', async (t) => {
  const keysOf = compileIndexKeys([{ path: 'n', direction: -1 }])
  const reader = compileKeyReader([{ name: 'n', direction: -1, isWanted: true }])
  for (const n of [
    0,
    1,
    -1,
    2 ** 31 - 1,
    -(2 ** 31),
    2 ** 31,
    2.5,
    -2.5,
    1e300,
    -1e-300,
    Number.POSITIVE_INFINITY
  ]) {
    const bytes = serialize({ n })
    const { keys, plain } = keysOf(bytes)
    t.ok(plain)
    const [key = new Uint8Array()] = keys
    t.same(Buffer.from(reader(key, 0) ?? []), Buffer.from(bytes))
  }
})

test('a key of null, of a document or of a binary does not tell', async (t) => {
  const keysOf = compileIndexKeys([{ path: 'n', direction: 1 }])
  const reader = compileKeyReader([{ name: 'n', direction: 1, isWanted: true }])
  for (const fields of [{ n: null }, {}, { n: { a: 1 } }, { n: new Binary(Buffer.from('x')) }]) {
    const [key = new Uint8Array()] = keysOf(encodeDoc(doc(fields))).keys
    t.equal(reader(key, 0), undefined)
  }
})
