// Reads values back from the key of an index: what covered queries answer with, without the document.

import { doubleAt } from './decode.ts'
import type { Direction } from './key-string.ts'
import { KEY_TYPE } from './key-writer.ts'
import { TYPE } from './value.ts'

/** A field of an index, and whether it is wanted. */
export interface ReadPart {
  /** A name without dots. */
  readonly name: string
  readonly direction: Direction
  readonly isWanted: boolean
}

const GREATEST_INT = 2_147_483_647
const LEAST_INT = -2_147_483_648

/**
 * Whether a value can be told from its key, or its key shows that it cannot. Keys do not say which
 * type a number has: a whole one that fits is read as int, any other as double, as JavaScript's
 * driver writes them. A long, a decimal or a double `5.0` would come back as another type.
 */
export function isPlainValue(bytes: Uint8Array, type: number, start: number): boolean {
  if (type === TYPE.double) {
    // The whole ones that fit, minus zero among them, would be read as int.
    return !isInt(doubleAt(bytes, start))
  }
  return type !== TYPE.long && type !== TYPE.decimal && type !== TYPE.symbol
}

function isInt(value: number): boolean {
  return Number.isInteger(value) && value >= LEAST_INT && value <= GREATEST_INT
}

/** What is left to read of a key, and what was made of it. */
interface Reading {
  readonly key: Uint8Array
  at: number
  /** 255 where the part is turned around. */
  mask: number
  target: Buffer
  size: number
}

/**
 * Prepares reading the wanted parts into a document, in the index's order. The function answers
 * undefined when the key does not tell a value: then the document must be read.
 */
export function compileKeyReader(
  parts: readonly ReadPart[]
): (key: Uint8Array, start: number) => Uint8Array | undefined {
  const names = parts.map(({ name }) => Buffer.from(`${name}\0`))
  const last = parts.findLastIndex(({ isWanted }) => isWanted)
  const room = names.reduce((sum, name) => sum + name.length + 16, 16)
  return (key, start) => {
    const reading: Reading = {
      key,
      at: start,
      mask: 0,
      target: Buffer.allocUnsafe(room + key.length),
      size: 4
    }
    for (let i = 0; i <= last; i++) {
      const part = parts[i] as ReadPart
      reading.mask = part.direction === -1 ? 255 : 0
      const before = reading.size
      if (!readPart(reading, names[i] as Buffer)) return undefined
      if (!part.isWanted) reading.size = before
    }
    const { target } = reading
    target[reading.size++] = 0
    target.writeInt32LE(reading.size, 0)
    return target.subarray(0, reading.size)
  }
}

function next(reading: Reading): number {
  return (reading.key[reading.at++] as number) ^ reading.mask
}

function begin(reading: Reading, type: number, name: Buffer): void {
  reading.target[reading.size++] = type
  reading.target.set(name, reading.size)
  reading.size += name.length
}

/** Writes the element of one part; false when its key does not tell the value. */
function readPart(reading: Reading, name: Buffer): boolean {
  const kind = next(reading)
  switch (kind) {
    case KEY_TYPE.text:
      begin(reading, TYPE.string, name)
      readText(reading)
      return true
    case KEY_TYPE.zero:
      begin(reading, TYPE.int, name)
      reading.size = reading.target.writeInt32LE(0, reading.size)
      return true
    case KEY_TYPE.positive:
    case KEY_TYPE.negative:
      return readNumber(reading, name, kind === KEY_TYPE.negative)
    case KEY_TYPE.objectId:
      begin(reading, TYPE.objectId, name)
      for (let i = 0; i < 12; i++) reading.target[reading.size++] = next(reading)
      return true
    case KEY_TYPE.date:
      begin(reading, TYPE.date, name)
      readDate(reading)
      return true
    case KEY_TYPE.false:
    case KEY_TYPE.true:
      begin(reading, TYPE.bool, name)
      reading.target[reading.size++] = kind === KEY_TYPE.true ? 1 : 0
      return true
    default:
      // Null may be missing; the others are seldom indexed.
      return false
  }
}

function readText(reading: Reading): void {
  const { target } = reading
  const from = reading.size
  let size = from + 4
  for (let byte = next(reading); byte !== 0; byte = next(reading)) {
    target[size++] = byte === 1 ? next(reading) - 1 : byte
  }
  target[size++] = 0
  target.writeInt32LE(size - from - 4, from)
  reading.size = size
}

const scratch = Buffer.alloc(8)

function readNumber(reading: Reading, name: Buffer, isNegative: boolean): boolean {
  if (isNegative) reading.mask ^= 255
  for (let i = 0; i < 8; i++) scratch[i] = next(reading)
  if (next(reading) !== 0) return false
  const magnitude = scratch.readDoubleBE(0)
  const value = isNegative ? -magnitude : magnitude
  const type = isInt(value) ? TYPE.int : TYPE.double
  begin(reading, type, name)
  reading.size =
    type === TYPE.int
      ? reading.target.writeInt32LE(value, reading.size)
      : reading.target.writeDoubleLE(value, reading.size)
  return true
}

function readDate(reading: Reading): void {
  const from = reading.size
  for (let i = 7; i >= 0; i--) reading.target[from + i] = next(reading)
  ;(reading.target[from + 7] as number) ^= 0x80
  reading.size = from + 8
}
