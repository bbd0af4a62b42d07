// insert: documents as they came, each whole or not at all.
import type { InsertRequest, Namespace } from '../engine.ts'
import type { CommandError } from '../errors.ts'
import { idKeyOfBytes, insertDocument } from '../storage/documents.ts'
import { ensureCollection } from './namespaces.ts'
import { prepareNewDocument } from './new-document.ts'
import { isExpected, type Statements } from './statements.ts'

const INSERTED = { done: { n: 1, nModified: 0 } } as const

/** Checks a document before its turn comes, so that the writer is not kept waiting by it. */
function prepare(bytes: Uint8Array): Uint8Array | CommandError {
  try {
    return prepareNewDocument(bytes)
  } catch (error) {
    if (isExpected(error)) return error
    throw error
  }
}

/** The statements of an insert command. */
export function insertStatements(ns: Namespace, { documents, ordered }: InsertRequest): Statements {
  const prepared = documents.map(prepare)
  return {
    count: prepared.length,
    ordered,
    run(scope, index) {
      const bytes = prepared[index] as Uint8Array | CommandError
      if (isExpected(bytes)) throw bytes
      const collection = ensureCollection(scope, ns)
      insertDocument(scope, collection, idKeyOfBytes(collection, bytes), bytes)
      return INSERTED
    }
  }
}
