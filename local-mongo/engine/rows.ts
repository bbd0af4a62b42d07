// The answer of a query, read batch by batch.
import type { OperationContext, Rows } from '../engine.ts'
import type { OrderedDocuments } from './ordered.ts'
import type { Query } from './query.ts'
import { runInSlices } from './time-slices.ts'
import type { Found } from './walk.ts'

/** An answer without rows. */
export function emptyRows(): Rows {
  return { next: async () => [], exhausted: true, close() {} }
}

export interface RowsOptions {
  readonly query: Query
  readonly documents: OrderedDocuments
  readonly skip: number
  /** 0 for all. */
  readonly limit: number
  /** From the stored document to what is answered. */
  readonly project: ((bytes: Uint8Array) => Uint8Array) | undefined
  readonly context: OperationContext
}

/** Rows of documents that are found while they are asked for. */
export class FoundRows implements Rows {
  readonly #options: RowsOptions
  #toSkip: number
  #left: number
  /** Found and still to be projected: a long expression may need several attempts. */
  #found: Found | undefined
  /** Found, but too large for the batch in which it was found. */
  #held: Uint8Array | undefined
  #isClosed = false

  constructor(options: RowsOptions) {
    this.#options = options
    this.#toSkip = options.skip
    this.#left = options.limit > 0 ? options.limit : Number.POSITIVE_INFINITY
  }

  get exhausted(): boolean {
    if (this.#isClosed) return true
    if (this.#held !== undefined || this.#found !== undefined) return false
    return this.#left === 0 || this.#options.documents.isEnded
  }

  async next(maxDocs: number, maxBytes: number): Promise<Uint8Array[]> {
    const batch: Uint8Array[] = []
    let room = maxBytes
    const { documents, context, query } = this.#options
    if (maxDocs <= 0 || this.exhausted) return batch
    query.refresh()
    await runInSlices(
      context,
      () => {
        if (batch.length >= maxDocs || this.exhausted) return true
        const bytes = this.#held ?? this.#step()
        this.#held = undefined
        if (bytes === undefined) return false
        if (batch.length > 0 && bytes.length > room) {
          this.#held = bytes
          return true
        }
        batch.push(bytes)
        room -= bytes.length
        return false
      },
      () => documents.pause(),
      () => query.refresh()
    )
    return batch
  }

  close(): void {
    this.#isClosed = true
    this.#held = undefined
    this.#found = undefined
    this.#options.documents.pause()
  }

  #step(): Uint8Array | undefined {
    const { documents, project } = this.#options
    const found = this.#found ?? documents.step()
    if (found === undefined) return undefined
    if (this.#toSkip > 0) {
      this.#toSkip--
      return undefined
    }
    this.#found = found
    const bytes = project === undefined ? found.bytes : project(found.bytes)
    this.#found = undefined
    this.#left--
    return bytes
  }
}

/** Rows of an iteration that encodes its own documents. */
export class IteratedRows implements Rows {
  readonly #iterator: AsyncIterator<Uint8Array>
  #held: Uint8Array | undefined
  #isEnded = false

  constructor(iterator: AsyncIterator<Uint8Array>) {
    this.#iterator = iterator
  }

  get exhausted(): boolean {
    return this.#isEnded && this.#held === undefined
  }

  async next(maxDocs: number, maxBytes: number): Promise<Uint8Array[]> {
    const batch: Uint8Array[] = []
    let room = maxBytes
    while (batch.length < maxDocs) {
      const bytes = this.#held ?? (await this.#pull())
      this.#held = undefined
      if (bytes === undefined) break
      if (batch.length > 0 && bytes.length > room) {
        this.#held = bytes
        break
      }
      batch.push(bytes)
      room -= bytes.length
    }
    return batch
  }

  close(): void {
    this.#isEnded = true
    this.#held = undefined
    this.#iterator.return?.().catch(() => undefined)
  }

  async #pull(): Promise<Uint8Array | undefined> {
    if (this.#isEnded) return undefined
    const step = await this.#iterator.next()
    if (step.done !== true) return step.value
    this.#isEnded = true
    return undefined
  }
}
