// The keys that a document has in an index, taken from its bytes.
import { type CommandError, commandError } from '../errors.ts'
import type { Collation } from './collation.ts'
import { isPlainValue } from './key-reader.ts'
import { type Direction, finishPart, type KeyOptions, partLimit } from './key-string.ts'
import { KEY_TYPE, KeyWriter, writeKeyValue } from './key-writer.ts'
import { expandKeys, type FieldValues } from './multikey.ts'
import { findPlace, type Place, type RawPath, rawPath } from './raw.ts'
import { TYPE } from './value.ts'

/** One field of an index or of a sort. */
export interface KeyPart {
  readonly path: string
  readonly direction: Direction
}

/** A document's keys in one index. */
export interface IndexKeys {
  /** Without repetitions, in no particular order; empty only for a sparse index. */
  readonly keys: readonly Uint8Array[]
  /** For each key, the bytes of the leading parts that entries share. */
  readonly shared: readonly number[]
  /** False when a part was cut: keys may be equal or misordered though values are not. */
  readonly exact: boolean
  /** For each part, whether an array stood on its path. */
  readonly arrays: readonly boolean[]
  /** False when a value would come back from its key as another type of number or text. */
  readonly plain: boolean
}

export interface IndexKeyOptions extends KeyOptions {
  /** The error for two arrays side by side; default CannotIndexParallelArrays (171). */
  readonly onParallelArrays?: ((first: string, second: string) => CommandError) | undefined
  /** Leaves the last part to what is written behind the key: the `_id`, which no document lacks. */
  readonly endsInId?: boolean | undefined
  /** How many leading parts entries share; default 0. */
  readonly sharedParts?: number | undefined
  /** Leaves out keys that are made of missing fields alone. */
  readonly sparse?: boolean | undefined
}

interface Layout {
  readonly sparse: boolean
  readonly sharedParts: number
  /** How many parts are written. */
  readonly written: number
  readonly paths: readonly RawPath[]
  readonly directions: readonly Direction[]
  readonly limit: number
  readonly collation: Collation | undefined
  readonly onParallelArrays: (first: string, second: string) => CommandError
  readonly place: Place
}

/**
 * Prepares the extraction of keys: multikey by MongoDB's rules, missing fields as null, empty arrays
 * as undefined. The function fails with CannotIndexParallelArrays (171) on two arrays side by side.
 */
export function compileIndexKeys(
  parts: readonly KeyPart[],
  options: IndexKeyOptions = {}
): (bytes: Uint8Array) => IndexKeys {
  const layout: Layout = {
    sparse: options.sparse ?? false,
    sharedParts: options.sharedParts ?? 0,
    written: options.endsInId === true ? parts.length - 1 : parts.length,
    paths: parts.map(({ path }) => rawPath(path)),
    directions: parts.map(({ direction }) => direction),
    limit: options.partLimit ?? partLimit(parts.length),
    collation: options.collation,
    onParallelArrays: options.onParallelArrays ?? parallelArrays,
    place: { type: 0, start: 0 }
  }
  const writer = new KeyWriter()
  const noArrays: readonly boolean[] = parts.map(() => false)
  return (bytes) => {
    writer.at = 0
    return singleKey(writer, bytes, layout, noArrays) ?? multipleKeys(writer, bytes, layout)
  }
}

function parallelArrays(first: string, second: string): CommandError {
  return commandError(
    'CannotIndexParallelArrays',
    `cannot index parallel arrays [${second}] [${first}]`
  )
}

/** The key of a document without arrays on the way; undefined as soon as one is met. */
function singleKey(
  writer: KeyWriter,
  bytes: Uint8Array,
  layout: Layout,
  arrays: readonly boolean[]
): IndexKeys | undefined {
  const { paths, directions, limit, collation, place } = layout
  let exact = true
  let plain = true
  let isEmpty = layout.sparse
  let shared = 0
  for (let i = 0; i < paths.length; i++) {
    const from = writer.at
    if (!findPlace(bytes, paths[i] as RawPath, place)) {
      writer.byte(KEY_TYPE.null)
    } else {
      const { type, start } = place
      if (type === TYPE.array) return undefined
      isEmpty = false
      plain = plain && isPlainValue(bytes, type, start)
      if (i === layout.written) break
      writeKeyValue(writer, bytes, type, start, collation)
    }
    exact = finishPart(writer, from, directions[i] as Direction, limit) && exact
    if (i < layout.sharedParts) shared = writer.at
  }
  return { keys: isEmpty ? [] : [writer.slice(0)], shared: [shared], exact, arrays, plain }
}

function multipleKeys(writer: KeyWriter, bytes: Uint8Array, layout: Layout): IndexKeys {
  const { paths, onParallelArrays } = layout
  const expanded = expandKeys(bytes, paths, onParallelArrays)
  const keys = new Map<string, { key: Uint8Array; shared: number }>()
  let exact = true
  for (const values of expanded.rows) {
    if (layout.sparse && values.every((value) => value === undefined)) continue
    writer.at = 0
    const row = writeRow(writer, values, layout)
    exact = row.exact && exact
    const text = writer.bytes.toString('latin1', 0, writer.at)
    keys.set(text, { key: writer.slice(0), shared: row.shared })
  }
  const all = [...keys.values()]
  // Arrays alone keep such an index from being read for its values.
  return {
    keys: all.map(({ key }) => key),
    shared: all.map(({ shared }) => shared),
    exact,
    arrays: expanded.arrays,
    plain: true
  }
}

function writeRow(
  writer: KeyWriter,
  values: FieldValues,
  layout: Layout
): { readonly exact: boolean; readonly shared: number } {
  let exact = true
  let shared = 0
  for (const [index, value] of values.entries()) {
    if (index === layout.written) break
    const from = writer.at
    if (value === undefined) writer.byte(KEY_TYPE.null)
    else writeKeyValue(writer, value.bytes, value.type, value.start, layout.collation)
    exact = finishPart(writer, from, layout.directions[index] ?? 1, layout.limit) && exact
    if (index < layout.sharedParts) shared = writer.at
  }
  return { exact, shared }
}
