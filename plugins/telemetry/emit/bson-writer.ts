// Writes plain documents as BSON into one buffer. The driver's serializer makes three objects for each nested
// document and tests each key by a pattern; rows and updates of rollups are all of a few simple types.
import { Binary, BSON, Decimal128 } from 'mongodb'

const FIRST_SIZE = 64 * 1024
/** Texts up to here are written character by character, which is faster than a call for each. */
const SHORT_TEXT = 40
/** Most bytes of one character. */
const UTF8_BYTES = 3
const INT32_MAX = 2_147_483_647
/** A larger buffer is not kept. */
const KEPT_SIZE = 4 * 1024 * 1024

const TYPE = {
  double: 0x01,
  string: 0x02,
  object: 0x03,
  array: 0x04,
  binary: 0x05,
  boolean: 0x08,
  date: 0x09,
  null: 0x0a,
  int32: 0x10,
  decimal: 0x13
} as const

export class BsonWriter {
  #bytes = Buffer.allocUnsafeSlow(FIRST_SIZE)
  #at = 0

  /** What has been written since the last call, one document behind the other; a copy. */
  take(): Buffer {
    const taken = Buffer.allocUnsafe(this.#at)
    this.#bytes.copy(taken, 0, 0, this.#at)
    this.#at = 0
    if (this.#bytes.length > KEPT_SIZE) this.#bytes = Buffer.allocUnsafeSlow(FIRST_SIZE)
    return taken
  }

  /**
   * Writes a document of texts, finite or other numbers, booleans, nulls, dates, Binary, Decimal128, lists and
   * plain objects. What is undefined is left out; in a list it is null.
   *
   * @throws BSONError for anything else; what has been written so far is lost then.
   */
  write(document: object): void {
    try {
      this.#document(document)
    } catch (error) {
      this.#at = 0
      throw error
    }
  }

  #document(document: object): void {
    const start = this.#begin()
    const values = document as Readonly<Record<string, unknown>>
    // Plain objects inherit nothing that this would list, and no list of keys is made.
    for (const key in values) {
      const value = values[key]
      if (value !== undefined) this.#element(key, value)
    }
    this.#end(start)
  }

  #list(items: readonly unknown[]): void {
    const start = this.#begin()
    for (let index = 0; index < items.length; index++) {
      this.#element(String(index), items[index] ?? null)
    }
    this.#end(start)
  }

  #begin(): number {
    const start = this.#at
    this.#reserve(5)
    this.#at += 4
    return start
  }

  #end(start: number): void {
    this.#reserve(1)
    this.#bytes[this.#at++] = 0
    this.#bytes.writeInt32LE(this.#at - start, start)
  }

  #element(key: string, value: unknown): void {
    this.#reserve(1 + (key.length + 1) * UTF8_BYTES + 8)
    const typeAt = this.#at++
    this.#key(key)
    // Writing the value may change the buffer.
    const type = this.#value(value)
    this.#bytes[typeAt] = type
  }

  #key(key: string): void {
    if (key.includes('\0')) throw new BSON.BSONError(`key ${key} must not contain null bytes`)
    this.#at += this.#text(key)
    this.#bytes[this.#at++] = 0
  }

  /** Writes a value where it fits, and says its type. There is room for eight bytes. */
  #value(value: unknown): number {
    switch (typeof value) {
      case 'string':
        return this.#string(value)
      case 'number':
        return this.#number(value)
      case 'boolean':
        this.#bytes[this.#at++] = value ? 1 : 0
        return TYPE.boolean
      case 'object':
        return value === null ? TYPE.null : this.#object(value)
      default:
        throw new BSON.BSONError(`a ${typeof value} cannot be stored`)
    }
  }

  #string(value: string): number {
    this.#reserve(value.length * UTF8_BYTES + 5)
    const start = this.#at
    this.#at += 4
    const length = this.#text(value)
    this.#at += length
    this.#bytes[this.#at++] = 0
    this.#bytes.writeInt32LE(length + 1, start)
    return TYPE.string
  }

  /** Writes characters without moving on; returns how many bytes they took. */
  #text(text: string): number {
    const { length } = text
    if (length > SHORT_TEXT) return this.#bytes.write(text, this.#at)
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index)
      if (code > 127) return this.#bytes.write(text, this.#at)
      this.#bytes[this.#at + index] = code
    }
    return length
  }

  #number(value: number): number {
    const isInt32 = Number.isInteger(value) && value <= INT32_MAX && value >= -INT32_MAX - 1
    if (isInt32 && !Object.is(value, -0)) {
      this.#at = this.#bytes.writeInt32LE(value, this.#at)
      return TYPE.int32
    }
    this.#at = this.#bytes.writeDoubleLE(value, this.#at)
    return TYPE.double
  }

  #object(value: object): number {
    if (value instanceof Date) return this.#date(value)
    if (Array.isArray(value)) {
      this.#list(value)
      return TYPE.array
    }
    if (value instanceof Binary) return this.#binary(value)
    if (value instanceof Decimal128) {
      this.#copy(value.bytes)
      return TYPE.decimal
    }
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype !== Object.prototype && prototype !== null) {
      throw new BSON.BSONError('only plain objects can be stored')
    }
    this.#document(value)
    return TYPE.object
  }

  #date(value: Date): number {
    const ms = value.getTime()
    if (Number.isNaN(ms)) throw new BSON.BSONError('a date that is none cannot be stored')
    const high = Math.floor(ms / 0x1_0000_0000)
    this.#bytes.writeUInt32LE(ms - high * 0x1_0000_0000, this.#at)
    this.#at = this.#bytes.writeInt32LE(high, this.#at + 4)
    return TYPE.date
  }

  #binary({ buffer, position, sub_type }: Binary): number {
    this.#reserve(5)
    this.#bytes.writeInt32LE(position, this.#at)
    this.#bytes[this.#at + 4] = sub_type
    this.#at += 5
    this.#copy(position === buffer.length ? buffer : buffer.subarray(0, position))
    return TYPE.binary
  }

  #copy(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    for (let index = 0; index < bytes.length; index++) {
      this.#bytes[this.#at + index] = bytes[index] ?? 0
    }
    this.#at += bytes.length
  }

  #reserve(length: number): void {
    const needed = this.#at + length
    if (needed <= this.#bytes.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2))
    this.#bytes.copy(grown, 0, 0, this.#at)
    this.#bytes = grown
  }
}
