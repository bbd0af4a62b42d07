// Sorts documents within a bound of memory: by their keys, keeping the documents while they fit.
import { commandError } from '../errors.ts'
import type { Sort } from '../query/sort.ts'
import type { Found } from './walk.ts'

/** Bytes of keys and documents after which a sort ends with code 292. */
export const SORT_LIMIT_BYTES = 100 * 1024 * 1024
/** Bytes of documents that are kept; the rest is read again in the end. */
const KEPT_BYTES = 32 * 1024 * 1024
/** What an entry costs beside its bytes. */
const ENTRY_BYTES = 160

interface Item {
  readonly key: Uint8Array
  readonly id: Uint8Array
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

/** Takes documents in any order and gives them back sorted. */
export class Sorter {
  readonly #options: SorterOptions
  #items: Item[] = []
  #bytes = 0
  #keepsDocuments = true
  /** The most bytes that were held. */
  peakBytes = 0

  constructor(options: SorterOptions) {
    this.#options = options
  }

  add({ id, bytes }: Found): void {
    const { sort, limit, limitBytes = SORT_LIMIT_BYTES } = this.#options
    const key = sort.sortKey(bytes)
    this.#items.push({ key, id, bytes: this.#keepsDocuments ? bytes : undefined })
    this.#bytes += key.length + id.length + ENTRY_BYTES + (this.#keepsDocuments ? bytes.length : 0)
    if (limit > 0 && this.#items.length >= 2 * limit + 1_000) this.#cut(limit)
    if (this.#options.mayUseDisk && this.#keepsDocuments && this.#bytes > KEPT_BYTES) this.#drop()
    this.peakBytes = Math.max(this.peakBytes, this.#bytes)
    if (this.#bytes > limitBytes) {
      throw commandError(
        'QueryExceededMemoryLimitNoDiskUseAllowed',
        `Sort exceeded memory limit of ${limitBytes} bytes, but did not opt in to external sorting.`
      )
    }
  }

  /** The documents in order; `undefined` bytes have to be read again. */
  finish(): Item[] {
    this.#order()
    const { limit } = this.#options
    return limit > 0 ? this.#items.slice(0, limit) : this.#items
  }

  #order(): void {
    this.#items.sort((a, b) => Buffer.compare(a.key, b.key))
  }

  #cut(limit: number): void {
    this.#order()
    this.#items.length = limit
    this.#count()
  }

  #drop(): void {
    this.#keepsDocuments = false
    for (const item of this.#items) item.bytes = undefined
    this.#count()
  }

  #count(): void {
    this.#bytes = 0
    for (const { key, id, bytes } of this.#items) {
      this.#bytes += key.length + id.length + ENTRY_BYTES + (bytes?.length ?? 0)
    }
  }
}
