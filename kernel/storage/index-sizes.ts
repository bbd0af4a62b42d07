// How large the indexes of a plan are, or about will be.
import type { Db } from 'mongodb'
import type { PlanStep } from './plan.ts'

/** A step with the bytes of its index: measured where it is there, estimated where it will be built. */
export interface SizedStep extends PlanStep {
  readonly bytes?: number
  readonly documents?: number
}

/** An index entry takes about so much beside its keys, and a key so much: prefixes are compressed. */
const ENTRY_BYTES = 12
const KEY_BYTES = 10

export interface CollectionSize {
  readonly documents: number
  /** Of the documents. */
  readonly bytes: number
  readonly indexBytes: Readonly<Record<string, number>>
}

/** What the server says about a collection; zeros when it does not exist or the server does not tell. */
export async function readCollectionSize(db: Db, collection: string): Promise<CollectionSize> {
  try {
    const stats = await db.command({ collStats: collection })
    const sizes = Object.entries((stats['indexSizes'] ?? {}) as Record<string, unknown>)
    return {
      documents: Number(stats['count'] ?? 0),
      bytes: Number(stats['size'] ?? 0),
      indexBytes: Object.fromEntries(sizes.map(([name, size]) => [name, Number(size)]))
    }
  } catch {
    return { documents: 0, bytes: 0, indexBytes: {} }
  }
}

/** Adds sizes to the steps that concern an index. */
export async function sizeSteps(db: Db, steps: readonly PlanStep[]): Promise<SizedStep[]> {
  const names = new Set(steps.filter(({ index }) => index !== undefined).map((s) => s.collection))
  const sizes = new Map<string, CollectionSize>()
  for (const name of names) sizes.set(name, await readCollectionSize(db, name))
  return steps.map((step) => {
    const size = sizes.get(step.collection)
    if (step.index === undefined || size === undefined) return step
    const { documents, indexBytes } = size
    if (step.action !== 'create') return { ...step, bytes: indexBytes[step.index] ?? 0, documents }
    const keys = Object.keys(step.definition?.keys ?? {}).length
    // A partial index has fewer entries; how many is not known before it is built.
    return { ...step, bytes: documents * (ENTRY_BYTES + keys * KEY_BYTES), documents }
  })
}
