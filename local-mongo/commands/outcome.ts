// What becomes of a command: its reply, the labels of its failure, and the end of a broken transaction.
import { CommandError, commandError } from '../errors.ts'
import type { Entered } from '../sessions/enter.ts'
import { labelsOf } from '../sessions/labels.ts'
import type { CursorBatch } from '../wire/message.ts'
import type { Answer, Client, Command, Services } from './command.ts'
import type { Failure } from './fail-points.ts'
import type { GenericArguments, WriteConcernError } from './generic-arguments.ts'
import type { ReplyEncoder } from './replies.ts'
import { addWriteConcernError } from './replies.ts'

/** What goes back to the client, or that its connection must end. */
export type Outcome =
  | { readonly kind: 'reply'; readonly fields: Uint8Array; readonly batch?: CursorBatch }
  | { readonly kind: 'close' }

/** A command while it is read: what is known of it grows. */
export interface Attempt {
  name: string
  command: Command | undefined
  generic: GenericArguments | undefined
  entered: Entered
  failure: Failure | undefined
  /** True once the command itself runs: what it was refused before leaves no write to wait for. */
  hasStarted: boolean
  isChangeStream: boolean
}

/** What a command's outcome is made from. */
export interface Concluded {
  readonly client: Client
  readonly services: Services
  readonly attempt: Attempt
  readonly replies: ReplyEncoder
}

/** The outcome of a command that has run. */
export function succeeded(answer: Answer, { attempt, services, replies }: Concluded): Outcome {
  const { fields } = answer
  if (attempt.entered.kind === 'statement' && fields.has('writeErrors')) {
    endBrokenTransaction(attempt.entered, services)
  }
  const failure = writeConcernErrorOf(attempt)
  if (failure) {
    const labels = attempt.failure?.labels ?? labelsFor(attempt, undefined, failure.code)
    addWriteConcernError(fields, failure, labels)
  }
  const encoded = replies.success(fields)
  return { kind: 'reply', fields: encoded, ...(answer.batch && { batch: answer.batch }) }
}

/** MongoDB waits for the write concern of a write, whether the write succeeded or not. */
function writeConcernErrorOf({
  command,
  failure,
  generic,
  hasStarted
}: Attempt): WriteConcernError | undefined {
  if (failure?.writeConcernError) return failure.writeConcernError
  return hasStarted && command?.isWrite ? generic?.writeConcern?.unsatisfiable : undefined
}

/** A statement that failed ends its transaction, as MongoDB does. */
export function endBrokenTransaction(entered: Entered, { engine, cursors }: Services): void {
  if (entered.kind !== 'statement' || entered.transaction.state !== 'running') return
  const { id } = entered.transaction
  cursors.killTransaction(id.sessionId, id.txnNumber)
  engine.transactions.abort(id)
}

/** The outcome of a command that was refused or broke. */
export function failed(error: unknown, { attempt, services, client, replies }: Concluded): Outcome {
  const known = asCommandError(error)
  const isOurs = known.codeName === 'InternalError'
  services.log({
    level: isOurs ? 'error' : 'info',
    message: isOurs ? 'a command broke' : 'a command was refused',
    client: client.name,
    command: attempt.name,
    code: known.code,
    reason: known.message,
    ...(isOurs && { stack: error instanceof Error ? error.stack : String(error) })
  })
  const failure = writeConcernErrorOf(attempt)
  const labels =
    attempt.failure?.labels ??
    new Set([...known.labels, ...labelsFor(attempt, known.code, failure?.code)])
  return { kind: 'reply', fields: replies.failure(known, [...labels], failure) }
}

/** Whatever was thrown, as an error with one of MongoDB's codes. */
function asCommandError(error: unknown): CommandError {
  if (error instanceof CommandError) return error
  const systemCode = error instanceof Error && 'code' in error ? error.code : undefined
  if (systemCode === 'ENOSPC') {
    return commandError('OutOfDiskSpace', 'The disk is full', { cause: error })
  }
  return commandError('InternalError', 'The engine failed; its log says why', { cause: error })
}

function labelsFor(
  { entered, generic, command, isChangeStream }: Attempt,
  code: number | undefined,
  writeConcernCode: number | undefined
): ReturnType<typeof labelsOf> {
  const inTransaction = generic?.autocommit === false
  return labelsOf({
    ...(code !== undefined && { code }),
    ...(writeConcernCode !== undefined && { writeConcernCode }),
    transaction: inTransaction ? (command?.endsTransaction ? 'end' : 'statement') : 'none',
    isRetryableWrite:
      !inTransaction && generic?.txnNumber !== undefined && command?.isRetryable === true,
    isChangeStream: isChangeStream && entered.kind === 'plain'
  })
}
