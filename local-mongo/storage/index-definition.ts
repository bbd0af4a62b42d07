// An index, prepared for use: its parts, its filter, and how keys are taken from documents.
import { Int32 } from 'bson'
import { type Collation, parseCollation } from '../bson/collation.ts'
import { compileIndexKeys, type IndexKeys, type KeyPart } from '../bson/index-keys.ts'
import type { Doc, Numeric, Value } from '../bson/value.ts'
import { type Filter, parseFilter } from '../query/filter.ts'
import type { FilterNode } from '../query/filter-node.ts'
import { type IndexLayout, PLAIN_LAYOUT, sharedPartsOf, writtenParts } from './index-layout.ts'
import { MAX_ID_BYTES, MAX_INDEX_KEY_BYTES, splitTree } from './tree-keys.ts'

/** What is learned from the documents and only ever grows less strict. */
export interface IndexFlags {
  /** For each part, whether some document has an array on its path. */
  readonly arrays: boolean[]
  /** False once a key was cut: order and equality of keys are no longer those of the values. */
  isExact: boolean
  /** False once a key did not tell the type of its value. */
  isPlain: boolean
}

/** An index as the catalog keeps it. */
export interface StoredIndex {
  readonly id: number
  /** As `listIndexes` shows it. */
  readonly spec: Doc
  readonly flags: IndexFlags
  readonly layout: IndexLayout
  readonly isReady: boolean
}

/** An index, prepared. */
export interface Index extends StoredIndex {
  /** The number of its tree. */
  readonly tree: number
  /** How many leading parts entries share; 0 when they are not split. */
  readonly sharedParts: number
  readonly name: string
  /** The key pattern. */
  readonly key: Doc
  /** In the directions in which they are written. */
  readonly parts: readonly KeyPart[]
  /** True for the index on `_id`: its tree is that of the documents. */
  readonly isOnId: boolean
  readonly isUnique: boolean
  readonly isSparse: boolean
  readonly isHidden: boolean
  readonly partial: Filter | undefined
  readonly expireAfterSeconds: number | undefined
  readonly collation: Collation | undefined
  /** Longest part of a key in bytes, but for an `_id` at the end. */
  readonly partLimit: number
  /** The paths whose change can change the index's entries; `all` when it cannot be said. */
  readonly watched: readonly string[] | 'all'
  /** Of these the ones that can change whether it holds the document at all. */
  readonly deciding: readonly string[] | 'all'
  keysOf(bytes: Uint8Array): IndexKeys
}

/** A number of the value model as a JavaScript number. */
export function toNumber(value: Value): number {
  return Number((value as Numeric).toString())
}

/** The fields and directions of a key pattern. */
export function partsOfKey(key: Doc): KeyPart[] {
  return [...key].map(([path, direction]) => ({
    path,
    direction: toNumber(direction) < 0 ? -1 : 1
  }))
}

/** The longest part of an index key with so many parts. */
export function indexPartLimit(parts: number): number {
  return Math.floor(MAX_INDEX_KEY_BYTES / parts)
}

/** The paths that a filter reads; undefined when it may read any. */
export function pathsOfFilter(node: FilterNode): string[] | undefined {
  switch (node.kind) {
    case 'always':
      return []
    case 'expr':
    case 'schema':
      return undefined
    case 'not':
      return pathsOfFilter(node.child)
    case 'and':
    case 'or': {
      const paths: string[] = []
      for (const child of node.children) {
        const inner = pathsOfFilter(child)
        if (inner === undefined) return undefined
        paths.push(...inner)
      }
      return paths
    }
    default:
      return [node.path]
  }
}

/** The longest that the part of the key can be in bytes. */
export function limitOfPart({ layout, parts, partLimit }: Index, part: number): number {
  return layout.endsInId && part === parts.length - 1 ? MAX_ID_BYTES : partLimit
}

/** Prepares a stored index. */
export function prepareIndex(stored: StoredIndex): Index {
  const { spec } = stored
  const key = spec.get('key') as Doc
  const parts = writtenParts(partsOfKey(key), stored.layout)
  const collation = parseCollation(spec.get('collation') as Doc | undefined)
  const filter = spec.get('partialFilterExpression') as Doc | undefined
  const partial = filter === undefined ? undefined : parseFilter(filter, { collation })
  const seconds = spec.get('expireAfterSeconds')
  const deciding = partial === undefined ? [] : (pathsOfFilter(partial.node) ?? 'all')
  const partLimit = indexPartLimit(parts.length)
  const isSparse = spec.get('sparse') === true
  const sharedParts = sharedPartsOf(parts.length, stored.layout)
  return {
    ...stored,
    tree: stored.layout.isSplit ? splitTree(stored.id) : stored.id,
    sharedParts,
    name: spec.get('name') as string,
    key,
    parts,
    isOnId: false,
    isUnique: spec.get('unique') === true,
    isSparse,
    isHidden: spec.get('hidden') === true,
    partial,
    expireAfterSeconds: seconds === undefined ? undefined : toNumber(seconds),
    collation,
    partLimit,
    watched: deciding === 'all' ? 'all' : [...parts.map(({ path }) => path), ...deciding],
    deciding,
    keysOf: compileIndexKeys(parts, {
      collation,
      partLimit,
      sparse: isSparse,
      endsInId: stored.layout.endsInId,
      sharedParts
    })
  }
}

/** The index on `_id` that every collection has; `tree` is that of its documents. */
export function prepareIdIndex(
  tree: number,
  collation: Collation | undefined,
  isExact: boolean
): Index {
  const key: Doc = new Map([['_id', new Int32(1)]])
  const spec: Doc = new Map<string, Value>([
    ['v', new Int32(2)],
    ['key', key],
    ['name', '_id_']
  ])
  if (collation !== undefined) spec.set('collation', collation.spec)
  const flags = { arrays: [false], isExact, isPlain: false }
  const index = prepareIndex({ id: tree, spec, flags, layout: PLAIN_LAYOUT, isReady: true })
  const keysOf = compileIndexKeys(index.parts, { collation, partLimit: MAX_ID_BYTES })
  return { ...index, isOnId: true, partLimit: MAX_ID_BYTES, keysOf }
}
