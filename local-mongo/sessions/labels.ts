// Which labels an error carries, so that a driver knows whether it may try again.
import type { ErrorLabel } from '../errors.ts'
import { ERROR_CODES } from '../errors.ts'

const C = ERROR_CODES

const SHUTDOWN: ReadonlySet<number> = new Set([C.ShutdownInProgress, C.InterruptedAtShutdown])
const NOT_PRIMARY: ReadonlySet<number> = new Set([
  C.PrimarySteppedDown,
  C.NotWritablePrimary,
  C.InterruptedDueToReplStateChange,
  C.NotPrimaryNoSecondaryOk,
  C.NotPrimaryOrSecondary
])
const RETRYABLE: ReadonlySet<number> = new Set([
  ...SHUTDOWN,
  ...NOT_PRIMARY,
  C.HostUnreachable,
  C.HostNotFound,
  C.NetworkTimeout,
  C.ReadConcernMajorityNotAvailableYet,
  C.ExceededTimeLimit,
  C.SocketException
])
const TRANSIENT: ReadonlySet<number> = new Set([
  C.WriteConflict,
  C.LockTimeout,
  C.PreparedTransactionInProgress,
  C.SnapshotUnavailable,
  C.SnapshotTooOld
])
const RESUMABLE: ReadonlySet<number> = new Set([...RETRYABLE, C.CursorNotFound, C.CursorKilled])

/** What is known of a failed command when its labels are decided. */
export interface FailedCommand {
  /** Absent when only the write concern failed. */
  readonly code?: number
  readonly writeConcernCode?: number
  /** `statement` of a multi-document transaction, or the command that ends one. */
  readonly transaction: 'none' | 'statement' | 'end'
  /** Carries a transaction number outside a transaction. */
  readonly isRetryableWrite: boolean
  readonly isChangeStream: boolean
}

/** The labels of a failed command, as MongoDB decides them. */
export function labelsOf(failed: FailedCommand): ErrorLabel[] {
  const labels: ErrorLabel[] = []
  if (isTransient(failed)) labels.push('TransientTransactionError')
  if (isRetryableWrite(failed)) labels.push('RetryableWriteError')
  if (failed.isChangeStream && failed.code !== undefined && RESUMABLE.has(failed.code)) {
    labels.push('ResumableChangeStreamError')
  }
  return labels
}

function isTransient({ code, writeConcernCode, transaction }: FailedCommand): boolean {
  if (transaction === 'none' || code === undefined) return false
  if (TRANSIENT.has(code)) return true
  if (transaction === 'end') {
    return code === C.NoSuchTransaction && writeConcernCode === undefined
  }
  return code === C.NoSuchTransaction || NOT_PRIMARY.has(code) || SHUTDOWN.has(code)
}

function isRetryableWrite(failed: FailedCommand): boolean {
  if (!failed.isRetryableWrite && failed.transaction !== 'end') return false
  const { code, writeConcernCode } = failed
  if (code !== undefined) return RETRYABLE.has(code)
  return writeConcernCode !== undefined && RETRYABLE.has(writeConcernCode)
}
