// The engine's operations, each handed to the file that does it.
import type { Doc, Value } from '../bson/value.ts'
import type * as contract from '../engine.ts'
import { commandError } from '../errors.ts'
import type { ClusterClock } from '../sessions/cluster-clock.ts'
import type { FileUsage } from '../storage/environment.ts'
import type { QueueScope } from '../storage/scope.ts'
import { aggregate } from './aggregate.ts'
import { copyDataFile } from './backup.ts'
import { changeStream } from './changes.ts'
import { check, validate } from './checks.ts'
import { collMod } from './coll-mod.ts'
import {
  createCollection,
  dropCollection,
  dropDatabase,
  dropIndexes,
  renameCollection,
  singleTurn,
  type Waits
} from './collections.ts'
import { count } from './count.ts'
import { createIndexesAtOnce, createIndexesJob } from './create-indexes.ts'
import { distinct } from './distinct.ts'
import { explain } from './explain.ts'
import { find } from './find.ts'
import { listCollections, listDatabases, listIndexes } from './listing.ts'
import { type EngineParts, transactionOf, waitsOf } from './parts.ts'
import { hasGarbage, purgeJob } from './purge.ts'
import { collStats, dbStats } from './statistics.ts'
import { Sweeper } from './sweep.ts'
import { untilDone } from './time-slices.ts'
import { findAndModify, insert, remove, update } from './writes.ts'

type Context = contract.OperationContext
type Namespace = contract.Namespace

/** The open database. */
export class LocalEngine implements contract.Engine {
  readonly #parts: EngineParts
  readonly #sweeper: Sweeper
  readonly #closing = new AbortController()

  constructor(parts: EngineParts) {
    this.#parts = parts
    this.#sweeper = new Sweeper(parts)
    this.#purge()
  }

  get transactions(): contract.Transactions {
    return this.#parts.transactions
  }

  get clock(): ClusterClock {
    return this.#parts.clock
  }

  find(ns: Namespace, request: contract.FindRequest, context: Context): Promise<contract.Rows> {
    return this.#read(context, async () => find(this.#parts, ns, request, context))
  }

  aggregate(
    ns: Namespace,
    request: contract.AggregateRequest,
    context: Context
  ): Promise<contract.Rows> {
    return this.#read(context, () => aggregate(this.#parts, ns, request, context))
  }

  count(ns: Namespace, request: contract.CountRequest, context: Context): Promise<number> {
    return this.#read(context, () => count(this.#parts, ns, request, context))
  }

  distinct(ns: Namespace, request: contract.DistinctRequest, context: Context): Promise<Value[]> {
    return this.#read(context, () => distinct(this.#parts, ns, request, context))
  }

  insert(
    ns: Namespace,
    request: contract.InsertRequest,
    context: Context
  ): Promise<contract.WriteResult> {
    return insert(this.#parts, ns, request, context)
  }

  update(
    ns: Namespace,
    request: contract.UpdateRequest,
    context: Context
  ): Promise<contract.UpdateResult> {
    return update(this.#parts, ns, request, context)
  }

  delete(
    ns: Namespace,
    request: contract.DeleteRequest,
    context: Context
  ): Promise<contract.WriteResult> {
    return remove(this.#parts, ns, request, context)
  }

  findAndModify(
    ns: Namespace,
    request: contract.FindAndModifyRequest,
    context: Context
  ): Promise<contract.FindAndModifyResult> {
    return findAndModify(this.#parts, ns, request, context)
  }

  explain(
    ns: Namespace,
    asked: contract.ExplainRequest,
    verbosity: contract.Verbosity,
    context: Context
  ): Promise<Doc> {
    return untilDone(context, () => explain(this.#parts, ns, { asked, verbosity }, context))
  }

  listDatabases(): contract.DatabaseInfo[] {
    return listDatabases(this.#parts)
  }

  listCollections(db: string): contract.CollectionInfo[] {
    return listCollections(this.#parts, db)
  }

  listIndexes(ns: Namespace): Doc[] {
    return listIndexes(this.#parts, ns)
  }

  async createCollection(ns: Namespace, options: Doc, context: Context): Promise<void> {
    const transaction = transactionOf(context)
    if (transaction === undefined) {
      return this.#parts.queue.run(singleTurn((scope) => createCollection(scope, ns, options)))
    }
    await this.#read(context, async () => createCollection(transaction.scope, ns, options, true))
  }

  async dropCollection(
    ns: Namespace,
    context: Context
  ): Promise<{ readonly nIndexesWas: number } | undefined> {
    return this.#change(context, (scope, waits) => dropCollection(scope, ns, waits))
  }

  async dropDatabase(db: string, context: Context): Promise<void> {
    const { catalog } = this.#parts
    await this.#change(context, (scope, waits) =>
      dropDatabase(scope, { db, collections: catalog.state.values() }, waits)
    )
  }

  async renameCollection(
    from: Namespace,
    to: Namespace,
    { dropTarget }: { readonly dropTarget: boolean },
    context: Context
  ): Promise<void> {
    await this.#change(context, (scope, waits) =>
      renameCollection(scope, { from, to, dropTarget }, waits)
    )
  }

  collMod(ns: Namespace, request: Doc, context: Context): Promise<Doc> {
    return this.#change(context, (scope, waits) => collMod(scope, ns, request, waits))
  }

  async createIndexes(
    ns: Namespace,
    indexes: readonly Doc[],
    context: Context
  ): Promise<contract.CreateIndexesResult> {
    const transaction = transactionOf(context)
    if (transaction !== undefined) {
      return this.#read(context, async () => createIndexesAtOnce(transaction.scope, ns, indexes))
    }
    const { queue, builds, transactions } = this.#parts
    const writersOf = transactions.writersOf.bind(transactions)
    const job = createIndexesJob(ns, indexes, { builds, writersOf, context })
    try {
      return await queue.run(job)
    } catch (error) {
      const begun = job.begun()
      if (begun !== undefined) {
        const takeBack = () => queue.run(singleTurn((scope) => job.takeBack(scope)))
        await builds.takeBack(begun.id, error as Error, takeBack)
      }
      throw error
    } finally {
      this.#purge()
    }
  }

  dropIndexes(
    ns: Namespace,
    index: string | readonly string[] | Doc,
    context: Context
  ): Promise<{ readonly nIndexesWas: number; readonly msg?: string }> {
    return this.#change(context, (scope, waits) => dropIndexes(scope, ns, index, waits))
  }

  collStats(ns: Namespace): Doc {
    return collStats(this.#parts, ns)
  }

  dbStats(db: string): Doc {
    return dbStats(this.#parts, db)
  }

  fileUsage(): FileUsage {
    return this.#parts.environment.usage()
  }

  validate(ns: Namespace): Promise<Doc> {
    return validate(this.#parts, ns)
  }

  changeStream(
    ns: Namespace,
    request: contract.ChangeStreamRequest,
    context: Context
  ): Promise<contract.ChangeStream> {
    return changeStream(this.#parts, ns, request, context)
  }

  sweepExpired(now: Date, options: contract.SweepOptions = {}): Promise<number> {
    return this.#sweeper.sweep(now, options)
  }

  check(): Promise<contract.CheckReport> {
    return check(this.#parts)
  }

  async backup(targetDir: string): Promise<void> {
    await copyDataFile(targetDir, (path) => this.#parts.environment.copyTo(path))
  }

  async close(): Promise<void> {
    const { transactions, queue, environment } = this.#parts
    this.#closing.abort()
    transactions.abortAll()
    await queue.close()
    await environment.close()
  }

  /** An error inside a transaction ends it. Variables of `let` may need a pause at the begin. */
  #read<T>(context: Context, act: () => Promise<T>): Promise<T> {
    const transaction = transactionOf(context)
    const begin = () => untilDone(context, act)
    return transaction === undefined ? begin() : this.#parts.transactions.run(transaction, begin)
  }

  /** Changes the catalog in one turn; what it discards is removed afterwards. */
  async #change<T>(context: Context, act: (scope: QueueScope, waits: Waits) => T): Promise<T> {
    if (context.transaction !== undefined) {
      throw commandError(
        'OperationNotSupportedInTransaction',
        'Cannot change the catalog inside a multi-document transaction'
      )
    }
    try {
      return await this.#parts.queue.run(singleTurn((scope) => act(scope, waitsOf(this.#parts))))
    } finally {
      this.#purge()
    }
  }

  #purge(): void {
    const { environment, queue, options } = this.#parts
    if (!hasGarbage(environment.live)) return
    queue
      .run(purgeJob(this.#closing.signal))
      .catch((cause) =>
        options.onNotice?.({ message: 'Dropped data could not be removed.', cause })
      )
  }
}
