// A row goes into columns and comes out equal, whatever it holds.
import assert from 'node:assert/strict'
import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { Binary, BSON, Decimal128, Long, ObjectId } from 'mongodb'
import { test } from 'tap'
import { storedId } from '../envelope/stored-id.ts'
import type { StoredRow } from '../envelope/stored-row.ts'
import { COLUMNS_OF_LINE, LINE_OF_COLUMNS, LINE_SHAPE, lineOf, rowOf } from './columns.ts'

const text = fc.string({ unit: 'binary', maxLength: 30 })
// No key of a document has it.
const key = text.map((one) => one.replaceAll('\0', '0'))
const date = fc.date({ noInvalidDate: true })
const number = fc.double({ noNaN: true, noDefaultInfinity: true })
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const odd = fc.oneof(
  fc.constant(new Decimal128('5E-7')),
  fc.constant(new Decimal128('NaN')),
  fc.constant(new ObjectId('65f000000000000000000001')),
  fc.constant(Long.fromString('9223372036854775807')),
  fc.constant(new Binary(Buffer.from([1, 2]), 4)),
  date,
  fc.dictionary(key, fc.oneof(text, number, fc.constant(null), fc.array(number)))
)

const row = fc.record(
  {
    _id: fc.tuple(text, fc.oneof(text, fc.uuid())).map(([tenant, id]) => storedId(tenant, id)),
    tenantId: text,
    kind: fc.constantFrom('event', 'error'),
    rareKind: maybe(fc.constant('error')),
    name: text,
    occurredAt: date,
    receivedAt: date,
    nanos: maybe(fc.nat(999_999)),
    durationMs: fc.oneof(number, odd),
    sampleRate: number,
    subjectKeys: fc.oneof(fc.array(text, { maxLength: 4 }), odd),
    roles: fc.dictionary(key, text),
    attrs: fc.oneof(fc.dictionary(key, text), fc.dictionary(key, odd), odd),
    metrics: fc.oneof(fc.dictionary(key, number), odd),
    data: fc.json(),
    body: text,
    error: fc.oneof(
      fc.record(
        {
          type: text,
          message: fc.oneof(text, odd),
          handled: fc.boolean(),
          fingerprint: text,
          frames: fc.array(fc.record({ filename: text, lineno: fc.integer() })),
          more: odd
        },
        { requiredKeys: [] }
      ),
      odd
    ),
    usage: fc.record(
      {
        meter: text,
        quantity: number,
        amount: fc.oneof(
          fc
            .constantFrom('0.1', '5E-7', '-12345678901234567890.123456789012')
            .map(Decimal128.fromString),
          odd
        ),
        billable: fc.boolean()
      },
      { requiredKeys: [] }
    ),
    client: fc.dictionary(key, odd),
    truncated: fc.constant(true),
    redactedAt: date,
    expiresAt: maybe(date),
    later: odd
  },
  { requiredKeys: ['_id'] }
)

// As a driver reads it: what it writes has lost what BSON cannot hold.
const stored = row.map(
  (one) => BSON.deserialize(BSON.serialize(one, { ignoreUndefined: true })) as StoredRow
)
const textOf = (one: StoredRow) => BSON.EJSON.stringify(sorted(one), { relaxed: true })

function sorted(value: unknown): never {
  if (Array.isArray(value)) return value.map(sorted) as never
  if (Object.getPrototypeOf(value ?? 0) !== Object.prototype) return value as never
  return Object.fromEntries(
    Object.entries(value as object)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)])
  ) as never
}

test('a row is a line, and the line is the row', (t) => {
  fc.assert(
    fc.property(stored, (one) => {
      assert.equal(textOf(rowOf(lineOf(one))), textOf(one))
    }),
    { numRuns: 300 }
  )
  t.end()
})

test('columns of DuckDB keep every row', async () => {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  const ask = `SELECT ${LINE_OF_COLUMNS} FROM (SELECT ${COLUMNS_OF_LINE} FROM (SELECT unnest(from_json($1, '${LINE_SHAPE}'))))`
  await fc.assert(
    fc.asyncProperty(stored, async (one) => {
      const read = await connection.runAndReadAll(ask, [lineOf(one)])
      const [[line]] = read.getRows() as [[string]]
      assert.equal(textOf(rowOf(line)), textOf(one))
    }),
    { numRuns: 150 }
  )
  connection.closeSync()
  instance.closeSync()
})
