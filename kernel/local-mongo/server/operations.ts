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

/** All commands at work. */
export class OperationRegistry {
  readonly #running = new Map<number, RunningOperation>()
  #nextId = 1

  start(facts: OperationFacts, startedAt: number): RunningOperation {
    const id = this.#nextId
    this.#nextId = this.#nextId === 2 ** 31 - 1 ? 1 : this.#nextId + 1
    const controller = new AbortController()
    const operation: RunningOperation = {
      ...facts,
      id,
      startedAt,
      signal: controller.signal,
      kill: (reason) => controller.abort(reason),
      finish: () => this.#running.delete(id)
    }
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
