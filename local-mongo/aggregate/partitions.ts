// Divides documents into partitions and orders each: for windows, $densify and $fill.
import type { Collation } from '../bson/collation.ts'
import { compareValues } from '../bson/compare.ts'
import type { Sort } from '../bson/sort.ts'
import type { Doc, Value } from '../bson/value.ts'
import { type ValueKey, valueKey } from '../bson/value-set.ts'
import { commandError } from '../errors.ts'
import { type Expression, orNull } from '../expressions/expression.ts'
import { RunSorter } from './run-sorter.ts'
import { evaluationOf, Slice, type StageEnv, visitEach } from './stage.ts'

export interface Partition {
  readonly id: Value
  readonly documents: Doc[]
}

export interface Partitioning {
  readonly by: Expression | undefined
  readonly sort: Sort | undefined
  readonly collation: Collation | undefined
}

/** The partitions in the order of their ids; without `by` all documents are one. */
export async function partitionsOf(
  documents: readonly Doc[],
  { by, sort, collation }: Partitioning,
  env: StageEnv
): Promise<Partition[]> {
  const partitions = new Map<ValueKey, Partition>()
  await visitEach(documents, env, (doc) => {
    const id = by ? orNull(by.evaluate(evaluationOf(doc, env))) : null
    if (Array.isArray(id)) {
      throw commandError(
        'TypeMismatch',
        'An expression used to partition cannot evaluate to value of type array'
      )
    }
    const key = valueKey(id, collation)
    const known = partitions.get(key)
    if (known) known.documents.push(doc)
    else partitions.set(key, { id, documents: [doc] })
  })
  const ordered = [...partitions.values()].sort((a, b) => compareValues(a.id, b.id, collation))
  if (!sort) return ordered
  const slice = new Slice(env)
  const inOrder: Partition[] = []
  for (const { id, documents: list } of ordered) {
    inOrder.push({ id, documents: await sorted(list, sort, slice) })
  }
  return inOrder
}

interface Keyed {
  readonly doc: Doc
  readonly key: Uint8Array
}

async function sorted(documents: readonly Doc[], sort: Sort, slice: Slice): Promise<Doc[]> {
  const sorter = new RunSorter<Keyed>((a, b) => Buffer.compare(a.key, b.key))
  for (const doc of documents) {
    sorter.add({ doc, key: sort.sortKey(doc) })
    if (slice.isOver) await slice.pause()
  }
  const inOrder: Doc[] = []
  for (const { doc } of sorter) {
    inOrder.push(doc)
    if (slice.isOver) await slice.pause()
  }
  return inOrder
}
