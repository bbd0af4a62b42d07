// What collections and indexes there are: read-only in memory, changed by drafts inside write transactions.
import { Binary, Int32 } from 'bson'
import { type Collation, parseCollation } from '../bson/collation.ts'
import { decodeDoc } from '../bson/decode.ts'
import { encodeDoc } from '../bson/encode.ts'
import type { IndexKeys } from '../bson/index-keys.ts'
import type { KeyOptions } from '../bson/key-string.ts'
import type { Doc, Value } from '../bson/value.ts'
import { type Index, prepareIdIndex, prepareIndex, type StoredIndex } from './index-definition.ts'
import { decodeLayout, encodeLayout } from './index-layout.ts'
import {
  FIRST_FREE_TREE,
  LAST_SLOT_TREE,
  MAX_ID_BYTES,
  numberKey,
  slotTree,
  TREE,
  treeKey,
  treeStart
} from './tree-keys.ts'
import { leastUsedSlot } from './tree-slots.ts'
import type { View, WriteView } from './view.ts'

/** A collection as it is stored. */
export interface StoredCollection {
  readonly id: number
  /** Where its documents lie; undefined in files that have no slots. */
  readonly slot: number | undefined
  readonly db: string
  readonly name: string
  /** 16 bytes. */
  readonly uuid: Uint8Array
  /** As given to `create`. */
  readonly options: Doc
  /** Without the one on `_id`, which is the documents' own order. */
  readonly indexes: readonly Index[]
  /** False once an `_id` was cut to fit its key. */
  readonly hasExactIds: boolean
}

/** A collection. Replaced, never changed, but for the flags of its indexes. */
export interface Collection extends StoredCollection {
  /** The tree of its documents. */
  readonly tree: number
  /** Of texts in queries and indexes that name none. */
  readonly collation: Collation | undefined
  /** How an `_id` becomes a document's key. */
  readonly idKeyOptions: KeyOptions
  readonly idIndex: Index
  /** True while an index is being built: writers wait. */
  readonly isBuilding: boolean
}

/** All collections at one moment, by `db.name`. */
export type CatalogState = ReadonlyMap<string, Collection>

/** The full name by which the catalog knows a collection. A database's name holds no dot. */
export function fullName(db: string, name: string): string {
  return `${db}.${name}`
}

const NEXT_TREE = treeKey(TREE.settings, Buffer.from('next-tree'))

/** Changes to the catalog inside one write transaction. */
export interface CatalogDraft {
  find(db: string, name: string): Collection | undefined
  /** Adds or replaces. */
  put(collection: Collection): void
  remove(collection: Collection): void
  /** A tree number that was never used. */
  newTree(): number
  /** Where a new collection's documents are to lie. */
  newSlot(collection: number): number | undefined
  /** Has the tree's entries removed in the background, now or after a restart. */
  discardTree(tree: number): void
  /** Writes flags of indexes that have changed since they were last on disk. */
  finish(): void
}

/** What a document's keys tell of their index. */
export type Learned = Pick<IndexKeys, 'arrays' | 'exact' | 'plain'>

/** The catalog and its unsaved flags. */
export interface Catalog {
  readonly state: CatalogState
  find(db: string, name: string): Collection | undefined
  /** A tree number that was never used; it is forgotten when nothing is committed after it. */
  newTree(): number
  newSlot(collection: number): number | undefined
  draft(view: WriteView): CatalogDraft
  /** Makes a committed draft the present state. */
  publish(draft: CatalogDraft): void
  /** Sets flags of an index at once and has them saved with the next commit. */
  markIndex(collection: Collection, index: Index, learned: Learned): void
}

interface OpenDraft extends CatalogDraft {
  readonly changes: ReadonlyMap<string, Collection | undefined>
  /** The next tree number as `finish` has saved it. */
  readonly savedTree: () => number
  readonly saved: ReadonlySet<string>
}

function encodeCollection(collection: Collection): Uint8Array {
  const indexes: Value[] = collection.indexes.map(
    (index): Doc =>
      new Map<string, Value>([
        ['id', new Int32(index.id)],
        ['spec', index.spec],
        ['arrays', [...index.flags.arrays]],
        ['exact', index.flags.isExact],
        ['plain', index.flags.isPlain],
        ['layout', encodeLayout(index.layout)],
        ['ready', index.isReady]
      ])
  )
  return encodeDoc(
    new Map<string, Value>([
      ['db', collection.db],
      ['name', collection.name],
      ['uuid', new Binary(collection.uuid, Binary.SUBTYPE_UUID)],
      ['options', collection.options],
      ['id', new Int32(collection.id)],
      ['slot', collection.slot === undefined ? null : new Int32(collection.slot)],
      ['exactIds', collection.idIndex.flags.isExact],
      ['indexes', indexes]
    ])
  )
}

function storedIndex(doc: Doc): StoredIndex {
  return {
    id: (doc.get('id') as Int32).value,
    spec: doc.get('spec') as Doc,
    flags: {
      arrays: [...(doc.get('arrays') as boolean[])],
      isExact: doc.get('exact') === true,
      // Absent in folders from before it was kept.
      isPlain: doc.get('plain') === true
    },
    layout: decodeLayout(doc.get('layout')),
    isReady: doc.get('ready') === true
  }
}

/** Completes a collection by what follows from its options and indexes. */
export function prepareCollection(stored: StoredCollection): Collection {
  const collation = parseCollation(stored.options.get('collation') as Doc | undefined)
  const { id, slot } = stored
  const tree = slot === undefined ? id : slotTree(id, slot)
  return {
    ...stored,
    tree,
    collation,
    idKeyOptions: { partLimit: MAX_ID_BYTES, collation },
    idIndex: prepareIdIndex(tree, collation, stored.hasExactIds),
    isBuilding: stored.indexes.some((index) => !index.isReady)
  }
}

function decodeCollection(bytes: Uint8Array): Collection {
  const doc = decodeDoc(bytes)
  return prepareCollection({
    id: (doc.get('id') as Int32).value,
    slot: (doc.get('slot') as Int32 | null | undefined)?.value,
    db: doc.get('db') as string,
    name: doc.get('name') as string,
    uuid: (doc.get('uuid') as Binary).buffer,
    options: doc.get('options') as Doc,
    indexes: (doc.get('indexes') as Doc[]).map((index) => prepareIndex(storedIndex(index))),
    hasExactIds: doc.get('exactIds') === true
  })
}

function readCatalog(view: View): Map<string, Collection> {
  const found = new Map<string, Collection>()
  const walk = view.range(treeStart(TREE.catalog), treeStart(TREE.catalog + 1), false)
  for (let entry = walk.next(); entry !== undefined; entry = walk.next()) {
    const collection = decodeCollection(entry.value)
    found.set(fullName(collection.db, collection.name), collection)
  }
  return found
}

function readNextTree(view: View): number {
  const stored = view.get(NEXT_TREE)
  return stored === undefined ? FIRST_FREE_TREE : Buffer.from(stored).readUInt32BE(0)
}

/** Tree numbers are given out in memory; the next one is saved with whatever is committed next. */
interface TreeNumbers {
  next: number
  saved: number
}

interface DraftParts extends Pick<Catalog, 'newSlot'> {
  readonly state: CatalogState
  readonly unsaved: ReadonlyMap<string, Collection>
  readonly trees: TreeNumbers
}

function openDraft({ state, unsaved, trees, newSlot }: DraftParts, view: WriteView): OpenDraft {
  const changes = new Map<string, Collection | undefined>()
  const saved = new Set<string>()
  let savedTree = trees.saved
  const find = (name: string) => (changes.has(name) ? changes.get(name) : state.get(name))
  return {
    changes,
    saved,
    savedTree: () => savedTree,
    find: (db, name) => find(fullName(db, name)),
    put(collection) {
      const name = fullName(collection.db, collection.name)
      changes.set(name, collection)
      view.put(numberKey(TREE.catalog, collection.id), encodeCollection(collection))
    },
    remove(collection) {
      changes.set(fullName(collection.db, collection.name), undefined)
      view.remove(numberKey(TREE.catalog, collection.id))
    },
    newTree: () => trees.next++,
    newSlot,
    discardTree(tree) {
      view.put(numberKey(TREE.garbage, tree), new Uint8Array(1))
    },
    finish() {
      for (const name of unsaved.keys()) {
        const collection = find(name)
        saved.add(name)
        if (collection === undefined) continue
        view.put(numberKey(TREE.catalog, collection.id), encodeCollection(collection))
      }
      if (trees.saved === trees.next) return
      savedTree = trees.next
      const next = Buffer.alloc(4)
      next.writeUInt32BE(trees.next)
      view.put(NEXT_TREE, next)
    }
  }
}

/** Reads the catalog; `hasSlots` says whether the file has them. */
export function openCatalog(view: View, hasSlots = false): Catalog {
  let state: CatalogState = readCatalog(view)
  const unsaved = new Map<string, Collection>()
  const saved = readNextTree(view)
  const trees: TreeNumbers = { next: saved, saved }
  let lastSlot = -1
  const newSlot = (collection: number) => {
    if (!hasSlots || collection > LAST_SLOT_TREE) return undefined
    lastSlot = leastUsedSlot(
      [...state.values()].map(({ slot }) => slot),
      lastSlot
    )
    return lastSlot
  }
  return {
    newTree: () => trees.next++,
    newSlot,
    get state() {
      return state
    },
    find: (db, name) => state.get(fullName(db, name)),
    draft: (writeView) => openDraft({ state, unsaved, trees, newSlot }, writeView),
    publish(draft) {
      const { changes, saved, savedTree } = draft as OpenDraft
      trees.saved = savedTree()
      for (const name of saved) unsaved.delete(name)
      if (changes.size === 0) return
      const next = new Map(state)
      for (const [name, collection] of changes) {
        if (collection === undefined) next.delete(name)
        else next.set(name, collection)
      }
      state = next
    },
    markIndex(collection, { flags }, { arrays, exact, plain }) {
      let isNews = false
      for (const [part, isArray] of arrays.entries()) {
        if (!isArray || flags.arrays[part] === true) continue
        flags.arrays[part] = true
        isNews = true
      }
      if (!exact && flags.isExact) {
        flags.isExact = false
        isNews = true
      }
      if (!plain && flags.isPlain) {
        flags.isPlain = false
        isNews = true
      }
      if (isNews) unsaved.set(fullName(collection.db, collection.name), collection)
    }
  }
}
