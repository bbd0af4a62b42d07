// Makes collections, and says which names they may have.
import { randomBytes } from 'node:crypto'
import type { Doc } from '../bson/value.ts'
import type { Namespace } from '../engine.ts'
import { commandError } from '../errors.ts'
import { type Collection, prepareCollection } from '../storage/catalog.ts'
import type { Index } from '../storage/index-definition.ts'
import type { Scope } from '../storage/scope.ts'

const LONGEST_DB = 63
const LONGEST_NAMESPACE = 255
const NO_OPTIONS: Doc = new Map()

/** Fails with InvalidNamespace (73) for a name that a collection cannot have. */
export function checkNamespace({ db, collection }: Namespace): void {
  const refuse = (why: string) =>
    commandError('InvalidNamespace', `Invalid namespace specified '${db}.${collection}': ${why}`)
  if (db === '' || db.length > LONGEST_DB || /[/\\. "$\0]/.test(db))
    throw refuse('the name of the database')
  if (collection === '' || collection.startsWith('.') || collection.endsWith('.'))
    throw refuse('the name of the collection')
  if (/[$\0]/.test(collection)) throw refuse('a collection name holds no $ and no null byte')
  if (collection.startsWith('system.')) throw refuse('names that begin with system. are reserved')
  if (Buffer.byteLength(`${db}.${collection}`) > LONGEST_NAMESPACE)
    throw refuse(`longer than ${LONGEST_NAMESPACE} bytes`)
}

/** Version 4 of the UUIDs. */
export function newUuid(): Uint8Array {
  const uuid = randomBytes(16)
  uuid[6] = ((uuid[6] ?? 0) & 0x0f) | 0x40
  uuid[8] = ((uuid[8] ?? 0) & 0x3f) | 0x80
  return uuid
}

/** Adds a collection without indexes to the catalog. */
export function addCollection(scope: Scope, ns: Namespace, options: Doc): Collection {
  checkNamespace(ns)
  const id = scope.catalog.newTree()
  const collection = prepareCollection({
    id,
    slot: scope.catalog.newSlot(id),
    db: ns.db,
    name: ns.collection,
    uuid: newUuid(),
    options,
    indexes: [],
    hasExactIds: true
  })
  scope.catalog.put(collection)
  const { db, collection: name } = ns
  const { uuid, idIndex } = collection
  const operation: Doc = new Map([...options, ['idIndex', idIndex.spec]])
  scope.tellCatalog({ kind: 'create', db, collection: name, uuid, operation })
  return collection
}

/** The collection; made when there is none. */
export function ensureCollection(scope: Scope, ns: Namespace): Collection {
  return scope.catalog.find(ns.db, ns.collection) ?? addCollection(scope, ns, NO_OPTIONS)
}

/** Tells change streams of indexes that were made or dropped. */
export function tellIndexes(
  scope: Scope,
  kind: 'createIndexes' | 'dropIndexes',
  { db, name, uuid }: Collection,
  indexes: readonly Index[]
): void {
  const operation: Doc = new Map([['indexes', indexes.map(({ spec }) => spec)]])
  scope.tellCatalog({ kind, db, collection: name, uuid, operation })
}
