// An update by a whole document.
import type { Doc, Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'

/** Fails with DollarPrefixedFieldName (52) for a top-level name that looks like an operator. */
export function checkReplacement(replacement: Doc): void {
  for (const name of replacement.keys()) {
    if (!name.startsWith('$')) continue
    throw commandError(
      'DollarPrefixedFieldName',
      `The dollar ($) prefixed field '${name}' in '${name}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`
    )
  }
}

/** The new document: `_id` first, that of the old one when the replacement has none. */
export function replaced(doc: Doc, replacement: Doc): Doc {
  const result: Map<string, Value> = new Map()
  if (replacement.has('_id')) result.set('_id', replacement.get('_id'))
  else if (doc.has('_id')) result.set('_id', doc.get('_id'))
  for (const [name, value] of replacement) result.set(name, value)
  return result
}
