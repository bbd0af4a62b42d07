// What the operations of an open engine share.
import type { ChangeLog } from '../change-log/change-log.ts'
import type { EngineOptions, OperationContext } from '../engine.ts'
import type { ClusterClock } from '../sessions/cluster-clock.ts'
import type { Catalog, Collection } from '../storage/catalog.ts'
import type { Counts } from '../storage/counts.ts'
import type { Environment } from '../storage/environment.ts'
import { Held, type QueueScope } from '../storage/scope.ts'
import type { WriteQueue } from '../storage/write-queue.ts'
import type { RunningTransaction } from '../transactions/running-transaction.ts'
import type { TransactionTable } from '../transactions/transactions.ts'
import type { Builds } from './builds.ts'
import type { Waits } from './collections.ts'
import type { ReadSource } from './query.ts'
import type { IndexUsage } from './usage.ts'

/** The file in the data folder. */
export const DATA_FILE = 'data.mdb'

export interface EngineParts {
  readonly environment: Environment
  readonly queue: WriteQueue<QueueScope>
  readonly catalog: Catalog
  readonly counts: Counts
  readonly builds: Builds
  readonly transactions: TransactionTable
  readonly usage: IndexUsage
  readonly clock: ClusterClock
  readonly changes: ChangeLog
  readonly dataDir: string
  readonly options: EngineOptions
}

/** The transaction that an operation is part of. Only this engine makes transactions. */
export function transactionOf({ transaction }: OperationContext): RunningTransaction | undefined {
  return transaction as RunningTransaction | undefined
}

/** What an operation reads from: a transaction's snapshot with its changes, or the present state. */
export function readSource(parts: EngineParts, context: OperationContext): ReadSource {
  const transaction = transactionOf(context)
  if (transaction !== undefined) {
    return { view: transaction.view, find: (db, name) => transaction.find(db, name) }
  }
  const { environment, catalog, counts, usage } = parts
  return {
    view: environment.live,
    find: catalog.find,
    countOf: ({ id }) => counts.of(id).documents,
    noteUse: (access) => usage.note(access)
  }
}

/** What a change of the catalog waits for. */
export function waitsOf({ transactions, builds }: EngineParts): Waits {
  const writers = (collection: Collection) => transactions.awaitWriters(collection)
  return {
    writers,
    all(collection) {
      if (collection.isBuilding) throw new Held(builds.endOf(collection.id))
      writers(collection)
    }
  }
}
