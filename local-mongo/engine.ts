// The contract between the command layer and the storage engine: every operation, its request and its answer.
import type { Doc, Value } from './bson/value.ts'
import type { ClusterClock } from './sessions/cluster-clock.ts'

/** A collection by its two names. Database-wide operations carry `collection: ''`. */
export interface Namespace {
  readonly db: string
  readonly collection: string
}

/**
 * When an acknowledged write may be answered. `flushed`: after the flush to disk that covers it
 * (`w: majority`, `j: true`). `committed`: once visible; the flush follows within 100 ms.
 */
export type Durability = 'flushed' | 'committed'

/** The identity of a retryable write: statement `i` of the command is `statementIds[i] ?? firstStatementId + i`. */
export interface RetryableWrite {
  /** A text that names the session for ever, for example lsid and user in hex. */
  readonly sessionId: string
  readonly txnNumber: bigint
  /** Default 0. */
  readonly firstStatementId?: number
  /** The command's `stmtIds`, when the client sent them. */
  readonly statementIds?: readonly number[]
}

/** What every operation knows about its caller. */
export interface OperationContext {
  readonly now: Date
  readonly signal: AbortSignal
  /** Absolute, milliseconds since 1970; past it the operation ends with MaxTimeMSExpired (50). */
  readonly deadlineMs?: number
  /** Inside a multi-document transaction. */
  readonly transaction?: Transaction
  /** A retryable write outside a transaction. */
  readonly retry?: RetryableWrite
  /** Default `flushed`. */
  readonly durability?: Durability
}

/** A list answer, read batch by batch. No database snapshot is held between batches (but in transactions). */
export interface Rows {
  /**
   * Up to `maxDocs` encoded documents, ending before `maxBytes` would be passed, but at least one
   * when there is one. The bytes belong to the caller.
   */
  next(maxDocs: number, maxBytes: number): Promise<Uint8Array[]>
  /** True once nothing can follow. It is settled after each `next`. */
  readonly exhausted: boolean
  close(): void
}

/** An index by name or by key pattern; `{ $natural: 1 | -1 }` asks for a collection scan. */
export type Hint = string | Doc

/** Fields that all reading statements share. */
export interface ReadOptions {
  readonly hint?: Hint
  readonly collation?: Doc
  readonly let?: Doc
}

export interface FindRequest extends ReadOptions {
  readonly filter: Doc
  readonly projection?: Doc
  readonly sort?: Doc
  /** Default 0. */
  readonly skip?: number
  /** Default none; 0 means none. */
  readonly limit?: number
  /** Inclusive lower and exclusive upper bounds of the hinted index. */
  readonly min?: Doc
  readonly max?: Doc
  readonly returnKey?: boolean
  readonly showRecordId?: boolean
  readonly allowDiskUse?: boolean
}

export interface AggregateRequest extends ReadOptions {
  readonly pipeline: readonly Doc[]
  readonly allowDiskUse?: boolean
}

export interface CountRequest extends ReadOptions {
  readonly filter: Doc
  readonly skip?: number
  readonly limit?: number
}

export interface DistinctRequest extends ReadOptions {
  readonly key: string
  readonly filter: Doc
}

export interface InsertRequest {
  /** Whole encoded documents, not yet validated. */
  readonly documents: readonly Uint8Array[]
  readonly ordered: boolean
}

export interface UpdateStatement {
  readonly filter: Doc
  /** A replacement, update operators, or a pipeline. */
  readonly update: Doc | readonly Doc[]
  readonly multi: boolean
  readonly upsert: boolean
  readonly arrayFilters?: readonly Doc[]
  readonly hint?: Hint
  readonly collation?: Doc
  /** Constants `c` of a pipeline update and `let` variables of the filter. */
  readonly let?: Doc
  /** Which matching document a single update takes (MongoDB 8). */
  readonly sort?: Doc
}

export interface UpdateRequest {
  readonly updates: readonly UpdateStatement[]
  readonly ordered: boolean
}

export interface DeleteStatement {
  readonly filter: Doc
  /** True deletes at most one. */
  readonly single: boolean
  readonly hint?: Hint
  readonly collation?: Doc
  readonly let?: Doc
}

export interface DeleteRequest {
  readonly deletes: readonly DeleteStatement[]
  readonly ordered: boolean
}

export interface FindAndModifyRequest extends ReadOptions {
  readonly filter: Doc
  readonly sort?: Doc
  readonly remove: boolean
  readonly update?: Doc | readonly Doc[]
  /** Answer with the document after the change. */
  readonly returnNew: boolean
  readonly upsert: boolean
  readonly projection?: Doc
  readonly arrayFilters?: readonly Doc[]
}

/** One failed statement of a write command; the command itself is `ok: 1`. */
export interface WriteError {
  readonly index: number
  readonly code: number
  readonly errmsg: string
  readonly keyPattern?: Doc
  readonly keyValue?: Doc
  readonly errInfo?: Doc
}

export interface WriteResult {
  /** Documents inserted, matched or deleted; an upsert counts. */
  readonly n: number
  readonly writeErrors: readonly WriteError[]
  /** Statements whose stored result was answered. */
  readonly retriedStatementIds: readonly number[]
}

export interface UpdateResult extends WriteResult {
  readonly nModified: number
  readonly upserted: readonly { readonly index: number; readonly _id: Value }[]
}

export interface FindAndModifyResult {
  /** The document before or after, projected; null when there is none. */
  readonly value: Uint8Array | null
  readonly lastErrorObject: {
    readonly n: number
    /** Absent for a removal. */
    readonly updatedExisting?: boolean
    readonly upserted?: Value
  }
  /** True when a stored result was answered. */
  readonly retried: boolean
}

export type Verbosity = 'queryPlanner' | 'executionStats' | 'allPlansExecution'

/** A command to explain. Writes are planned, never done. */
export type ExplainRequest =
  | { readonly command: 'find'; readonly request: FindRequest }
  | { readonly command: 'aggregate'; readonly request: AggregateRequest }
  | { readonly command: 'count'; readonly request: CountRequest }
  | { readonly command: 'distinct'; readonly request: DistinctRequest }
  | { readonly command: 'update'; readonly request: UpdateStatement }
  | { readonly command: 'delete'; readonly request: DeleteStatement }
  | { readonly command: 'findAndModify'; readonly request: FindAndModifyRequest }

export interface DatabaseInfo {
  readonly name: string
  readonly sizeOnDisk: number
  readonly empty: boolean
}

export interface CollectionInfo {
  readonly name: string
  readonly type: 'collection'
  /** As given to `create`, without what the engine added. */
  readonly options: Doc
  /** 16 bytes. */
  readonly uuid: Uint8Array
}

export interface CreateIndexesResult {
  readonly numIndexesBefore: number
  readonly numIndexesAfter: number
  readonly createdCollectionAutomatically: boolean
  /** `all indexes already exist`, when so. */
  readonly note?: string
}

/** `transactions` number and session of a running multi-document transaction. */
export interface TransactionId {
  readonly sessionId: string
  readonly txnNumber: bigint
}

/** A running multi-document transaction; made by `Transactions.begin`, passed back in the context. */
export interface Transaction {
  readonly id: TransactionId
  readonly state: 'running' | 'committed' | 'aborted'
}

/** A running transaction as diagnostics see it; times are milliseconds since 1970. */
export interface OpenTransaction {
  readonly id: TransactionId
  readonly startedAt: number
  readonly lastUsed: number
  /** Whether a statement of it is at work. */
  readonly isActive: boolean
}

/** Multi-document transactions. All errors are `CommandError`s with MongoDB's codes and labels. */
export interface Transactions {
  /** Begins the transaction and ends an older one of its session. TransactionTooOld (225) for an old number. */
  begin(id: TransactionId, options: { readonly now: Date }): Transaction
  /** The running transaction of a later statement; else NoSuchTransaction (251), TransactionTooOld (225). */
  resume(id: TransactionId): Transaction
  /** All or nothing; a repeat of a commit that took place succeeds, also after a restart. */
  commit(id: TransactionId, options: { readonly durability?: Durability }): Promise<void>
  /** NoSuchTransaction (251) when it is not running; TransactionCommitted (256) when it was committed. */
  abort(id: TransactionId): void
  /** Ends whatever the session runs, without an error (`endSessions`, `killSessions`). */
  endSession(sessionId: string): void
  /** Aborts what has been idle for 60 s. The server calls it about once a second. */
  abortIdle(now: Date): number
  /** All that run. */
  open(): readonly OpenTransaction[]
}

export interface ChangeStreamRequest {
  /** The fields of the `$changeStream` stage. */
  readonly options: Doc
  /** The stages after it. */
  readonly pipeline: readonly Doc[]
  readonly collation?: Doc
}

/** Which changes a stream sees: one collection, one database (`collection: ''`) or all (`db: ''` too). */
export interface ChangeStream {
  /** Waits up to `waitMs` for the first event when there is none. */
  next(
    maxDocs: number,
    maxBytes: number,
    waitMs: number,
    signal: AbortSignal
  ): Promise<Uint8Array[]>
  /** Where a new stream would go on; changes with each `next`. */
  readonly postBatchResumeToken: Doc
  /** True after `invalidate` was answered. */
  readonly exhausted: boolean
  close(): void
}

/** How far a sweep goes. */
export interface SweepOptions {
  /** Ends it; what it leaves is for the next. */
  readonly signal?: AbortSignal | undefined
  /** Whether documents are deleted when their TTL index says so. Default true. */
  readonly ttl?: boolean
}

export interface CheckReport {
  readonly ok: boolean
  /** `db.collection` and what is wrong with it. */
  readonly problems: readonly string[]
  readonly collections: number
  readonly documents: number
  readonly indexEntries: number
  /** Of the data file. */
  readonly pages: number
  /** Pages that no tree and no list of free pages has; compacting the folder gives them back. */
  readonly leakedPages: number
}

export interface EngineOptions {
  /** Called with what an operator should know: a failed flush, a full disk, a repaired count. */
  readonly onNotice?: (notice: { readonly message: string; readonly cause?: unknown }) => void
  /** For tests and measurements: how many milliseconds longer a flush takes, as on a slower disk. Default 0. */
  readonly slowerFlushMs?: number
}

/**
 * The database. Operations throw `CommandError` with MongoDB's code; what a client can get wrong in
 * one statement of a write comes back in `writeErrors`.
 */
export interface Engine {
  find(ns: Namespace, request: FindRequest, context: OperationContext): Promise<Rows>
  /** `ns.collection` is '' for a database-wide pipeline. `$changeStream` goes to `changeStream`. */
  aggregate(ns: Namespace, request: AggregateRequest, context: OperationContext): Promise<Rows>
  count(ns: Namespace, request: CountRequest, context: OperationContext): Promise<number>
  distinct(ns: Namespace, request: DistinctRequest, context: OperationContext): Promise<Value[]>
  insert(ns: Namespace, request: InsertRequest, context: OperationContext): Promise<WriteResult>
  update(ns: Namespace, request: UpdateRequest, context: OperationContext): Promise<UpdateResult>
  delete(ns: Namespace, request: DeleteRequest, context: OperationContext): Promise<WriteResult>
  findAndModify(
    ns: Namespace,
    request: FindAndModifyRequest,
    context: OperationContext
  ): Promise<FindAndModifyResult>
  /** `queryPlanner` and, when asked, `executionStats`; the server adds `serverInfo` and `ok`. */
  explain(
    ns: Namespace,
    request: ExplainRequest,
    verbosity: Verbosity,
    context: OperationContext
  ): Promise<Doc>

  listDatabases(): DatabaseInfo[]
  /** By name; [] for an unknown database. */
  listCollections(db: string): CollectionInfo[]
  /** Index documents as `listIndexes` shows them; NamespaceNotFound (26) for an unknown collection. */
  listIndexes(ns: Namespace): Doc[]
  createCollection(ns: Namespace, options: Doc, context: OperationContext): Promise<void>
  /** False when there was none. */
  dropCollection(
    ns: Namespace,
    context: OperationContext
  ): Promise<{ readonly nIndexesWas: number } | undefined>
  dropDatabase(db: string, context: OperationContext): Promise<void>
  renameCollection(
    from: Namespace,
    to: Namespace,
    options: { readonly dropTarget: boolean },
    context: OperationContext
  ): Promise<void>
  /** The command's own fields, without `collMod` and generic ones; answers the fields of the reply. */
  collMod(ns: Namespace, request: Doc, context: OperationContext): Promise<Doc>
  createIndexes(
    ns: Namespace,
    indexes: readonly Doc[],
    context: OperationContext
  ): Promise<CreateIndexesResult>
  /** `*`, a name, names, or a key pattern. */
  dropIndexes(
    ns: Namespace,
    index: string | readonly string[] | Doc,
    context: OperationContext
  ): Promise<{ readonly nIndexesWas: number; readonly msg?: string }>
  /** Fields of the `collStats` reply, unscaled. */
  collStats(ns: Namespace): Doc
  dbStats(db: string): Doc
  /** Bytes of the data file in use, and how many transactions were ever committed to it. */
  fileUsage(): { readonly bytes: number; readonly commits: number }
  /** Fields of the `validate` reply. */
  validate(ns: Namespace, context: OperationContext): Promise<Doc>

  readonly transactions: Transactions
  /** Moves with each write; the times of change streams are its times. */
  readonly clock: ClusterClock
  changeStream(
    ns: Namespace,
    request: ChangeStreamRequest,
    context: OperationContext
  ): Promise<ChangeStream>

  /**
   * Deletes what TTL indexes say is over, and session records older than 30 minutes. The server
   * calls it every few seconds; a sweep that is still at work is not doubled. Answers the number of
   * deleted documents.
   */
  sweepExpired(now: Date, options?: SweepOptions): Promise<number>
  /** Reads everything: every index entry has its document and the reverse, counts are exact. */
  check(): Promise<CheckReport>
  /** A consistent copy into an empty folder while writes go on. */
  backup(targetDir: string): Promise<void>
  /** Resolves when what was acknowledged is on disk and the files are closed. */
  close(): Promise<void>
}
