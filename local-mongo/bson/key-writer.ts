// Writes raw BSON values as order-preserving bytes: the format of keys.
//
// Each value is one type byte, ordered as BSON orders types, and a body that ends by itself:
//   numbers     sign class 30 NaN, 31 negative, 32 zero, 33 positive; the greatest double not above
//               the magnitude (8 bytes); 0, or 1 and the decimal digits when the double is not exact.
//               Negative bodies are inverted. So int, long, double and decimal interleave by value.
//   texts       UTF-8 with 00 written 01 01 and 01 written 01 02, then 00
//   objects     per field: type class, name as text, value; then 00
//   arrays      the values, then 00
//   others      as wide as they are, most significant byte first
import type { Collation } from './collation.ts'
import { canonicalType } from './compare.ts'
import { compareFinite, decimalOfDouble, doubleBits, doubleOfBits, signed } from './decimal.ts'
import { decodeElement, doubleAt, int32At, skipValue, textAt } from './decode.ts'
import { toDecimalParts, toDouble } from './numbers.ts'
import { type Numeric, TYPE } from './value.ts'

/** The type bytes of keys. */
export const KEY_TYPE = {
  minKey: 10,
  undefined: 15,
  null: 20,
  nan: 30,
  negative: 31,
  zero: 32,
  positive: 33,
  text: 60,
  object: 70,
  array: 80,
  binData: 90,
  objectId: 100,
  false: 110,
  true: 111,
  date: 120,
  timestamp: 130,
  regex: 140,
  dbPointer: 150,
  code: 160,
  codeWithScope: 170,
  maxKey: 240
} as const

const LARGEST_SAFE_HIGH = 0x20_0000
const scratch = new DataView(new ArrayBuffer(8))

/** A growing buffer that keys are written into. */
export class KeyWriter {
  bytes: Buffer = Buffer.allocUnsafeSlow(2048)
  /** The same memory: a Buffer makes a further one for each copy. */
  #plain = new Uint8Array(this.bytes.buffer)
  at = 0

  reserve(count: number): void {
    const needed = this.at + count
    if (needed <= this.bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2))
    this.bytes.copy(larger, 0, 0, this.at)
    this.bytes = larger
    this.#plain = new Uint8Array(larger.buffer)
  }

  byte(value: number): void {
    this.reserve(1)
    this.bytes[this.at++] = value
  }

  /** What was written since `from`, as a copy. */
  slice(from: number): Uint8Array {
    return this.#plain.slice(from, this.at)
  }

  /** Turns the order of what was written since `from` around. */
  invert(from: number): void {
    const { bytes, at } = this
    for (let i = from; i < at; i++) bytes[i] = 255 - (bytes[i] as number)
  }
}

/** Writes the value of type `type` at `start`. */
export function writeKeyValue(
  writer: KeyWriter,
  bytes: Uint8Array,
  type: number,
  start: number,
  collation: Collation | undefined
): void {
  switch (type) {
    case TYPE.int:
      writeDouble(writer, int32At(bytes, start))
      break
    case TYPE.double:
      writeDouble(writer, doubleAt(bytes, start))
      break
    case TYPE.long:
      writeLong(writer, bytes, start)
      break
    case TYPE.string:
    case TYPE.symbol:
      writer.byte(KEY_TYPE.text)
      writeTextValue(writer, bytes, start, collation)
      break
    case TYPE.objectId:
      writer.byte(KEY_TYPE.objectId)
      writeForward(writer, bytes, start, 12)
      break
    case TYPE.date:
      writer.byte(KEY_TYPE.date)
      writeBackward(writer, bytes, start)
      ;(writer.bytes[writer.at - 8] as number) ^= 0x80
      break
    case TYPE.bool:
      writer.byte(bytes[start] === 0 ? KEY_TYPE.false : KEY_TYPE.true)
      break
    case TYPE.null:
      writer.byte(KEY_TYPE.null)
      break
    default:
      writeRareValue(writer, bytes, type, start, collation)
  }
}

function writeRareValue(
  writer: KeyWriter,
  bytes: Uint8Array,
  type: number,
  start: number,
  collation: Collation | undefined
): void {
  switch (type) {
    case TYPE.decimal:
      writeInexact(writer, decodeElement(bytes, type, start) as Numeric)
      break
    case TYPE.object:
      writer.byte(KEY_TYPE.object)
      writeFields(writer, bytes, start, collation)
      break
    case TYPE.array:
      writer.byte(KEY_TYPE.array)
      writeElements(writer, bytes, start, collation)
      break
    case TYPE.binData:
      writeBinary(writer, bytes, start)
      break
    case TYPE.timestamp:
      writer.byte(KEY_TYPE.timestamp)
      writeBackward(writer, bytes, start)
      break
    case TYPE.regex:
      writeRegex(writer, bytes, start)
      break
    default:
      writeOddValue(writer, bytes, type, start)
  }
}

function writeOddValue(writer: KeyWriter, bytes: Uint8Array, type: number, start: number): void {
  switch (type) {
    case TYPE.undefined:
      writer.byte(KEY_TYPE.undefined)
      break
    case TYPE.dbPointer:
      writePointer(writer, bytes, start)
      break
    case TYPE.javascript:
      writer.byte(KEY_TYPE.code)
      writeTextValue(writer, bytes, start, undefined)
      break
    case TYPE.javascriptWithScope:
      writer.byte(KEY_TYPE.codeWithScope)
      writeTextValue(writer, bytes, start + 4, undefined)
      writeFields(writer, bytes, start + 8 + int32At(bytes, start + 4), undefined)
      break
    case TYPE.minKey:
      writer.byte(KEY_TYPE.minKey)
      break
    default:
      writer.byte(KEY_TYPE.maxKey)
  }
}

function writeDouble(writer: KeyWriter, value: number): void {
  writer.reserve(10)
  const from = writer.at
  if (value === 0 || Number.isNaN(value)) {
    writer.bytes[writer.at++] = value === 0 ? KEY_TYPE.zero : KEY_TYPE.nan
    return
  }
  const isNegative = value < 0
  writer.bytes[writer.at++] = isNegative ? KEY_TYPE.negative : KEY_TYPE.positive
  scratch.setFloat64(0, isNegative ? -value : value)
  for (let i = 0; i < 8; i++) writer.bytes[writer.at++] = scratch.getUint8(i)
  writer.bytes[writer.at++] = 0
  if (isNegative) writer.invert(from + 1)
}

function writeLong(writer: KeyWriter, bytes: Uint8Array, start: number): void {
  const high = int32At(bytes, start + 4)
  if (high < LARGEST_SAFE_HIGH && high >= -LARGEST_SAFE_HIGH) {
    writeDouble(writer, high * 4_294_967_296 + (int32At(bytes, start) >>> 0))
  } else {
    writeInexact(writer, decodeElement(bytes, TYPE.long, start) as Numeric)
  }
}

/** A number that may lie between two doubles: the lower one, and its digits. */
function writeInexact(writer: KeyWriter, value: Numeric): void {
  const parts = toDecimalParts(value)
  if (parts.kind !== 'finite' || parts.coefficient === 0n) {
    writeDouble(writer, toDouble(value))
    return
  }
  const magnitude = { ...parts, negative: false }
  const nearest = Math.min(Math.abs(toDouble(value)), Number.MAX_VALUE)
  const order = compareFinite(decimalOfDouble(nearest), magnitude)
  const below = order > 0 ? doubleOfBits(doubleBits(nearest) - 1n) : nearest
  const from = writer.at
  writer.reserve(60)
  writer.bytes[writer.at++] = parts.negative ? KEY_TYPE.negative : KEY_TYPE.positive
  writer.bytes.writeDoubleBE(below, writer.at)
  writer.at += 8
  if (order === 0) writer.bytes[writer.at++] = 0
  else writeDigits(writer, signed(magnitude), parts.exponent)
  if (parts.negative) writer.invert(from + 1)
}

function writeDigits(writer: KeyWriter, coefficient: bigint, exponent: number): void {
  const all = coefficient.toString()
  const digits = all.replace(/0+$/, '')
  writer.bytes[writer.at++] = 1
  writer.bytes.writeUInt16BE(all.length + exponent + 0x8000, writer.at)
  writer.at += 2
  for (let i = 0; i < digits.length; i++) writer.bytes[writer.at++] = digits.charCodeAt(i) - 47
  writer.bytes[writer.at++] = 0
}

function writeTextValue(
  writer: KeyWriter,
  bytes: Uint8Array,
  start: number,
  collation: Collation | undefined
): void {
  const end = start + 3 + int32At(bytes, start)
  if (collation === undefined) {
    writeText(writer, bytes, start + 4, end)
    return
  }
  const key = Buffer.from(collation.key(textAt(bufferOf(bytes), start + 4, end)))
  writeText(writer, key, 0, key.length)
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** A text with its bytes 0 and 1 escaped and an end that is below every byte of a text. */
export function writeText(
  writer: KeyWriter,
  bytes: Uint8Array,
  start: number,
  end: number,
  isWhole = true
): void {
  writer.reserve((end - start) * 2 + 1)
  const target = writer.bytes
  let at = writer.at
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number
    if (byte > 1) {
      target[at++] = byte
    } else {
      target[at++] = 1
      target[at++] = byte + 1
    }
  }
  if (isWhole) target[at++] = 0
  writer.at = at
}

function writeForward(writer: KeyWriter, bytes: Uint8Array, start: number, count: number): void {
  writer.reserve(count)
  for (let i = 0; i < count; i++) writer.bytes[writer.at++] = bytes[start + i] as number
}

/** Eight little-endian bytes, most significant first. */
function writeBackward(writer: KeyWriter, bytes: Uint8Array, start: number): void {
  writer.reserve(8)
  for (let i = 7; i >= 0; i--) writer.bytes[writer.at++] = bytes[start + i] as number
}

/** Any byte that orders types as BSON does and is above 0, the end of an object. */
function typeClass(type: number): number {
  return canonicalType(type) + 2
}

function writeFields(
  writer: KeyWriter,
  bytes: Uint8Array,
  docStart: number,
  collation: Collation | undefined
): void {
  const end = docStart + int32At(bytes, docStart) - 1
  let at = docStart + 4
  while (at < end) {
    const type = bytes[at] as number
    const nameEnd = bytes.indexOf(0, at + 1)
    writer.byte(typeClass(type))
    writeText(writer, bytes, at + 1, nameEnd)
    writeKeyValue(writer, bytes, type, nameEnd + 1, collation)
    at = skipValue(bytes, type, nameEnd + 1, end)
  }
  writer.byte(0)
}

function writeElements(
  writer: KeyWriter,
  bytes: Uint8Array,
  docStart: number,
  collation: Collation | undefined
): void {
  const end = docStart + int32At(bytes, docStart) - 1
  let at = docStart + 4
  while (at < end) {
    const type = bytes[at] as number
    const start = bytes.indexOf(0, at + 1) + 1
    writeKeyValue(writer, bytes, type, start, collation)
    at = skipValue(bytes, type, start, end)
  }
  writer.byte(0)
}

function writeBinary(writer: KeyWriter, bytes: Uint8Array, start: number): void {
  const size = int32At(bytes, start)
  writer.reserve(size + 6)
  writer.bytes[writer.at++] = KEY_TYPE.binData
  writer.at = writer.bytes.writeInt32BE(size, writer.at)
  writeForward(writer, bytes, start + 4, size + 1)
}

function writeRegex(writer: KeyWriter, bytes: Uint8Array, start: number): void {
  const pattern = bytes.indexOf(0, start)
  const options = bytes.indexOf(0, pattern + 1)
  writer.byte(KEY_TYPE.regex)
  writeText(writer, bytes, start, pattern)
  writeText(writer, bytes, pattern + 1, options)
}

function writePointer(writer: KeyWriter, bytes: Uint8Array, start: number): void {
  const size = int32At(bytes, start)
  writer.byte(KEY_TYPE.dbPointer)
  writer.reserve(4)
  writer.at = writer.bytes.writeInt32BE(size, writer.at)
  writeForward(writer, bytes, start + 4, size + 12)
}
