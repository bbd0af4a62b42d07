// The rollup documents that records add to, found by their values and remembered from flush to flush: a
// document's id is made once, and most updates are small because theirs is known to be there.
import { escapePart } from '../envelope/record-id.ts'
import type { CompiledEvent } from '../registry/types.ts'
import type { Increment } from './increment.ts'

const DOCUMENTS = 50_000
// Documents can go: by erasure in another process, or because they expired.
const LIFETIME_MS = 600_000

/** Something for each bucket, with the latest one asked for at hand. */
export interface Buckets<T> {
  readonly all: Map<number, T>
  at: number
  latest: T | undefined
}

/** The documents of one event and service in the system families. */
export interface SystemPage {
  readonly hours: Buckets<Increment>
  readonly days: Buckets<Increment>
}

/** The documents of one tenant. */
export interface Page {
  readonly tenantId: string
  /** The tenant as ids hold it. */
  readonly escaped: string
  /** Family to bucket to dimensions. */
  readonly families: Map<string, Buckets<Map<string, Increment>>>
  /** By event and service. */
  readonly systems: Map<CompiledEvent, Map<string, SystemPage>>
}

/** The bucket of families without one. */
export const LIFETIME = Number.NaN

export class Ledger {
  #pages = new Map<string, Page>()
  #latest: Page | undefined
  #documents = 0
  #since = 0
  #round = 0
  #touched: Increment[] = []

  /** Starts counting from nothing, and forgets what is known when it is too old or too much. */
  begin(now: number): void {
    this.#release()
    this.#touched = []
    this.#round++
    const isOld = now - this.#since > LIFETIME_MS || now < this.#since
    if (!isOld && this.#documents < DOCUMENTS) return
    this.forget()
    this.#since = now
  }

  get round(): number {
    return this.#round
  }

  /** The documents that this round adds to. */
  get touched(): readonly Increment[] {
    return this.#touched
  }

  touch(increment: Increment): void {
    this.#touched.push(increment)
  }

  /** Counts documents that are remembered. */
  admit(): void {
    this.#documents++
  }

  pageOf(tenantId: string): Page {
    if (this.#latest?.tenantId === tenantId) return this.#latest
    let page = this.#pages.get(tenantId)
    if (page === undefined) {
      const escaped = escapePart(tenantId)
      page = { tenantId, escaped, families: new Map(), systems: new Map() }
      this.#pages.set(tenantId, page)
    }
    this.#latest = page
    return page
  }

  /** Call it when the round is in the database. */
  learn(): void {
    for (const increment of this.#touched) {
      const { firstAt, knownFirstAt } = increment
      if (knownFirstAt === undefined || firstAt < knownFirstAt) increment.knownFirstAt = firstAt
    }
    this.#release()
  }

  /** Forgets every document; a round that is being written ends as it would have. */
  forget(): void {
    this.#pages = new Map()
    this.#latest = undefined
    this.#documents = 0
  }

  // Rows must not live on with the documents they were counted for.
  #release(): void {
    for (const increment of this.#touched) increment.first = undefined
  }
}

export const emptyBuckets = <T>(): Buckets<T> => ({
  all: new Map(),
  at: Number.NEGATIVE_INFINITY,
  latest: undefined
})

/** What belongs to a bucket, made when there is nothing yet. */
export function bucketOf<T>(buckets: Buckets<T>, at: number, make: () => T): T {
  if (Object.is(buckets.at, at) && buckets.latest !== undefined) return buckets.latest
  let found = buckets.all.get(at)
  if (found === undefined) {
    found = make()
    buckets.all.set(at, found)
  }
  buckets.at = at
  buckets.latest = found
  return found
}
