// The documents of a list that a filter takes.
import type { Doc } from '../bson/value.ts'
import type { OperationContext } from '../engine.ts'
import type { Filter } from '../query/filter.ts'
import { untilDone } from './time-slices.ts'

/** Those that the filter takes; its expressions may take long. */
export async function filtered(
  documents: readonly Doc[],
  filter: Filter,
  context: OperationContext
): Promise<Doc[]> {
  const taken: Doc[] = []
  for (const doc of documents) {
    if (await untilDone(context, () => filter.matchesDoc(doc))) taken.push(doc)
  }
  return taken
}
