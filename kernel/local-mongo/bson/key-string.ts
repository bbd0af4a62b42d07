// Order-preserving keys: the byte order of keys is BSON's order of the values.
import { commandError } from '../errors.ts'
import type { Collation } from './collation.ts'
import type { Value } from './value.ts'

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
  /** False when keys of other values may lie in the range: check the documents. */
  readonly exact: boolean
}

/** The longest part of a key with so many parts, such that the whole stays under 1,800 bytes. */
export function partLimit(parts: number): number {
  return Math.floor(1_800 / Math.max(1, parts))
}

/**
 * The key of these values. `directions` are those of the whole index; fewer values make the prefix
 * of a key. Parts longer than the limit are cut and end in a hash.
 */
export function encodeKey(
  _values: readonly Value[],
  _directions: readonly Direction[],
  _options: KeyOptions = {}
): Uint8Array {
  throw commandError('NotImplemented', 'key')
}

/** Where the parts equal to `value` lie. `partLimit` in the options must be that of the index. */
export function equalRange(_value: Value, _direction: Direction, _options: KeyOptions): KeyRange {
  throw commandError('NotImplemented', 'key')
}

/** Where all values of the type bracket of `value` lie (all numbers but NaN, all texts, …). */
export function typeBounds(_value: Value, _direction: Direction): KeyRange {
  throw commandError('NotImplemented', 'key')
}

/** Where the texts that begin with `prefix` lie. Not for collations. */
export function prefixRange(
  _prefix: string,
  _direction: Direction,
  _options: KeyOptions
): KeyRange {
  throw commandError('NotImplemented', 'key')
}

/** The least byte string greater than every string that begins with `bytes`; undefined when none is. */
export function afterPrefix(_bytes: Uint8Array): Uint8Array | undefined {
  throw commandError('NotImplemented', 'key')
}
