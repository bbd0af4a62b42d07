// Writes a document together with all its index entries, or nothing of it.
import { encodeKey } from '../bson/key-string.ts'
import type { Value } from '../bson/value.ts'
import type { UpdateDescription } from '../update/update.ts'
import type { Collection } from './catalog.ts'
import { duplicateKey } from './duplicate-key.ts'
import type { Index } from './index-definition.ts'
import type { Scope } from './scope.ts'
import { MAX_ID_BYTES, sharedIndexKey, splitIndexKey, textOfKey, treeKey } from './tree-keys.ts'
import { NOTHING } from './view.ts'

/** A key of this length or more may have been cut. */
const CUT_ID_BYTES = MAX_ID_BYTES - 16

/** Comparing each with each is quicker than gathering them in a set. */
const FEW_ENTRIES = 16

/** What a cut `_id` tells of its index. */
const CUT_ID = { arrays: [], exact: false, plain: true }

/** An entry that a document has in an index. */
export interface IndexEntry {
  readonly index: Index
  readonly key: Uint8Array
  readonly value: Uint8Array
}

/** The key of an `_id` in its collection. */
export function idKeyOf(collection: Collection, id: Value): Uint8Array {
  return encodeKey([id], [1], collection.idKeyOptions)
}

/** The key of a stored document, from its bytes. */
export function idKeyOfBytes({ idIndex }: Collection, bytes: Uint8Array): Uint8Array {
  return idIndex.keysOf(bytes).keys[0] as Uint8Array
}

/** Adds the document's entries in one index. Notes what the index did not know of its documents. */
export function addIndexEntries(
  entries: IndexEntry[],
  scope: Pick<Scope, 'flags'>,
  document: {
    readonly collection: Collection
    readonly id: Uint8Array
    readonly bytes: Uint8Array
  },
  index: Index
): void {
  const { collection, id, bytes } = document
  if (index.partial?.matches(bytes) === false) return
  const found = index.keysOf(bytes)
  scope.flags.markIndex(collection, index, found)
  if (index.layout.endsInId && id.length >= CUT_ID_BYTES) {
    scope.flags.markIndex(collection, index, CUT_ID)
  }
  for (let i = 0; i < found.keys.length; i++) {
    const key = found.keys[i] as Uint8Array
    if (index.isUnique) entries.push({ index, key: treeKey(index.tree, key), value: id })
    else
      entries.push({ index, key: entryKey(index, key, id, found.shared[i] ?? 0), value: NOTHING })
  }
}

function entryKey(index: Index, key: Uint8Array, id: Uint8Array, shared: number): Uint8Array {
  const { tree, layout } = index
  return layout.isSplit ? splitIndexKey(tree, key, id, shared) : sharedIndexKey(tree, key, id)
}

function entriesOf(
  scope: Scope,
  collection: Collection,
  id: Uint8Array,
  bytes: Uint8Array,
  indexes: readonly Index[]
): IndexEntry[] {
  const entries: IndexEntry[] = []
  for (const index of indexes) addIndexEntries(entries, scope, { collection, id, bytes }, index)
  return entries
}

/** Asks for the right to write a document: its own key and those of its unique entries. */
function claim(
  scope: Scope,
  collection: Collection,
  recordKey: Uint8Array,
  ...lists: (readonly IndexEntry[])[]
): void {
  if (!scope.mustClaim(collection)) return
  const keys = [recordKey]
  for (const list of lists) {
    for (const { index, key } of list) if (index.isUnique) keys.push(key)
  }
  scope.claim(collection, keys)
}

/**
 * Adds the entries, those of unique indexes first; on a duplicate takes back what it has added,
 * calls `undo`, and fails.
 */
function putEntries(
  { view }: Scope,
  entries: readonly IndexEntry[],
  undo: (duplicate: IndexEntry) => never
): void {
  for (const [position, entry] of entries.entries()) {
    if (!entry.index.isUnique || view.putIfAbsent(entry.key, entry.value)) continue
    for (const { index, key } of entries.slice(0, position)) if (index.isUnique) view.remove(key)
    undo(entry)
  }
  for (const { index, key } of entries) if (!index.isUnique) view.putEntry(index.tree, key)
}

/** Inserts a document. Fails with DuplicateKey (11000), having written nothing. */
export function insertDocument(
  scope: Scope,
  collection: Collection,
  id: Uint8Array,
  bytes: Uint8Array
): void {
  const recordKey = treeKey(collection.tree, id)
  const entries = entriesOf(scope, collection, id, bytes, collection.indexes)
  if (id.length >= CUT_ID_BYTES) scope.flags.markIndex(collection, collection.idIndex, CUT_ID)
  claim(scope, collection, recordKey, entries)
  if (!scope.view.putIfAbsent(recordKey, bytes)) throw duplicateKey(collection, undefined, bytes)
  putEntries(scope, entries, ({ index, key }) => {
    scope.view.remove(recordKey)
    throw duplicateKey(collection, index, bytes, key)
  })
  scope.counts.add(collection.id, 1, bytes.length)
  scope.tell({ kind: 'insert', collection, before: undefined, after: bytes })
}

/** A new version of a stored document. */
export interface Replacement {
  readonly id: Uint8Array
  readonly before: Uint8Array
  readonly after: Uint8Array
  /** Dotted paths that may differ; spares the indexes on others. */
  readonly paths: Paths
  readonly kind: 'update' | 'replace'
  readonly description: () => UpdateDescription
}

const DOT = 46

function startsPath(shorter: string, longer: string): boolean {
  if (shorter.length === longer.length) return shorter === longer
  return longer.charCodeAt(shorter.length) === DOT && longer.startsWith(shorter)
}

type Paths = readonly string[] | 'all'

function meets(paths: Paths, others: Paths): boolean {
  if (paths === 'all' || others === 'all') return true
  return paths.some((path) => others.some((own) => startsPath(path, own) || startsPath(own, path)))
}

/** Whether a change of these paths can change the document's entries in the index. */
export const isAffected = ({ watched }: Index, paths: Paths): boolean => meets(paths, watched)

/** Whether the index holds the document neither before nor after a change of these paths. */
function isOutside({ partial, deciding }: Index, paths: Paths, before: Uint8Array): boolean {
  return partial !== undefined && !meets(paths, deciding) && !partial.matches(before)
}

const isSameKey = (a: IndexEntry, b: IndexEntry): boolean => Buffer.compare(a.key, b.key) === 0

/** Of the entries in one index those that are not among the others. */
function withoutThose(entries: readonly IndexEntry[], others: readonly IndexEntry[]): IndexEntry[] {
  if (others.length > FEW_ENTRIES) {
    const texts = new Set(others.map(({ key }) => textOfKey(key)))
    return entries.filter(({ key }) => !texts.has(textOfKey(key)))
  }
  return entries.filter((entry) => !others.some((other) => isSameKey(entry, other)))
}

/** What an update takes from its indexes, and what it adds. */
interface EntryChanges {
  readonly removed: IndexEntry[]
  readonly added: IndexEntry[]
}

/** Notes how a document's entries in one index differ. */
function addChanges(
  { removed, added }: EntryChanges,
  old: readonly IndexEntry[],
  fresh: readonly IndexEntry[]
): void {
  const [before] = old
  const [after] = fresh
  const isPair = old.length === 1 && fresh.length === 1
  if (isPair && before !== undefined && after !== undefined) {
    if (isSameKey(before, after)) return
    removed.push(before)
    added.push(after)
    return
  }
  for (const entry of withoutThose(old, fresh)) removed.push(entry)
  for (const entry of withoutThose(fresh, old)) added.push(entry)
}

function changeEntries(
  scope: Scope,
  collection: Collection,
  { id, before, after, paths }: Replacement
): EntryChanges {
  const changes: EntryChanges = { removed: [], added: [] }
  for (const index of collection.indexes) {
    if (!isAffected(index, paths) || isOutside(index, paths, before)) continue
    const old: IndexEntry[] = []
    const fresh: IndexEntry[] = []
    addIndexEntries(old, scope, { collection, id, bytes: before }, index)
    addIndexEntries(fresh, scope, { collection, id, bytes: after }, index)
    addChanges(changes, old, fresh)
  }
  return changes
}

/** Replaces a stored document. Fails with DuplicateKey (11000), having written nothing. */
export function replaceDocument(
  scope: Scope,
  collection: Collection,
  replacement: Replacement
): void {
  const { id, before, after, kind, description } = replacement
  const recordKey = treeKey(collection.tree, id)
  const { removed, added } = changeEntries(scope, collection, replacement)
  claim(scope, collection, recordKey, removed, added)
  for (const { key } of removed) scope.view.remove(key)
  putEntries(scope, added, ({ index, key }) => {
    for (const entry of removed) scope.view.put(entry.key, entry.value)
    throw duplicateKey(collection, index, after, key)
  })
  scope.view.put(recordKey, after)
  scope.counts.add(collection.id, 0, after.length - before.length)
  scope.tell({ kind, collection, before, after, description })
}

/** Removes a stored document. */
export function removeDocument(
  scope: Scope,
  collection: Collection,
  id: Uint8Array,
  bytes: Uint8Array
): void {
  const recordKey = treeKey(collection.tree, id)
  const entries = entriesOf(scope, collection, id, bytes, collection.indexes)
  claim(scope, collection, recordKey, entries)
  for (const { key } of entries) scope.view.remove(key)
  scope.view.remove(recordKey)
  scope.counts.add(collection.id, -1, -bytes.length)
  scope.tell({ kind: 'delete', collection, before: bytes, after: undefined })
}
