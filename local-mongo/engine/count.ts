// count: by the collection's own count, by index keys alone, or by the documents.
import type { CountRequest, Namespace, OperationContext } from '../engine.ts'
import { takesAll } from '../planner/conditions.ts'
import type { IndexAccess } from '../planner/plan.ts'
import { idOfSharedKey, textOfKey } from '../storage/tree-keys.ts'
import { type EngineParts, readSource } from './parts.ts'
import { openQuery, type Query } from './query.ts'
import { runInSlices } from './time-slices.ts'
import { type DocumentWalk, newStats, RangeReader } from './walk.ts'

/** An access path whose keys tell the documents. */
export function countableAccess({ plan }: Query): IndexAccess | undefined {
  const { access } = plan
  return access.kind === 'index' && access.isSettled ? access : undefined
}

/** The number of documents of a query, when keys or the collection's count tell it without reading documents. */
export async function countWithoutReading(
  query: Query,
  context: OperationContext
): Promise<number | undefined> {
  const { source, collection, filter } = query
  if (takesAll(filter.node) && source.countOf !== undefined) return source.countOf(collection)
  const access = countableAccess(query)
  return access === undefined ? undefined : countKeys(query, access, context)
}

async function countKeys(
  query: Query,
  { index, ranges }: IndexAccess,
  context: OperationContext
): Promise<number> {
  // A document with several keys counts once.
  const seen = index.flags.arrays.includes(true) ? new Set<string>() : undefined
  const only = seen !== undefined && index.isUnique ? {} : { only: 'keys' as const }
  const reader = new RangeReader(
    query.source.view,
    index,
    { ranges, isBackward: false, ...only },
    newStats()
  )
  let count = 0
  await runInSlices(
    context,
    () => {
      const entry = reader.read()
      if (entry === undefined) return true
      if (seen === undefined) count++
      else seen.add(textOfKey(index.isUnique ? entry.value : idOfSharedKey(entry.key)))
      return false
    },
    () => reader.pause(),
    () => query.refresh()
  )
  return seen?.size ?? count
}

async function countWalk(
  query: Query,
  walk: DocumentWalk,
  most: number,
  context: OperationContext
): Promise<number> {
  let count = 0
  await runInSlices(
    context,
    () => {
      if (walk.isEnded || count >= most) return true
      if (walk.step() !== undefined) count++
      return false
    },
    () => walk.pause(),
    () => query.refresh()
  )
  return count
}

/** The number of documents of a query, after `skip` and up to `limit`. */
export async function count(
  parts: EngineParts,
  ns: Namespace,
  request: CountRequest,
  context: OperationContext
): Promise<number> {
  const { skip = 0, limit = 0 } = request
  const source = readSource(parts, context)
  const query = openQuery(source, ns, { ...request, isLimited: limit > 0 }, context)
  if (query.collection === undefined) return 0
  const most = limit > 0 ? skip + limit : Number.POSITIVE_INFINITY
  const known = await countWithoutReading(query, context)
  const found = known ?? (await countWalk(query, query.walk(), most, context))
  return Math.max(0, Math.min(found, most) - skip)
}
