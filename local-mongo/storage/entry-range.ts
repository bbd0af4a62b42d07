// Ranges of index entries: from the planner's bytes to the steps by which the file is read.
//
// Entries of an index on several fields share their beginning: LMDB keeps it once, as a key, and the rest
// of each entry as one of the key's sorted values. Both together order as the whole would.

import { afterKey, MAX_KEY_BYTES, ownPart, sharedPart } from './tree-keys.ts'

/** A half-open range of whole keys, without the tree's number. */
export interface KeyRange {
  readonly low: Uint8Array
  readonly high: Uint8Array
  /** Bytes of the parts that entries share, where the end goes beyond them. */
  readonly lowShared?: number | undefined
  readonly highShared?: number | undefined
}

/** No entry goes on like this after its own end. */
const BEYOND = Uint8Array.of(0xff, 0xff)

/** An end of a range of whole entries, with the tree's number. */
export interface End {
  readonly bytes: Uint8Array
  /** Where the shared beginning ends; undefined when the end lies within it. */
  readonly split?: number | undefined
}

/** The entries from `low` on, up to but not with `high`. */
export interface EntryRange {
  readonly low: End
  readonly high: End
}

/** The end right at an entry that was read: before it, or beyond. */
export function endAt(entry: Uint8Array, where: 'before' | 'beyond'): End {
  const split = sharedPart(entry).length
  const bytes = entry.subarray(0, split + ownPart(entry).length)
  return where === 'before' ? { bytes, split } : { bytes: Buffer.concat([bytes, BEYOND]), split }
}

/** One reading of the file: values of one key, or all values of a range of keys. */
export type Reading =
  | {
      readonly kind: 'values'
      readonly key: Uint8Array
      readonly from: Uint8Array | undefined
      readonly to: Uint8Array | undefined
    }
  | { readonly kind: 'keys'; readonly from: Uint8Array; readonly to: Uint8Array }

function cutEnd({ bytes, split }: End): {
  readonly key: Uint8Array
  readonly value: Uint8Array | undefined
} {
  if (split === undefined || bytes.length <= split) return { key: bytes, value: undefined }
  return { key: bytes.subarray(0, split), value: bytes.subarray(split) }
}

/** What to read, in ascending order. */
export function readingsOf({ low, high }: EntryRange): Reading[] {
  const [from, to] = [cutEnd(low), cutEnd(high)]
  const order = Buffer.compare(from.key, to.key)
  if (order > 0) return []
  if (order === 0) {
    if (to.value === undefined) return []
    return [{ kind: 'values', key: from.key, from: from.value, to: to.value }]
  }
  const readings: Reading[] = []
  if (from.value !== undefined) {
    readings.push({ kind: 'values', key: from.key, from: from.value, to: undefined })
  }
  const start = from.value === undefined ? from.key : afterKey(from.key)
  if (Buffer.compare(start, to.key) < 0) readings.push({ kind: 'keys', from: start, to: to.key })
  if (to.value !== undefined) {
    readings.push({ kind: 'values', key: to.key, from: undefined, to: to.value })
  }
  return readings
}

/** The greatest key below this one that a key of the file can be. */
export function keyBefore(key: Uint8Array): Uint8Array {
  const last = key[key.length - 1] as number
  if (last === 0) return key.subarray(0, -1)
  const before = new Uint8Array(MAX_KEY_BYTES).fill(0xff)
  before.set(key)
  before.fill(0xff, key.length)
  before[key.length - 1] = last - 1
  return before
}
