// The engine's operations, each handed to the file that does it.
import type { Engine, OperationContext, UpdateResult, WriteResult } from '../engine.ts'
import { commandError } from '../errors.ts'
import { aggregate } from './aggregate.ts'
import {
  createCollection,
  dropCollection,
  dropIndexes,
  renameCollection,
  singleTurn
} from './collections.ts'
import { count } from './count.ts'
import { createIndexesJob } from './create-indexes.ts'
import { deleteStatements } from './delete.ts'
import { distinct } from './distinct.ts'
import { find } from './find.ts'
import { modifyJob } from './find-and-modify.ts'
import { insertStatements } from './insert.ts'
import { listCollections, listDatabases, listIndexes } from './listing.ts'
import type { EngineParts } from './parts.ts'
import { hasGarbage, purgeJob } from './purge.ts'
import { type StatementProgress, type Statements, statementsJob } from './statements.ts'
import { updateStatements } from './update.ts'

function writeResult({ n, writeErrors, retried }: StatementProgress): WriteResult {
  return { n, writeErrors, retriedStatementIds: retried }
}

function updateResult(progress: StatementProgress): UpdateResult {
  const { nModified, upserted } = progress
  return { ...writeResult(progress), nModified, upserted }
}

/** Makes the engine. */
export function makeEngine(parts: EngineParts): Engine {
  const { queue, environment, builds } = parts
  const missing = (what: string) => commandError('NotImplemented', `${what} is not there yet`)
  const awaitWriters = () => undefined
  const purge = () => {
    if (hasGarbage(environment.live)) queue.run(purgeJob()).catch(() => undefined)
  }
  const runStatements = (statements: Statements, context: OperationContext) =>
    queue.run(statementsJob(statements, context))
  return {
    find: async (ns, request, context) => find(parts, ns, request, context),
    aggregate: (ns, request, context) => aggregate(parts, ns, request, context),
    count: (ns, request, context) => count(parts, ns, request, context),
    distinct: (ns, request, context) => distinct(parts, ns, request, context),
    insert: async (ns, request, context) =>
      writeResult(await runStatements(insertStatements(ns, request, context), context)),
    update: async (ns, request, context) =>
      updateResult(await runStatements(updateStatements(ns, request, context), context)),
    delete: async (ns, request, context) =>
      writeResult(await runStatements(deleteStatements(ns, request, context), context)),
    findAndModify: (ns, request, context) => queue.run(modifyJob(ns, request, context)),
    async explain() {
      throw missing('explain')
    },
    listDatabases: () => listDatabases(parts),
    listCollections: (db) => listCollections(parts, db),
    listIndexes: (ns) => listIndexes(parts, ns),
    createCollection: (ns, options) =>
      queue.run(singleTurn((scope) => createCollection(scope, ns, options))),
    async dropCollection(ns) {
      const dropped = await queue.run(
        singleTurn((scope) => dropCollection(scope, ns, awaitWriters))
      )
      purge()
      return dropped
    },
    async dropDatabase(db) {
      await queue.run(
        singleTurn((scope) => {
          for (const collection of parts.catalog.state.values()) {
            if (collection.db === db)
              dropCollection(scope, { db, collection: collection.name }, awaitWriters)
          }
        })
      )
      purge()
    },
    async renameCollection(from, to, { dropTarget }) {
      await queue.run(
        singleTurn((scope) => renameCollection(scope, { from, to, dropTarget }, awaitWriters))
      )
      purge()
    },
    async collMod() {
      throw missing('collMod')
    },
    createIndexes: (ns, indexes, context) =>
      queue
        .run(createIndexesJob(ns, indexes, { builds, writersOf: () => undefined, context }))
        .finally(purge),
    dropIndexes: (ns, index) =>
      queue.run(singleTurn((scope) => dropIndexes(scope, ns, index, awaitWriters))).finally(purge),
    collStats() {
      throw missing('collStats')
    },
    dbStats() {
      throw missing('dbStats')
    },
    async validate() {
      throw missing('validate')
    },
    transactions: {
      begin() {
        throw missing('transactions')
      },
      resume() {
        throw missing('transactions')
      },
      async commit() {
        throw missing('transactions')
      },
      abort() {
        throw missing('transactions')
      },
      endSession() {},
      abortIdle: () => 0
    },
    async changeStream() {
      throw missing('changeStream')
    },
    sweepExpired: async () => 0,
    async check() {
      throw missing('check')
    },
    async backup() {
      throw missing('backup')
    },
    async close() {
      await queue.close()
      await environment.close()
    }
  }
}
