// The collections a plugin may touch: those it declared, and without the power over their indexes.
import type { Manifest, PayloadIndex } from '@keelson/sdk'
import { setPayloadIndexes } from '@keelson/sdk/storage'
import type { Collection, Db, Document } from 'mongodb'
import { errors } from '../errors/errors.ts'
import { guardCollection } from '../fastify-internals/driver-collection.ts'

export interface PluginCollections {
  /**
   * The driver's collection; changing its indexes, dropping and renaming it are refused.
   *
   * @throws KRN_COLLECTION_UNDECLARED
   */
  collection<T extends Document = Document>(name: string): Collection<T>
  /** Makes the user-configured indexes of a collection be exactly these. Throws KRN_PAYLOAD_*. */
  payloadIndexes(collection: string, indexes: readonly PayloadIndex[]): Promise<void>
}

/** Opens the collections of one plugin. Asks the database nothing. */
export function openCollections(
  storage: { readonly db: Db },
  manifest: Manifest
): PluginCollections {
  const { db } = storage
  const declared = new Map((manifest.collections ?? []).map((entry) => [entry.name, entry]))
  const demand = (name: string) => {
    const found = declared.get(name)
    if (found === undefined) {
      throw errors.KRN_COLLECTION_UNDECLARED({
        plugin: manifest.id,
        path: 'collections',
        collection: name
      })
    }
    return found
  }
  return {
    collection<T extends Document>(name: string) {
      demand(name)
      return guard(db.collection<T>(name), manifest.id, (other) => declared.has(other))
    },
    async payloadIndexes(name, indexes) {
      await setPayloadIndexes(db, manifest.id, demand(name), indexes)
    }
  }
}

/** Which plugin owns a collection, by name: for the attribution of database commands. */
export function collectionOwners(manifests: readonly Manifest[]): ReadonlyMap<string, string> {
  return new Map(
    manifests.flatMap((manifest) =>
      (manifest.collections ?? []).map((collection) => [collection.name, manifest.id] as const)
    )
  )
}

function guard<T extends Document>(
  collection: Collection<T>,
  plugin: string,
  isDeclared: (name: string) => boolean
): Collection<T> {
  const { collectionName } = collection
  return guardCollection(collection, {
    refuse(method, kind, first) {
      const code = kind === 'index' ? 'KRN_INDEX_BY_HAND' : 'KRN_COLLECTION_BY_HAND'
      const call = callOf(method, first)
      throw errors[code]({ plugin, path: 'collections', method: call, collection: collectionName })
    },
    checkPipeline(pipeline) {
      const output = outputOf(pipeline, collection.dbName)
      if (output !== undefined && !isDeclared(output.collection)) {
        throw errors.KRN_COLLECTION_OUTPUT({ plugin, path: 'collections', ...output })
      }
    }
  })
}

/** A call with its first argument, as `createIndex({"at":1})`. */
function callOf(method: string, first: unknown): string {
  return first === undefined ? method : `${method}(${JSON.stringify(first).slice(0, 200)})`
}

/** Where a pipeline writes to: `$out` and `$merge` can only be its last stage. */
function outputOf(
  pipeline: readonly Document[],
  ownDatabase: string
): { readonly stage: string; readonly collection: string } | undefined {
  const last = pipeline.at(-1) ?? {}
  for (const stage of ['$out', '$merge'] as const) {
    const target: unknown = stage === '$merge' ? (last[stage]?.into ?? last[stage]) : last[stage]
    if (typeof target === 'string') return { stage, collection: target }
    if (typeof target === 'object' && target !== null) {
      const { db = ownDatabase, coll } = target as { db?: string; coll?: string }
      return { stage, collection: db === ownDatabase ? `${coll}` : `${db}.${coll}` }
    }
  }
  return undefined
}
