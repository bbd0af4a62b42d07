// collStats, dbStats and the statistics stages of aggregate.
import { statfsSync } from 'node:fs'
import { hostname } from 'node:os'
import { Double, Int32, Long } from 'bson'
import type { Doc, Value } from '../bson/value.ts'
import type { Namespace } from '../engine.ts'
import { commandError } from '../errors.ts'
import type { Collection } from '../storage/catalog.ts'
import type { Index } from '../storage/index-definition.ts'
import { openTree } from '../storage/index-entries.ts'
import type { View } from '../storage/view.ts'
import type { EngineParts } from './parts.ts'

const SAMPLE = 50
/** What LMDB takes for an entry beside key and value. */
const ENTRY_BYTES = 8

function long(value: number): Long {
  return Long.fromNumber(Math.round(value))
}

/** About how large an index is, from its first entries and the number of documents. */
function indexBytes(view: View, { tree }: Index, documents: number): number {
  const walk = openTree(view, tree)
  let entries = 0
  let bytes = 0
  for (let entry = walk.next(); entry !== undefined && entries < SAMPLE; entry = walk.next()) {
    entries++
    bytes += entry.key.length + entry.value.length + ENTRY_BYTES
  }
  walk.close()
  return entries < SAMPLE ? bytes : (bytes / entries) * documents
}

interface Sizes {
  readonly documents: number
  readonly bytes: number
  readonly indexes: ReadonlyMap<string, number>
  readonly indexBytes: number
}

function sizesOf({ environment, counts }: EngineParts, collection: Collection | undefined): Sizes {
  if (collection === undefined) return { documents: 0, bytes: 0, indexes: new Map(), indexBytes: 0 }
  const { documents, bytes } = counts.of(collection.id)
  const indexes = new Map([['_id_', 0]])
  let all = 0
  for (const index of collection.indexes) {
    const size = indexBytes(environment.live, index, documents)
    indexes.set(index.name, size)
    all += size
  }
  return { documents, bytes, indexes, indexBytes: all }
}

/** The fields of a `collStats` reply; zeros for a collection that is not there. */
export function collStats(parts: EngineParts, ns: Namespace): Doc {
  const {
    documents,
    bytes,
    indexes,
    indexBytes: all
  } = sizesOf(parts, parts.catalog.find(ns.db, ns.collection))
  return new Map<string, Value>([
    ['ns', `${ns.db}.${ns.collection}`],
    ['size', long(bytes)],
    ['count', long(documents)],
    ...(documents === 0 ? [] : ([['avgObjSize', long(bytes / documents)]] as [string, Value][])),
    ['storageSize', long(bytes)],
    ['freeStorageSize', long(0)],
    ['capped', false],
    ['nindexes', new Int32(indexes.size)],
    ['indexBuilds', []],
    ['totalIndexSize', long(all)],
    ['totalSize', long(bytes + all)],
    ['indexSizes', new Map([...indexes].map(([name, size]) => [name, long(size)]))]
  ])
}

/** The fields of a `dbStats` reply. */
export function dbStats(parts: EngineParts, db: string): Doc {
  let collections = 0
  let objects = 0
  let bytes = 0
  let indexes = 0
  let indexed = 0
  for (const collection of parts.catalog.state.values()) {
    if (collection.db !== db) continue
    const sizes = sizesOf(parts, collection)
    collections++
    objects += sizes.documents
    bytes += sizes.bytes
    indexes += sizes.indexes.size
    indexed += sizes.indexBytes
  }
  const disk = statfsSync(parts.dataDir)
  return new Map<string, Value>([
    ['db', db],
    ['collections', long(collections)],
    ['views', long(0)],
    ['objects', long(objects)],
    ['avgObjSize', new Double(objects === 0 ? 0 : bytes / objects)],
    ['dataSize', new Double(bytes)],
    ['storageSize', new Double(bytes)],
    ['indexes', long(indexes)],
    ['indexSize', new Double(indexed)],
    ['totalSize', new Double(bytes + indexed)],
    ['fsUsedSize', new Double((disk.blocks - disk.bavail) * disk.bsize)],
    ['fsTotalSize', new Double(disk.blocks * disk.bsize)]
  ])
}

/** The documents of `$indexStats`. */
export function indexStats({ catalog, usage }: EngineParts, ns: Namespace): Doc[] {
  const collection = catalog.find(ns.db, ns.collection)
  if (collection === undefined) return []
  const ready = collection.indexes.filter(({ isReady }) => isReady)
  return [collection.idIndex, ...ready].map(({ id, name, key, spec }) => {
    const { ops, since } = usage.of(id)
    const accesses: Doc = new Map<string, Value>([
      ['ops', long(ops)],
      ['since', since]
    ])
    return new Map<string, Value>([
      ['name', name],
      ['key', key],
      ['host', hostname()],
      ['accesses', accesses],
      ['spec', spec]
    ])
  })
}

/** The document of `$collStats`. Fails with NamespaceNotFound (26). */
export function collStatsStage(parts: EngineParts, ns: Namespace, spec: Doc, now: Date): Doc {
  if (parts.catalog.find(ns.db, ns.collection) === undefined) {
    throw commandError('NamespaceNotFound', `Collection [${ns.db}.${ns.collection}] not found.`)
  }
  const stats = collStats(parts, ns)
  const doc = new Map<string, Value>([
    ['ns', `${ns.db}.${ns.collection}`],
    ['host', hostname()],
    ['localTime', now]
  ])
  if (spec.has('storageStats')) doc.set('storageStats', stats)
  if (spec.has('count')) doc.set('count', stats.get('count') ?? long(0))
  return doc
}
