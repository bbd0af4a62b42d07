// How a command enters its session: as a statement of a transaction, as a retryable write, or neither.
import type { Engine, RetryableWrite, Transaction } from '../engine.ts'
import { commandError } from '../errors.ts'

/** What decides how a command enters. */
export interface Entry {
  readonly command: {
    readonly name: string
    readonly inTransaction?: true
    readonly isRetryable?: true
    /** Ends a transaction: commit or abort. */
    readonly endsTransaction?: true
  }
  readonly db: string
  readonly sessionId: string | undefined
  readonly txnNumber: bigint | undefined
  readonly startTransaction: boolean
  readonly autocommit: boolean | undefined
  readonly statementIds: readonly number[] | undefined
  readonly hasReadConcern: boolean
  readonly hasWriteConcern: boolean
  readonly now: Date
}

/** How a command runs in its session. */
export type Entered =
  | { readonly kind: 'plain' }
  | { readonly kind: 'retryable'; readonly retry: RetryableWrite }
  | { readonly kind: 'statement'; readonly transaction: Transaction }
  | { readonly kind: 'end'; readonly sessionId: string; readonly txnNumber: bigint }

const invalid = (message: string): Error => commandError('InvalidOptions', message)

/** Lets a command into its session, or refuses it with MongoDB's error. */
export function enterSession(entry: Entry, engine: Pick<Engine, 'transactions'>): Entered {
  const { command, sessionId, txnNumber, autocommit } = entry
  if (autocommit === undefined) {
    if (entry.startTransaction)
      throw invalid("'startTransaction' field requires 'autocommit' field")
    if (command.endsTransaction) {
      throw commandError('Location125', `${command.name} must be run within a transaction`)
    }
    if (txnNumber === undefined || sessionId === undefined) return { kind: 'plain' }
    return enterRetryable(entry, sessionId, txnNumber)
  }
  if (autocommit) throw invalid('Specifying autocommit=true is not allowed.')
  if (txnNumber === undefined || sessionId === undefined) {
    throw invalid("'autocommit' field requires a transaction number to also be specified")
  }
  if (command.endsTransaction) return { kind: 'end', sessionId, txnNumber }
  return enterTransaction(entry, { sessionId, txnNumber }, engine)
}

function enterRetryable(entry: Entry, sessionId: string, txnNumber: bigint): Entered {
  if (!entry.command.isRetryable) {
    throw commandError(
      'Location50768',
      'txnNumber may only be provided for multi-document transactions and retryable write ' +
        `commands. autocommit:false was not provided, and ${entry.command.name} is not a ` +
        'retryable write command.'
    )
  }
  const { statementIds } = entry
  return {
    kind: 'retryable',
    retry: { sessionId, txnNumber, ...(statementIds && { statementIds }) }
  }
}

const FORBIDDEN_DATABASES: ReadonlySet<string> = new Set(['admin', 'config', 'local'])

/** Commands on `admin` that are part of a transaction: a bulkWrite, and reading or ending its answers. */
const ON_ADMIN: ReadonlySet<string> = new Set(['bulkWrite', 'getMore', 'killCursors'])

function enterTransaction(
  entry: Entry,
  id: { readonly sessionId: string; readonly txnNumber: bigint },
  engine: Pick<Engine, 'transactions'>
): Entered {
  const { command, db } = entry
  if (!command.inTransaction) {
    throw commandError(
      'OperationNotSupportedInTransaction',
      `Cannot run '${command.name}' in a multi-document transaction.`
    )
  }
  if (FORBIDDEN_DATABASES.has(db) && !ON_ADMIN.has(command.name)) {
    throw commandError(
      'OperationNotSupportedInTransaction',
      `Cannot run command against the '${db}' database in a transaction.`
    )
  }
  if (entry.hasWriteConcern) {
    throw invalid('writeConcern is not allowed within a multi-statement transaction')
  }
  if (entry.startTransaction) {
    return { kind: 'statement', transaction: engine.transactions.begin(id, { now: entry.now }) }
  }
  if (entry.hasReadConcern) {
    throw invalid('Only the first command in a transaction may specify a readConcern')
  }
  return { kind: 'statement', transaction: engine.transactions.resume(id) }
}
