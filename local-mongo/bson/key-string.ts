// Order-preserving keys: the byte order of keys is BSON's order of the values.
import { createHash } from 'node:crypto'
import type { Collation } from './collation.ts'
import { canonicalType } from './compare.ts'
import { encodeDoc } from './encode.ts'
import { KEY_TYPE, KeyWriter, writeKeyValue, writeText } from './key-writer.ts'
import { typeCode, type Value } from './value.ts'

/** 1 ascending, -1 descending. */
export type Direction = 1 | -1

export interface KeyOptions {
  readonly collation?: Collation | undefined
  /** Longest part in bytes; default `partLimit(directions.length)`. Infinity never cuts. */
  readonly partLimit?: number | undefined
}

/** A half-open interval of keys: `low` inclusive, `high` exclusive, in byte order. */
export interface KeyRange {
  readonly low: Uint8Array
  readonly high: Uint8Array
  /** False when keys of other values may be in the range: check the documents. */
  readonly exact: boolean
}

const LONGEST_KEY = 1_800
const HASH_LENGTH = 16
/** Where the value lies in the encoding of `{ '': value }`: size, type, the name's end. */
const VALUE_START = 6

/** A writer that has grown beyond this is not kept. */
const MOST_KEPT_BYTES = 64 * 1024
let kept = new KeyWriter()

/** The one writer of all keys, which is a buffer less for each: what it wrote is copied before the next begins. */
function emptyWriter(): KeyWriter {
  if (kept.bytes.length > MOST_KEPT_BYTES) kept = new KeyWriter()
  kept.at = 0
  return kept
}

/** The longest part of a key with so many parts, such that the whole stays under 1,800 bytes. */
export function partLimit(parts: number): number {
  return Math.floor(LONGEST_KEY / Math.max(1, parts))
}

/**
 * The key of these values. `directions` are those of the whole index; fewer values make the prefix
 * of a key. Parts longer than the limit are cut and end in a hash.
 */
export function encodeKey(
  values: readonly Value[],
  directions: readonly Direction[],
  options: KeyOptions = {}
): Uint8Array {
  const limit = options.partLimit ?? partLimit(directions.length)
  const writer = emptyWriter()
  for (const [index, value] of values.entries()) {
    const from = writer.at
    writePart(writer, value, options.collation)
    finishPart(writer, from, directions[index] ?? 1, limit)
  }
  return writer.slice(0)
}

function writePart(writer: KeyWriter, value: Value, collation: Collation | undefined): void {
  const bytes = encodeDoc(new Map([['', value]]))
  writeKeyValue(writer, bytes, bytes[4] as number, VALUE_START, collation)
}

/**
 * Cuts and turns around the part that begins at `from`, as the index wants it; false when it was
 * cut. What is cut keeps its beginning and gets a hash of the whole, so equal values stay equal.
 */
export function finishPart(
  writer: KeyWriter,
  from: number,
  direction: Direction,
  limit: number
): boolean {
  const isCut = writer.at - from > limit
  if (isCut) {
    const whole = writer.bytes.subarray(from, writer.at)
    const hash = createHash('sha256').update(whole).digest()
    writer.at = from + limit - HASH_LENGTH
    for (let i = 0; i < HASH_LENGTH; i++) writer.bytes[writer.at++] = hash[i] as number
  }
  if (direction === -1) writer.invert(from)
  return !isCut
}

/** Where the parts equal to `value` lie. `partLimit` in the options must be that of the index. */
export function equalRange(value: Value, direction: Direction, options: KeyOptions = {}): KeyRange {
  const limit = options.partLimit ?? partLimit(1)
  const writer = emptyWriter()
  writePart(writer, value, options.collation)
  const exact = writer.at <= limit
  // Cut values share their beginning with others, before and after them: take all of those.
  if (!exact) writer.at = limit - HASH_LENGTH
  if (direction === -1) writer.invert(0)
  return prefixed(writer.slice(0), exact)
}

function prefixed(low: Uint8Array, exact: boolean): KeyRange {
  // Every part begins with a type byte between 10 and 245, so there is a next prefix.
  return { low, high: afterPrefix(low) ?? Uint8Array.of(255), exact }
}

/** Where all values of the type bracket of `value` lie (all numbers but NaN, all texts, …). */
export function typeBounds(value: Value, direction: Direction): KeyRange {
  const [first, last] = bracketOf(value)
  return direction === 1
    ? { low: Uint8Array.of(first), high: Uint8Array.of(last + 1), exact: true }
    : { low: Uint8Array.of(255 - last), high: Uint8Array.of(256 - first), exact: true }
}

const BRACKETS: Readonly<Record<number, readonly [number, number]>> = {
  [-1]: [KEY_TYPE.minKey, KEY_TYPE.minKey],
  0: [KEY_TYPE.undefined, KEY_TYPE.undefined],
  5: [KEY_TYPE.null, KEY_TYPE.null],
  10: [KEY_TYPE.negative, KEY_TYPE.positive],
  15: [KEY_TYPE.text, KEY_TYPE.text],
  20: [KEY_TYPE.object, KEY_TYPE.object],
  25: [KEY_TYPE.array, KEY_TYPE.array],
  30: [KEY_TYPE.binData, KEY_TYPE.binData],
  35: [KEY_TYPE.objectId, KEY_TYPE.objectId],
  40: [KEY_TYPE.false, KEY_TYPE.true],
  45: [KEY_TYPE.date, KEY_TYPE.date],
  47: [KEY_TYPE.timestamp, KEY_TYPE.timestamp],
  50: [KEY_TYPE.regex, KEY_TYPE.regex],
  55: [KEY_TYPE.dbPointer, KEY_TYPE.dbPointer],
  60: [KEY_TYPE.code, KEY_TYPE.code],
  65: [KEY_TYPE.codeWithScope, KEY_TYPE.codeWithScope]
}
const MAX_KEY_BRACKET: readonly [number, number] = [KEY_TYPE.maxKey, KEY_TYPE.maxKey]

function bracketOf(value: Value): readonly [number, number] {
  return BRACKETS[canonicalType(typeCode(value))] ?? MAX_KEY_BRACKET
}

/** Where the texts that begin with `prefix` lie. Not for collations. */
export function prefixRange(
  prefix: string,
  direction: Direction,
  options: KeyOptions = {}
): KeyRange {
  const limit = options.partLimit ?? partLimit(1)
  const bytes = Buffer.from(prefix)
  const writer = emptyWriter()
  writer.byte(KEY_TYPE.text)
  writeText(writer, bytes, 0, bytes.length, false)
  const exact = writer.at <= limit - HASH_LENGTH
  if (!exact) writer.at = limit - HASH_LENGTH
  if (direction === -1) writer.invert(0)
  return prefixed(writer.slice(0), exact)
}

/** The least byte string greater than every string that begins with `bytes`; undefined when none is. */
export function afterPrefix(bytes: Uint8Array): Uint8Array | undefined {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 255) end--
  if (end === 0) return undefined
  const next = bytes.slice(0, end)
  next[end - 1] = (bytes[end - 1] as number) + 1
  return next
}
