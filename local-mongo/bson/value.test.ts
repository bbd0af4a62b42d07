import { Binary, BSON, Int32, Long } from 'bson'
import fc from 'fast-check'
import { test } from 'tap'
import { CommandError } from '../errors.ts'
import { caught, doc, documents, values } from './arbitrary-values.test.data.ts'
import { decodeDoc } from './decode.ts'
import { encodeDoc, sizeOfDoc } from './encode.ts'
import {
  dateMillis,
  FarDate,
  isDoc,
  isNumeric,
  typeCode,
  typeName,
  typeNameOf,
  type Value
} from './value.ts'

const refused = (code: number) => (error: unknown) =>
  error instanceof CommandError && error.code === code

test('a document survives encoding and decoding with every type kept', async (t) => {
  fc.assert(
    fc.property(documents, (document) => {
      t.strictSame(encodeDoc(decodeDoc(encodeDoc(document))), encodeDoc(document))
      return true
    }),
    { numRuns: 300 }
  )
})

test('the size is known without encoding', async (t) => {
  fc.assert(
    fc.property(documents, (document) => sizeOfDoc(document) === encodeDoc(document).length)
  )
  const list = Array.from({ length: 120 }, (_, i) => new Int32(i))
  t.equal(sizeOfDoc(new Map([['list', list]])), encodeDoc(new Map([['list', list]])).length)
})

test('the bytes are those of the driver', async (t) => {
  const now = new Date()
  const plain = { _id: 1, text: 'naïve 😀', at: now, list: [1, { a: null }], big: Long.MAX_VALUE }
  const document = doc({ ...plain })
  t.strictSame(Buffer.from(encodeDoc(document)), Buffer.from(BSON.serialize(plain)))
  t.strictSame(decodeDoc(BSON.serialize(plain)), document)
})

test('a type code has its name, and every value a code', async (t) => {
  t.equal(typeName(new Int32(1)), 'int')
  t.equal(typeNameOf(18), 'long')
  t.equal(typeNameOf(99), 'undefined')
  fc.assert(fc.property(values, (value) => typeNameOf(typeCode(value)) === typeName(value)))
  t.ok(isNumeric(Long.ONE) && !isNumeric('1'))
  t.ok(isDoc(new Map()) && !isDoc({}))
})

test('dates beyond those of JavaScript are kept', async (t) => {
  const far = new FarDate(9_000_000_000_000_000n)
  const decoded = decodeDoc(encodeDoc(new Map([['at', far]]))).get('at')
  t.ok(decoded instanceof FarDate)
  t.equal(dateMillis(decoded as Date), 9_000_000_000_000_000n)
})

test('only the wanted fields are read', async (t) => {
  const bytes = encodeDoc(doc({ a: 1, b: /x/i, c: { d: [1] }, e: new Binary(Buffer.from('x')) }))
  t.same([...decodeDoc(bytes, new Set(['c'])).keys()], ['c'])
})

test('decoding copies, so that the bytes may be used again', async (t) => {
  const bytes = encodeDoc(doc({ a: new Binary(Buffer.from('x')) }))
  const decoded = decodeDoc(bytes)
  bytes.fill(0)
  t.equal((decoded.get('a') as Binary).buffer.toString(), 'x')
})

test('changed bytes give a document or InvalidBSON, never another failure', async (t) => {
  fc.assert(
    fc.property(documents, fc.nat(), fc.integer({ min: 0, max: 255 }), (document, place, byte) => {
      const bytes = encodeDoc(document)
      bytes[place % bytes.length] = byte
      try {
        encodeDoc(decodeDoc(bytes))
      } catch (error) {
        if (!refused(22)(error)) throw error
      }
      return true
    }),
    { numRuns: 1000 }
  )
  t.pass()
})

test('cut bytes are refused', async (t) => {
  const bytes = encodeDoc(doc({ a: 1, text: 'abc', list: [1] }))
  for (let end = 0; end < bytes.length; end++) {
    t.equal(caught(() => decodeDoc(bytes.subarray(0, end))).codeName, 'InvalidBSON')
  }
  t.equal(caught(() => decodeDoc(Buffer.concat([bytes, bytes]))).codeName, 'InvalidBSON')
})

test('a string that is not UTF-8 is refused, a replacement character is not', async (t) => {
  const bytes = Buffer.from(encodeDoc(new Map([['a', 'xyz']])))
  bytes[bytes.indexOf('y')] = 0xff
  t.equal(caught(() => decodeDoc(bytes)).codeName, 'InvalidBSON')
  t.equal(decodeDoc(encodeDoc(new Map([['a', '\ufffd']]))).get('a'), '\ufffd')
})

test('nesting has a limit in both directions', async (t) => {
  let value: Value = null
  for (let i = 0; i < 210; i++) value = new Map([['a', value]])
  t.equal(caught(() => encodeDoc(new Map([['a', value]]))).codeName, 'Overflow')
  let bytes: Uint8Array = BSON.serialize({})
  for (let i = 0; i < 210; i++) {
    const outer = Buffer.alloc(bytes.length + 8)
    outer.writeInt32LE(outer.length)
    outer.write('\u0003a\0', 4)
    outer.set(bytes, 7)
    bytes = outer
  }
  t.equal(caught(() => decodeDoc(bytes)).codeName, 'Overflow')
})

test('a field name with a null byte cannot be written', async (t) => {
  t.equal(
    caught(() => encodeDoc(new Map([['a\0b', 1 as unknown as Value]]))).codeName,
    'InvalidBSON'
  )
})
