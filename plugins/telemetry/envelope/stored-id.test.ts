// The stored id of a record: short, its tenant's own, and always turned back into the wire's.
import fc from 'fast-check'
import { Binary } from 'mongodb'
import { test } from 'tap'
import { newRecordId } from './record-id.ts'
import { compareIds, idOfText, idText, storedId, wireId } from './stored-id.ts'

const UUID = '0197a3c4-5b6d-7e8f-9012-3456789abcde'

const isSame = (a: Binary, b: Binary) => compareIds(a, b) === 0
const digits = (from: number, to: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: from, maxLength: to })
/** Ids of every form, those that nearly are one among them. */
const anyId = fc.oneof(
  fc.uuid(),
  fc.uuid().map((id) => id.toUpperCase()),
  fc.uuid().map((id) => id.replaceAll('-', '')),
  fc.uuid().map((id) => id.replace('-', '0')),
  fc.uuid().map((id) => `${id.slice(0, 9)}-${id.slice(10)}`),
  digits(16, 64),
  digits(16, 64).map((id) => id.toUpperCase()),
  fc.string({ unit: 'grapheme-ascii', minLength: 16, maxLength: 64 }),
  fc.string({ unit: 'grapheme', minLength: 16, maxLength: 64 })
)

test('every id comes back from its stored form as it was', async (t) => {
  fc.assert(fc.property(fc.string(), anyId, (tenant, id) => wireId(storedId(tenant, id)) === id))
  t.pass()
})

test('two ids, or one of two tenants, never share a stored form', async (t) => {
  fc.assert(
    fc.property(
      anyId,
      anyId,
      (a, b) => (a === b) === isSame(storedId('acme', a), storedId('acme', b))
    )
  )
  t.notOk(isSame(storedId('acme', UUID), storedId('other', UUID)))
})

test('a UUID takes 22 bytes, hex digits half of theirs, and what only looks alike its text', async (t) => {
  const size = (id: string) => storedId('acme', id).length()
  t.equal(size(UUID), 22)
  t.equal(size(UUID.replaceAll('-', '')), 22)
  t.equal(size('0123456789abcdef'.repeat(3)), 30)
  t.equal(size(UUID.toUpperCase()), 42)
  t.equal(size(`${UUID.slice(1)}-`), 42)
  t.equal(size(`${UUID.slice(0, 35)}g`), 42)
  t.equal(size('record-0000000001'), 23)
})

test('stored ids come back from the text that cursors hold', async (t) => {
  fc.assert(
    fc.property(anyId, (id) => {
      const stored = storedId('acme', id)
      const read = idOfText(idText(stored))
      return read !== undefined && isSame(read, stored)
    })
  )
  for (const bad of [
    '',
    '80',
    '80AAAA',
    '81AAAAAAAA',
    '7fAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'acme|x'
  ]) {
    t.equal(idOfText(bad), undefined, bad)
  }
})

test('new ids of a tenant sort by the time they were made', async (t) => {
  const stored = Array.from({ length: 50 }, (_, n) => storedId('acme', newRecordId(1e12 + n)))
  t.same([...stored].reverse().sort(compareIds), stored)
})

test('ids are compared as the database does: length, form, bytes', async (t) => {
  const [short, text, long] = [
    new Binary(Buffer.from('b'), 0x80),
    new Binary(Buffer.from('a'), 0x81),
    new Binary(Buffer.from('aa'), 0x80)
  ]
  t.same([long, text, short].sort(compareIds), [short, text, long])
  t.equal(compareIds(storedId('acme', UUID), storedId('acme', UUID)), 0)
})
