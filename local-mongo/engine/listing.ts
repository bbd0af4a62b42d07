// What databases, collections and indexes there are, as clients see it.
import type { Doc } from '../bson/value.ts'
import type { CollectionInfo, DatabaseInfo, Namespace } from '../engine.ts'
import { commandError } from '../errors.ts'
import type { EngineParts } from './parts.ts'

type Known = Pick<EngineParts, 'catalog' | 'counts'>

/** By name; the size is that of the documents. */
export function listDatabases({ catalog, counts }: Known): DatabaseInfo[] {
  const sizes = new Map<string, number>()
  for (const { db, id } of catalog.state.values()) {
    sizes.set(db, (sizes.get(db) ?? 0) + counts.of(id).bytes)
  }
  return [...sizes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, sizeOnDisk]) => ({ name, sizeOnDisk, empty: false }))
}

/** By name. */
export function listCollections({ catalog }: Known, db: string): CollectionInfo[] {
  return [...catalog.state.values()]
    .filter((collection) => collection.db === db)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, options, uuid }) => ({ name, type: 'collection', options, uuid }))
}

/** Fails with NamespaceNotFound (26). */
export function listIndexes({ catalog }: Known, ns: Namespace): Doc[] {
  const collection = catalog.find(ns.db, ns.collection)
  if (collection === undefined) {
    throw commandError('NamespaceNotFound', `ns does not exist: ${ns.db}.${ns.collection}`)
  }
  const ready = collection.indexes.filter(({ isReady }) => isReady)
  return [collection.idIndex, ...ready].map(({ spec }) => spec)
}
