// Makes, drops and renames collections, and drops indexes.
import { parseCollation } from '../bson/collation.ts'
import { type Doc, isDoc } from '../bson/value.ts'
import type { Namespace } from '../engine.ts'
import { commandError } from '../errors.ts'
import { isSameKey } from '../planner/hint.ts'
import type { Collection } from '../storage/catalog.ts'
import type { Index } from '../storage/index-definition.ts'
import { isIdKey } from '../storage/index-spec.ts'
import { Held, type QueueScope, type Scope } from '../storage/scope.ts'
import { showValue } from '../storage/show-value.ts'
import type { Job, Turn } from '../storage/write-queue.ts'
import { addCollection, checkNamespace, tellIndexes } from './namespaces.ts'

/** A job that is done in one turn; one that is held goes on when it no longer is. */
export function singleTurn<T>(act: (scope: QueueScope) => T): Job<QueueScope, undefined, T> {
  return {
    start: undefined,
    turn(scope): Turn<undefined, T> {
      try {
        return { done: act(scope) }
      } catch (error) {
        if (error instanceof Held) return { progress: undefined, waitFor: error.ended }
        throw error
      }
    }
  }
}

/** Options of `create` that are kept though nothing follows from them. */
const KEPT: ReadonlySet<string> = new Set(['collation', 'changeStreamPreAndPostImages', 'comment'])

function checkOptions(options: Doc): void {
  for (const [name, value] of options) {
    if (name === 'capped' && value === false) continue
    if (!KEPT.has(name)) {
      throw commandError('InvalidOptions', `The collection option '${name}' is not supported`)
    }
  }
  const collation = options.get('collation')
  if (collation !== undefined && !isDoc(collation)) {
    throw commandError('TypeMismatch', "The field 'collation' must be an object")
  }
  parseCollation(collation as Doc | undefined)
}

/**
 * Fails with NamespaceExists (48) unless the one that is there has the same options; inside a
 * transaction also then.
 */
export function createCollection(
  scope: Scope,
  ns: Namespace,
  options: Doc,
  isInTransaction = false
): void {
  checkNamespace(ns)
  checkOptions(options)
  const known = scope.catalog.find(ns.db, ns.collection)
  if (known === undefined) addCollection(scope, ns, options)
  else if (isInTransaction) {
    throw commandError('NamespaceExists', `namespace ${ns.db}.${ns.collection} already exists`)
  } else if (showValue(known.options) !== showValue(options)) {
    throw commandError(
      'NamespaceExists',
      `namespace ${ns.db}.${ns.collection} already exists, but with different options: ${showValue(known.options)}`
    )
  }
}

/** Fails with Held while a transaction that has written to the collection is open. */
export type AwaitWriters = (collection: Collection) => void

/** Fails with Held while something is at work on the collection. */
export interface Waits {
  readonly writers: AwaitWriters
  /** Writers, and a build of its indexes. */
  readonly all: AwaitWriters
}

/** Removes a collection at once; its entries follow in the background. */
export function dropCollection(
  scope: QueueScope,
  ns: Namespace,
  waits: Pick<Waits, 'writers'>
): { readonly nIndexesWas: number } | undefined {
  const collection = scope.catalog.find(ns.db, ns.collection)
  if (collection === undefined) return undefined
  waits.writers(collection)
  scope.catalog.remove(collection)
  scope.counts.forget(collection.id)
  scope.catalog.discardTree(collection.tree)
  for (const { tree } of collection.indexes) scope.catalog.discardTree(tree)
  const { uuid } = collection
  scope.tellCatalog({ kind: 'drop', db: ns.db, collection: ns.collection, uuid })
  return { nIndexesWas: collection.indexes.length + 1 }
}

/** Removes all collections of a database. */
export function dropDatabase(
  scope: QueueScope,
  { db, collections }: { readonly db: string; readonly collections: Iterable<Collection> },
  waits: Pick<Waits, 'writers'>
): void {
  const own = [...collections].filter((collection) => collection.db === db)
  for (const collection of own) waits.writers(collection)
  for (const { name } of own) dropCollection(scope, { db, collection: name }, waits)
  if (own.length > 0) scope.tellCatalog({ kind: 'dropDatabase', db, collection: '' })
}

/** Fails with NamespaceNotFound (26) or NamespaceExists (48). */
export function renameCollection(
  scope: QueueScope,
  {
    from,
    to,
    dropTarget
  }: { readonly from: Namespace; readonly to: Namespace; readonly dropTarget: boolean },
  waits: Waits
): void {
  checkNamespace(to)
  const collection = scope.catalog.find(from.db, from.collection)
  if (collection === undefined) {
    throw commandError(
      'NamespaceNotFound',
      `Source collection ${from.db}.${from.collection} does not exist`
    )
  }
  if (from.db === to.db && from.collection === to.collection) {
    throw commandError('IllegalOperation', "Can't rename a collection to itself")
  }
  const target = scope.catalog.find(to.db, to.collection)
  if (target !== undefined && !dropTarget) {
    throw commandError('NamespaceExists', `target namespace exists: ${to.db}.${to.collection}`)
  }
  waits.all(collection)
  if (target !== undefined) dropCollection(scope, to, waits)
  scope.catalog.remove(collection)
  scope.catalog.put({ ...collection, db: to.db, name: to.collection })
  const { uuid } = collection
  scope.tellCatalog({ kind: 'rename', db: from.db, collection: from.collection, to, uuid })
}

function namedIndex(collection: Collection, name: string): Index | undefined {
  if (name === '_id_') throw commandError('InvalidOptions', 'cannot drop _id index')
  return collection.indexes.find((index) => index.name === name)
}

function notFound(what: string): Error {
  return commandError('IndexNotFound', `index not found with name [${what}]`)
}

function indexesToDrop(collection: Collection, wanted: string | readonly string[] | Doc): Index[] {
  if (wanted === '*') return [...collection.indexes]
  if (typeof wanted === 'string' || Array.isArray(wanted)) {
    return [wanted].flat().map((name) => {
      const index = namedIndex(collection, name as string)
      if (index === undefined) throw notFound(name as string)
      return index
    })
  }
  const key = wanted as Doc
  if (isIdKey(key)) throw commandError('InvalidOptions', 'cannot drop _id index')
  const [index, other] = collection.indexes.filter((one) => isSameKey(one.key, key))
  if (other !== undefined) {
    throw commandError(
      'AmbiguousIndexKeyPattern',
      `${collection.indexes.length} indexes found for key: ${showValue(key)}, identify by name instead.`
    )
  }
  if (index === undefined)
    throw commandError('IndexNotFound', `can't find index with key: ${showValue(key)}`)
  return [index]
}

/** Fails with NamespaceNotFound (26), IndexNotFound (27), or InvalidOptions (72) for the one on `_id`. */
export function dropIndexes(
  scope: QueueScope,
  ns: Namespace,
  wanted: string | readonly string[] | Doc,
  waits: Waits
): { readonly nIndexesWas: number; readonly msg?: string } {
  const collection = scope.catalog.find(ns.db, ns.collection)
  if (collection === undefined) {
    throw commandError('NamespaceNotFound', `ns not found ${ns.db}.${ns.collection}`)
  }
  waits.all(collection)
  const dropped = indexesToDrop(collection, wanted)
  for (const { tree } of dropped) scope.catalog.discardTree(tree)
  const indexes = collection.indexes.filter((index) => !dropped.includes(index))
  scope.catalog.put({ ...collection, indexes })
  if (dropped.length > 0) tellIndexes(scope, 'dropIndexes', collection, dropped)
  const nIndexesWas = collection.indexes.length + 1
  return wanted === '*'
    ? { nIndexesWas, msg: 'non-_id indexes dropped for collection' }
    : { nIndexesWas }
}
