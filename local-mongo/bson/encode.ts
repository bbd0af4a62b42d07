// Writes the value model as BSON bytes.
import type { Binary } from 'bson'
import { commandError } from '../errors.ts'
import {
  type CodeWithScope,
  type Doc,
  FarDate,
  MAX_DEPTH,
  TYPE,
  typeCode,
  type Value
} from './value.ts'

type Scalar = Exclude<Value, Doc | Value[] | CodeWithScope>
type ScalarObject = Exclude<Scalar, string | boolean | null | undefined | Date>

/** A buffer that grows; one is kept between calls, since encoding is never re-entered. */
interface Writer {
  bytes: Buffer
  at: number
}

const FIRST_SIZE = 16_384
/** A buffer larger than this is let go after use. */
const KEPT_SIZE = 1_048_576
const doubleBytes = new Uint8Array(8)
const doubleValue = new Float64Array(doubleBytes.buffer)
let kept: Buffer | undefined

/** Encodes a document. Fails with Overflow (15) when it is nested too deep to be read again. */
export function encodeDoc(doc: Doc): Uint8Array {
  const writer: Writer = { bytes: kept ?? Buffer.allocUnsafeSlow(FIRST_SIZE), at: 0 }
  kept = undefined
  writeDoc(writer, doc, 1)
  const encoded = new Uint8Array(writer.bytes.subarray(0, writer.at))
  if (writer.bytes.length <= KEPT_SIZE) kept = writer.bytes
  return encoded
}

/** The size of a document's encoding in bytes, without encoding it. */
export function sizeOfDoc(doc: Doc): number {
  let size = 5
  for (const [name, value] of doc) size += 2 + byteLength(name) + sizeOfValue(value)
  return size
}

/** The size of a value's encoding in bytes, without its type and name. */
export function sizeOfValue(value: Value): number {
  if (typeof value === 'string') return 5 + byteLength(value)
  if (value instanceof Map) return sizeOfDoc(value)
  if (Array.isArray(value)) return sizeOfArray(value)
  return sizeOfScalar(value)
}

function sizeOfArray(list: readonly Value[]): number {
  let size = 5
  for (const [index, value] of list.entries()) size += 2 + digits(index) + sizeOfValue(value)
  return size
}

function sizeOfScalar(value: Exclude<Value, string | Doc | Value[]>): number {
  if (value === null || value === undefined) return 0
  if (typeof value === 'boolean') return 1
  if (value instanceof Date) return 8
  switch (value._bsontype) {
    case 'Int32':
      return 4
    case 'Double':
    case 'Long':
    case 'Timestamp':
      return 8
    case 'ObjectId':
      return 12
    case 'Decimal128':
      return 16
    case 'Binary':
      return 5 + value.position
    case 'BSONRegExp':
      return 2 + byteLength(value.pattern) + byteLength(value.options)
    case 'Code':
      return 5 + byteLength(value.code)
    case 'BSONSymbol':
      return 5 + byteLength(value.value)
    case 'DbPointer':
      return 17 + byteLength(value.namespace)
    case 'CodeWithScope':
      return 9 + byteLength(value.code) + sizeOfDoc(value.scope)
    default:
      return 0
  }
}

function digits(index: number): number {
  let count = 1
  for (let rest = index; rest >= 10; rest = Math.floor(rest / 10)) count++
  return count
}

/** The length of a text in UTF-8; short ASCII texts are counted without leaving JavaScript. */
function byteLength(text: string): number {
  if (text.length > 32) return Buffer.byteLength(text)
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 127) return Buffer.byteLength(text)
  }
  return text.length
}

function reserve(writer: Writer, count: number): void {
  const needed = writer.at + count
  if (needed <= writer.bytes.length) return
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, writer.bytes.length * 2))
  writer.bytes.copy(larger, 0, 0, writer.at)
  writer.bytes = larger
}

function writeDoc(writer: Writer, doc: Doc, depth: number): void {
  const start = open(writer, depth)
  for (const [name, value] of doc) writeElement(writer, name, value, depth)
  close(writer, start)
}

function writeArray(writer: Writer, list: readonly Value[], depth: number): void {
  const start = open(writer, depth)
  for (let i = 0; i < list.length; i++) writeElement(writer, String(i), list[i], depth)
  close(writer, start)
}

function open(writer: Writer, depth: number): number {
  if (depth > MAX_DEPTH) {
    throw commandError('Overflow', `BSONObj exceeds maximum nested object depth of ${MAX_DEPTH}`)
  }
  reserve(writer, 5)
  const start = writer.at
  writer.at += 4
  return start
}

function close(writer: Writer, start: number): void {
  reserve(writer, 1)
  writer.bytes[writer.at++] = 0
  setInt32(writer.bytes, start, writer.at - start)
}

function writeElement(writer: Writer, name: string, value: Value, depth: number): void {
  const type = typeCode(value)
  // 17 bytes are enough for the type and any value of fixed size.
  reserve(writer, name.length * 3 + 18)
  writer.bytes[writer.at++] = type
  writeName(writer, name)
  switch (type) {
    case TYPE.object:
      writeDoc(writer, value as Doc, depth + 1)
      break
    case TYPE.array:
      writeArray(writer, value as Value[], depth + 1)
      break
    case TYPE.javascriptWithScope:
      writeCodeWithScope(writer, value as CodeWithScope, depth)
      break
    default:
      writeScalar(writer, value as Scalar)
  }
}

function writeName(writer: Writer, name: string): void {
  if (name.includes('\0')) throw commandError('InvalidBSON', 'A field name holds a null byte')
  writer.at += writeText(writer.bytes, writer.at, name)
  writer.bytes[writer.at++] = 0
}

/** Writes UTF-8 where room was made for three bytes per code unit; returns the number of bytes. */
function writeText(bytes: Buffer, at: number, text: string): number {
  if (text.length > 24) return bytes.write(text, at, 'utf8')
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit > 127) return bytes.write(text, at, 'utf8')
    bytes[at + i] = unit
  }
  return text.length
}

function writeString(writer: Writer, text: string): void {
  reserve(writer, text.length * 3 + 5)
  const size = writeText(writer.bytes, writer.at + 4, text)
  setInt32(writer.bytes, writer.at, size + 1)
  writer.at += 4 + size
  writer.bytes[writer.at++] = 0
}

function writeScalar(writer: Writer, value: Scalar): void {
  if (typeof value === 'string') writeString(writer, value)
  else if (typeof value === 'boolean') writer.bytes[writer.at++] = value ? 1 : 0
  else if (value instanceof Date) writeDate(writer, value)
  else if (value !== null && value !== undefined) writeScalarObject(writer, value)
}

function writeScalarObject(writer: Writer, value: ScalarObject): void {
  switch (value._bsontype) {
    case 'Int32':
      writeInt32(writer, value.value)
      break
    case 'Double':
      writeDouble(writer, value.value)
      break
    case 'Long':
      writeInt32(writer, value.low)
      writeInt32(writer, value.high)
      break
    case 'ObjectId':
      writeBytes(writer, value.id)
      break
    case 'Binary':
      writeBinary(writer, value)
      break
    case 'Decimal128':
      writeBytes(writer, value.bytes)
      break
    case 'Timestamp':
      writeInt32(writer, value.i)
      writeInt32(writer, value.t)
      break
    default:
      writeRareScalar(writer, value)
  }
}

function writeRareScalar(writer: Writer, value: ScalarObject): void {
  switch (value._bsontype) {
    case 'BSONRegExp':
      writeCString(writer, value.pattern)
      writeCString(writer, value.options)
      break
    case 'Code':
      writeString(writer, value.code)
      break
    case 'BSONSymbol':
      writeString(writer, value.value)
      break
    case 'DbPointer':
      writeString(writer, value.namespace)
      writeBytes(writer, value.id.id)
      break
    default:
      // MinKey and MaxKey have no bytes.
      break
  }
}

function writeInt32(writer: Writer, value: number): void {
  setInt32(writer.bytes, writer.at, value)
  writer.at += 4
}

function setInt32(bytes: Buffer, at: number, value: number): void {
  bytes[at] = value
  bytes[at + 1] = value >> 8
  bytes[at + 2] = value >> 16
  bytes[at + 3] = value >> 24
}

function writeDouble(writer: Writer, value: number): void {
  doubleValue[0] = value
  for (let i = 0; i < 8; i++) writer.bytes[writer.at + i] = doubleBytes[i] as number
  writer.at += 8
}

function writeDate(writer: Writer, date: Date): void {
  if (date instanceof FarDate) {
    writer.at = writer.bytes.writeBigInt64LE(BigInt.asIntN(64, date.millis), writer.at)
    return
  }
  const millis = date.getTime()
  const high = Math.floor(millis / 4_294_967_296)
  writeInt32(writer, millis - high * 4_294_967_296)
  writeInt32(writer, high)
}

function writeBytes(writer: Writer, bytes: Uint8Array): void {
  reserve(writer, bytes.length)
  writer.bytes.set(bytes, writer.at)
  writer.at += bytes.length
}

function writeBinary(writer: Writer, binary: Binary): void {
  writeInt32(writer, binary.position)
  writer.bytes[writer.at++] = binary.sub_type
  writeBytes(writer, binary.buffer.subarray(0, binary.position))
}

function writeCString(writer: Writer, text: string): void {
  reserve(writer, text.length * 3 + 1)
  writeName(writer, text)
}

function writeCodeWithScope(writer: Writer, value: CodeWithScope, depth: number): void {
  const start = writer.at
  writer.at += 4
  writeString(writer, value.code)
  writeDoc(writer, value.scope, depth + 1)
  setInt32(writer.bytes, start, writer.at - start)
}
