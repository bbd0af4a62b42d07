// What writing a document needs: the view, the catalog, the counts, and the say of transactions.
import type { Doc } from '../bson/value.ts'
import type { TransactionId } from '../engine.ts'
import type { UpdateDescription } from '../update/update.ts'
import type { Catalog, CatalogDraft, Collection } from './catalog.ts'
import type { CountDraft, Counts } from './counts.ts'
import type { DeferredView } from './deferred-view.ts'
import { textOfKey } from './tree-keys.ts'
import type { WriteView } from './view.ts'

/** Thrown, before anything of a document is written, when a transaction or an index build holds it. */
export class Held extends Error {
  /** Settles when the transaction or build has ended. */
  readonly ended: Promise<unknown>

  constructor(ended: Promise<unknown>) {
    super('The document is held.')
    this.ended = ended
  }
}

/** A change of a document, as change streams tell it. */
export interface DocumentChange {
  readonly kind: 'insert' | 'update' | 'replace' | 'delete'
  readonly collection: Collection
  readonly before: Uint8Array | undefined
  readonly after: Uint8Array | undefined
  /** For `update`: what changed, computed when asked. */
  readonly description?: () => UpdateDescription
}

/** A change of the catalog, as change streams tell it. */
export interface CatalogChange {
  readonly kind:
    | 'create'
    | 'drop'
    | 'rename'
    | 'dropDatabase'
    | 'createIndexes'
    | 'dropIndexes'
    | 'modify'
  readonly db: string
  /** '' for a database. */
  readonly collection: string
  readonly to?: { readonly db: string; readonly collection: string }
  /** The collection's; absent for a database. */
  readonly uuid?: Uint8Array
  /** What was done, as `operationDescription` has it. */
  readonly operation?: Doc
}

/** Gathers the changes of one write transaction for change streams. */
export interface ChangeDraft {
  tell(change: DocumentChange, transaction?: TransactionId): void
  tellCatalog(change: CatalogChange): void
  publish(): void
}

/** The surroundings of document writes: a shared write transaction or a multi-document one. */
export interface Scope {
  readonly view: WriteView
  readonly catalog: CatalogDraft
  readonly counts: CountDraft
  /** For the flags of indexes. */
  readonly flags: Pick<Catalog, 'markIndex'>
  /** False when nothing is held: `claim` need not be called. */
  mustClaim(collection: Collection): boolean
  /**
   * Asks for the right to write these keys of documents and unique index entries.
   * Fails with Held, or inside a transaction with WriteConflict.
   */
  claim(collection: Collection, keys: readonly Uint8Array[]): void
  /** Tells of a document's change, and the multi-document transaction that it is part of. */
  tell(change: DocumentChange, transaction?: TransactionId): void
  /** Tells of a collection's change. */
  tellCatalog(change: CatalogChange): void
  /** Runs once the changes are certain; never when they were undone. */
  afterCommit(effect: () => void): void
}

/** Whether any claim has to be asked for; false lets bulk writes skip the question. */
export interface Claims {
  readonly size: number
  /** Of a key as `textOfKey` writes it. */
  holderOf(text: string): { readonly ended: Promise<unknown> } | undefined
}

/** A scope in a write transaction of the queue. */
export interface QueueScope extends Scope {
  /** True when writes are to be short, for the sake of memory. */
  isCrowded(): boolean
  /** Writes what was gathered; the last thing inside the transaction. */
  finish(): void
  /** Makes the changes visible in memory, after the commit. */
  publish(): void
}

export interface ScopeParts {
  readonly catalog: Catalog
  readonly counts: Counts
  readonly claims: Claims
  readonly endOfBuild: (collection: number) => Promise<unknown>
  readonly changes: { draft(view: WriteView): ChangeDraft }
  readonly isCrowded: () => boolean
}

/**
 * Opens the scope of one write transaction. The view is one for all of them: a statement that takes
 * several goes on reading by the one it began with.
 */
export function openQueueScope(view: DeferredView, parts: ScopeParts): QueueScope {
  const { claims } = parts
  view.begin()
  const catalog = parts.catalog.draft(view)
  const counts = parts.counts.draft()
  const changes = parts.changes.draft(view)
  const effects: (() => void)[] = []
  return {
    view,
    catalog,
    counts,
    flags: parts.catalog,
    isCrowded: parts.isCrowded,
    mustClaim: ({ isBuilding }) => isBuilding || claims.size > 0,
    claim(collection, keys) {
      if (collection.isBuilding) throw new Held(parts.endOfBuild(collection.id))
      for (const key of keys) {
        const holder = claims.holderOf(textOfKey(key))
        if (holder !== undefined) throw new Held(holder.ended)
      }
    },
    tell: changes.tell,
    tellCatalog: changes.tellCatalog,
    afterCommit: (effect) => effects.push(effect),
    finish() {
      catalog.finish()
      counts.finish(view)
      view.flush()
    },
    publish() {
      parts.catalog.publish(catalog)
      parts.counts.publish(counts)
      changes.publish()
      for (const effect of effects) effect()
    }
  }
}
