// Applies an update to one stored document that was found, and writes the result.
import { decodeDoc } from '../bson/decode.ts'
import { encodeDoc } from '../bson/encode.ts'
import { commandError } from '../errors.ts'
import type { Filter } from '../query/filter.ts'
import type { Collection } from '../storage/catalog.ts'
import { replaceDocument } from '../storage/documents.ts'
import type { Scope } from '../storage/scope.ts'
import type { Describe, Update } from '../update/update.ts'
import { MAX_DOCUMENT_BYTES } from './new-document.ts'
import type { Found } from './walk.ts'

/** An update applied to a stored document. */
export interface Applied {
  readonly before: Uint8Array
  readonly after: Uint8Array
  readonly changed: boolean
}

/** Applies the update to one stored document and writes the result. */
export function updateFound(
  scope: Scope,
  collection: Collection,
  {
    update,
    filter,
    beforeWrite
  }: {
    readonly update: Update
    /** By which the document was found; needed for the positional `$`. */
    readonly filter?: Filter
    /** What may still fail or be interrupted, while nothing is written. */
    readonly beforeWrite?: ((applied: Applied) => void) | undefined
  },
  found: Found
): Applied {
  const doc = decodeDoc(found.bytes)
  const arrayPosition = update.needsArrayPosition ? filter?.arrayPosition(doc) : undefined
  const result = update.apply(doc, { arrayPosition, isOwn: true })
  const before = found.bytes
  if (!result.changed) {
    const applied = { before, after: before, changed: false }
    beforeWrite?.(applied)
    return applied
  }
  const after = encodeDoc(result.doc)
  if (after.length > MAX_DOCUMENT_BYTES) {
    throw commandError(
      'Location17419',
      `Resulting document after update is larger than ${MAX_DOCUMENT_BYTES}`
    )
  }
  const applied = { before, after, changed: true }
  beforeWrite?.(applied)
  const isReplacement = update.kind === 'replacement'
  const description = describerOf(result.describe, before, after)
  replaceDocument(scope, collection, {
    id: found.id,
    before,
    after,
    paths: update.paths,
    kind: isReplacement ? 'replace' : 'update',
    description
  })
  return applied
}

/** Holds the bytes alone: a transaction keeps the descriptions of all its updates until it commits. */
const describerOf = (describe: Describe, before: Uint8Array, after: Uint8Array) => () =>
  describe(decodeDoc(before), decodeDoc(after))
