// Adding the fields of documents to one another.
import { type Doc, isDoc } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { isNothing, type Result, typeOf } from './expression.ts'

/** Adds the fields of a document; null and missing add nothing. */
export function mergeInto(target: Doc, value: Result): void {
  if (isNothing(value)) return
  if (!isDoc(value)) {
    throw commandError(
      'Location40400',
      `$mergeObjects requires object inputs, but input is of type ${typeOf(value)}`
    )
  }
  for (const [name, inner] of value) target.set(name, inner)
}
