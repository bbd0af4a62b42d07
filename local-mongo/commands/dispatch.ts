// Runs one command from its bytes to its answer: arguments, failpoints, session, the command itself, errors.
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { Timestamp } from 'bson'
import { decodeDoc } from '../bson/decode.ts'
import type { Doc } from '../bson/value.ts'
import type { OperationContext } from '../engine.ts'
import { commandError } from '../errors.ts'
import type { ClusterClock } from '../sessions/cluster-clock.ts'
import type { Entered } from '../sessions/enter.ts'
import { enterSession } from '../sessions/enter.ts'
import { splitBody } from '../wire/body.ts'
import { MAX_INTERNAL_OBJECT_SIZE } from '../wire/limits.ts'
import type { CommandMessage } from '../wire/message.ts'
import { refusalWithoutLogin } from './authentication.ts'
import type { Call, Client, Command, Services } from './command.ts'
import type { GenericArguments } from './generic-arguments.ts'
import { readGenericArguments } from './generic-arguments.ts'
import { checkDatabaseName } from './namespace.ts'
import type { RunningOperation } from './operations.ts'
import type { Attempt, Concluded, Outcome } from './outcome.ts'
import { endBrokenTransaction, failed, succeeded } from './outcome.ts'
import { ReplyEncoder } from './replies.ts'

/** Runs the commands of a server. */
export interface Dispatcher {
  run(message: CommandMessage, client: Client): Promise<Outcome>
  /** Whether the command at work ends when its client goes away. */
  readonly table: ReadonlyMap<string, Command>
}

/** Makes the dispatcher of a table of commands. */
export function createDispatcher(commands: readonly Command[], services: Services): Dispatcher {
  const table = new Map<string, Command>()
  for (const command of commands) {
    for (const name of [command.name, ...(command.aliases ?? [])]) table.set(name, command)
  }
  const replies = new ReplyEncoder(services.clock)
  return {
    table,
    async run(message, client) {
      const attempt: Attempt = {
        name: '',
        command: undefined,
        generic: undefined,
        entered: { kind: 'plain' },
        failure: undefined,
        hasStarted: false,
        isChangeStream: false
      }
      try {
        return await runCommand({ message, client, table, services, attempt, replies })
      } catch (error) {
        return failed(error, { attempt, services, client, replies })
      }
    }
  }
}

/** Reading a longer body takes so long that others have their turn before the command is run. */
const LONG_BODY_BYTES = 128 * 1024

interface Work extends Concluded {
  readonly message: CommandMessage
  readonly table: ReadonlyMap<string, Command>
}

/** Takes over the time that a client has seen; refuses one that no server can have given. */
function followClusterTime(seen: Timestamp, clock: ClusterClock): void {
  if (clock.isTooFarAhead(seen)) {
    throw commandError(
      'ClusterTimeFailsRateLimiter',
      `New cluster time, ${seen.getHighBitsUnsigned()}, is too far from this node's wall clock time`
    )
  }
  clock.advanceTo(seen)
}

async function runCommand(work: Work): Promise<Outcome> {
  const { message, client, services, attempt } = work
  const { body, sequences, command } = readBody(work)
  const generic = readGenericArguments(body)
  attempt.generic = generic
  if (generic.clusterTime) followClusterTime(generic.clusterTime, services.clock)
  const db = readDatabase(body, command)
  refuseByApi(command, generic)
  const refusal = refusalWithoutLogin(command, client, services)
  if (refusal) throw refusal

  attempt.failure = services.failPoints?.strike({
    command: attempt.name,
    appName: client.appName
  })
  const { failure } = attempt
  if (failure) {
    if (failure.blockMs > 0) await delay(failure.blockMs)
    if (failure.closeConnection) return { kind: 'close' }
    if (failure.error) throw failure.error
  }

  const running = services.operations.start(
    {
      name: attempt.name,
      body,
      namespace: `${db}.${spellTarget(body, attempt.name)}`,
      client: client.name,
      appName: client.appName,
      connectionId: client.connectionId,
      sessionId: generic.sessionId
    },
    services.now(),
    client.slot
  )
  if (command.endsWithClient && !message.moreToCome) {
    client.endsWithConnection = true
    if (client.isGone) endForGoneClient(client)
  }
  try {
    attempt.entered = enter(work, command, db, generic)
    const call = makeCall(work, { body, sequences, command, generic, db, running })
    if (message.body.length > LONG_BODY_BYTES) await nextTurn()
    attempt.hasStarted = true
    const answer = await command.run(call)
    return succeeded(answer, work)
  } catch (error) {
    endBrokenTransaction(attempt.entered, services)
    throw error
  } finally {
    running.finish()
    client.endsWithConnection = false
  }
}

/** Ends operations whose client is gone. */
export function endForGoneClient(client: Client): void {
  if (client.endsWithConnection) {
    client.slot.kill(commandError('Interrupted', 'The client has gone away'))
  }
}

interface ReadBody {
  readonly body: Doc
  readonly sequences: ReadonlyMap<string, readonly Uint8Array[]>
  readonly command: Command
}

function readBody({ message, table, attempt }: Work): ReadBody {
  if (message.body.length > MAX_INTERNAL_OBJECT_SIZE) {
    throw commandError(
      'BSONObjectTooLarge',
      `BSONObj size: ${message.body.length} is invalid. Size must be between 0 and ` +
        `${MAX_INTERNAL_OBJECT_SIZE}`
    )
  }
  let bytes = message.body
  let sequences = message.sequences
  attempt.name = firstName(bytes)
  const command = table.get(attempt.name)
  attempt.command = command
  const rawArray = command?.rawArray
  if (rawArray !== undefined && !sequences.has(rawArray)) {
    const split = splitBody(bytes, rawArray)
    if (split) {
      bytes = split.body
      sequences = new Map([...sequences, [rawArray, split.documents]])
    }
  }
  const body = decodeDoc(bytes)
  if (!command) {
    throw commandError('CommandNotFound', `no such command: '${attempt.name}'`)
  }
  for (const name of sequences.keys()) {
    if (body.has(name)) {
      throw commandError('Location40433', `Duplicate document sequence field ${name}`)
    }
  }
  return { body, sequences, command }
}

/** The name of a document's first field, read without trust in the rest. */
function firstName(bytes: Uint8Array): string {
  const end = bytes.indexOf(0, 5)
  return end < 0 ? '' : Buffer.from(bytes.subarray(5, end)).toString('utf8')
}

function readDatabase(body: Doc, command: Command): string {
  const db = body.get('$db')
  if (typeof db !== 'string') {
    throw commandError('Location40571', 'OP_MSG requests require a $db argument')
  }
  checkDatabaseName(db)
  if (command.adminOnly && db !== 'admin') {
    throw commandError(
      'Unauthorized',
      `${command.name} may only be run against the admin database.`
    )
  }
  return db
}

function refuseByApi(command: Command, generic: GenericArguments): void {
  if (generic.apiStrict && !command.isStable) {
    throw commandError(
      'APIStrictError',
      `Provided apiStrict:true, but the command ${command.name} is not in API Version 1.`
    )
  }
}

function spellTarget(body: Doc, name: string): string {
  const target = body.get(name)
  return typeof target === 'string' ? target : '$cmd'
}

function enter(
  { services }: Work,
  command: Command,
  db: string,
  generic: GenericArguments
): Entered {
  if (command.isSessionless) return { kind: 'plain' }
  const now = services.now()
  if (generic.sessionId !== undefined) services.sessions.touch(generic.sessionId, now)
  return enterSession(
    {
      command,
      db,
      sessionId: generic.sessionId,
      txnNumber: generic.txnNumber,
      startTransaction: generic.startTransaction,
      autocommit: generic.autocommit,
      statementIds: generic.statementIds,
      hasReadConcern: generic.readConcern !== undefined,
      hasWriteConcern: generic.writeConcern !== undefined,
      now: new Date(now)
    },
    services.engine
  )
}

interface CallParts extends ReadBody {
  readonly generic: GenericArguments
  readonly db: string
  readonly running: RunningOperation
}

function makeCall({ services, client, attempt }: Work, parts: CallParts): Call {
  const { command, generic, running } = parts
  const { entered } = attempt
  const now = services.now()
  const deadline = generic.maxTimeMs === undefined ? undefined : now + generic.maxTimeMs
  const snapshot = takeSnapshot(services, command, generic, entered)
  const transaction = entered.kind === 'statement' ? entered.transaction : snapshot?.transaction
  const context: OperationContext = {
    now: new Date(now),
    signal: running.signal,
    durability: generic.writeConcern?.durability ?? 'flushed',
    ...(deadline !== undefined && { deadlineMs: deadline }),
    ...(transaction && { transaction }),
    ...(entered.kind === 'retryable' && { retry: entered.retry })
  }
  return {
    name: attempt.name,
    db: parts.db,
    body: parts.body,
    sequences: parts.sequences,
    generic,
    services,
    client,
    running,
    context,
    entered,
    snapshotTime: snapshot?.at,
    noteChangeStream: () => {
      attempt.isChangeStream = true
    }
  }
}

function takeSnapshot(
  services: Services,
  command: Command,
  { readConcern }: GenericArguments,
  entered: Entered
): ReturnType<Services['snapshots']['take']> | undefined {
  if (readConcern?.level !== 'snapshot' || entered.kind === 'statement') return undefined
  if (command.ignoresReadConcern) return undefined
  if (!command.readsSnapshot) {
    throw commandError(
      'InvalidOptions',
      `${command.name} does not support read concern level snapshot outside a transaction`
    )
  }
  return services.snapshots.take(readConcern.atClusterTime, services.now())
}
