// A small bounded reader of protobuf: bytes to the JSON form of a message. Unknown fields are skipped.
import type { Field, FieldType, Message } from './messages.ts'

/** Thrown for bytes that are not a message; caught where the request is read. */
export class ProtobufFault extends Error {
  override readonly name = 'ProtobufFault'
}

const MAX_DEPTH = 40
/** Values in one message, so that a few bytes cannot become many objects. */
const MAX_VALUES = 2_000_000

interface Reader {
  readonly bytes: Buffer
  at: number
  values: number
}

/** @throws ProtobufFault */
export function readProtobuf(bytes: Buffer, message: Message): Record<string, unknown> {
  return readMessage({ bytes, at: 0, values: 0 }, bytes.length, message, 0)
}

function readMessage(
  reader: Reader,
  end: number,
  message: Message,
  depth: number
): Record<string, unknown> {
  if (depth > MAX_DEPTH) throw new ProtobufFault('nested too deeply')
  const value: Record<string, unknown> = {}
  while (reader.at < end) {
    const tag = readVarint32(reader, end)
    const field = message.get(tag >>> 3)
    const wire = tag & 7
    if (field === undefined) skip(reader, end, wire)
    else readField(reader, end, field, wire, value, depth)
    if (++reader.values > MAX_VALUES) throw new ProtobufFault('too many values')
  }
  return value
}

function readField(
  reader: Reader,
  end: number,
  field: Field,
  wire: number,
  into: Record<string, unknown>,
  depth: number
): void {
  const { name, type } = field
  const isPacked = field.isList === true && wire === 2 && isNumeric(type)
  if (isPacked) {
    const stop = lengthEnd(reader, end)
    const values = listAt(into, name)
    while (reader.at < stop) {
      values.push(readScalar(reader, stop, type, wireOf(type)))
      reader.values++
    }
    return
  }
  const value =
    typeof type === 'function'
      ? readNested(reader, end, wire, type(), depth)
      : readScalar(reader, end, type, wire)
  if (field.isList === true) listAt(into, name).push(value)
  else into[name] = value
}

function listAt(into: Record<string, unknown>, name: string): unknown[] {
  const known = into[name] as unknown[] | undefined
  if (known !== undefined) return known
  const fresh: unknown[] = []
  into[name] = fresh
  return fresh
}

function readNested(
  reader: Reader,
  end: number,
  wire: number,
  message: Message,
  depth: number
): Record<string, unknown> {
  if (wire !== 2) throw new ProtobufFault('a message field has another type')
  return readMessage(reader, lengthEnd(reader, end), message, depth + 1)
}

const isNumeric = (type: FieldType) =>
  typeof type === 'string' && type !== 'string' && type !== 'hex' && type !== 'base64'

/** The wire type of a scalar: 0 varint, 1 eight bytes, 2 length. */
function wireOf(type: FieldType): number {
  switch (type) {
    case 'fixed64':
    case 'sfixed64':
    case 'double':
      return 1
    case 'string':
    case 'hex':
    case 'base64':
      return 2
    default:
      return 0
  }
}

function readScalar(reader: Reader, end: number, type: FieldType, wire: number): unknown {
  if (wire !== wireOf(type)) throw new ProtobufFault('a field has another type')
  switch (type) {
    case 'string':
      return readBytes(reader, end).toString('utf8')
    case 'hex':
      return readBytes(reader, end).toString('hex')
    case 'base64':
      return readBytes(reader, end).toString('base64')
    case 'bool':
      return readVarint(reader, end) !== 0n
    case 'int32':
      return Number(BigInt.asIntN(32, readVarint(reader, end)))
    case 'sint32': {
      const raw = Number(readVarint(reader, end))
      return raw % 2 === 0 ? raw / 2 : -(raw + 1) / 2
    }
    case 'int64':
      return BigInt.asIntN(64, readVarint(reader, end))
    case 'fixed64':
      return take(reader, end, 8).readBigUInt64LE(0)
    case 'sfixed64':
      return take(reader, end, 8).readBigInt64LE(0)
    case 'double':
      return take(reader, end, 8).readDoubleLE(0)
    default:
      throw new ProtobufFault('a message is no scalar')
  }
}

function take(reader: Reader, end: number, count: number): Buffer {
  const from = reader.at
  if (from + count > end) throw new ProtobufFault('the message ends too early')
  reader.at = from + count
  return reader.bytes.subarray(from, from + count)
}

/** Where the length-delimited value that starts here ends. */
function lengthEnd(reader: Reader, end: number): number {
  const length = readVarint(reader, end)
  if (length > BigInt(end - reader.at)) throw new ProtobufFault('the message ends too early')
  return reader.at + Number(length)
}

function readBytes(reader: Reader, end: number): Buffer {
  const stop = lengthEnd(reader, end)
  return take(reader, end, stop - reader.at)
}

function readVarint32(reader: Reader, end: number): number {
  const value = readVarint(reader, end)
  if (value > 0xffffffffn || value >> 3n === 0n) throw new ProtobufFault('a field has no number')
  return Number(value)
}

function readVarint(reader: Reader, end: number): bigint {
  // Nearly all are one or two bytes: those need no big integers.
  const first = byteAt(reader, end)
  if (first < 0x80) return BigInt(first)
  const second = byteAt(reader, end)
  if (second < 0x80) return BigInt((first & 0x7f) | (second << 7))
  let value = BigInt((first & 0x7f) | ((second & 0x7f) << 7))
  for (let shift = 14n; shift < 70n; shift += 7n) {
    const byte = byteAt(reader, end)
    value |= BigInt(byte & 0x7f) << shift
    if (byte < 0x80) return BigInt.asUintN(64, value)
  }
  throw new ProtobufFault('a number is too long')
}

function byteAt(reader: Reader, end: number): number {
  if (reader.at >= end) throw new ProtobufFault('the message ends too early')
  const byte = reader.bytes[reader.at] as number
  reader.at++
  return byte
}

function skip(reader: Reader, end: number, wire: number): void {
  switch (wire) {
    case 0:
      readVarint(reader, end)
      return
    case 1:
      take(reader, end, 8)
      return
    case 2:
      readBytes(reader, end)
      return
    case 5:
      take(reader, end, 4)
      return
    default:
      throw new ProtobufFault('a field has an unknown type')
  }
}
