// Whether an index's keys alone answer a query, and how they are read.
import { compileKeyReader } from '../bson/key-reader.ts'
import type { Access, IndexAccess, Plan } from '../planner/plan.ts'
import { indexKeyStart } from '../storage/tree-keys.ts'

/** Makes what is wanted of a document from an entry's key; undefined when the document must be read. */
export type ReadKey = (key: Uint8Array) => Uint8Array | undefined

/** Whether the index keeps every one of the fields, in keys that tell the values. */
function covers({ index, isSettled }: IndexAccess, fields: ReadonlySet<string>): boolean {
  const { flags, parts, collation, isOnId } = index
  if (!isSettled || isOnId || collation !== undefined || fields.size === 0) return false
  if (!flags.isPlain || !flags.isExact || flags.arrays.includes(true)) return false
  return [...fields].every((field) => parts.some(({ path }) => path === field))
}

/** Reads keys instead of documents, where the path allows it and only these top-level fields are wanted. */
export function coverOf(
  access: Access,
  fields: ReadonlySet<string> | undefined
): ReadKey | undefined {
  if (access.kind !== 'index' || fields === undefined || !covers(access, fields)) return undefined
  const { index } = access
  const parts = index.parts.map(({ path, direction }) => ({
    name: path,
    direction,
    isWanted: fields.has(path)
  }))
  const read = compileKeyReader(parts)
  const { flags } = index
  // A document that came since may have made the keys less telling: asked for each of them.
  return (key) =>
    flags.isPlain && flags.isExact && !flags.arrays.includes(true)
      ? read(key, indexKeyStart)
      : undefined
}

/** Whether a plan reads no documents for these fields. */
export function isCovered(plan: Plan, fields: ReadonlySet<string> | undefined): boolean {
  return !plan.needsSort && coverOf(plan.access, fields) !== undefined
}
