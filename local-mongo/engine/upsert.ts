// The document that an upsert inserts when it finds none.
import { encodeDoc } from '../bson/encode.ts'
import type { Value } from '../bson/value.ts'
import type { Namespace } from '../engine.ts'
import type { Filter } from '../query/filter.ts'
import { idKeyOf, insertDocument } from '../storage/documents.ts'
import type { StatementResult } from '../storage/retry-runs.ts'
import type { Scope } from '../storage/scope.ts'
import { type Update, upsertSeed } from '../update/update.ts'
import { ensureCollection } from './namespaces.ts'
import { checkSize, withId } from './new-document.ts'

/** The document of an upsert. */
export interface NewDocument {
  readonly id: Value
  readonly bytes: Uint8Array
}

/** Makes the document of an upsert that found none. */
export function makeUpsert(update: Update, filter: Filter): NewDocument {
  const seed = upsertSeed(filter, update)
  const doc = withId(update.apply(seed, { isInsert: true }).doc)
  const bytes = encodeDoc(doc)
  checkSize(bytes.length, 'object to insert')
  return { id: doc.get('_id'), bytes }
}

/** Inserts the document of an upsert. */
export function insertUpsert(
  scope: Scope,
  ns: Namespace,
  { id, bytes }: NewDocument
): StatementResult {
  const collection = ensureCollection(scope, ns)
  insertDocument(scope, collection, idKeyOf(collection, id), bytes)
  return { n: 1, nModified: 0, upserted: { _id: id } }
}
