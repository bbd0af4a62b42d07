// The databases in the file: values, compressed against a dictionary that is kept beside them, and entries.
import { Binary, Int32 } from 'bson'
import { open, type RootDatabase } from 'lmdb'
import { decodeDoc } from '../bson/decode.ts'
import { encodeDoc } from '../bson/encode.ts'
import type { Doc, Value } from '../bson/value.ts'
import { type EntryDatabase, openEntryDatabase } from './split-entries.ts'
import { FORMAT_KEY, TREE, treeKey } from './tree-keys.ts'
import { TREE_SLOTS } from './tree-slots.ts'

/** Address space kept for the file; disk is taken only as data grows. */
const MAP_BYTES = 2 ** 40
const MAX_READERS = 2_000
/** Shorter values are kept as they are. */
const COMPRESSED_FROM_BYTES = 96

export type Root = RootDatabase<Uint8Array, Uint8Array>
type ReadTransaction = ReturnType<RootDatabase['useReadTransaction']>

export interface ReadOptions {
  readonly transaction?: ReadTransaction
}

/** What lmdb-js takes and answers beyond its declarations. */
export type ValueDatabase = Omit<Root, 'getBinary' | 'getBinaryFast' | 'putSync'> & {
  readonly compression?: unknown
  getBinary(key: Uint8Array, options: ReadOptions): Uint8Array | undefined
  getBinaryFast(key: Uint8Array, options: ReadOptions): Uint8Array | undefined
  /** False when the entry was not written. */
  putSync(key: Uint8Array, value: Uint8Array, options?: { readonly noOverwrite: boolean }): boolean
}

/** What LZ4 compresses against, and the collections of which it has learned. */
export interface Dictionary {
  readonly bytes: Uint8Array
  readonly learned: ReadonlySet<number>
}

export interface Databases {
  readonly root: ValueDatabase
  readonly values: ValueDatabase
  /** For documents; none in files from before there were slots. */
  readonly slots: readonly ValueDatabase[]
  readonly entries: EntryDatabase
  /** Undefined in files from before values were compressed. */
  readonly dictionary: Dictionary | undefined
}

/** Of the names of databases, which lie among the keys of the file, after every tree that there can be. */
export const NAMES_FROM = 0x7f
const VALUES = '\u007fvalues'
/** In the root, which is not compressed. */
const DICTIONARY = treeKey(TREE.settings, Buffer.from('dictionary'))

/** How the file is opened. */
export const ROOT_OPTIONS = {
  noSubdir: true,
  keyEncoding: 'binary',
  encoding: 'binary',
  mapSize: MAP_BYTES,
  maxDbs: TREE_SLOTS + 2,
  maxReaders: MAX_READERS,
  permissionsMode: 0o600,
  overlappingSync: false,
  // With it on, a failed commit also rejects a promise that no caller holds.
  eventTurnBatching: false,
  // lmdb-js 3 keeps LMDB's list of free pages between transactions, and saves the changed part of it alone.
  // mdb_page_alloc (mdb.c 2949) may move the list to key 1 without marking it as changed; then
  // mdb_freelist_save (4374) meets records that are not there and aborts the process, fails the commit or
  // loses pages. With 0 mdb_txn_end (4019) drops the list, so each transaction loads what it needs and saves
  // it whole, as LMDB itself does.
  maxFreeSpaceToRetain: 0
} as const

/** The database that has the others; alone, without them. */
export function openRoot(path: string): ValueDatabase {
  return open<Uint8Array, Uint8Array>({ ...ROOT_OPTIONS, path }) as unknown as ValueDatabase
}

function readDictionary(root: ValueDatabase): Dictionary {
  const stored = root.getBinary(DICTIONARY, {})
  if (stored === undefined) return { bytes: Buffer.alloc(0), learned: new Set() }
  const doc = decodeDoc(stored)
  return {
    bytes: Buffer.from((doc.get('bytes') as Binary).buffer),
    learned: new Set((doc.get('learned') as Int32[]).map(({ value }) => value))
  }
}

/** Keeps a dictionary; inside a write. It is used once the file is opened again. */
export function writeDictionary(root: ValueDatabase, { bytes, learned }: Dictionary): void {
  const doc: Doc = new Map<string, Value>([
    ['bytes', new Binary(bytes)],
    ['learned', [...learned].map((id) => new Int32(id))]
  ])
  root.putSync(DICTIONARY, encodeDoc(doc))
}

function openValues(root: ValueDatabase, name: string, compression: unknown): ValueDatabase {
  const options = { name, keyEncoding: 'binary', encoding: 'binary', compression }
  return (root as unknown as Root).openDB(
    options as unknown as Parameters<Root['openDB']>[0] & { name: string }
  ) as unknown as ValueDatabase
}

/** Opens or makes all of them at once: none can be opened inside a write that may be undone. */
export function openDatabases(path: string): Databases {
  const root = openRoot(path)
  // In one transaction: one for each would be as many flushes when the file is new.
  return root.transactionSync(() => openAll(root))
}

function openAll(root: ValueDatabase): Databases {
  // Files of format 1 have all their values in the root.
  const isPlain = root.getBinary(FORMAT_KEY, {}) !== undefined
  const entries = openEntryDatabase(root as unknown as Root)
  if (isPlain) return { root, dictionary: undefined, values: root, slots: [], entries }
  const dictionary = readDictionary(root)
  const values = openValues(root, VALUES, {
    threshold: COMPRESSED_FROM_BYTES,
    dictionary: Buffer.from(dictionary.bytes)
  })
  // All share what the first compresses with.
  const { compression } = values
  const slots = Array.from({ length: TREE_SLOTS }, (_, slot) =>
    openValues(root, `${VALUES}-${String(slot).padStart(2, '0')}`, compression)
  )
  return { root, dictionary, values, slots, entries }
}
