// The commands that are at work right now: listed by `currentOp`, ended by `killOp`, sessions and shutdown.
import { Int32 } from 'bson'
import type { Doc } from '../bson/value.ts'
import type { CommandError } from '../errors.ts'
import { commandError } from '../errors.ts'

/** What is known of a command at work. */
export interface OperationFacts {
  readonly name: string
  readonly namespace: string
  readonly client: string
  readonly appName: string | undefined
  readonly connectionId: number
  readonly sessionId: string | undefined
}

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
 * Ends the command at work on a connection. There is one at a time, so a switch serves all of them
 * until it was thrown: an abort controller for each command would cost more than a point read.
 */
export class StopSwitch {
  #controller = new AbortController()

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  throw(reason: CommandError): void {
    this.#controller.abort(reason)
  }

  /** Makes it ready for the next command. */
  reset(): void {
    if (this.#controller.signal.aborted) this.#controller = new AbortController()
  }
}

interface Registration {
  readonly id: number
  readonly startedAt: number
  readonly stop: StopSwitch
  readonly registered: Map<number, RunningOperation>
}

class Operation implements RunningOperation {
  readonly name: string
  readonly namespace: string
  readonly client: string
  readonly appName: string | undefined
  readonly connectionId: number
  readonly sessionId: string | undefined
  readonly id: number
  readonly startedAt: number
  readonly #stop: StopSwitch
  readonly #registered: Map<number, RunningOperation>

  constructor(facts: OperationFacts, { id, startedAt, stop, registered }: Registration) {
    this.name = facts.name
    this.namespace = facts.namespace
    this.client = facts.client
    this.appName = facts.appName
    this.connectionId = facts.connectionId
    this.sessionId = facts.sessionId
    this.id = id
    this.startedAt = startedAt
    this.#stop = stop
    this.#registered = registered
  }

  get signal(): AbortSignal {
    return this.#stop.signal
  }

  kill(reason: CommandError): void {
    this.#stop.throw(reason)
  }

  finish(): void {
    this.#registered.delete(this.id)
    this.#stop.reset()
  }
}

/** All commands at work. */
export class OperationRegistry {
  readonly #running = new Map<number, RunningOperation>()
  #nextId = 1

  start(facts: OperationFacts, startedAt: number, stop: StopSwitch): RunningOperation {
    const id = this.#nextId
    this.#nextId = this.#nextId === 2 ** 31 - 1 ? 1 : this.#nextId + 1
    const operation = new Operation(facts, { id, startedAt, stop, registered: this.#running })
    this.#running.set(id, operation)
    return operation
  }

  get size(): number {
    return this.#running.size
  }

  /** Ends one operation; false when it is not at work. */
  kill(id: number): boolean {
    const operation = this.#running.get(id)
    operation?.kill(commandError('Interrupted', 'operation was interrupted'))
    return operation !== undefined
  }

  /** Ends what sessions have at work: those named, or all. */
  killSessions(sessionIds: ReadonlySet<string> | 'all', except: number): void {
    for (const operation of this.#running.values()) {
      if (operation.sessionId === undefined || operation.id === except) continue
      if (sessionIds !== 'all' && !sessionIds.has(operation.sessionId)) continue
      operation.kill(commandError('Interrupted', 'operation was interrupted'))
    }
  }

  /** Ends everything, because the server stops. */
  killAll(): void {
    for (const operation of this.#running.values()) {
      operation.kill(commandError('InterruptedAtShutdown', 'The server is shutting down'))
    }
  }

  /** As `currentOp` shows them. */
  describe(now: number): Doc[] {
    return [...this.#running.values()].map((operation) => describeOperation(operation, now))
  }
}

function describeOperation(operation: RunningOperation, now: number): Doc {
  const elapsed = now - operation.startedAt
  const doc: Doc = new Map()
  doc.set('type', 'op')
  doc.set('opid', new Int32(operation.id))
  doc.set('active', true)
  doc.set('op', 'command')
  doc.set('ns', operation.namespace)
  doc.set('command', new Map([[operation.name, new Int32(1)]]))
  doc.set('client', operation.client)
  if (operation.appName !== undefined) doc.set('appName', operation.appName)
  doc.set('connectionId', new Int32(operation.connectionId))
  doc.set('currentOpTime', new Date(now).toISOString())
  doc.set('secs_running', new Int32(Math.floor(elapsed / 1000)))
  doc.set('microsecs_running', new Int32(Math.min(elapsed * 1000, 2 ** 31 - 1)))
  return doc
}
