// Reads requests (OP_MSG and the legacy OP_QUERY handshake) and writes the messages that answer them.
import { crc32c } from './crc32c.ts'
import { HEADER_SIZE } from './limits.ts'

const OP_REPLY = 1
const OP_QUERY = 2004
const OP_MSG = 2013

const CHECKSUM_PRESENT = 1
const MORE_TO_COME = 2
/** Bits 0–15 must be understood by the reader; the others may be passed over. */
const REQUIRED_FLAGS = 0xffff
const AWAIT_CAPABLE = 8
const SMALLEST_DOCUMENT = 5

/** A command as it came: the body's bytes and the document sequences beside it, nothing decoded. */
export interface CommandMessage {
  readonly kind: 'command'
  readonly requestId: number
  readonly body: Uint8Array
  readonly sequences: ReadonlyMap<string, readonly Uint8Array[]>
  /** The client wants no answer. */
  readonly moreToCome: boolean
}

/** A legacy query; only the handshake still comes this way. */
export interface QueryMessage {
  readonly kind: 'query'
  readonly requestId: number
  /** Such as `admin.$cmd`. */
  readonly namespace: string
  readonly query: Uint8Array
}

/** Bytes that are not a message of this protocol; the connection cannot go on. */
export interface BrokenMessage {
  readonly kind: 'broken'
  readonly reason: string
}

export type Message = CommandMessage | QueryMessage | BrokenMessage

const broken = (reason: string): BrokenMessage => ({ kind: 'broken', reason })

/** Reads one whole message. Never throws. */
export function decodeMessage(frame: Buffer): Message {
  if (frame.length < HEADER_SIZE || frame.readInt32LE(0) !== frame.length) {
    return broken('the declared length is not the length of the message')
  }
  const operation = frame.readInt32LE(12)
  if (operation === OP_MSG) return decodeCommand(frame)
  if (operation === OP_QUERY) return decodeQuery(frame)
  return broken(`operation ${operation} is not supported`)
}

function decodeCommand(frame: Buffer): CommandMessage | BrokenMessage {
  if (frame.length < HEADER_SIZE + 4) return broken('the message ends before its flags')
  const flags = frame.readUInt32LE(HEADER_SIZE)
  if (flags & REQUIRED_FLAGS & ~(CHECKSUM_PRESENT | MORE_TO_COME)) {
    return broken(`unknown flags 0x${flags.toString(16)}`)
  }
  let end = frame.length
  if (flags & CHECKSUM_PRESENT) {
    end -= 4
    if (end < HEADER_SIZE + 4) return broken('the message ends before its checksum')
    if (crc32c(frame.subarray(0, end)) !== frame.readUInt32LE(end)) {
      return broken('the checksum does not match')
    }
  }
  const sections = decodeSections(frame, HEADER_SIZE + 4, end)
  if (typeof sections === 'string') return broken(sections)
  return {
    kind: 'command',
    requestId: frame.readInt32LE(4),
    body: sections.body,
    sequences: sections.sequences,
    moreToCome: (flags & MORE_TO_COME) !== 0
  }
}

interface Sections {
  readonly body: Uint8Array
  readonly sequences: ReadonlyMap<string, readonly Uint8Array[]>
}

function decodeSections(frame: Buffer, start: number, end: number): Sections | string {
  let body: Uint8Array | undefined
  const sequences = new Map<string, readonly Uint8Array[]>()
  let at = start
  while (at < end) {
    const kind = frame[at++]
    if (kind !== 0 && kind !== 1) return `unknown section kind ${kind}`
    const size = end - at < 4 ? -1 : frame.readInt32LE(at)
    if (size < SMALLEST_DOCUMENT || size > end - at) return `a section declares ${size} bytes`
    const section = frame.subarray(at, at + size)
    at += size
    if (kind === 0) {
      if (body) return 'more than one body'
      body = section
      continue
    }
    const sequence = decodeSequence(section)
    if (typeof sequence === 'string') return sequence
    if (sequences.has(sequence.name)) return `two sequences are named ${sequence.name}`
    sequences.set(sequence.name, sequence.documents)
  }
  return body ? { body, sequences } : 'no body'
}

function decodeSequence(
  section: Buffer
): { readonly name: string; readonly documents: readonly Uint8Array[] } | string {
  const nameEnd = section.indexOf(0, 4)
  if (nameEnd < 0) return 'the name of a sequence has no end'
  const documents: Uint8Array[] = []
  let at = nameEnd + 1
  while (at < section.length) {
    const size = section.length - at < 4 ? -1 : section.readInt32LE(at)
    if (size < SMALLEST_DOCUMENT || size > section.length - at) {
      return `a document of a sequence declares ${size} bytes`
    }
    documents.push(section.subarray(at, at + size))
    at += size
  }
  return { name: section.toString('utf8', 4, nameEnd), documents }
}

function decodeQuery(frame: Buffer): QueryMessage | BrokenMessage {
  const nameStart = HEADER_SIZE + 4
  const nameEnd = frame.indexOf(0, nameStart)
  if (nameEnd < 0) return broken('the namespace of a query has no end')
  const at = nameEnd + 1 + 8
  const size = frame.length - at < 4 ? -1 : frame.readInt32LE(at)
  if (size < SMALLEST_DOCUMENT || size > frame.length - at) {
    return broken(`a query declares ${size} bytes`)
  }
  return {
    kind: 'query',
    requestId: frame.readInt32LE(4),
    namespace: frame.toString('utf8', nameStart, nameEnd),
    query: frame.subarray(at, at + size)
  }
}

/** Who a message answers, and its own number. */
export interface Envelope {
  readonly requestId: number
  readonly responseTo: number
}

/** A batch of a cursor; its documents are copied as they are. */
export interface CursorBatch {
  readonly field: 'firstBatch' | 'nextBatch'
  readonly documents: readonly Uint8Array[]
  /** 0 once nothing follows. */
  readonly id: bigint
  readonly namespace: string
  /** Further encoded fields of the cursor document: a whole document, whose elements are copied. */
  readonly more?: Uint8Array
}

/** An OP_MSG with one body: the batch, if any, then the elements of `fields` (a whole document). */
export function encodeReply(envelope: Envelope, fields: Uint8Array, batch?: CursorBatch): Buffer {
  const sizes = batch && measureBatch(batch)
  const bodySize = fields.length + (sizes ? 8 + sizes.cursor : 0)
  const bodyAt = HEADER_SIZE + 5
  const out = Buffer.allocUnsafe(bodyAt + bodySize)
  writeHeader(out, envelope, OP_MSG)
  out.writeUInt32LE(0, HEADER_SIZE)
  out[HEADER_SIZE + 4] = 0
  out.writeInt32LE(bodySize, bodyAt)
  const fieldsAt = batch && sizes ? writeBatch(out, bodyAt + 4, batch, sizes) : bodyAt + 4
  out.set(fields.subarray(4), fieldsAt)
  return out
}

/** The answer to a legacy query: an OP_REPLY with one document. */
export function encodeLegacyReply(envelope: Envelope, document: Uint8Array): Buffer {
  const out = Buffer.alloc(HEADER_SIZE + 20 + document.length)
  writeHeader(out, envelope, OP_REPLY)
  out.writeInt32LE(AWAIT_CAPABLE, HEADER_SIZE)
  out.writeInt32LE(1, HEADER_SIZE + 16)
  out.set(document, HEADER_SIZE + 20)
  return out
}

function writeHeader(out: Buffer, { requestId, responseTo }: Envelope, operation: number): void {
  out.writeInt32LE(out.length, 0)
  out.writeInt32LE(requestId, 4)
  out.writeInt32LE(responseTo, 8)
  out.writeInt32LE(operation, 12)
}

const OBJECT = 3
const ARRAY = 4
const STRING = 2
const INT64 = 18

interface BatchSizes {
  readonly cursor: number
  readonly array: number
}

function measureBatch({ field, documents, namespace, more }: CursorBatch): BatchSizes {
  let array = 5
  for (const [index, document] of documents.entries()) {
    array += 2 + digits(index) + document.length
  }
  const ns = 'ns'.length + 2 + 4 + Buffer.byteLength(namespace) + 1
  const id = 'id'.length + 2 + 8
  const cursor = 5 + field.length + 2 + array + id + ns + (more ? more.length - 5 : 0)
  return { cursor, array }
}

function writeBatch(out: Buffer, start: number, batch: CursorBatch, sizes: BatchSizes): number {
  let at = writeName(out, start, OBJECT, 'cursor')
  at = out.writeInt32LE(sizes.cursor, at)
  at = writeName(out, at, ARRAY, batch.field)
  at = out.writeInt32LE(sizes.array, at)
  for (const [index, document] of batch.documents.entries()) {
    at = writeName(out, at, OBJECT, String(index))
    out.set(document, at)
    at += document.length
  }
  out[at++] = 0
  at = writeName(out, at, INT64, 'id')
  at = out.writeBigInt64LE(batch.id, at)
  at = writeName(out, at, STRING, 'ns')
  at = out.writeInt32LE(Buffer.byteLength(batch.namespace) + 1, at)
  at += out.write(batch.namespace, at, 'utf8')
  out[at++] = 0
  if (batch.more) {
    out.set(batch.more.subarray(4, -1), at)
    at += batch.more.length - 5
  }
  out[at++] = 0
  return at
}

function writeName(out: Buffer, start: number, type: number, name: string): number {
  out[start] = type
  const at = start + 1 + out.write(name, start + 1, 'latin1')
  out[at] = 0
  return at + 1
}

function digits(index: number): number {
  return index < 10 ? 1 : index < 100 ? 2 : index < 1000 ? 3 : String(index).length
}
