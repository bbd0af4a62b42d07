// Sorts documents within a bound of memory: in short runs that are merged as they are read, so that no
// turn is kept long, and by their keys alone once the documents would not fit.

import type { Sort } from '../bson/sort.ts'
import { commandError } from '../errors.ts'
import type { Found } from './walk.ts'

/** Bytes of keys and documents after which a sort ends with code 292. */
export const SORT_LIMIT_BYTES = 100 * 1024 * 1024
/** Bytes of documents that are kept; the rest is read again in the end. */
const KEPT_BYTES = 32 * 1024 * 1024
/** What an entry costs beside its bytes. */
const ENTRY_BYTES = 160
/** Entries that are sorted at once. */
const RUN = 2_048

/** A document to be sorted. */
export interface SortedItem {
  readonly key: Uint8Array
  readonly id: Uint8Array
  /** Absent when it has to be read again. */
  bytes: Uint8Array | undefined
}

export interface SorterOptions {
  readonly sort: Sort
  /** Only so many are wanted; 0 wants all. */
  readonly limit: number
  /** True lets large sorts read documents again instead of failing. */
  readonly mayUseDisk: boolean
  readonly limitBytes?: number
}

function byKey(a: SortedItem, b: SortedItem): number {
  return Buffer.compare(a.key, b.key)
}

/** Takes documents in any order and gives them back sorted; equal ones in the order they came. */
export class Sorter {
  readonly #options: SorterOptions
  /** Sorted, but for the last. */
  #runs: SortedItem[][] = [[]]
  #bytes = 0
  #count = 0
  #keepsDocuments = true
  /** The most bytes that were held. */
  peakBytes = 0

  constructor(options: SorterOptions) {
    this.#options = options
  }

  add({ id, bytes }: Found): void {
    const { sort, limit, limitBytes = SORT_LIMIT_BYTES } = this.#options
    const key = sort.sortKey(bytes)
    this.#push({ key, id, bytes: this.#keepsDocuments ? bytes : undefined })
    if (limit > 0 && this.#count >= 2 * limit + RUN) this.#cut(limit)
    if (this.#options.mayUseDisk && this.#keepsDocuments && this.#bytes > KEPT_BYTES) this.#drop()
    this.peakBytes = Math.max(this.peakBytes, this.#bytes)
    if (this.#bytes > limitBytes) {
      throw commandError(
        'QueryExceededMemoryLimitNoDiskUseAllowed',
        `Sort exceeded memory limit of ${limitBytes} bytes, but did not opt in to external sorting.`
      )
    }
  }

  /** The documents in order. */
  *sorted(): Generator<SortedItem> {
    const { limit } = this.#options
    let left = limit > 0 ? limit : Number.POSITIVE_INFINITY
    for (const item of this.#merged()) {
      if (left-- <= 0) return
      yield item
    }
  }

  #push(item: SortedItem): void {
    let run = this.#runs.at(-1) as SortedItem[]
    if (run.length >= RUN) {
      run.sort(byKey)
      run = []
      this.#runs.push(run)
    }
    run.push(item)
    this.#count++
    this.#bytes += sizeOf(item)
  }

  *#merged(): Generator<SortedItem> {
    this.#runs.at(-1)?.sort(byKey)
    const heads = this.#runs
      .filter((run) => run.length > 0)
      .map((run, order): Head => ({ run, order, next: 0 }))
    for (let i = (heads.length >> 1) - 1; i >= 0; i--) sink(heads, i)
    for (let first = heads[0]; first !== undefined; first = heads[0]) {
      yield first.run[first.next] as SortedItem
      first.next++
      if (first.next >= first.run.length) {
        const last = heads.pop() as Head
        if (heads.length > 0) heads[0] = last
      }
      sink(heads, 0)
    }
  }

  #cut(limit: number): void {
    const kept: SortedItem[] = []
    for (const item of this.#merged()) {
      if (kept.length === limit) break
      kept.push(item)
    }
    this.#runs = [kept, []]
    this.#measure()
  }

  #drop(): void {
    this.#keepsDocuments = false
    for (const run of this.#runs) for (const item of run) item.bytes = undefined
    this.#measure()
  }

  #measure(): void {
    this.#bytes = 0
    this.#count = 0
    for (const run of this.#runs) {
      this.#count += run.length
      for (const item of run) this.#bytes += sizeOf(item)
    }
  }
}

function sizeOf({ key, id, bytes }: SortedItem): number {
  return key.length + id.length + ENTRY_BYTES + (bytes?.length ?? 0)
}

/** A run that is being merged. */
interface Head {
  readonly run: readonly SortedItem[]
  readonly order: number
  next: number
}

function isBefore(a: Head, b: Head): boolean {
  const order = byKey(a.run[a.next] as SortedItem, b.run[b.next] as SortedItem)
  return order < 0 || (order === 0 && a.order < b.order)
}

/** Restores the heap below a place. */
function sink(heap: Head[], from: number): void {
  let at = from
  for (;;) {
    let least = at
    for (const child of [2 * at + 1, 2 * at + 2]) {
      const candidate = heap[child]
      if (candidate !== undefined && isBefore(candidate, heap[least] as Head)) least = child
    }
    if (least === at) return
    const moved = heap[at] as Head
    heap[at] = heap[least] as Head
    heap[least] = moved
    at = least
  }
}
