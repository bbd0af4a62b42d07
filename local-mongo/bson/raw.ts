// Reads single fields of a valid document's bytes without decoding the rest.
import { decodeElement, int32At, skipValue } from './decode.ts'
import { TYPE, type Value } from './value.ts'

/** The position of a value in a document's bytes. */
export interface RawValue {
  readonly bytes: Uint8Array
  /** BSON's type code. */
  readonly type: number
  /** First byte of the value itself, after its type and name. */
  readonly start: number
  /** The byte after the value. */
  readonly end: number
}

/** A path cut at its dots, each piece as text and as UTF-8. */
export interface RawPath {
  readonly text: string
  readonly pieces: readonly string[]
  readonly names: readonly Uint8Array[]
}

/** Prepares a dotted path for raw reading. */
export function rawPath(text: string): RawPath {
  const pieces = text.split('.')
  return { text, pieces, names: pieces.map((piece) => Buffer.from(piece)) }
}

/** The top-level field of this name; undefined when the document has none. */
export function rawField(bytes: Uint8Array, name: string): RawValue | undefined {
  return fieldOf(bytes, 0, Buffer.from(name))
}

/** The field of this name in the document (or array) whose bytes begin at `docStart`. */
export function fieldOf(
  bytes: Uint8Array,
  docStart: number,
  name: Uint8Array
): RawValue | undefined {
  const at = findElement(bytes, docStart, name)
  return at < 0 ? undefined : elementAt(bytes, at, name.length)
}

function elementAt(bytes: Uint8Array, at: number, nameLength: number): RawValue {
  const type = bytes[at] as number
  const start = at + nameLength + 2
  return { bytes, type, start, end: skipValue(bytes, type, start, bytes.length) }
}

/** The offset of the element (its type byte) of this name, or -1. */
export function findElement(bytes: Uint8Array, docStart: number, name: Uint8Array): number {
  const end = docStart + int32At(bytes, docStart) - 1
  const length = name.length
  let at = docStart + 4
  while (at < end) {
    const type = bytes[at] as number
    let cursor = at + 1
    let matched = 0
    while (matched < length && bytes[cursor] === name[matched] && bytes[cursor] !== 0) {
      cursor++
      matched++
    }
    if (matched === length && bytes[cursor] === 0) return at
    while (bytes[cursor] !== 0) cursor++
    at = skipValue(bytes, type, cursor + 1, end)
  }
  return -1
}

/** Every element of a document or array in order. */
export function* rawElements(
  bytes: Uint8Array,
  docStart: number
): Generator<RawValue & { readonly name: string }> {
  const end = docStart + int32At(bytes, docStart) - 1
  let at = docStart + 4
  while (at < end) {
    const type = bytes[at] as number
    const nameEnd = bytes.indexOf(0, at + 1)
    const start = nameEnd + 1
    const after = skipValue(bytes, type, start, end)
    const name = Buffer.from(bytes.buffer, bytes.byteOffset + at + 1, nameEnd - at - 1).toString()
    yield { bytes, type, start, end: after, name }
    at = after
  }
}

/** The value of a raw field. */
export function decodeRaw(raw: RawValue): Value {
  return decodeElement(raw.bytes, raw.type, raw.start)
}

/** Where a value is in a document's bytes: one object for many searches. */
export interface Place {
  /** BSON's type code. */
  type: number
  /** First byte of the value itself. */
  start: number
}

/** Notes where the value at a path is, or the first array on the way. False when the path leads nowhere. */
export function findPlace(bytes: Uint8Array, { names }: RawPath, place: Place): boolean {
  const last = names.length - 1
  let start = 0
  for (let i = 0; i <= last; i++) {
    const name = names[i] as Uint8Array
    const at = findElement(bytes, start, name)
    if (at < 0) return false
    place.type = bytes[at] as number
    place.start = at + name.length + 2
    if (i === last || place.type === TYPE.array) return true
    if (place.type !== TYPE.object) return false
    start = place.start
  }
  return false
}

/**
 * The value at a path, or the first array on the way with the number of pieces that
 * were used to reach it. Undefined when the path leads nowhere.
 */
export function walkToArray(
  bytes: Uint8Array,
  docStart: number,
  path: RawPath,
  from: number
): { readonly value: RawValue; readonly next: number } | undefined {
  const last = path.names.length
  let start = docStart
  for (let i = from; i < last; i++) {
    const value = fieldOf(bytes, start, path.names[i] as Uint8Array)
    if (value === undefined) return undefined
    if (i === last - 1 || value.type === TYPE.array) return { value, next: i + 1 }
    if (value.type !== TYPE.object) return undefined
    start = value.start
  }
  return undefined
}
