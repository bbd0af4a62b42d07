// createIndexes: builds in slices over a collection whose readers go on, or leaves nothing behind.
import { parseCollation } from '../bson/collation.ts'
import type { Doc } from '../bson/value.ts'
import type { CreateIndexesResult, Namespace, OperationContext } from '../engine.ts'
import { commandError } from '../errors.ts'
import type { Collection } from '../storage/catalog.ts'
import { addIndexEntries, type IndexEntry } from '../storage/documents.ts'
import { duplicateKey } from '../storage/duplicate-key.ts'
import { type Index, partsOfKey, prepareIndex } from '../storage/index-definition.ts'
import { layoutOf } from '../storage/index-layout.ts'
import { isIdKey, isPresent, MOST_INDEXES, readIndexSpec } from '../storage/index-spec.ts'
import type { QueueScope, Scope } from '../storage/scope.ts'
import { afterKey, restOfKey, treeStart } from '../storage/tree-keys.ts'
import type { Job, Turn } from '../storage/write-queue.ts'
import type { Builds } from './builds.ts'
import { checkInterrupt } from './interrupt.ts'
import { addCollection, tellIndexes } from './namespaces.ts'
import { waitFor } from './time-slices.ts'

const TURN_MS = 20
const DOCUMENTS_PER_LOOK = 32

/** A build under way. */
interface Build {
  readonly collection: Collection
  readonly indexes: readonly Index[]
  /** The last document whose entries are in. */
  readonly last: Uint8Array | undefined
  readonly result: CreateIndexesResult
}

function emptyIndex(id: number, spec: Doc, collection: Collection): Index {
  const parts = partsOfKey(spec.get('key') as Doc)
  const collation = parseCollation(spec.get('collation') as Doc | undefined)
  const arrays = parts.map(() => false)
  return prepareIndex({
    id,
    spec,
    flags: { arrays, isExact: true, isPlain: true },
    layout: layoutOf(parts, spec.get('unique') === true, [collation, collection.collation]),
    isReady: false
  })
}

/** The indexes that are not there yet; fails when one of them cannot be. */
function newIndexes(scope: Scope, collection: Collection, specs: readonly Doc[]): Index[] {
  const all: Index[] = []
  for (const spec of specs) {
    if (isIdKey(spec.get('key') as Doc)) continue
    if (isPresent(spec, [...collection.indexes, ...all])) continue
    all.push(emptyIndex(scope.catalog.newTree(), spec, collection))
  }
  if (collection.indexes.length + all.length + 1 > MOST_INDEXES) {
    throw commandError(
      'CannotCreateIndex',
      `add index fails, too many indexes for ${collection.db}.${collection.name} key:${[...(all.at(-1)?.key.keys() ?? [])].join()}`
    )
  }
  return all
}

function putBuilt(
  scope: Scope,
  collection: Collection,
  entries: readonly IndexEntry[],
  bytes: Uint8Array
): void {
  for (const { index, key, value } of entries) {
    if (!index.isUnique) scope.view.putEntry(index.tree, key)
    else if (!scope.view.putIfAbsent(key, value)) throw duplicateKey(collection, index, bytes, key)
  }
}

/** Adds the entries of some documents; answers the last of them, undefined at the end. */
function buildSome(scope: Scope, { collection, indexes, last }: Build): Uint8Array | undefined {
  const until = performance.now() + TURN_MS
  const from = last === undefined ? treeStart(collection.tree) : afterKey(last)
  const walk = scope.view.range(from, treeStart(collection.tree + 1), false)
  try {
    for (let count = 1; ; count++) {
      const record = walk.next()
      if (record === undefined) return undefined
      const document = { collection, id: restOfKey(record.key), bytes: record.value }
      const entries: IndexEntry[] = []
      for (const index of indexes) addIndexEntries(entries, scope, document, index)
      putBuilt(scope, collection, entries, record.value)
      if (count % DOCUMENTS_PER_LOOK === 0 && performance.now() > until) return record.key
    }
  } finally {
    walk.close()
  }
}

function withIndexes(
  collection: Collection,
  indexes: readonly Index[],
  isReady: boolean
): Collection {
  const others = collection.indexes.filter((one) => !indexes.some(({ id }) => id === one.id))
  return {
    ...collection,
    indexes: [...others, ...indexes.map((index) => ({ ...index, isReady }))],
    isBuilding: !isReady
  }
}

/** Takes back what the build has made. */
function discard(scope: Scope, { collection, indexes, last }: Build): void {
  for (const { tree } of indexes) scope.catalog.discardTree(tree)
  const present = scope.catalog.find(collection.db, collection.name)
  if (last === undefined || present?.id !== collection.id) return
  const left = present.indexes.filter((one) => !indexes.some(({ id }) => id === one.id))
  scope.catalog.put({ ...present, indexes: left, isBuilding: false })
}

function begin(scope: Scope, ns: Namespace, specs: readonly Doc[]): Build {
  const known = scope.catalog.find(ns.db, ns.collection)
  const read = specs.map((spec) => readIndexSpec(spec, known?.collation))
  const collection = known ?? addCollection(scope, ns, new Map())
  const indexes = newIndexes(scope, collection, read)
  const before = collection.indexes.length + 1
  const result: CreateIndexesResult = {
    numIndexesBefore: before,
    numIndexesAfter: before + indexes.length,
    createdCollectionAutomatically: known === undefined,
    ...(indexes.length === 0 ? { note: 'all indexes already exist' } : {})
  }
  return { collection, indexes, last: undefined, result }
}

export interface CreateIndexesOptions {
  readonly builds: Builds
  /** Settles when no transaction that has written to the collection is open; undefined when none is. */
  readonly writersOf: (collection: Collection) => Promise<unknown> | undefined
  readonly context: OperationContext
}

/** A build as the write queue runs it. */
export interface BuildJob extends Job<QueueScope, unknown, CreateIndexesResult> {
  /** The collection that waits for the build, once a turn of it is on disk. */
  readonly begun: () => Collection | undefined
  /** Takes back what is on disk of a build whose job has failed between two turns. */
  takeBack(scope: QueueScope): void
}

/** The job that builds the indexes. Answers the trees to be purged with the error through the catalog. */
export function createIndexesJob(
  ns: Namespace,
  specs: readonly Doc[],
  { builds, writersOf, context }: CreateIndexesOptions
): BuildJob {
  let begun: Build | undefined

  /** One turn of the build; the first is tried whole, so that a small collection needs no second. */
  function turn(scope: Scope, build: Build): Turn<Build | undefined, CreateIndexesResult> {
    const { collection, indexes, result } = build
    const end = () => {
      begun = undefined
      builds.end(collection.id)
    }
    try {
      checkInterrupt(context)
      const present = scope.catalog.find(ns.db, ns.collection)
      if (present?.id !== collection.id) {
        throw commandError('QueryPlanKilled', `collection dropped: ${ns.db}.${ns.collection}`)
      }
      const last = buildSome(scope, build)
      if (last === undefined) {
        scope.catalog.put(withIndexes(present, indexes, true))
        tellIndexes(scope, 'createIndexes', present, indexes)
        scope.afterCommit(end)
        return { done: result }
      }
      const progress = { ...build, last }
      if (build.last === undefined) {
        scope.catalog.put(withIndexes(present, indexes, false))
        scope.afterCommit(() => {
          begun = progress
          builds.begin(collection.id)
        })
      }
      return { progress }
    } catch (error) {
      discard(scope, build)
      scope.afterCommit(end)
      throw error
    }
  }

  const job: Job<QueueScope, Build | undefined, CreateIndexesResult> = {
    start: undefined,
    turn(scope, progress) {
      if (progress !== undefined) return turn(scope, progress)
      checkInterrupt(context)
      const known = scope.catalog.find(ns.db, ns.collection)
      if (known?.isBuilding) return { progress, ...waitFor(builds.endOf(known.id), context) }
      const heldBy = known === undefined ? undefined : writersOf(known)
      if (heldBy !== undefined) return { progress, ...waitFor(heldBy, context) }
      const build = begin(scope, ns, specs)
      return build.indexes.length === 0 ? { done: build.result } : turn(scope, build)
    }
  }
  return {
    ...(job as Job<QueueScope, unknown, CreateIndexesResult>),
    begun: () => begun?.collection,
    takeBack(scope) {
      if (begun === undefined) return
      const { id } = begun.collection
      discard(scope, begun)
      scope.afterCommit(() => builds.end(id))
    }
  }
}

/** The whole build at once, as inside the transaction that makes the collection. */
export function createIndexesAtOnce(
  scope: Scope,
  ns: Namespace,
  specs: readonly Doc[]
): CreateIndexesResult {
  let build = begin(scope, ns, specs)
  if (build.indexes.length === 0) return build.result
  for (;;) {
    const last = buildSome(scope, build)
    if (last === undefined) break
    build = { ...build, last }
  }
  const present = scope.catalog.find(ns.db, ns.collection) ?? build.collection
  scope.catalog.put(withIndexes(present, build.indexes, true))
  tellIndexes(scope, 'createIndexes', present, build.indexes)
  return build.result
}
