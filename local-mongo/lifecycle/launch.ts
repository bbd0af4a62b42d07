// Gives a host the engine of its data folder: joins the process that serves it, or starts one.
import type { ChildProcess, StdioOptions } from 'node:child_process'
import { spawn } from 'node:child_process'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openDataFolder } from './data-folder.ts'
import { EXIT_IN_USE } from './exit-codes.ts'
import { lockHolder } from './folder-lock.ts'
import type { Lease } from './lease.ts'
import { openLease } from './lease.ts'
import { socketAddress } from './socket-address.ts'

/** The engine must answer within this time, whoever starts it. */
const READY_MS = 30_000
const RETRY_MS = 50
/** Keeps the young generation small, and from shrinking: the engine's garbage is mostly short-lived buffers. */
const NODE_FLAGS = ['--min-semi-space-size=8', '--max-semi-space-size=8']
const BIN = fileURLToPath(new URL('../../bin.mjs', import.meta.url))
const LOG_FILE = 'engine.log'
const LOG_LIMIT = 1024 * 1024

/** A data folder's absolute path, and the socket of its shared engine. */
export interface Place {
  readonly dataDir: string
  readonly socket: string
}

/** Makes the folder and finds its socket; throws when the folder cannot be used. */
export async function findPlace(dir: string): Promise<Place> {
  const folder = await openDataFolder(dir)
  if (folder.kind === 'refused') throw new Error(`local-mongo: ${folder.reason}`)
  return { dataDir: folder.path, socket: await socketAddress(folder.path) }
}

/** Joins the shared engine of a place, or starts it. Several may do so at a time: one starts it. */
export async function takeLease(
  place: Place
): Promise<{ readonly lease: Lease; readonly pid: number }> {
  const deadline = Date.now() + READY_MS
  while (Date.now() < deadline) {
    const lease = await openLease(place.socket)
    const holder = await lockHolder(place.dataDir)
    if (lease && holder !== undefined) return { lease, pid: holder }
    // It answered and has let go of the lock since: it is ending.
    lease?.drop()
    if (holder === undefined) await startShared(place, deadline)
    else await delay(RETRY_MS)
  }
  throw new Error(
    `local-mongo: the data folder ${place.dataDir} is in use, but its socket ${place.socket} ` +
      'does not answer. End the process that serves it on a port, or share its address.'
  )
}

/** Starts the shared engine; resolves when it is ready, or when another was quicker. */
async function startShared({ dataDir }: Place, deadline: number): Promise<void> {
  const log = await openLog(dataDir)
  const child = spawn(process.execPath, [...NODE_FLAGS, BIN, '--data', dataDir, '--shared'], {
    cwd: dataDir,
    detached: true,
    stdio: ['ignore', 'pipe', log.fd]
  })
  try {
    const started = await untilReady(child, deadline)
    if (started.kind === 'ended' && started.code !== EXIT_IN_USE) {
      throw new Error(
        `local-mongo: the engine of ${dataDir} ended with ${started.code}: ${await tail(dataDir)}`
      )
    }
  } finally {
    child.stdout?.destroy()
    child.unref()
    await log.close()
  }
}

async function openLog(dataDir: string): ReturnType<typeof open> {
  const path = join(dataDir, LOG_FILE)
  const log = await open(path, 'a', 0o600)
  const { size } = await log.stat()
  if (size > LOG_LIMIT) await log.truncate(0)
  return log
}

async function tail(dataDir: string): Promise<string> {
  const text = await readFile(join(dataDir, LOG_FILE), 'utf8')
  return text.trim().slice(-2000)
}

/** What became of a started process. */
type Started =
  | { readonly kind: 'ready'; readonly line: { readonly uri: string; readonly pid: number } }
  | { readonly kind: 'ended'; readonly code: number | string }

/** Resolves with the ready line of a started process, or with its end. */
export function untilReady(child: ChildProcess, deadline: number): Promise<Started> {
  return new Promise((resolve, reject) => {
    let text = ''
    const timer = setTimeout(
      () => {
        child.kill('SIGKILL')
        resolve({ kind: 'ended', code: 'no ready line in time' })
      },
      Math.max(0, deadline - Date.now())
    )
    const settle = (started: Started): void => {
      clearTimeout(timer)
      resolve(started)
    }
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const end = text.indexOf('\n')
      if (end >= 0) settle({ kind: 'ready', line: JSON.parse(text.slice(0, end)) })
    })
    child.once('exit', (code, signal) => settle({ kind: 'ended', code: code ?? String(signal) }))
    child.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
  })
}

/** A process of one's own on a port. */
export interface OwnProcess {
  readonly uri: string
  readonly pid: number
  /** Resolves when it has ended. */
  end(): Promise<void>
}

/** Starts an engine on a port, not shared; it ends with this process. */
export async function startOwn(
  dataDir: string,
  { host, port }: { readonly host: string; readonly port: number }
): Promise<OwnProcess> {
  const stdio: StdioOptions = ['pipe', 'pipe', 'pipe']
  const place = ['--data', dataDir, '--host', host, '--port', String(port)]
  const child = spawn(process.execPath, [...NODE_FLAGS, BIN, ...place, '--until-stdin-ends'], {
    stdio
  })
  let complaint = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-2000)
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const started = await untilReady(child, Date.now() + READY_MS)
  if (started.kind === 'ended') {
    throw new Error(`local-mongo: the engine ended with ${started.code}: ${complaint.trim()}`)
  }
  child.unref()
  return {
    ...started.line,
    async end() {
      child.ref()
      child.kill('SIGTERM')
      await exited
    }
  }
}
