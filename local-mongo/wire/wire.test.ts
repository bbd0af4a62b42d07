// Framing, messages and body splitting: round trips, and broken bytes of many kinds.

import fc from 'fast-check'
import { BSON } from 'mongodb'
import { test } from 'tap'
import { splitBody } from './body.ts'
import { crc32c } from './crc32c.ts'
import { FrameReader } from './frames.ts'
import { decodeMessage, encodeLegacyReply, encodeReply } from './message.ts'

const document = (value: BSON.Document): Buffer => Buffer.from(BSON.serialize(value))

/** An OP_MSG made by hand. */
function message(
  sections: readonly Buffer[],
  { flags = 0, requestId = 7, operation = 2013 } = {}
): Buffer {
  const head = Buffer.alloc(20)
  const bytes = Buffer.concat([head, ...sections])
  bytes.writeInt32LE(bytes.length, 0)
  bytes.writeInt32LE(requestId, 4)
  bytes.writeInt32LE(operation, 12)
  bytes.writeUInt32LE(flags, 16)
  return bytes
}
const body = (value: BSON.Document): Buffer => Buffer.concat([Buffer.from([0]), document(value)])
function sequence(name: string, documents: readonly BSON.Document[]): Buffer {
  const content = Buffer.concat([Buffer.from(`${name}\0`), ...documents.map(document)])
  const size = Buffer.alloc(4)
  size.writeInt32LE(content.length + 4, 0)
  return Buffer.concat([Buffer.from([1]), size, content])
}
function withChecksum(bytes: Buffer): Buffer {
  const out = Buffer.concat([bytes, Buffer.alloc(4)])
  out.writeInt32LE(out.length, 0)
  out.writeUInt32LE(out.readUInt32LE(16) | 1, 16)
  out.writeUInt32LE(crc32c(out.subarray(0, bytes.length)), bytes.length)
  return out
}
/** A legacy query as drivers send it in the handshake. */
function legacyQuery(namespace: string, query: BSON.Document): Buffer {
  const bytes = Buffer.concat([
    Buffer.alloc(20),
    Buffer.from(`${namespace}\0`),
    Buffer.alloc(8),
    document(query)
  ])
  bytes.writeInt32LE(bytes.length, 0)
  bytes.writeInt32LE(9, 4)
  bytes.writeInt32LE(2004, 12)
  return bytes
}

test('the checksum is CRC-32C', async (t) => {
  t.equal(crc32c(Buffer.from('123456789')), 0xe3069283)
  t.equal(crc32c(new Uint8Array()), 0)
})

test('a stream cut anywhere gives the messages that went in', async (t) => {
  const messages = fc.array(fc.uint8Array({ maxLength: 60 }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(
      messages,
      fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }),
      (all, cuts) => {
        const frames = all.map((content) => {
          const frame = Buffer.concat([Buffer.alloc(16), content])
          frame.writeInt32LE(frame.length, 0)
          return frame
        })
        const stream = Buffer.concat(frames)
        const reader = new FrameReader()
        const out: Buffer[] = []
        for (let at = 0, turn = 0; at < stream.length; turn++) {
          const step = cuts[turn % cuts.length] ?? 1
          reader.push(stream.subarray(at, at + step))
          at += step
          for (let frame = reader.read(); frame; frame = reader.read()) {
            if (!Buffer.isBuffer(frame)) throw new Error(frame.fault)
            out.push(frame)
          }
        }
        return (
          reader.heldBytes === 0 && Buffer.concat(out).equals(stream) && out.length === all.length
        )
      }
    )
  )
  t.pass('every cut')
})

for (const [declared, fault] of [
  [15, 'too small'],
  [-1, 'too small'],
  [48_000_001, 'too large'],
  [0x7fffffff, 'too large']
] as const) {
  test(`a frame that declares ${declared} bytes is a fault as soon as its length is known`, async (t) => {
    const reader = new FrameReader()
    const head = Buffer.alloc(4)
    head.writeInt32LE(declared, 0)
    reader.push(head.subarray(0, 2))
    t.equal(reader.read(), undefined)
    reader.push(head.subarray(2))
    t.same(reader.read(), { fault, declared })
  })
}

test('a command comes with its body and its sequences', async (t) => {
  const documents = [{ _id: 1 }, { _id: 2, text: 'x' }]
  const decoded = decodeMessage(message([sequence('documents', documents), body({ insert: 'c' })]))
  if (decoded.kind !== 'command') throw new Error(JSON.stringify(decoded))
  t.same(BSON.deserialize(decoded.body), { insert: 'c' })
  t.same(
    decoded.sequences.get('documents')?.map((bytes) => BSON.deserialize(bytes)),
    documents
  )
  t.equal(decoded.requestId, 7)
  t.equal(decoded.moreToCome, false)
})

test('a client that wants no answer is known by its flag', async (t) => {
  const decoded = decodeMessage(message([body({ ping: 1 })], { flags: 2 }))
  t.match(decoded, { kind: 'command', moreToCome: true })
})

test('a checksum is verified', async (t) => {
  const good = withChecksum(message([body({ ping: 1 })]))
  t.match(decodeMessage(good), { kind: 'command' })
  const bad = Buffer.from(good)
  bad[25] = (bad[25] ?? 0) ^ 1
  t.same(decodeMessage(bad), { kind: 'broken', reason: 'the checksum does not match' })
})

const ping = body({ ping: 1 })
for (const [name, bytes] of Object.entries({
  'a length that is not its own': Buffer.concat([message([ping]), Buffer.alloc(1)]),
  'an unknown operation': message([ping], { operation: 2012 }),
  'an unknown flag': message([ping], { flags: 4 }),
  'no flags': message([], {}).subarray(0, 18),
  'no room for its checksum': message([], { flags: 1 }),
  'no body': message([sequence('a', [])]),
  'two bodies': message([ping, ping]),
  'two sequences of one name': message([ping, sequence('a', []), sequence('a', [])]),
  'an unknown kind of section': message([Buffer.from([7, 5, 0, 0, 0, 0])]),
  'a section beyond its end': message([Buffer.from([0, 50, 0, 0, 0, 0])]),
  'a section cut short': message([Buffer.from([0, 5])]),
  'a negative section': message([Buffer.from([0, 255, 255, 255, 255])]),
  'a sequence whose name has no end': message([ping, Buffer.from([1, 6, 0, 0, 0, 65, 65])]),
  'a sequence with a document beyond its end': message([
    ping,
    Buffer.from([1, 11, 0, 0, 0, 65, 0, 9, 0, 0, 0, 0])
  ])
})) {
  test(`a message with ${name} is broken`, async (t) => {
    const fixed = Buffer.from(bytes)
    if (name === 'no flags') fixed.writeInt32LE(fixed.length, 0)
    t.match(decodeMessage(fixed), { kind: 'broken', reason: String })
  })
}

test('the legacy handshake is read, and broken ones are known', async (t) => {
  const good = legacyQuery('admin.$cmd', { ismaster: 1 })
  const decoded = decodeMessage(good)
  if (decoded.kind !== 'query') throw new Error(JSON.stringify(decoded))
  t.equal(decoded.namespace, 'admin.$cmd')
  t.same(BSON.deserialize(decoded.query), { ismaster: 1 })
  const noName = Buffer.from(good.subarray(0, 24))
  noName.writeInt32LE(noName.length, 0)
  t.match(decodeMessage(noName), { kind: 'broken' })
  const short = Buffer.from(good.subarray(0, good.length - 4))
  short.writeInt32LE(short.length, 0)
  t.match(decodeMessage(short), { kind: 'broken' })
})

test('random bytes and single flips never throw', async (t) => {
  const base = message([body({ insert: 'c', ordered: true }), sequence('documents', [{ a: 1 }])])
  fc.assert(
    fc.property(fc.nat(base.length - 1), fc.nat(255), (at, byte) => {
      const bytes = Buffer.from(base)
      bytes[at] = byte
      return decodeMessage(bytes).kind.length > 0
    }),
    { numRuns: 2000 }
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      return decodeMessage(Buffer.from(bytes)).kind === 'broken'
    })
  )
  t.pass('no throw')
})

test('a reply carries a batch of raw documents before its fields', async (t) => {
  const documents = Array.from({ length: 1100 }, (_, index) => ({ _id: index, text: `ä${index}` }))
  const reply = encodeReply({ requestId: 3, responseTo: 7 }, document({ ok: 1 }), {
    field: 'firstBatch',
    documents: documents.map(document),
    id: 5_000_000_000n,
    namespace: 'dä.c',
    more: document({ partial: true })
  })
  t.equal(reply.readInt32LE(0), reply.length)
  t.equal(reply.readInt32LE(8), 7)
  const value = BSON.deserialize(reply.subarray(21), { useBigInt64: true })
  t.same(Object.keys(value), ['cursor', 'ok'])
  t.same(value['cursor'].firstBatch, documents)
  t.equal(value['cursor'].id, 5_000_000_000n)
  t.equal(value['cursor'].ns, 'dä.c')
  t.equal(value['cursor'].partial, true)
})

test('a legacy reply has one document', async (t) => {
  const reply = encodeLegacyReply({ requestId: 1, responseTo: 9 }, document({ ok: 1 }))
  t.equal(reply.readInt32LE(12), 1)
  t.equal(reply.readInt32LE(32), 1)
  t.same(BSON.deserialize(reply.subarray(36)), { ok: 1 })
})

test('an inline array of documents is cut out of the body as raw bytes', async (t) => {
  const { Binary, Code, Decimal128, Double, Long, MaxKey, MinKey, ObjectId, Timestamp } = BSON
  const rest = {
    insert: 'c',
    binary: new Binary(Buffer.from('abc')),
    code: new Code('f()', { a: 1 }),
    plain: new Code('f()'),
    decimal: Decimal128.fromString('1.5'),
    double: new Double(1.5),
    long: Long.fromNumber(5),
    max: new MaxKey(),
    min: new MinKey(),
    id: new ObjectId(),
    stamp: new Timestamp({ t: 1, i: 2 }),
    regex: /a/i,
    date: new Date(1),
    none: null,
    yes: true,
    nested: { a: [1] }
  }
  const documents = [{ _id: 1 }, {}, { a: [{ b: 1 }] }]
  const split = splitBody(document({ documents, ...rest }), 'documents')
  if (!split) throw new Error('not split')
  t.same(
    split.documents.map((bytes) => BSON.deserialize(bytes)),
    documents
  )
  t.ok(document(rest).equals(Buffer.from(split.body)))
})

test('a body without such an array, or with other elements in it, stays whole', async (t) => {
  t.equal(splitBody(document({ insert: 'c' }), 'documents'), undefined)
  t.equal(splitBody(document({ documents: 'text' }), 'documents'), undefined)
  t.equal(splitBody(document({ documents: [1] }), 'documents'), undefined)
})

test('broken bodies are never split wrongly and never throw', async (t) => {
  const good = document({ insert: 'c', documents: [{ a: 1 }, { b: 'x' }], regex: /a/ })
  fc.assert(
    fc.property(fc.nat(good.length - 1), fc.nat(255), (at, byte) => {
      const bytes = Buffer.from(good)
      bytes[at] = byte
      const split = splitBody(bytes, 'documents')
      return split === undefined || split.body.length < bytes.length
    }),
    { numRuns: 3000 }
  )
  t.equal(splitBody(good.subarray(0, good.length - 1), 'documents'), undefined)
})
