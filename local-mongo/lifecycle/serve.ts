// The life of the engine's process: lock, open, listen, say so, and end in order.
import { readFile, rm } from 'node:fs/promises'
import type { Log } from '../commands/log.ts'
import type { Engine } from '../engine.ts'
import type { Endpoint, Server } from '../server/server.ts'
import { openDataFolder } from './data-folder.ts'
import { EXIT_IN_USE } from './exit-codes.ts'
import type { FolderLock } from './folder-lock.ts'
import { lockFolder } from './folder-lock.ts'
import type { ServeOptions } from './options.ts'
import { socketAddress, socketUri } from './socket-address.ts'
import { UnusedWatch } from './unused-watch.ts'

/** Characters of a password. */
const MIN_PASSWORD = 12
/** After SIGTERM clients have this long to go by themselves. */
const DRAIN_MS = 10_000

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
  const lock = await lockFolder(folder.path, options.supervisor)
  if (lock.kind === 'in use') {
    const reason = `the data folder ${folder.path} is in use by process ${lock.pid}`
    return { kind: 'refused', reason, exitCode: EXIT_IN_USE }
  }
  try {
    const socket = await freeSocket(folder.path)
    const { listen: where } = options
    // Loaded by the one that has the lock: when an engine dies, each of its hosts starts another at once.
    const { openEngine } = await import('../engine/open.ts')
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
    const { startServer } = await import('../server/server.ts')
    server = await startServer({
      engine,
      endpoint,
      log,
      testCommands: hasTestCommands(environment),
      ...(password !== undefined && { password }),
      ...(endpoint.kind === 'socket' ? { hosts: unused } : { ownerSocket: socket })
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
