// The documents that an update or a delete is about, found in parts between which the writer is free.
import type { OperationContext } from '../engine.ts'
import type { Scope } from '../storage/scope.ts'
import { treeKey } from '../storage/tree-keys.ts'
import { type OrderedDocuments, openOrdered } from './ordered.ts'
import type { Query } from './query.ts'
import { waitOf } from './time-slices.ts'
import type { Found } from './walk.ts'

/** Documents that are looked for before any of them is written. */
const CHUNK = 64
/** Entries that are looked at in one turn. */
const STEPS = 1_000

/** What one call of `step` has done. */
export interface MatchingStep {
  readonly isOver: boolean
  readonly matched: number
  readonly modified: number
  /** What the next document waits for: the transaction that holds it, or a long expression. */
  readonly heldBy?: Promise<unknown>
}

/** Writes one document that was found; true when it differs now. */
export type WriteFound = (found: Found) => boolean

export interface MatchingOptions {
  readonly isSingle: boolean
  /** True when writing may move documents in the index by which they are found. */
  readonly mayMove: boolean
  readonly context: OperationContext
}

/** The search for the documents of one statement. It keeps its place between turns. */
export class Matching {
  readonly #query: Query
  readonly #ordered: OrderedDocuments
  readonly #isSingle: boolean
  readonly #context: OperationContext
  /** Found and still to be written. */
  #due: Found[] = []
  /** Written in the transaction `#scope`, which may yet be undone. */
  #uncertain: Found[] = []
  #scope: Scope | undefined

  constructor(query: Query, { isSingle, mayMove, context }: MatchingOptions) {
    this.#context = context
    this.#query = query
    this.#isSingle = isSingle
    this.#ordered = openOrdered(query, { wanted: isSingle ? 1 : 0, mayUseDisk: true, mayMove })
  }

  /** Finds some documents and writes them. */
  step(scope: Scope, write: WriteFound): MatchingStep {
    this.#enter(scope)
    const isFresh = this.#due.length === 0
    const wait = isFresh ? this.#find() : undefined
    let matched = 0
    let modified = 0
    for (let next = this.#due[0]; next !== undefined; next = this.#due[0]) {
      let found: Found | undefined
      try {
        found = isFresh ? next : this.#readAgain(scope, next)
        if (found !== undefined && write(found)) modified++
      } catch (error) {
        const heldBy = waitOf(error, this.#context)
        if (heldBy === undefined) throw error
        return { isOver: false, matched, modified, heldBy }
      }
      if (found !== undefined) matched++
      this.#uncertain.push(next)
      this.#due.shift()
    }
    if (wait !== undefined) return { isOver: false, matched, modified, heldBy: wait }
    return { isOver: this.#isOver(matched), matched, modified }
  }

  /** In a new transaction, what was written in an undone one is due again. */
  #enter(scope: Scope): void {
    if (scope === this.#scope) return
    this.#due.unshift(...this.#uncertain)
    this.#uncertain = []
    this.#scope = scope
    scope.afterCommit(() => {
      this.#uncertain = []
    })
  }

  #isOver(matched: number): boolean {
    return (this.#isSingle && matched > 0) || this.#ordered.isEnded
  }

  /** What was found in an earlier turn may have changed since. */
  #readAgain(scope: Scope, { id }: Found): Found | undefined {
    const { collection, filter } = this.#query
    const bytes = scope.view.get(treeKey(collection.tree, id))
    return bytes !== undefined && filter.matches(bytes) ? { id, bytes } : undefined
  }

  /** Answers what it has to wait for, if anything, before it can find more. */
  #find(): Promise<unknown> | undefined {
    const most = this.#isSingle ? 1 : CHUNK
    try {
      for (let i = 0; i < STEPS && !this.#ordered.isEnded && this.#due.length < most; i++) {
        const found = this.#ordered.step()
        if (found !== undefined) this.#due.push(found)
      }
    } catch (error) {
      const wait = waitOf(error, this.#context)
      if (wait === undefined) throw error
      return wait
    } finally {
      this.#ordered.pause()
    }
    return undefined
  }
}
