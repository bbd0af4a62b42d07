// The life of the engine's process: lock, open, listen, say so, and end in order.
import { readFile, rm } from 'node:fs/promises'
import type { Client } from '../commands/command.ts'
import { openEngine } from '../engine/open.ts'
import type { Engine } from '../engine.ts'
import type { Log } from '../server/log.ts'
import type { Endpoint, Server } from '../server/server.ts'
import { startServer } from '../server/server.ts'
import { openDataFolder } from './data-folder.ts'
import { EXIT_IN_USE } from './exit-codes.ts'
import type { FolderLock } from './folder-lock.ts'
import { lockFolder } from './folder-lock.ts'
import type { ServeOptions } from './options.ts'
import { socketAddress, socketUri } from './socket-address.ts'

/** How long a shared engine waits for its first client, and for the next when the last has gone. */
const FIRST_CLIENT_MS = 15_000
/** Characters of a password. */
const MIN_PASSWORD = 12
const LINGER_MS = 3_000
/** A host that has let go in order says so: then nobody is waited for. */
const RELEASED_MS = 50
/** Connections that a host has closed before it lets go are gone in this time. */
const GOODBYE_MS = 500
/** After SIGTERM clients have this long to go by themselves. */
const DRAIN_MS = 10_000

type Leaving = Pick<Client, 'isGone'>

/** A server that was started, or why it was not. */
export type Served =
  | { readonly kind: 'serving'; readonly running: RunningServer }
  | { readonly kind: 'refused'; readonly reason: string; readonly exitCode: number }

/** A running engine with its server. */
export interface RunningServer {
  readonly uri: string
  /** Resolves once everything is closed. */
  readonly ended: Promise<void>
  /** Serves until the clients have gone, 10 s at most, then closes. */
  end(): Promise<void>
  /** Closes at once. */
  close(): Promise<void>
}

/** Locks the folder, opens the engine, and listens. */
export async function serve(
  options: ServeOptions,
  log: Log,
  environment: NodeJS.ProcessEnv
): Promise<Served> {
  const folder = await openDataFolder(options.dataDir)
  if (folder.kind === 'refused') return { ...folder, exitCode: 1 }
  const password = await readPassword(options.passwordFile)
  const lock = await lockFolder(folder.path)
  if (lock.kind === 'in use') {
    const reason = `the data folder ${folder.path} is in use by process ${lock.pid}`
    return { kind: 'refused', reason, exitCode: EXIT_IN_USE }
  }
  try {
    const socket = await freeSocket(folder.path)
    const { listen: where } = options
    const endpoint: Endpoint = where.kind === 'tcp' ? where : { kind: 'socket', path: socket }
    const engine = await openEngine(folder.path, {
      onNotice: ({ message, cause }) =>
        log({ level: 'warn', message, ...(cause !== undefined && { reason: String(cause) }) }),
      slowerFlushMs: testFlushMs(environment)
    })
    return await listen({ password, engine, socket, endpoint, lock, log, environment })
  } catch (error) {
    await lock.release()
    throw error
  }
}

function hasTestCommands(environment: NodeJS.ProcessEnv): boolean {
  return environment['LOCAL_MONGO_TEST_COMMANDS'] === '1'
}

function testFlushMs(environment: NodeJS.ProcessEnv): number {
  const ms = Number(environment['LOCAL_MONGO_TEST_FLUSH_MS'] ?? 0)
  return hasTestCommands(environment) && ms > 0 && ms <= 1_000 ? ms : 0
}

async function readPassword(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined
  const password = (await readFile(file, 'utf8')).trim()
  if (password.length >= MIN_PASSWORD) return password
  throw new Error(`The password in ${file} must have at least ${MIN_PASSWORD} characters.`)
}

/** The folder's socket. The lock is held, so whatever is there was left by a process that died. */
async function freeSocket(dataDir: string): Promise<string> {
  const path = await socketAddress(dataDir)
  await rm(path, { force: true })
  return path
}

interface Parts {
  readonly password: string | undefined
  readonly engine: Engine
  readonly endpoint: Endpoint
  /** The folder's own socket, which is listened on whatever the endpoint. */
  readonly socket: string
  readonly lock: FolderLock
  readonly log: Log
  readonly environment: NodeJS.ProcessEnv
}

async function listen(parts: Parts): Promise<Served> {
  const { engine, endpoint, socket, lock, log, environment, password } = parts
  let server: Server
  const unused = new UnusedWatch()
  try {
    server = await startServer({
      engine,
      endpoint,
      log,
      testCommands: hasTestCommands(environment),
      ...(password !== undefined && { password }),
      ...(endpoint.kind === 'socket'
        ? { onRelease: (host: Leaving) => unused.release(host) }
        : { ownerSocket: socket })
    })
  } catch (error) {
    await engine.close()
    throw error
  }
  const ending = new AbortController()
  const ended = new Promise<void>((resolve, reject) => {
    ending.signal.addEventListener('abort', () => {
      closeAll(server, engine, lock).then(resolve, reject)
    })
  })
  const close = (): Promise<void> => {
    ending.abort()
    return ended
  }
  if (endpoint.kind === 'socket') unused.watch(server, close)
  const uri =
    endpoint.kind === 'socket'
      ? socketUri(server.address)
      : `mongodb://${server.address}/?directConnection=true`
  return {
    kind: 'serving',
    running: {
      uri,
      ended,
      close,
      async end() {
        if (!ending.signal.aborted) await server.drain(DRAIN_MS)
        return close()
      }
    }
  }
}

async function closeAll(server: Server, engine: Engine, lock: FolderLock): Promise<void> {
  await server.close()
  await engine.close()
  await lock.release()
}

/** Ends a shared engine a few seconds after its last client has gone, whoever started it. */
class UnusedWatch {
  #lingerMs = LINGER_MS
  #connections = 0
  /** Hosts that let go and are still connected. */
  readonly #leaving = new Set<Leaving>()
  readonly #waiting = new Set<() => void>()
  #check: () => void = () => {}

  /** A host lets go; answers how many others stay connected. */
  async release(host: Leaving): Promise<number> {
    this.#lingerMs = RELEASED_MS
    this.#leaving.add(host)
    this.#check()
    const until = Date.now() + GOODBYE_MS
    while (this.#others() > 0 && Date.now() < until) await this.#change(until - Date.now())
    const others = this.#others()
    if (others > 0) this.#leaving.delete(host)
    return others
  }

  #others(): number {
    for (const host of this.#leaving) if (host.isGone) this.#leaving.delete(host)
    return this.#connections - this.#leaving.size
  }

  /** Resolves when a connection has come or gone, or after a time. */
  #change(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, milliseconds)
      this.#waiting.add(wake)
    })
  }

  watch(server: Server, close: () => Promise<void>): void {
    let timer = setTimeout(close, FIRST_CLIENT_MS)
    this.#check = () => {
      clearTimeout(timer)
      if (this.#others() <= 0) timer = setTimeout(close, this.#lingerMs)
    }
    server.onConnectionsChanged((connections) => {
      if (connections > this.#connections) this.#lingerMs = LINGER_MS
      this.#connections = connections
      this.#check()
      for (const wake of [...this.#waiting]) wake()
    })
  }
}
