// insert: documents as they came, each whole or not at all.
import type { InsertRequest, Namespace } from '../engine.ts'
import { idKeyOfBytes, insertDocument } from '../storage/documents.ts'
import { ensureCollection } from './namespaces.ts'
import { prepareNewDocument } from './new-document.ts'
import type { Statements } from './statements.ts'

const INSERTED = { done: { n: 1, nModified: 0 } } as const

/** The statements of an insert command. */
export function insertStatements(ns: Namespace, { documents, ordered }: InsertRequest): Statements {
  return {
    count: documents.length,
    ordered,
    run(scope, index) {
      const bytes = prepareNewDocument(documents[index] as Uint8Array)
      const collection = ensureCollection(scope, ns)
      insertDocument(scope, collection, idKeyOfBytes(collection, bytes), bytes)
      return INSERTED
    }
  }
}
