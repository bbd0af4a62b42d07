// Child processes for tests: hosts and engines that are started, watched and killed.
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the repository, from compiled tests in test/dist/… */
export const ROOT = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))

/** Each process has a hundred ports, so that one is still free when a server takes it minutes later. */
const PORTS = 100
const FIRST_PORT = 20_000 + (process.pid % 120) * PORTS
let asked = 0

/**
 * A free port, below those that the system gives to connections: one of these could
 * take it while its server is away, or connect to itself.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + (asked++ % PORTS)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** A process that was waited for has ended: there is nothing more to wait for. */
export class EndedError extends Error {}

/** Asks again every 50 ms until the answer is not undefined; fails after the limit, or with an EndedError. */
export async function until<T>(
  what: string,
  limitMs: number,
  ask: () => Promise<T | undefined>
): Promise<T> {
  const end = Date.now() + limitMs
  let last: unknown
  while (Date.now() < end) {
    try {
      const answer = await ask()
      if (answer !== undefined) return answer
    } catch (error) {
      if (error instanceof EndedError) throw error
      last = error
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${what}: not within ${limitMs} ms`, { cause: last })
}

export interface HostProcess {
  readonly url: string
  readonly child: ChildProcess
  /** Everything it printed. */
  text(): string
  kill(): Promise<void>
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
}

/** Starts `test/hosts/counting-host.ts` on a storage block. */
export function startHost(storage: object): Promise<HostProcess> {
  return forkHost('counting-host', storage)
}

/** Starts a host of this folder, which takes `options` as JSON and says its address to this process. */
export async function forkHost(name: string, options: object): Promise<HostProcess> {
  const script = fileURLToPath(new URL(`./${name}.js`, import.meta.url))
  const child = fork(script, [JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc']
  })
  const printed = collect(child)
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the host ended with ${code}: ${printed()}`)
  })
  const [url] = (await Promise.race([once(child, 'message'), ended])) as [string]
  ended.catch(() => {})
  return {
    url,
    child,
    text: printed,
    kill: () => end(child, 'SIGKILL').then(() => undefined),
    stop: () => end(child, 'SIGTERM')
  }
}

export interface EngineProcess {
  readonly uri: string
  readonly pid: number
  kill(): Promise<void>
  stop(): Promise<number | null>
  text(): string
}

/** Starts `local-mongo` on a data folder and a port. */
export async function startEngine(dataDir: string, port: number): Promise<EngineProcess> {
  const bin = join(ROOT, 'local-mongo', 'bin.mjs')
  const child = spawn(process.execPath, [bin, '--data', dataDir, '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true
  })
  const printed = collect(child)
  const line = await until('the ready line of the engine', 20_000, async () => {
    if (child.exitCode !== null)
      throw new EndedError(`it ended with ${child.exitCode}: ${printed()}`)
    return /\{.*\}/.exec(printed())?.[0]
  })
  const { uri, pid } = JSON.parse(line) as { uri: string; pid: number }
  return {
    uri,
    pid,
    text: printed,
    async kill() {
      // The command and its server at once: alone, the server would end in order.
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      process.kill(-pid, 'SIGKILL')
      await exited
    },
    stop: () => end(child, 'SIGTERM')
  }
}

/** The process that holds the lock of an engine's data folder; undefined while it is free. */
export async function servingPid(dataDir: string): Promise<number | undefined> {
  const locks = (await readdir(dataDir)).flatMap((name) => /^lock\.(\d+)$/.exec(name)?.[1] ?? [])
  const holder = await readlink(join(dataDir, `lock.${Math.max(...locks.map(Number))}`))
  const pid = Number(holder.split(' ')[0])
  return Number.isNaN(pid) ? undefined : pid
}

/** What a process prints from now on, its last 20,000 characters. */
export function collect(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-20_000)
    })
  }
  return () => text
}

/** Ends a process, if it still runs; resolves with its exit code. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const exited = once(child, 'exit')
  child.kill(signal)
  const [code] = (await exited) as [number | null]
  return code
}
