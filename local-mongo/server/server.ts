// The server: listens, keeps its connections within bounds, runs the housekeeping, and stops in order.
import { randomBytes } from 'node:crypto'
import { chmod } from 'node:fs/promises'
import type { AddressInfo, Server as Listener, Socket } from 'node:net'
import { createServer } from 'node:net'
import { SET_NAME } from '../commands/build-info.ts'
import type { Services } from '../commands/command.ts'
import type { Dispatcher } from '../commands/dispatch.ts'
import { createDispatcher } from '../commands/dispatch.ts'
import { FailPoints } from '../commands/fail-points.ts'
import type { Log } from '../commands/log.ts'
import { OperationRegistry } from '../commands/operations.ts'
import { endSessions } from '../commands/sessions.ts'
import { COMMANDS } from '../commands/table.ts'
import { CursorRegistry } from '../cursors/cursor-registry.ts'
import type { Engine } from '../engine.ts'
import { makeCredentials } from '../sessions/scram.ts'
import { SessionRegistry } from '../sessions/session-registry.ts'
import { SnapshotRegistry } from '../sessions/snapshots.ts'
import type { Connection, ConnectionServices } from './connection.ts'
import { serveConnection } from './connection.ts'
import { startHousekeeping } from './housekeeping.ts'

/** Most connections at a time; further ones are closed at once. */
export const MAX_CONNECTIONS = 2_000
/** Bytes of unfinished messages and untaken answers that all connections together may hold. */
const MAX_HELD_BYTES = 512 * 1024 * 1024

/** The one user of a server that asks for a password. */
const USER = 'local'

/** Where to listen: an address and port, or the path of a socket. */
export type Endpoint =
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  | { readonly kind: 'socket'; readonly path: string }

export interface ServerOptions {
  readonly engine: Engine
  readonly endpoint: Endpoint
  /** The path of a socket to listen on as well, for the folder's owner. */
  readonly ownerSocket?: string
  readonly log: Log
  /** Offers `configureFailPoint`. */
  readonly testCommands?: boolean
  readonly maxConnections?: number
  /** Clients must log in as user `local` with this password, by SCRAM-SHA-256. */
  readonly password?: string
  /** Offers the commands by which hosts share the server. */
  readonly hosts?: Services['hosts']
}

/** A running server. */
export interface Server {
  /** `127.0.0.1:27017`, or the path of the socket. */
  readonly address: string
  /** How many clients are connected. */
  readonly connections: number
  /** Called whenever a connection has come or gone. */
  onConnectionsChanged(listener: (connections: number) => void): void
  /** Goes on serving; resolves when all clients have gone or `graceMs` is over. */
  drain(graceMs: number): Promise<void>
  /** Cuts every connection and ends everything that runs. The engine stays open. */
  close(): Promise<void>
}

/** Starts a server on an open engine. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { endpoint, ownerSocket, log } = options
  const connections = new Connections(options.maxConnections ?? MAX_CONNECTIONS)
  const listeners: Listener[] = []
  let dispatcher: Dispatcher | undefined
  let heldBytes = 0
  const holdBytes = (change: number): boolean => {
    heldBytes += change
    return change <= 0 || heldBytes <= MAX_HELD_BYTES
  }
  const open = async (where: Endpoint): Promise<string> => {
    // Half open: what a client sent before it said goodbye is done first.
    const listener = createServer({ noDelay: true, allowHalfOpen: true })
    listener.on('connection', (socket) => {
      if (!dispatcher) socket.destroy()
      else connections.add(socket, where.kind === 'socket', { dispatcher, log, holdBytes })
    })
    const address = await listen(listener, where)
    listener.on('error', ({ message }) => {
      log({ level: 'error', message: 'accepting a connection failed', reason: message })
    })
    listeners.push(listener)
    return address
  }
  const stopListening = (): void => {
    for (const listener of listeners) listener.close()
  }
  const address = await open(endpoint)
  try {
    if (ownerSocket !== undefined) await open({ kind: 'socket', path: ownerSocket })
  } catch (error) {
    stopListening()
    throw error
  }
  const services = makeServices(options, address, connections)
  dispatcher = createDispatcher(COMMANDS, services)
  const housekeeping = startHousekeeping(services, (ids) => endSessions(services, new Set(ids)))
  return {
    address,
    get connections() {
      return connections.size
    },
    onConnectionsChanged: (changed) => connections.onChange(changed),
    drain: (graceMs) => connections.wait(graceMs),
    async close() {
      stopListening()
      await housekeeping.stop()
      services.operations.killAll()
      await connections.destroyAll()
      services.cursors.closeAll()
      services.snapshots.closeAll()
    }
  }
}

function makeServices(
  { engine, log, testCommands, hosts, password }: ServerOptions,
  address: string,
  connections: Connections
): Services {
  return {
    engine,
    clock: engine.clock,
    log,
    cursors: new CursorRegistry(),
    sessions: new SessionRegistry(),
    snapshots: new SnapshotRegistry(engine, engine.clock),
    operations: new OperationRegistry(),
    failPoints: testCommands ? new FailPoints() : undefined,
    facts: { address, setName: SET_NAME, startedAt: new Date() },
    parameters: { ttlMonitorEnabled: true },
    connections: () => connections.counts(),
    hosts,
    credentials:
      password === undefined ? undefined : makeCredentials(USER, password, randomBytes(28)),
    now: Date.now
  }
}

async function listen(listener: Listener, endpoint: Endpoint): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject)
    listener.once('listening', () => {
      listener.off('error', reject)
      resolve()
    })
    if (endpoint.kind === 'tcp') listener.listen(endpoint.port, endpoint.host)
    else listener.listen(endpoint.path)
  })
  if (endpoint.kind === 'socket') {
    await chmod(endpoint.path, 0o600)
    return endpoint.path
  }
  const { port } = listener.address() as AddressInfo
  const host = endpoint.host.includes(':') ? `[${endpoint.host}]` : endpoint.host
  return `${host}:${port}`
}

/** All connections of a server. */
class Connections {
  readonly #open = new Set<Connection>()
  readonly #limit: number
  readonly #listeners: ((connections: number) => void)[] = []
  #created = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get size(): number {
    return this.#open.size
  }

  counts(): ReturnType<Services['connections']> {
    const current = this.#open.size
    return { current, available: this.#limit - current, totalCreated: this.#created }
  }

  add(socket: Socket, isOwner: boolean, services: ConnectionServices): void {
    if (this.#open.size >= this.#limit) {
      const reason = 'too many connections'
      services.log({ level: 'warn', message: 'a connection was refused', reason })
      socket.destroy()
      return
    }
    const id = ++this.#created
    const name = isOwner ? `socket#${id}` : `${socket.remoteAddress}:${socket.remotePort}`
    const connection = serveConnection(socket, { id, name, isOwner }, services)
    this.#open.add(connection)
    this.#changed()
    void connection.closed.then(() => {
      this.#open.delete(connection)
      this.#changed()
    })
  }

  onChange(listener: (connections: number) => void): void {
    this.#listeners.push(listener)
  }

  /** Resolves when all have gone, or after a time. */
  async wait(graceMs: number): Promise<void> {
    if (this.#open.size === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, graceMs)
      this.onChange((connections) => {
        if (connections > 0) return
        clearTimeout(timer)
        resolve()
      })
    })
  }

  async destroyAll(): Promise<void> {
    const all = [...this.#open]
    for (const connection of all) connection.destroy()
    await Promise.all(all.map(({ closed }) => closed))
  }

  #changed(): void {
    for (const listener of this.#listeners) listener(this.#open.size)
  }
}
