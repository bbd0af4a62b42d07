// Random BSON values and documents for property tests.
import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp
} from 'bson'
import fc from 'fast-check'
import { CommandError } from '../errors.ts'
import { CodeWithScope, DbPointer, type Doc, FarDate, type Numeric, type Value } from './value.ts'

const nearInteger = fc.constantFrom(
  ...[0, 1, -1, 2, 5, 2 ** 31 - 1, -(2 ** 31), 2 ** 53, 2 ** 53 - 1, -(2 ** 53), 2 ** 63, 1e300]
)

const longs = fc.oneof(
  fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }),
  fc.bigInt({ min: (1n << 53n) - 4n, max: (1n << 53n) + 4n }),
  fc.bigInt({ min: -(1n << 53n) - 4n, max: -(1n << 53n) + 4n }),
  fc.bigInt({ min: -5n, max: 5n })
)

const decimalTexts = fc.oneof(
  fc.constantFrom(
    ...['0', '-0', '1', '1.0', '0.1', '-0.1', '0.5', 'NaN', 'Infinity', '-Infinity', '1E-6176'],
    ...['9007199254740993', '9.999999999999999999999999999999999E+6144', '-1E-400', '1E+400']
  ),
  fc
    .tuple(fc.bigInt({ min: -(10n ** 33n), max: 10n ** 33n }), fc.integer({ min: -40, max: 40 }))
    .map(([coefficient, exponent]) => `${coefficient}E${exponent}`)
)

/** Numbers of all four types, near the borders where the types meet. */
export const numbers: fc.Arbitrary<Numeric> = fc.oneof(
  fc.integer({ min: -5, max: 5 }).map((value) => new Int32(value)),
  fc.integer().map((value) => new Int32(value)),
  fc.double().map((value) => new Double(value)),
  nearInteger.map((value) => new Double(value)),
  fc
    .constantFrom(-0, 0.1, 0.5, Number.NaN, Number.MIN_VALUE, Number.MAX_VALUE, -Infinity)
    .map((value) => new Double(value)),
  longs.map((value) => new Long(value)),
  decimalTexts.map((text) => Decimal128.fromString(text))
)

/** Texts with null bytes, characters beyond the first plane, and shared beginnings. */
export const texts: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.string({ unit: fc.constantFrom('a', 'b', '\0', '\u0001', 'é', '\uffee', '😀'), maxLength: 5 })
)

const names = fc.oneof(
  fc.constantFrom('a', 'b', 'c', '', '__proto__', 'constructor', '0', 'é'),
  fc.string({ unit: 'grapheme', maxLength: 4 }).filter((name) => !name.includes('\0'))
)

const bytes = fc.uint8Array({ maxLength: 6 })
const objectIds = fc
  .uint8Array({ minLength: 12, maxLength: 12 })
  .map((twelve) => new ObjectId(twelve))

const dates = fc.oneof(
  fc.date({ noInvalidDate: true }),
  fc.integer({ min: -3, max: 3 }).map((millis) => new Date(millis)),
  fc
    .bigInt({ min: 8_640_000_000_000_001n, max: (1n << 63n) - 1n })
    .map((millis) => new FarDate(millis))
)

const unsigned = fc.oneof(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 2 ** 32 - 1 }))

const rareScalars: fc.Arbitrary<Value> = fc.oneof(
  fc.constant(new MinKey()),
  fc.constant(new MaxKey()),
  fc.constant(undefined),
  fc.tuple(bytes, fc.constantFrom(0, 4, 128)).map(([data, type]) => new Binary(data, type)),
  fc.tuple(unsigned, unsigned).map(([t, i]) => new Timestamp({ t, i })),
  fc.constantFrom('a', '^a', 'b').map((pattern) => new BSONRegExp(pattern, 'i')),
  texts.map((code) => new Code(code)),
  texts.map((text) => new BSONSymbol(text)),
  fc.tuple(texts, objectIds).map(([namespace, id]) => new DbPointer(namespace, id)),
  texts.map((code) => new CodeWithScope(code, new Map([['x', null]])))
)

/** Values that are neither documents nor arrays. */
export const scalars: fc.Arbitrary<Value> = fc.oneof(
  { weight: 4, arbitrary: numbers },
  { weight: 3, arbitrary: texts },
  { weight: 1, arbitrary: fc.boolean() },
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: dates },
  { weight: 1, arbitrary: objectIds },
  { weight: 2, arbitrary: rareScalars }
)

const { value: anyValue } = fc.letrec<{ value: Value; list: Value[]; doc: Doc }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    { weight: 6, arbitrary: scalars },
    { weight: 1, arbitrary: tie('list') },
    { weight: 1, arbitrary: tie('doc') }
  ),
  list: fc.array(tie('value'), { maxLength: 3 }),
  doc: fc.array(fc.tuple(names, tie('value')), { maxLength: 3 }).map((pairs) => new Map(pairs))
}))

/** Any value, nested a little. */
export const values: fc.Arbitrary<Value> = anyValue

/** Documents of any fields. */
export const documents: fc.Arbitrary<Doc> = fc
  .array(fc.tuple(names, values), { maxLength: 5 })
  .map((pairs) => new Map(pairs))

/** Plain JavaScript as a document: numbers become int32 or double as the driver would send them. */
export function doc(plain: Readonly<Record<string, unknown>>): Doc {
  return new Map(Object.entries(plain).map(([name, value]) => [name, toValue(value)]))
}

/** A plain JavaScript value as a BSON value. */
export function toValue(plain: unknown): Value {
  if (typeof plain === 'number') {
    return Number.isInteger(plain) && Math.abs(plain) < 2 ** 31 && !Object.is(plain, -0)
      ? new Int32(plain)
      : new Double(plain)
  }
  if (Array.isArray(plain)) return plain.map(toValue)
  if (plain instanceof RegExp) return new BSONRegExp(plain.source, plain.flags)
  if (isPlainObject(plain)) return doc(plain)
  return plain as Value
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    [Object.prototype, null].includes(Object.getPrototypeOf(value))
  )
}

/** A BSON value as plain JavaScript, with numbers promoted; for comparing results. */
export function plain(value: unknown): unknown {
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([name, inner]) => [name, plain(inner)]))
  }
  if (Array.isArray(value)) return value.map(plain)
  if (value instanceof Int32 || value instanceof Double) return value.value
  if (value instanceof Long) return value.toNumber()
  return value
}

/** The error with a code that a function fails with. */
export function caught(act: () => unknown): CommandError {
  try {
    act()
  } catch (error) {
    if (error instanceof CommandError) return error
    throw error
  }
  throw new Error('It did not fail.')
}
