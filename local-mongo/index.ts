// Public entry: starts or joins the engine of a data folder.

import type { Log } from './commands/log.ts'
import { findPlace, startOwn, takeLease } from './lifecycle/launch.ts'
import { socketUri } from './lifecycle/socket-address.ts'
import { watchLease } from './lifecycle/watch.ts'

export type { Log, LogEvent } from './commands/log.ts'
/** The name under which the Keelson kernel looks for a storage engine. */
export { startLocalMongo as startEngine }

/** Which engine to start or join. */
export interface LocalMongoOptions {
  /** The data folder; made when it is missing. */
  readonly dataDir: string
  /** Start an engine of one's own on this port (0: any free one) instead of sharing one on a socket. */
  readonly port?: number
  /** Only with `port`: the loopback address to listen on. Default `127.0.0.1`. */
  readonly host?: string
  /** Called when the engine was lost and when it is back. Default: no log. */
  readonly log?: Log
}

/** A running engine, as its user sees it. */
export interface LocalMongo {
  /** For `new MongoClient(uri)`. The same for one data folder, however often the engine is started. */
  readonly uri: string
  /** The process that serves now. */
  readonly pid: number
  /**
   * Releases the engine. A shared engine ends after its last user, and this waits until it has; close your
   * clients first. An engine of one's own is ended.
   */
  close(): Promise<void>
}

/**
 * Starts the engine of a data folder, or joins the one that runs.
 *
 * Without `port` the engine is a separate process on a socket that only this user may open, shared
 * by all who start it on the same folder, in whatever process. It does not end with the one that
 * started it, but a few seconds after its last user has gone, however that one ended. While the
 * returned handle is open, an engine that dies (`kill -9`, a crash) is started again on the same
 * address, so that an open `MongoClient` finds it again by itself. What was under way when it died
 * the driver tries again, as with any MongoDB; its last try may still come too soon and fail.
 *
 * @throws Error when the folder belongs to another database or a newer version, when it is served by
 * a process on a port, or when the engine does not answer within 30 s.
 * @example
 * const engine = await startLocalMongo({ dataDir: '.data' })
 * const client = await new MongoClient(engine.uri).connect()
 * await client.close()
 * await engine.close()
 */
export async function startLocalMongo(options: LocalMongoOptions): Promise<LocalMongo> {
  const { dataDir, port, host = '127.0.0.1', log = () => {} } = options
  if (port !== undefined) {
    const { uri, pid, end } = await startOwn(dataDir, { host, port })
    return { uri, pid, close: end }
  }
  const place = await findPlace(dataDir)
  const watched = watchLease(await takeLease(place), place, log)
  return {
    uri: socketUri(place.socket),
    get pid() {
      return watched.pid
    },
    close: () => watched.close()
  }
}
