// Comes between the MongoDB driver and its connections: to hear of commands without decoding their answers once more.
import { createRequire } from 'node:module'
import { MongoClient, type MongoClientOptions } from 'mongodb'

/** A command, attributed to the collection it names. */
export interface StorageCommand {
  /** Empty for commands that name no collection (`hello`, `commitTransaction`). */
  readonly collection: string
  readonly command: string
  /** As it is sent. */
  readonly body: Body
}

type Report = (command: StorageCommand) => void
type Body = Readonly<Record<string, unknown>>

interface Connection {
  /** False while the two sides greet each other. */
  readonly established: boolean
  command(namespace: unknown, body: Body, ...others: readonly unknown[]): Promise<unknown>
}
type ConnectionClass = new (...given: readonly unknown[]) => Connection

/**
 * A client that reports every command it sends. With the driver's own monitoring each answer becomes an object for
 * the event, and another for the caller: a third more of the time of a large read. Only a driver whose connections
 * are not known is monitored in this way.
 */
export function reportingClient(
  uri: string,
  options: MongoClientOptions,
  report: Report,
  base: ConnectionClass | null = connectionOf()
): MongoClient {
  if (base !== null) {
    return new MongoClient(uri, { ...options, ...ofConnections(base, report) })
  }
  const client = new MongoClient(uri, { ...options, monitorCommands: true })
  client.on('commandStarted', ({ command }) => report(readCommand(command)))
  return client
}

/** The class of the driver's connections, which is not public. */
export function connectionOf(
  load: (path: string) => unknown = createRequire(import.meta.url)
): ConnectionClass | null {
  try {
    const { Connection } = load('mongodb/lib/cmap/connection.js') as {
      readonly Connection?: ConnectionClass
    }
    return typeof Connection?.prototype?.command === 'function' ? Connection : null
  } catch {
    return null
  }
}

/** The option is not public either. */
function ofConnections(base: ConnectionClass, report: Report): MongoClientOptions {
  class ReportingConnection extends base {
    override command(namespace: unknown, body: Body, ...others: readonly unknown[]) {
      if (this.established !== false) report(readCommand(body))
      return super.command(namespace, body, ...others)
    }
  }
  return { connectionType: ReportingConnection } as MongoClientOptions
}

/** A command is named by its first key; the value is its collection, but for a getMore. */
function readCommand(body: Body): StorageCommand {
  const [command = ''] = Object.keys(body)
  const named = command === 'getMore' ? body['collection'] : body[command]
  return { command, collection: typeof named === 'string' ? named : '', body }
}
