// What reading and writing the ordered store looks like to everything above it.
import type { EntryRange } from './entry-range.ts'

/** A key and its value; both belong to the caller. */
export interface Entry {
  readonly key: Uint8Array
  readonly value: Uint8Array
}

/** A walk over entries. */
export interface Walk {
  /** The next entry; undefined at the end. */
  next(): Entry | undefined
  close(): void
}

/** An ordered map of bytes to bytes, in some state: the present one, a snapshot, or one with changes on top. */
export interface View {
  get(key: Uint8Array): Uint8Array | undefined
  has(key: Uint8Array): boolean
  /**
   * The entries with `low <= key < high` in byte order, or backwards. The caller runs the walk to its
   * end or closes it before it gives up the turn. `keys` says that no value will be looked at.
   */
  range(low: Uint8Array, high: Uint8Array, reverse: boolean, only?: 'keys'): Walk
  /** As `range`, of the split entries of an index. */
  entries(range: EntryRange, reverse: boolean): Walk
  /** How many entries `range` would give; also of a whole tree of split entries. */
  countRange(low: Uint8Array, high: Uint8Array): number
}

/** A view that can be changed. Changes are seen by its own reads at once. */
export interface WriteView extends View {
  put(key: Uint8Array, value: Uint8Array): void
  /** Puts an entry without value; it may be held back until its tree is read. */
  putEntry(tree: number, key: Uint8Array): void
  /** False, and nothing done, when the key is there. */
  putIfAbsent(key: Uint8Array, value: Uint8Array): boolean
  /** Nothing happens when the key is not there. */
  remove(key: Uint8Array): void
}

/** A view of the past; `close` lets its pages be used again. */
export interface Snapshot extends View {
  /** True when for certain nothing was written since it was taken. */
  isPresent(): boolean
  close(): void
}

/** The value of entries that need none. */
export const NOTHING: Uint8Array = new Uint8Array(0)
