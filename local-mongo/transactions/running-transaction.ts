// One multi-document transaction: its snapshot, its private changes, and what it holds.
import type { Transaction, TransactionId } from '../engine.ts'
import { type CommandError, commandError } from '../errors.ts'
import type { Catalog, CatalogDraft, CatalogState, Collection } from '../storage/catalog.ts'
import { fullName } from '../storage/catalog.ts'
import type { CountDraft } from '../storage/counts.ts'
import type { CatalogChange, DocumentChange, QueueScope, Scope } from '../storage/scope.ts'
import { textOfKey } from '../storage/tree-keys.ts'
import type { Snapshot, View } from '../storage/view.ts'
import type { ClaimTable } from './claims.ts'
import { Overlay } from './overlay.ts'

/** Most memory that the changes of one transaction may take. */
export const MAX_TRANSACTION_BYTES = 256 * 1024 * 1024

export interface TransactionParts {
  readonly live: View
  readonly snapshot: Snapshot
  readonly catalog: Catalog
  readonly claims: ClaimTable<RunningTransaction>
  readonly now: Date
}

/** The conflict that a driver answers by doing the transaction again. */
export function writeConflict(message: string): CommandError {
  return commandError(
    'WriteConflict',
    `Caused by :: ${message} :: Please retry your operation or multi-document transaction.`,
    { labels: ['TransientTransactionError'] }
  )
}

function isSameValue(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return Buffer.compare(a, b) === 0
}

function notInTransaction(what: string): CommandError {
  return commandError(
    'OperationNotSupportedInTransaction',
    `Cannot ${what} inside a multi-document transaction`
  )
}

/** A transaction while it runs. */
export class RunningTransaction implements Transaction {
  readonly id: TransactionId
  /** Settles when the transaction has ended and holds nothing any more. */
  readonly ended: Promise<void>
  readonly scope: Scope
  state: Transaction['state'] = 'running'
  /** Milliseconds since 1970. */
  readonly startedAt: number
  lastUsed: number
  readonly #parts: TransactionParts
  #state: CatalogState
  readonly #overlay: Overlay
  readonly #created = new Map<string, Collection>()
  readonly #counts = new Map<number, { documents: number; bytes: number }>()
  readonly #told: (DocumentChange | CatalogChange)[] = []
  readonly #held: string[] = []
  readonly #written = new Set<number>()
  #active = 0
  #whenIdle: (() => void)[] = []
  #resolveEnded: () => void = () => undefined

  constructor(id: TransactionId, parts: TransactionParts) {
    this.id = id
    this.#parts = parts
    this.#state = parts.catalog.state
    this.#overlay = new Overlay(parts.snapshot)
    this.startedAt = parts.now.getTime()
    this.lastUsed = this.startedAt
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve
    })
    this.scope = {
      view: this.#overlay,
      catalog: this.#catalogDraft(),
      counts: this.#countDraft(),
      flags: parts.catalog,
      mustClaim: () => true,
      claim: (collection, keys) => this.#claim(collection, keys),
      tell: (change) => this.#told.push(change),
      tellCatalog: (change) => this.#told.push(change),
      afterCommit: (effect) => effect()
    }
  }

  get view(): View {
    return this.#overlay
  }

  /** Statements at work just now. */
  get active(): number {
    return this.#active
  }

  /** A statement begins. */
  enter(): void {
    this.#active++
  }

  /** A statement is over. */
  leave(): void {
    this.#active--
    this.lastUsed = Date.now()
    if (this.#active > 0) return
    for (const tell of this.#whenIdle.splice(0)) tell()
  }

  /** Resolves when no statement is at work. */
  async untilIdle(): Promise<void> {
    if (this.#active > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve))
  }

  /** True when a commit has nothing to write. */
  get isReadOnly(): boolean {
    return this.#overlay.isEmpty && this.#created.size === 0
  }

  hasWrittenTo(collection: number): boolean {
    return this.#written.has(collection)
  }

  /** The collection as of the snapshot, or as this transaction made it. */
  find(db: string, name: string): Collection | undefined {
    this.checkRunning()
    const full = fullName(db, name)
    return this.#created.get(full) ?? this.#state.get(full)
  }

  /** Fails with NoSuchTransaction (251) once the transaction has ended: its snapshot is gone. */
  checkRunning(): void {
    if (this.state === 'running') return
    throw commandError(
      'NoSuchTransaction',
      `Transaction with { txnNumber: ${this.id.txnNumber} } has been ${this.state}.`,
      { labels: ['TransientTransactionError'] }
    )
  }

  /** True for a collection that this transaction made. */
  hasCreated(collection: Collection): boolean {
    return this.#created.get(fullName(collection.db, collection.name))?.id === collection.id
  }

  /** Writes everything into the commit of `scope`. */
  applyTo(scope: QueueScope): void {
    for (const { db, name } of this.#created.values()) {
      if (scope.catalog.find(db, name) === undefined) continue
      throw writeConflict(`collection ${db}.${name} was made meanwhile`)
    }
    for (const collection of this.#created.values()) scope.catalog.put(collection)
    this.#overlay.applyTo(scope.view)
    for (const [collection, { documents, bytes }] of this.#counts) {
      scope.counts.add(collection, documents, bytes)
    }
    for (const change of this.#told) {
      if ('db' in change) scope.tellCatalog(change)
      else scope.tell(change, this.id)
    }
  }

  /** Releases everything. */
  end(state: 'committed' | 'aborted'): void {
    if (this.state !== 'running') return
    this.state = state
    this.#parts.snapshot.close()
    this.#parts.claims.release(this.#held)
    // Its session remembers the transaction until the next one: how it ended, not what it did.
    this.#state = new Map()
    this.#held.length = 0
    this.#told.length = 0
    this.#created.clear()
    this.#counts.clear()
    this.#overlay.clear()
    this.#resolveEnded()
  }

  /** Takes the right to write; fails with WriteConflict (112) when another has it or had it since the snapshot. */
  #claim(collection: Collection, keys: readonly Uint8Array[]): void {
    this.#checkUnchanged(collection)
    const { claims, live, snapshot } = this.#parts
    const isPresent = snapshot.isPresent()
    const free: string[] = []
    for (const key of keys) {
      const text = textOfKey(key)
      const holder = claims.holderOf(text)
      if (holder === this) continue
      if (holder !== undefined)
        throw writeConflict('Write conflict during plan execution and yielding is disabled.')
      if (!isPresent && !isSameValue(live.get(key), snapshot.get(key))) {
        throw writeConflict('Write conflict: the document was changed since the transaction began.')
      }
      free.push(text)
    }
    for (const text of free) {
      claims.take(text, this)
      this.#held.push(text)
    }
    this.#written.add(collection.id)
    if (this.#overlay.bytes > MAX_TRANSACTION_BYTES) {
      throw commandError(
        'TransactionTooLarge',
        `The transaction has more than ${MAX_TRANSACTION_BYTES} bytes of changes`
      )
    }
  }

  /** The collection and its indexes must still be those of the snapshot. */
  #checkUnchanged(collection: Collection): void {
    if (this.hasCreated(collection)) return
    const present = this.#parts.catalog.find(collection.db, collection.name)
    if (present?.indexes === collection.indexes && !present.isBuilding) return
    throw writeConflict(
      `the collection ${collection.db}.${collection.name} was changed since the transaction began`
    )
  }

  #catalogDraft(): CatalogDraft {
    return {
      find: (db, name) => this.find(db, name),
      put: (collection) => {
        const present = this.#parts.catalog.find(collection.db, collection.name)
        const isOwn = this.hasCreated(collection)
        if (!isOwn && this.find(collection.db, collection.name) !== undefined) {
          throw notInTransaction('change a collection')
        }
        if (!isOwn && present !== undefined)
          throw writeConflict('the collection was made meanwhile')
        this.#created.set(fullName(collection.db, collection.name), collection)
      },
      remove: () => {
        throw notInTransaction('drop or rename a collection')
      },
      newTree: () => this.#parts.catalog.newTree(),
      newSlot: (collection) => this.#parts.catalog.newSlot(collection),
      discardTree: () => undefined,
      finish: () => undefined
    }
  }

  #countDraft(): CountDraft {
    return {
      add: (collection, documents, bytes) => {
        const count = this.#counts.get(collection) ?? { documents: 0, bytes: 0 }
        count.documents += documents
        count.bytes += bytes
        this.#counts.set(collection, count)
      },
      forget: () => undefined,
      of: () => ({ documents: 0, bytes: 0 }),
      changes: () => [],
      finish: () => undefined
    }
  }
}
