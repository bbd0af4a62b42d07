// Reads BSON bytes into the value model, trusting nothing about the bytes.
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
import { type CommandError, commandError } from '../errors.ts'
import {
  CodeWithScope,
  DbPointer,
  type Doc,
  FarDate,
  MAX_DEPTH,
  TYPE,
  type Value
} from './value.ts'

interface Reader {
  readonly bytes: Buffer
  /** Where the next byte is read. */
  at: number
  /** Nothing at or after this offset may be read: the end of the innermost document. */
  end: number
}

const REPLACEMENT = '\ufffd'
const LAST_DATE = 8_640_000_000_000_000
const doubleBytes = new Uint8Array(8)
const doubleValue = new Float64Array(doubleBytes.buffer)

/**
 * Decodes a whole document. Bytes are copied: the result does not refer to the input.
 * With `fields`, other top-level fields are skipped without being read.
 * Fails with InvalidBSON (22), or Overflow (15) when nested too deep.
 */
export function decodeDoc(bytes: Uint8Array, fields?: ReadonlySet<string>): Doc {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const reader: Reader = { bytes: buffer, at: 0, end: buffer.length }
  const doc = readDoc(reader, 1, fields)
  if (reader.at !== buffer.length) throw invalid('bytes follow the document')
  return doc
}

/** Decodes the value of type `type` at `start` of a valid document's bytes. */
export function decodeElement(bytes: Uint8Array, type: number, start: number): Value {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return readValue({ bytes: buffer, at: start, end: buffer.length }, type, 1)
}

export function invalid(what: string): CommandError {
  return commandError('InvalidBSON', `Not valid BSON: ${what}`)
}

/** Enters a document: returns the outer end, to be given back to `leave`. */
function enter(reader: Reader, depth: number): number {
  if (depth > MAX_DEPTH) {
    throw commandError('Overflow', `BSONObj exceeds maximum nested object depth of ${MAX_DEPTH}`)
  }
  const outer = reader.end
  const start = reader.at
  const size = readInt32(reader)
  if (size < 5 || start + size > outer) throw invalid('a document has an impossible size')
  reader.end = start + size
  if (reader.bytes[reader.end - 1] !== 0) throw invalid('a document does not end with 0')
  return outer
}

function leave(reader: Reader, outer: number): void {
  if (reader.at !== reader.end) throw invalid('a document ends before its size')
  reader.end = outer
}

function readDoc(reader: Reader, depth: number, fields?: ReadonlySet<string>): Doc {
  const outer = enter(reader, depth)
  const doc: Doc = new Map()
  for (let type = readByte(reader); type !== 0; type = readByte(reader)) {
    const name = readName(reader)
    if (fields === undefined || fields.has(name)) doc.set(name, readValue(reader, type, depth))
    else reader.at = skipValue(reader.bytes, type, reader.at, reader.end)
  }
  leave(reader, outer)
  return doc
}

function readArray(reader: Reader, depth: number): Value[] {
  const outer = enter(reader, depth)
  const list: Value[] = []
  for (let type = readByte(reader); type !== 0; type = readByte(reader)) {
    reader.at = endOfName(reader) + 1
    list.push(readValue(reader, type, depth))
  }
  leave(reader, outer)
  return list
}

function readValue(reader: Reader, type: number, depth: number): Value {
  switch (type) {
    case TYPE.string:
      return readString(reader)
    case TYPE.int:
      return new Int32(readInt32(reader))
    case TYPE.double:
      return new Double(readDouble(reader))
    case TYPE.objectId:
      return new ObjectId(take(reader, 12))
    case TYPE.date:
      return readDate(reader)
    case TYPE.bool:
      return readBoolean(reader)
    case TYPE.null:
      return null
    case TYPE.object:
      return readDoc(reader, depth + 1)
    case TYPE.array:
      return readArray(reader, depth + 1)
    case TYPE.long:
      return readLong(reader)
    case TYPE.binData:
      return readBinary(reader)
    default:
      return readRareValue(reader, type, depth)
  }
}

function readRareValue(reader: Reader, type: number, depth: number): Value {
  switch (type) {
    case TYPE.undefined:
      return undefined
    case TYPE.decimal:
      return new Decimal128(Uint8Array.from(take(reader, 16)))
    case TYPE.regex:
      return readRegex(reader)
    case TYPE.timestamp: {
      const i = readInt32(reader)
      return new Timestamp({ t: readInt32(reader) >>> 0, i: i >>> 0 })
    }
    case TYPE.javascript:
      return new Code(readString(reader))
    case TYPE.symbol:
      return new BSONSymbol(readString(reader))
    case TYPE.dbPointer: {
      const namespace = readString(reader)
      return new DbPointer(namespace, new ObjectId(take(reader, 12)))
    }
    case TYPE.javascriptWithScope:
      return readCodeWithScope(reader, depth)
    case TYPE.minKey:
      return new MinKey()
    case TYPE.maxKey:
      return new MaxKey()
    default:
      throw invalid(`unknown type ${type}`)
  }
}

function readByte(reader: Reader): number {
  if (reader.at >= reader.end) throw invalid('it ends too early')
  return reader.bytes[reader.at++] as number
}

function readInt32(reader: Reader): number {
  const { bytes, at } = reader
  if (at + 4 > reader.end) throw invalid('it ends too early')
  reader.at = at + 4
  return int32At(bytes, at)
}

/** The little-endian signed 32-bit number at an offset. */
export function int32At(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  )
}

/** The little-endian double at an offset. */
export function doubleAt(bytes: Uint8Array, at: number): number {
  for (let i = 0; i < 8; i++) doubleBytes[i] = bytes[at + i] as number
  return doubleValue[0] as number
}

function readDouble(reader: Reader): number {
  const { at } = reader
  take(reader, 8)
  return doubleAt(reader.bytes, at)
}

function readLong(reader: Reader): Long {
  const low = readInt32(reader)
  return new Long(low, readInt32(reader))
}

function readDate(reader: Reader): Date {
  const low = readInt32(reader)
  const high = readInt32(reader)
  const millis = high * 4_294_967_296 + (low >>> 0)
  if (millis >= -LAST_DATE && millis <= LAST_DATE) return new Date(millis)
  return new FarDate((BigInt(high) << 32n) | BigInt(low >>> 0))
}

function readBoolean(reader: Reader): boolean {
  const byte = readByte(reader)
  if (byte > 1) throw invalid('a boolean is neither 0 nor 1')
  return byte === 1
}

function readBinary(reader: Reader): Binary {
  const size = readInt32(reader)
  const subtype = readByte(reader)
  if (size < 0) throw invalid('binary data has an impossible size')
  return new Binary(Buffer.from(take(reader, size)), subtype)
}

function readRegex(reader: Reader): BSONRegExp {
  const pattern = readCString(reader)
  const options = readCString(reader)
  try {
    return new BSONRegExp(pattern, options)
  } catch (cause) {
    throw commandError('InvalidBSON', `Not valid BSON: regular expression options ${options}`, {
      cause
    })
  }
}

function readCodeWithScope(reader: Reader, depth: number): CodeWithScope {
  const start = reader.at
  const size = readInt32(reader)
  const code = readString(reader)
  const scope = readDoc(reader, depth + 1)
  if (reader.at !== start + size) throw invalid('code with scope has an impossible size')
  return new CodeWithScope(code, scope)
}

/** A view of the next bytes; copy what outlives the reader. */
function take(reader: Reader, count: number): Buffer {
  const { at } = reader
  if (at + count > reader.end) throw invalid('it ends too early')
  reader.at = at + count
  return reader.bytes.subarray(at, at + count)
}

function readString(reader: Reader): string {
  const size = readInt32(reader)
  const { bytes, at } = reader
  if (size < 1 || at + size > reader.end) throw invalid('a string has an impossible size')
  if (bytes[at + size - 1] !== 0) throw invalid('a string does not end with 0')
  reader.at = at + size
  return textAt(bytes, at, at + size - 1)
}

/** The UTF-8 text between two offsets; fails when it is not UTF-8. */
export function textAt(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end)
  if (text.includes(REPLACEMENT)) checkUtf8(bytes, start, end)
  return text
}

function checkUtf8(bytes: Buffer, start: number, end: number): void {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(start, end))
  } catch (cause) {
    throw commandError('InvalidBSON', 'Not valid BSON: a string is not UTF-8', { cause })
  }
}

function endOfName(reader: Reader): number {
  const { bytes, end } = reader
  let at = reader.at
  while (at < end && bytes[at] !== 0) at++
  if (at >= end) throw invalid('a name does not end')
  return at
}

function readCString(reader: Reader): string {
  const end = endOfName(reader)
  const text = textAt(reader.bytes, reader.at, end)
  reader.at = end + 1
  return text
}

// Documents of one collection repeat their field names: a name that was just read is looked up by
// its bytes, which is several times cheaper than making the string again. Two names of one slot are both kept.
const NAME_SLOTS = 1024
const LONGEST_CACHED_NAME = 32
const cachedNames: (string | undefined)[] = new Array<string | undefined>(NAME_SLOTS)

function readName(reader: Reader): string {
  const { bytes, end, at: start } = reader
  let hash = 0
  let at = start
  for (; at < end; at++) {
    const byte = bytes[at] as number
    if (byte === 0) break
    hash = (Math.imul(hash, 31) + byte) | 0
  }
  if (at >= end) throw invalid('a name does not end')
  reader.at = at + 1
  if (at - start > LONGEST_CACHED_NAME) return textAt(bytes, start, at)
  const slot = hash & (NAME_SLOTS - 1)
  const cached = cachedNames[slot]
  if (cached !== undefined && isSameAscii(bytes, start, at, cached)) return cached
  const neighbour = cachedNames[slot ^ 1]
  if (neighbour !== undefined && isSameAscii(bytes, start, at, neighbour)) return neighbour
  const name = textAt(bytes, start, at)
  if (name.length === at - start) {
    cachedNames[slot ^ 1] = cached
    cachedNames[slot] = name
  }
  return name
}

function isSameAscii(bytes: Buffer, start: number, end: number, text: string): boolean {
  if (text.length !== end - start) return false
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) !== bytes[start + i]) return false
  }
  return true
}

/** The offset after the value of type `type` that starts at `start`; fails when it passes `end`. */
export function skipValue(bytes: Uint8Array, type: number, start: number, end: number): number {
  const after = start + valueSize(bytes, type, start, end)
  if (!(after <= end)) throw invalid('a value passes the end of its document')
  return after
}

function valueSize(bytes: Uint8Array, type: number, start: number, end: number): number {
  switch (type) {
    case TYPE.double:
    case TYPE.date:
    case TYPE.timestamp:
    case TYPE.long:
      return 8
    case TYPE.int:
      return 4
    case TYPE.bool:
      return 1
    case TYPE.objectId:
      return 12
    case TYPE.decimal:
      return 16
    case TYPE.undefined:
    case TYPE.null:
    case TYPE.minKey:
    case TYPE.maxKey:
      return 0
    default:
      return variableSize(bytes, type, start, end)
  }
}

function variableSize(bytes: Uint8Array, type: number, start: number, end: number): number {
  if (type === TYPE.regex) return regexSize(bytes, start, end)
  if (start + 4 > end) throw invalid('it ends too early')
  const size = int32At(bytes, start)
  if (size < 0) throw invalid('a value has an impossible size')
  switch (type) {
    case TYPE.string:
    case TYPE.javascript:
    case TYPE.symbol:
      return 4 + size
    case TYPE.object:
    case TYPE.array:
    case TYPE.javascriptWithScope:
      return size
    case TYPE.binData:
      return 5 + size
    case TYPE.dbPointer:
      return 16 + size
    default:
      throw invalid(`unknown type ${type}`)
  }
}

function regexSize(bytes: Uint8Array, start: number, end: number): number {
  const pattern = bytes.indexOf(0, start)
  const options = pattern < 0 ? -1 : bytes.indexOf(0, pattern + 1)
  if (options < 0 || options >= end) throw invalid('a regular expression does not end')
  return options + 1 - start
}
