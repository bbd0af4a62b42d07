// What a command is, what it is given, and what it answers.
import type { Timestamp } from 'bson'
import type { Doc, Value } from '../bson/value.ts'
import type { CursorRegistry } from '../cursors/cursor-registry.ts'
import type { Engine, OperationContext } from '../engine.ts'
import type { ClusterClock } from '../sessions/cluster-clock.ts'
import type { Entered } from '../sessions/enter.ts'
import type { Challenge, Credentials } from '../sessions/scram.ts'
import type { SessionRegistry } from '../sessions/session-registry.ts'
import type { SnapshotRegistry } from '../sessions/snapshots.ts'
import type { CursorBatch } from '../wire/message.ts'
import type { FailPoints } from './fail-points.ts'
import type { GenericArguments } from './generic-arguments.ts'
import type { Log } from './log.ts'
import type { OperationRegistry, OperationSlot, RunningOperation } from './operations.ts'

/** The facts that `hello` and its kin announce. */
export interface ServerFacts {
  /** `127.0.0.1:27017`, or the path of the socket. */
  readonly address: string
  readonly setName: string
  readonly startedAt: Date
}

/** How many connections there are, for `serverStatus`. */
export interface ConnectionCounts {
  readonly current: number
  readonly available: number
  readonly totalCreated: number
}

/** The hosts of a server that they share. */
export interface SharedHosts {
  /** A host uses the server until it lets go or its connection ends. */
  hold(host: Pick<Client, 'isGone'>): void
  /** A host lets go; answers how many others stay connected. */
  release(host: Pick<Client, 'isGone'>): Promise<number>
}

/** What `setParameter` changes. */
export interface Parameters {
  /** Whether documents are deleted when their TTL index says so. */
  ttlMonitorEnabled: boolean
}

/** What all commands share. */
export interface Services {
  readonly engine: Engine
  readonly cursors: CursorRegistry
  readonly sessions: SessionRegistry
  readonly snapshots: SnapshotRegistry
  readonly operations: OperationRegistry
  readonly clock: ClusterClock
  /** Set when clients must know a password. */
  readonly credentials: Credentials | undefined
  /** Only under the start flag for tests. */
  readonly failPoints: FailPoints | undefined
  readonly facts: ServerFacts
  readonly parameters: Parameters
  /** Set when hosts share the server: it ends when the last has let go. */
  readonly hosts: SharedHosts | undefined
  readonly connections: () => ConnectionCounts
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly log: Log
}

/** How far a client has come with its password. */
export type Login =
  | { readonly kind: 'none' }
  | { readonly kind: 'challenged'; readonly challenge: Challenge }
  | { readonly kind: 'done' }

/** The connection that a command came by. */
export interface Client {
  readonly connectionId: number
  /** Its address as the log names it. */
  readonly name: string
  /** What it called itself in the handshake. */
  appName: string | undefined
  /** Came over the folder's own socket, which its owner alone may open. */
  readonly isOwner: boolean
  /** How far it has come with its password, where one is asked for. */
  login: Login
  /** Where its command at work is listed, and ended. */
  readonly slot: OperationSlot
  /** True once the connection is gone. */
  isGone: boolean
  /** Whether the command at work is of no use to anybody when the connection goes. */
  endsWithConnection: boolean
}

/** One command to run. */
export interface Call {
  /** As the client spelled it. */
  readonly name: string
  readonly db: string
  readonly body: Doc
  /** Arrays of documents that came as bytes. */
  readonly sequences: ReadonlyMap<string, readonly Uint8Array[]>
  readonly generic: GenericArguments
  readonly services: Services
  readonly client: Client
  readonly running: RunningOperation
  /** Passed to the engine as it is. */
  readonly context: OperationContext
  readonly entered: Entered
  /** The time of the snapshot that is read outside a transaction. */
  readonly snapshotTime: Timestamp | undefined
  /** Tells that errors are those of a change stream. */
  noteChangeStream(): void
}

/** What a command answers: fields, and a batch of documents before them. `ok: 1` is added. */
export interface Answer {
  readonly fields: Doc
  readonly batch?: CursorBatch
}

/** A command of the server. */
export interface Command {
  readonly name: string
  /** Other spellings. */
  readonly aliases?: readonly string[]
  readonly adminOnly?: true
  /** May run inside a multi-document transaction. */
  readonly inTransaction?: true
  /** May carry a transaction number outside a transaction. */
  readonly isRetryable?: true
  /** Takes a write concern. */
  readonly isWrite?: true
  /** Ends when its client goes away. */
  readonly endsWithClient?: true
  /** Commits or aborts a transaction. */
  readonly endsTransaction?: true
  /** May read at a snapshot outside a transaction. */
  readonly readsSnapshot?: true
  /** Goes on with an open cursor: the read concern that drivers send along has no effect. */
  readonly ignoresReadConcern?: true
  /** Works without a session even when the client names one, as the handshake does. */
  readonly isSessionless?: true
  /** May be run by a client that has not logged in. */
  readonly needsNoLogin?: true
  /** Belongs to the stable API, version 1. */
  readonly isStable?: true
  /** A body array that is handed over as bytes. */
  readonly rawArray?: string
  run(call: Call): Promise<Answer>
}

/** An answer of plain fields. */
export function answer(...fields: readonly (readonly [string, Value])[]): Answer {
  return { fields: new Map(fields) }
}
