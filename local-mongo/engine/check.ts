// Reads a collection whole and compares it with its indexes and its count.
import { validateBson } from '../bson/validate.ts'
import type { Collection } from '../storage/catalog.ts'
import type { Count } from '../storage/counts.ts'
import { addIndexEntries, type IndexEntry, idKeyOfBytes } from '../storage/documents.ts'
import type { Index } from '../storage/index-definition.ts'
import { openTree } from '../storage/index-entries.ts'
import { idOfSharedKey, restOfKey, treeKey, treeStart } from '../storage/tree-keys.ts'
import type { View } from '../storage/view.ts'
import { giveTurn } from './time-slices.ts'

const DOCUMENTS_PER_SLICE = 100
const MOST_PROBLEMS = 100

/** What was found in one collection. */
export interface CollectionCheck {
  readonly problems: string[]
  documents: number
  bytes: number
  /** By the index's name. */
  readonly entries: Map<string, number>
}

interface Checked {
  readonly view: View
  readonly collection: Collection
  readonly found: CollectionCheck
}

function note({ found, collection }: Checked, problem: string): void {
  if (found.problems.length >= MOST_PROBLEMS) return
  found.problems.push(`${collection.db}.${collection.name}: ${problem}`)
}

function showKey(key: Uint8Array): string {
  return Buffer.from(key).toString('hex')
}

const NO_FLAGS = { flags: { markIndex: () => undefined } }

function checkDocument(checked: Checked, id: Uint8Array, bytes: Uint8Array): void {
  const { view, collection, found } = checked
  try {
    validateBson(bytes)
  } catch {
    note(checked, `document ${showKey(id)} is not valid BSON`)
    return
  }
  found.documents++
  found.bytes += bytes.length
  if (Buffer.compare(idKeyOfBytes(collection, bytes), id) !== 0) {
    note(checked, `document ${showKey(id)} is stored under another _id`)
  }
  for (const index of collection.indexes) {
    if (!index.isReady) continue
    const entries: IndexEntry[] = []
    addIndexEntries(entries, NO_FLAGS, { collection, id, bytes }, index)
    found.entries.set(index.name, (found.entries.get(index.name) ?? 0) + entries.length)
    for (const { key, value } of entries) {
      const stored = view.get(key)
      if (stored !== undefined && Buffer.compare(stored, value) === 0) continue
      note(checked, `document ${showKey(id)} has no entry in index ${index.name}`)
    }
  }
}

/** Finds the entries that lead to no document; only when there are more than there should be. */
async function checkStrays(checked: Checked, index: Index): Promise<void> {
  const { view, collection, found } = checked
  const expected = found.entries.get(index.name) ?? 0
  const stored = view.countRange(treeStart(index.tree), treeStart(index.tree + 1))
  if (stored === expected) return
  note(checked, `index ${index.name} has ${stored} entries instead of ${expected}`)
  const walk = openTree(view, index.tree)
  for (let entry = walk.next(); entry !== undefined; entry = walk.next()) {
    const id = index.isUnique ? entry.value : idOfSharedKey(entry.key)
    if (view.has(treeKey(collection.tree, id))) continue
    note(checked, `index ${index.name} has an entry for ${showKey(id)}, which is not there`)
  }
  walk.close()
}

/** Checks one collection as it is in `view`. */
export async function checkCollection(
  view: View,
  collection: Collection,
  count: Count
): Promise<CollectionCheck> {
  const found: CollectionCheck = { problems: [], documents: 0, bytes: 0, entries: new Map() }
  const checked: Checked = { view, collection, found }
  let from: Uint8Array | undefined = treeStart(collection.tree)
  while (from !== undefined) {
    const walk = view.range(from, treeStart(collection.tree + 1), false)
    from = undefined
    let slice = 0
    try {
      for (let entry = walk.next(); entry !== undefined; entry = walk.next()) {
        if (slice++ === DOCUMENTS_PER_SLICE) {
          from = entry.key
          break
        }
        checkDocument(checked, restOfKey(entry.key), entry.value)
      }
    } finally {
      walk.close()
    }
    await giveTurn()
  }
  for (const index of collection.indexes) if (index.isReady) await checkStrays(checked, index)
  if (count.documents !== found.documents) {
    note(checked, `the count says ${count.documents} documents, there are ${found.documents}`)
  }
  if (count.bytes !== found.bytes) {
    note(checked, `the count says ${count.bytes} bytes, there are ${found.bytes}`)
  }
  return found
}
