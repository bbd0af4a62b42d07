// Sets one field deep in a document, sharing what it does not touch.
import { type Doc, isDoc, type Value } from '../bson/value.ts'

/** A copy with the value at a path of documents; a value that blocks the path is replaced. */
export function setPath(doc: Doc, path: readonly string[], value: Value, isRemoved = false): Doc {
  const [name, ...rest] = path
  const copy: Doc = new Map(doc)
  if (name === undefined) return copy
  if (rest.length > 0) {
    const inner = copy.get(name)
    if (isRemoved && !isDoc(inner)) return copy
    copy.set(name, setPath(isDoc(inner) ? inner : new Map(), rest, value, isRemoved))
  } else if (isRemoved) copy.delete(name)
  else copy.set(name, value)
  return copy
}
