// How many documents a collection has and how large they are, exact at every commit.
import { numberKey, numberOfKey, TREE, treeStart } from './tree-keys.ts'
import type { View, WriteView } from './view.ts'

/** The size of a collection. */
export interface Count {
  readonly documents: number
  /** Of the encoded documents. */
  readonly bytes: number
}

/** Changes of counts inside one write transaction. */
export interface CountDraft {
  add(collection: number, documents: number, bytes: number): void
  forget(collection: number): void
  /** The count with this draft's changes. */
  of(collection: number): Count
  changes(): Iterable<readonly [number, Count]>
  finish(view: WriteView): void
}

/** The counts of all collections. */
export interface Counts {
  of(collection: number): Count
  draft(): CountDraft
  publish(draft: CountDraft): void
}

const NONE: Count = { documents: 0, bytes: 0 }

function encodeCount({ documents, bytes }: Count): Uint8Array {
  const encoded = Buffer.alloc(16)
  encoded.writeDoubleBE(documents, 0)
  encoded.writeDoubleBE(bytes, 8)
  return encoded
}

function decodeCount(encoded: Uint8Array): Count {
  const bytes = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.length)
  return { documents: bytes.readDoubleBE(0), bytes: bytes.readDoubleBE(8) }
}

function openDraft(present: ReadonlyMap<number, Count>): CountDraft {
  const changed = new Map<number, Count>()
  const forgotten = new Set<number>()
  const of = (collection: number) => changed.get(collection) ?? present.get(collection) ?? NONE
  return {
    of,
    add(collection, documents, bytes) {
      const before = of(collection)
      changed.set(collection, {
        documents: before.documents + documents,
        bytes: before.bytes + bytes
      })
    },
    forget(collection) {
      changed.set(collection, NONE)
      forgotten.add(collection)
    },
    changes: () => changed,
    finish(view) {
      for (const [collection, count] of changed) {
        const key = numberKey(TREE.counts, collection)
        if (forgotten.has(collection)) view.remove(key)
        else view.put(key, encodeCount(count))
      }
    }
  }
}

/** Reads the counts. */
export function openCounts(view: View): Counts {
  const present = new Map<number, Count>()
  const walk = view.range(treeStart(TREE.counts), treeStart(TREE.counts + 1), false)
  for (let entry = walk.next(); entry !== undefined; entry = walk.next()) {
    present.set(numberOfKey(entry.key), decodeCount(entry.value))
  }
  return {
    of: (collection) => present.get(collection) ?? NONE,
    draft: () => openDraft(present),
    publish(draft) {
      for (const [collection, count] of draft.changes()) present.set(collection, count)
    }
  }
}
