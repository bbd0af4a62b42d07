// The one table of MongoDB's error codes, and the error that carries one of them to the client.
import type { Doc } from './bson/value.ts'

/** MongoDB's code names and numbers. Codes without a name are written `Location40415`. */
export const ERROR_CODES = {
  InternalError: 1,
  BadValue: 2,
  NoSuchKey: 4,
  GraphContainsCycle: 5,
  HostUnreachable: 6,
  HostNotFound: 7,
  UnknownError: 8,
  FailedToParse: 9,
  UnsupportedFormat: 12,
  Unauthorized: 13,
  TypeMismatch: 14,
  Overflow: 15,
  InvalidLength: 16,
  ProtocolError: 17,
  AuthenticationFailed: 18,
  IllegalOperation: 20,
  EmptyArrayOperation: 21,
  InvalidBSON: 22,
  LockTimeout: 24,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  NonExistentPath: 29,
  InvalidPath: 30,
  ConflictingUpdateOperators: 40,
  CursorNotFound: 43,
  NamespaceExists: 48,
  MaxTimeMSExpired: 50,
  DollarPrefixedFieldName: 52,
  InvalidIdField: 53,
  NotSingleValueField: 54,
  EmptyFieldName: 56,
  DottedFieldName: 57,
  CommandNotFound: 59,
  WriteConcernFailed: 64,
  ImmutableField: 66,
  CannotCreateIndex: 67,
  IndexAlreadyExists: 68,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  UnknownReplWriteConcern: 79,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  AmbiguousIndexKeyPattern: 181,
  NetworkTimeout: 89,
  ShutdownInProgress: 91,
  OperationFailed: 96,
  UnsatisfiableWriteConcern: 100,
  WriteConflict: 112,
  CommandNotSupported: 115,
  ConflictingOperationInProgress: 117,
  DocumentValidationFailure: 121,
  ReadConcernMajorityNotAvailableYet: 134,
  CappedPositionLost: 136,
  JSInterpreterFailure: 139,
  ExceededMemoryLimit: 146,
  CommandNotSupportedOnView: 166,
  OptionNotSupportedOnView: 167,
  InvalidPipelineOperator: 168,
  CannotIndexParallelArrays: 171,
  QueryPlanKilled: 175,
  InvalidViewDefinition: 182,
  PrimarySteppedDown: 189,
  InvalidIndexSpecificationOption: 197,
  NoSuchSession: 206,
  InvalidUUID: 207,
  ClusterTimeFailsRateLimiter: 209,
  IncompleteTransactionHistory: 217,
  QueryFeatureNotAllowed: 224,
  TransactionTooOld: 225,
  AtomicityFailure: 226,
  CursorKilled: 237,
  NotImplemented: 238,
  SnapshotTooOld: 239,
  ConversionFailure: 241,
  SnapshotUnavailable: 246,
  NoSuchTransaction: 251,
  TransactionCommitted: 256,
  TransactionTooLarge: 257,
  InvalidResumeToken: 260,
  TooManyLogicalSessions: 261,
  ExceededTimeLimit: 262,
  OperationNotSupportedInTransaction: 263,
  TooManyFilesOpen: 264,
  PreparedTransactionInProgress: 267,
  ChangeStreamFatalError: 280,
  ChangeStreamHistoryLost: 286,
  TransactionExceededLifetimeLimitSeconds: 290,
  NoQueryExecutionPlans: 291,
  QueryExceededMemoryLimitNoDiskUseAllowed: 292,
  APIVersionError: 322,
  APIStrictError: 323,
  UnsupportedOpQueryCommand: 352,
  TemporarilyUnavailable: 365,
  SocketException: 9_001,
  NotWritablePrimary: 10_107,
  BSONObjectTooLarge: 10_334,
  DuplicateKey: 11_000,
  InterruptedAtShutdown: 11_600,
  Interrupted: 11_601,
  InterruptedDueToReplStateChange: 11_602,
  CursorInUse: 12_051,
  BackgroundOperationInProgressForDatabase: 12_586,
  BackgroundOperationInProgressForNamespace: 12_587,
  DatabaseDifferCase: 13_297,
  NotPrimaryNoSecondaryOk: 13_435,
  NotPrimaryOrSecondary: 13_436,
  OutOfDiskSpace: 14_031,
  IDLFailedToParse: 40_414,
  IDLUnknownField: 40_415
} as const

/** One of MongoDB's code names, or `Location<number>` for a code that has none. */
export type CodeName = keyof typeof ERROR_CODES | `Location${number}`

/** Labels by which a driver decides whether it may try again. */
export type ErrorLabel =
  | 'TransientTransactionError'
  | 'UnknownTransactionCommitResult'
  | 'RetryableWriteError'
  | 'ResumableChangeStreamError'
  | 'NonResumableChangeStreamError'

/** What an error may carry beside its code and message. */
export interface CommandErrorDetails {
  readonly labels?: readonly ErrorLabel[]
  /** Further fields of the error document, such as `keyPattern` and `keyValue` of a duplicate key. */
  readonly extra?: Doc
  readonly cause?: unknown
}

/** A failure that the client receives: `{ ok: 0, code, codeName, errmsg }` or a write error. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly code: number
  readonly codeName: string
  readonly labels: readonly ErrorLabel[]
  readonly extra: Doc | undefined

  constructor(
    code: number,
    codeName: string,
    message: string,
    { labels = [], extra, cause }: CommandErrorDetails = {}
  ) {
    super(message, cause === undefined ? {} : { cause })
    this.code = code
    this.codeName = codeName
    this.labels = labels
    this.extra = extra
  }
}

/** Makes the error with one of MongoDB's codes. */
export function commandError(
  codeName: CodeName,
  message: string,
  details: CommandErrorDetails = {}
): CommandError {
  return new CommandError(codeNumber(codeName), codeName, message, details)
}

/** Makes the error with a code that is known by its number alone, as from a failpoint. */
export function commandErrorByNumber(
  code: number,
  message: string,
  details: CommandErrorDetails = {}
): CommandError {
  return new CommandError(code, codeNameOf(code), message, details)
}

/** The name of a code; `Location<number>` when it has none. */
export function codeNameOf(code: number): string {
  return NAMES.get(code) ?? `Location${code}`
}

function codeNumber(codeName: CodeName): number {
  if (codeName in ERROR_CODES) return ERROR_CODES[codeName as keyof typeof ERROR_CODES]
  return Number(codeName.slice('Location'.length))
}

const NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(ERROR_CODES).map(([name, code]) => [code, name])
)

/** The error of a unique index that holds the key already. */
export function duplicateKeyError(
  message: string,
  { keyPattern, keyValue }: { readonly keyPattern: Doc; readonly keyValue: Doc }
): CommandError {
  const extra: Doc = new Map([
    ['keyPattern', keyPattern],
    ['keyValue', keyValue]
  ])
  return commandError('DuplicateKey', message, { extra })
}
