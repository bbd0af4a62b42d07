// A server on a temporary folder, with the official driver connected to it; for tests.
import { mkdtemp, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db, Document, MongoClientOptions } from 'mongodb'
import { BSON, MongoClient } from 'mongodb'
import type { LogEvent } from '../commands/log.ts'
import { openEngine } from '../engine/open.ts'
import type { Engine } from '../engine.ts'
import type { Server, ServerOptions } from './server.ts'
import { startServer } from './server.ts'

/** Whatever can clean up after a test. */
export interface Scope {
  teardown(fn: () => Promise<unknown>): void
}

export interface TestServer {
  readonly dir: string
  readonly port: number
  readonly server: Server
  readonly engine: Engine
  readonly client: MongoClient
  readonly db: Db
  readonly events: LogEvent[]
  /** A further client of the same server. */
  connect(options?: MongoClientOptions): Promise<MongoClient>
}

/** A temporary folder that goes with its test. */
export async function temporaryFolder(t: Scope): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'keelson-test-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  return dir
}

/** A client of whatever serves at an address; it ends with the test. */
export async function connectTo(t: Scope, uri: string): Promise<MongoClient> {
  const client = await new MongoClient(uri, { serverSelectionTimeoutMS: 20_000 }).connect()
  t.teardown(() => client.close())
  return client
}

/** Starts engine, server and client; all end with the test. */
export async function startTestServer(
  t: Scope,
  options: Partial<Omit<ServerOptions, 'engine' | 'endpoint' | 'log'>> = {},
  clientOptions: MongoClientOptions = {}
): Promise<TestServer> {
  const dir = await temporaryFolder(t)
  const engine = await openEngine(dir, {})
  const events: LogEvent[] = []
  const server = await startServer({
    ...options,
    engine,
    endpoint: { kind: 'tcp', host: '127.0.0.1', port: 0 },
    log: (event) => events.push(event)
  })
  const clients: MongoClient[] = []
  const open = async (more: MongoClientOptions = {}): Promise<MongoClient> => {
    const client = new MongoClient(`mongodb://${server.address}`, {
      serverSelectionTimeoutMS: 10_000,
      ...more
    })
    clients.push(client)
    return client.connect()
  }
  t.teardown(async () => {
    await Promise.all(clients.map((client) => client.close()))
    await server.close()
    await engine.close()
  })
  const client = await open(clientOptions)
  const port = Number(server.address.split(':').at(-1))
  return { dir, port, server, engine, client, db: client.db('test'), events, connect: open }
}

/** An OP_MSG with one body, made by hand. */
export function rawMessage(command: Document | Uint8Array, flags = 0): Buffer {
  const body = command instanceof Uint8Array ? command : BSON.serialize(command)
  const head = Buffer.alloc(21)
  head.writeInt32LE(head.length + body.length, 0)
  head.writeInt32LE(1, 4)
  head.writeInt32LE(2013, 12)
  head.writeUInt32LE(flags, 16)
  return Buffer.concat([head, body])
}

/** A socket that speaks the protocol by hand. */
export interface RawConnection {
  readonly socket: Socket
  readonly closed: Promise<void>
  write(bytes: Uint8Array): void
  /** The next whole message from the server; rejects when the connection closes first. */
  reply(): Promise<Buffer>
  /** Sends a command and answers its reply's document. */
  command(command: Document): Promise<Document>
}

/** Connects to a port of this machine, or to the path of a socket. */
export async function rawConnection(t: Scope, where: number | string): Promise<RawConnection> {
  const socket = typeof where === 'number' ? connect(where, '127.0.0.1') : connect(where)
  t.teardown(async () => socket.destroy())
  socket.on('error', () => {})
  let bytes = Buffer.alloc(0)
  const waiting: { resolve(reply: Buffer): void; reject(error: Error): void }[] = []
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      for (const { reject } of waiting.splice(0)) reject(new Error('closed by the server'))
      resolve()
    })
  })
  const deliver = (): void => {
    while (waiting.length > 0 && bytes.length >= 4 && bytes.length >= bytes.readInt32LE(0)) {
      const size = bytes.readInt32LE(0)
      waiting.shift()?.resolve(bytes.subarray(0, size))
      bytes = bytes.subarray(size)
    }
  }
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk])
    deliver()
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  const reply = (): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject })
      deliver()
    })
  return {
    socket,
    closed,
    reply,
    write: (sent) => socket.write(sent),
    async command(command) {
      socket.write(rawMessage(command))
      return BSON.deserialize((await reply()).subarray(21))
    }
  }
}
