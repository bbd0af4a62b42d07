// The documents of a query in the order that it asks for.
import { treeKey } from '../storage/tree-keys.ts'
import type { Query } from './query.ts'
import { type SortedItem, Sorter } from './sorter.ts'
import type { DocumentWalk, Found } from './walk.ts'

/** Documents in order, one step at a time; like a walk it can be left and taken up again. */
export interface OrderedDocuments {
  readonly walk: DocumentWalk
  /** Present when the documents had to be sorted. */
  readonly sorter: Sorter | undefined
  readonly isEnded: boolean
  step(): Found | undefined
  pause(): void
}

export interface OrderOptions {
  /** How many documents are wanted from the beginning, skipped ones included; 0 for all. */
  readonly wanted: number
  readonly mayUseDisk: boolean
  /** True when documents are changed meanwhile, such that their index may show them again. */
  readonly mayMove?: boolean
  /** The only top-level fields that are wanted of the documents; all when undefined. */
  readonly fields?: ReadonlySet<string> | undefined
}

class WalkOrder implements OrderedDocuments {
  readonly walk: DocumentWalk
  readonly sorter = undefined

  constructor(walk: DocumentWalk) {
    this.walk = walk
  }

  get isEnded(): boolean {
    return this.walk.isEnded
  }

  step(): Found | undefined {
    return this.walk.step()
  }

  pause(): void {
    this.walk.pause()
  }
}

class SortOrder implements OrderedDocuments {
  readonly walk: DocumentWalk
  readonly sorter: Sorter
  readonly #query: Query
  #sorted: Iterator<SortedItem> | undefined
  /** Read again, while the filter has not answered. */
  #present: Found | undefined
  isEnded = false

  constructor(query: Query, walk: DocumentWalk, sorter: Sorter) {
    this.#query = query
    this.walk = walk
    this.sorter = sorter
  }

  step(): Found | undefined {
    if (this.#sorted === undefined) {
      const found = this.walk.step()
      if (found !== undefined) this.sorter.add(found)
      if (this.walk.isEnded) this.#sorted = this.sorter.sorted()
      return undefined
    }
    if (this.#present !== undefined) return this.#check(this.#present)
    const next = this.#sorted.next()
    if (next.done === true) {
      this.isEnded = true
      return undefined
    }
    const { id, bytes } = next.value
    if (bytes !== undefined) return { id, bytes }
    const { source, collection } = this.#query
    const present = source.view.get(treeKey(collection.tree, id))
    return present === undefined ? undefined : this.#check({ id, bytes: present })
  }

  #check(present: Found): Found | undefined {
    this.#present = present
    const isTaken = this.#query.filter.matches(present.bytes)
    this.#present = undefined
    return isTaken ? present : undefined
  }

  pause(): void {
    this.walk.pause()
  }
}

/** Opens the documents of a query in its order. */
export function openOrdered(query: Query, options: OrderOptions): OrderedDocuments {
  const { wanted, mayUseDisk, mayMove = false, fields } = options
  const { sort, plan } = query
  if (sort === undefined || !plan.needsSort) return new WalkOrder(query.walk({ mayMove, fields }))
  return new SortOrder(
    query,
    query.walk({ mayMove }),
    new Sorter({ sort, limit: wanted, mayUseDisk })
  )
}
