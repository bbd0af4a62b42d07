// Sorts many things in short steps: runs are sorted as they fill and merged as they are read.

const RUN_LENGTH = 4096

interface Run<T> {
  readonly items: readonly T[]
  next: number
  /** Earlier runs come first among equals. */
  readonly place: number
}

/** Gathers items; iterating gives them in order, equals as they came. */
export class RunSorter<T> implements Iterable<T> {
  readonly #compare: (a: T, b: T) => number
  readonly #runs: T[][] = []
  #open: T[] = []

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare
  }

  add(item: T): void {
    this.#open.push(item)
    if (this.#open.length === RUN_LENGTH) this.#closeRun()
  }

  #closeRun(): void {
    if (this.#open.length > 0) this.#runs.push(this.#open.sort(this.#compare))
    this.#open = []
  }

  *[Symbol.iterator](): Generator<T> {
    this.#closeRun()
    const heap = this.#runs.map((items, place): Run<T> => ({ items, next: 0, place }))
    // Each run is sorted, so only their first items compete: the least stands at the root.
    for (let i = heap.length >> 1; i >= 0; i--) this.#sink(heap, i)
    for (let [run] = heap; run !== undefined; [run] = heap) {
      yield run.items[run.next++] as T
      if (run.next === run.items.length) removeRoot(heap)
      this.#sink(heap, 0)
    }
  }

  #sink(heap: Run<T>[], from: number): void {
    let at = from
    for (;;) {
      let least = at
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < heap.length && this.#isBefore(heap[child], heap[least])) least = child
      }
      if (least === at) return
      ;[heap[at], heap[least]] = [heap[least] as Run<T>, heap[at] as Run<T>]
      at = least
    }
  }

  #isBefore(a: Run<T> | undefined, b: Run<T> | undefined): boolean {
    if (a === undefined || b === undefined) return false
    const order = this.#compare(a.items[a.next] as T, b.items[b.next] as T)
    return order < 0 || (order === 0 && a.place < b.place)
  }
}

function removeRoot<T>(heap: Run<T>[]): void {
  const last = heap.pop()
  if (last !== undefined && heap.length > 0) heap[0] = last
}
