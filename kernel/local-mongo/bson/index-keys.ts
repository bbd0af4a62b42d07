// The keys that a document has in an index, taken from its bytes.
import { commandError } from '../errors.ts'
import type { Direction, KeyOptions } from './key-string.ts'

/** One field of an index or of a sort. */
export interface KeyPart {
  readonly path: string
  readonly direction: Direction
}

/** A document's keys in one index. */
export interface IndexKeys {
  /** Without repetitions, in no particular order; never empty. */
  readonly keys: readonly Uint8Array[]
  /** False when a part was cut: keys may be equal or misordered though values are not. */
  readonly exact: boolean
  /** For each part, whether an array stood on its path. */
  readonly arrays: readonly boolean[]
  /** Whether any of the fields exists: a sparse index leaves the document out otherwise. */
  readonly present: boolean
}

/**
 * Prepares the extraction of keys: multikey by MongoDB's rules, missing fields as null, empty arrays
 * as undefined. The function fails with CannotIndexParallelArrays (171) on two arrays side by side.
 */
export function compileIndexKeys(
  _parts: readonly KeyPart[],
  _options: KeyOptions = {}
): (bytes: Uint8Array) => IndexKeys {
  throw commandError('NotImplemented', 'index keys')
}
