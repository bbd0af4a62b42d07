// The commands that are at work right now: listed by `currentOp`, ended by `killOp`, sessions and shutdown.
import type { Doc } from '../bson/value.ts'
import type { CommandError } from '../errors.ts'
import { commandError } from '../errors.ts'

/** What is known of a command at work. */
export interface OperationFacts {
  readonly name: string
  readonly body: Doc
  readonly namespace: string
  readonly client: string
  readonly appName: string | undefined
  readonly connectionId: number
  readonly sessionId: string | undefined
}

/** A connection that waits for its next command. */
export type IdleConnection = Pick<OperationFacts, 'client' | 'appName' | 'connectionId'>

/** A command at work; `finish` takes it off the list. */
export interface RunningOperation extends OperationFacts {
  readonly id: number
  readonly startedAt: number
  readonly signal: AbortSignal
  /** Ends it with an error at its next chance. */
  kill(reason: CommandError): void
  finish(): void
}

/**
 * The place of a connection's command at work. There is one at a time, so place and abort controller
 * serve all of them: made anew for each command they would cost more than a point read.
 */
export class OperationSlot {
  #controller = new AbortController()
  #operation: Operation | undefined
  #last: IdleConnection | undefined
  #leave: (() => void) | undefined

  get operation(): RunningOperation | undefined {
    return this.#operation
  }

  /** The connection while it has no command at work. */
  get idle(): IdleConnection | undefined {
    return this.#operation === undefined ? this.#last : undefined
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Takes the slot into use; the first time it is put on the list that `leave` takes it off. */
  take(operation: Operation, enlist: () => () => void): void {
    this.#leave ??= enlist()
    const { client, appName, connectionId } = operation
    // The name comes with the first command, after which it is known.
    if (!this.#last || this.#last.appName !== appName)
      this.#last = { client, appName, connectionId }
    this.#operation = operation
  }

  kill(reason: CommandError): void {
    this.#controller.abort(reason)
  }

  /** Makes it ready for the next command. */
  clear(): void {
    this.#operation = undefined
    if (this.#controller.signal.aborted) this.#controller = new AbortController()
  }

  /** The connection is gone. */
  close(): void {
    this.#leave?.()
  }
}

class Operation implements RunningOperation {
  readonly name: string
  readonly body: Doc
  readonly namespace: string
  readonly client: string
  readonly appName: string | undefined
  readonly connectionId: number
  readonly sessionId: string | undefined
  readonly id: number
  readonly startedAt: number
  readonly #slot: OperationSlot

  constructor(facts: OperationFacts, id: number, startedAt: number, slot: OperationSlot) {
    this.name = facts.name
    this.body = facts.body
    this.namespace = facts.namespace
    this.client = facts.client
    this.appName = facts.appName
    this.connectionId = facts.connectionId
    this.sessionId = facts.sessionId
    this.id = id
    this.startedAt = startedAt
    this.#slot = slot
  }

  get signal(): AbortSignal {
    return this.#slot.signal
  }

  kill(reason: CommandError): void {
    this.#slot.kill(reason)
  }

  finish(): void {
    this.#slot.clear()
  }
}

/** All commands at work, by the slots of the connections. */
export class OperationRegistry {
  readonly #slots = new Set<OperationSlot>()
  #nextId = 1

  start(facts: OperationFacts, startedAt: number, slot: OperationSlot): RunningOperation {
    const id = this.#nextId
    this.#nextId = this.#nextId === 2 ** 31 - 1 ? 1 : this.#nextId + 1
    const operation = new Operation(facts, id, startedAt, slot)
    slot.take(operation, () => {
      this.#slots.add(slot)
      return () => this.#slots.delete(slot)
    })
    return operation
  }

  /** Ends one operation; false when it is not at work. */
  kill(id: number): boolean {
    const operation = this.running().find((running) => running.id === id)
    operation?.kill(commandError('Interrupted', 'operation was interrupted'))
    return operation !== undefined
  }

  /** Ends what sessions have at work: those named, or all. */
  killSessions(sessionIds: ReadonlySet<string> | 'all', except: number): void {
    for (const operation of this.running()) {
      if (operation.sessionId === undefined || operation.id === except) continue
      if (sessionIds !== 'all' && !sessionIds.has(operation.sessionId)) continue
      operation.kill(commandError('Interrupted', 'operation was interrupted'))
    }
  }

  /** Ends everything, because the server stops. */
  killAll(): void {
    for (const operation of this.running()) {
      operation.kill(commandError('InterruptedAtShutdown', 'The server is shutting down'))
    }
  }

  running(): RunningOperation[] {
    return [...this.#slots].flatMap(({ operation }) => operation ?? [])
  }

  /** Connections that have sent a command and have none at work. */
  idleConnections(): IdleConnection[] {
    return [...this.#slots].flatMap(({ idle }) => idle ?? [])
  }
}
