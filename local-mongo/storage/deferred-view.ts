// Holds back index entries of one write transaction, to put them tree by tree: that costs LMDB a fifth less.
import type { EntryRange } from './entry-range.ts'
import { treeOf } from './tree-keys.ts'
import { NOTHING, type Walk, type WriteView } from './view.ts'

/** A view in which some entries wait for others of their tree. Reads and removals see all of them. */
export class DeferredView implements WriteView {
  readonly #view: WriteView
  readonly #waiting = new Map<number, Uint8Array[]>()

  constructor(view: WriteView) {
    this.#view = view
  }

  /** Forgets what a transaction that was undone has left waiting. */
  begin(): void {
    this.#waiting.clear()
  }

  /** Puts what waits. */
  flush(): void {
    for (const tree of [...this.#waiting.keys()]) this.#flushTree(tree)
  }

  putEntry(tree: number, key: Uint8Array): void {
    const keys = this.#waiting.get(tree)
    if (keys === undefined) this.#waiting.set(tree, [key])
    else keys.push(key)
  }

  get(key: Uint8Array): Uint8Array | undefined {
    this.#settle(key)
    return this.#view.get(key)
  }

  has(key: Uint8Array): boolean {
    this.#settle(key)
    return this.#view.has(key)
  }

  range(low: Uint8Array, high: Uint8Array, reverse: boolean, only?: 'keys'): Walk {
    this.flush()
    return this.#view.range(low, high, reverse, only)
  }

  entries(range: EntryRange, reverse: boolean): Walk {
    this.flush()
    return this.#view.entries(range, reverse)
  }

  countRange(low: Uint8Array, high: Uint8Array): number {
    this.flush()
    return this.#view.countRange(low, high)
  }

  put(key: Uint8Array, value: Uint8Array): void {
    this.#settle(key)
    this.#view.put(key, value)
  }

  putIfAbsent(key: Uint8Array, value: Uint8Array): boolean {
    this.#settle(key)
    return this.#view.putIfAbsent(key, value)
  }

  remove(key: Uint8Array): void {
    this.#settle(key)
    this.#view.remove(key)
  }

  #settle(key: Uint8Array): void {
    if (this.#waiting.size > 0) this.#flushTree(treeOf(key))
  }

  #flushTree(tree: number): void {
    const keys = this.#waiting.get(tree)
    if (keys === undefined) return
    this.#waiting.delete(tree)
    for (const key of keys) this.#view.put(key, NOTHING)
  }
}
