// collMod: hides and shows an index, changes its time to live.
import { Int32, Long } from 'bson'
import { type Doc, isDoc, isNumeric, type Value } from '../bson/value.ts'
import type { Namespace } from '../engine.ts'
import { commandError } from '../errors.ts'
import { isSameKey } from '../planner/hint.ts'
import type { Collection } from '../storage/catalog.ts'
import { type Index, prepareIndex, toNumber } from '../storage/index-definition.ts'
import type { QueueScope } from '../storage/scope.ts'
import { showValue } from '../storage/show-value.ts'
import type { Waits } from './collections.ts'

const INDEX_FIELDS: ReadonlySet<string> = new Set([
  'name',
  'keyPattern',
  'hidden',
  'expireAfterSeconds'
])

function wantedIndex(collection: Collection, change: Doc): Index {
  const name = change.get('name')
  const key = change.get('keyPattern')
  if ((name === undefined) === (key === undefined)) {
    throw commandError('InvalidOptions', 'Must specify either index name or key pattern.')
  }
  if (name === '_id_' || (isDoc(key) && isSameKey(key, collection.idIndex.key))) {
    throw commandError('BadValue', "can't hide _id index")
  }
  const [index, other] = collection.indexes.filter((one) =>
    isDoc(key) ? isSameKey(one.key, key) : one.name === name
  )
  if (other !== undefined) {
    throw commandError('AmbiguousIndexKeyPattern', `several indexes have the key ${showValue(key)}`)
  }
  if (index !== undefined) return index
  throw commandError(
    'IndexNotFound',
    `cannot find index ${showValue(name ?? key)} for ns ${collection.db}.${collection.name}`
  )
}

function changedSpec(index: Index, change: Doc, reply: Doc): Doc {
  const spec = new Map(index.spec)
  const hidden = change.get('hidden')
  if (hidden !== undefined) {
    const isHidden = hidden === true
    if (typeof hidden !== 'boolean')
      throw commandError('TypeMismatch', "The field 'hidden' must be a bool")
    if (isHidden !== index.isHidden) {
      reply.set('hidden_old', index.isHidden)
      reply.set('hidden_new', isHidden)
    }
    if (isHidden) spec.set('hidden', true)
    else spec.delete('hidden')
  }
  const seconds = change.get('expireAfterSeconds')
  if (seconds === undefined) return spec
  if (!isNumeric(seconds) || !(toNumber(seconds) >= 0 && toNumber(seconds) <= 2_147_483_647)) {
    throw commandError('InvalidOptions', "'expireAfterSeconds' must be within an acceptable range")
  }
  if (index.parts.length > 1) {
    throw commandError(
      'InvalidOptions',
      'TTL indexes are single-field indexes, compound indexes do not support TTL'
    )
  }
  const before = spec.get('expireAfterSeconds')
  if (before !== undefined) reply.set('expireAfterSeconds_old', Long.fromNumber(toNumber(before)))
  reply.set('expireAfterSeconds_new', Long.fromNumber(toNumber(seconds)))
  spec.set('expireAfterSeconds', new Int32(toNumber(seconds)))
  return spec
}

function changeIndex(scope: QueueScope, collection: Collection, change: Value): Doc {
  if (!isDoc(change)) throw commandError('TypeMismatch', "The field 'index' must be an object")
  for (const name of change.keys()) {
    if (!INDEX_FIELDS.has(name)) {
      throw commandError('InvalidOptions', `The field 'index.${name}' is not supported`)
    }
  }
  const reply: Doc = new Map()
  const index = wantedIndex(collection, change)
  const spec = changedSpec(index, change, reply)
  const { id, flags, layout, isReady } = index
  const changed = prepareIndex({ id, flags, layout, isReady, spec })
  const indexes = collection.indexes.map((one) => (one === index ? changed : one))
  scope.catalog.put({ ...collection, indexes })
  return reply
}

/** Fails with NamespaceNotFound (26), and InvalidOptions (72) for what cannot be changed. */
export function collMod(scope: QueueScope, ns: Namespace, request: Doc, waits: Waits): Doc {
  const collection = scope.catalog.find(ns.db, ns.collection)
  if (collection === undefined) {
    throw commandError('NamespaceNotFound', `ns does not exist: ${ns.db}.${ns.collection}`)
  }
  waits.all(collection)
  for (const [name, value] of request) {
    if (name === 'index') {
      const reply = changeIndex(scope, collection, value)
      tellModified(scope, collection, request)
      return reply
    }
    if (name !== 'changeStreamPreAndPostImages') {
      throw commandError('InvalidOptions', `The collMod option '${name}' is not supported`)
    }
    const options = new Map(collection.options).set(name, value)
    scope.catalog.put({ ...collection, options })
  }
  if (request.size > 0) tellModified(scope, collection, request)
  return new Map()
}

function tellModified(scope: QueueScope, { db, name, uuid }: Collection, operation: Doc): void {
  scope.tellCatalog({ kind: 'modify', db, collection: name, uuid, operation })
}
