// The public entry of @keelson/kernel/serve: runs a host in a process that is replaced when the settings change.
import cluster, { type Worker } from 'node:cluster'
import { hostname } from 'node:os'
import type { HostMessage, SupervisorMessage } from './messages.ts'

/** What happens to the processes. */
export interface ServeEvent {
  readonly event: 'starting' | 'serving' | 'replaced' | 'failed' | 'ended'
  readonly pid: number
  /** Of the settings; 0 for the config alone. */
  readonly revision: number
  /** For people. */
  readonly text: string
  readonly code?: string
}

export interface ServeOptions {
  /** The program that makes the app, registers the kernel and listens. */
  readonly script: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The first process, forked before with KEELSON_SERVED=1, so that it loads while something is prepared. */
  readonly first?: Worker
  report(event: ServeEvent): void
}

/** A host and how far it is. */
interface Host {
  readonly worker: Worker
  readonly pid: number
  readonly startedAt: number
  revision: number
  isProven: boolean
  failure: Failure | undefined
  isServing: boolean
  isRetired: boolean
}

type Failure = Extract<HostMessage, { keelson: 'failed' }>['failure']

/** A host that does not end in this time after it was asked to is killed. */
const END_MS = 14_000
/** A host whose start failed ends by itself, in most programs. */
const FAILED_MS = 2_000
/** Of a host that was killed soon after it served: doubled each time, up to 32 times. */
const AGAIN_MS = 500
const SOON_MS = 10_000

/**
 * Runs the program in a process of its own, and this process holds its socket. When the settings of the platform
 * change, another process starts with them; once it serves, the one before ends its requests and leaves. A process
 * that cannot start leaves the one before as it is. One that dies is started again. SIGTERM and SIGINT end all.
 *
 * Call it once, in a process that does nothing else.
 *
 * @returns the exit code: that of a first start that failed, or of a host that ended by itself
 */
export function serve(options: ServeOptions): Promise<number> {
  return new Promise((resolve) => new Supervisor(options, resolve).start())
}

class Supervisor {
  readonly #options: ServeOptions
  readonly #end: (exitCode: number) => void
  readonly #hosts = new Set<Host>()
  /** The one that serves. */
  #current: Host | undefined
  /** The one that is to take its place. */
  #next: Host | undefined
  /** Settings with which a start failed: not tried again. */
  #failed: { readonly revision: number; readonly failure: Failure } | undefined
  #isRecorded = true
  #deaths = 0
  #hasServed = false
  #exitCode: number | undefined

  constructor(options: ServeOptions, end: (exitCode: number) => void) {
    this.#options = options
    this.#end = end
  }

  start(): void {
    const { script, args = [] } = this.#options
    cluster.setupPrimary({ exec: script, args: [...args] })
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => this.#stop(0))
    this.#follow(this.#options.first ?? this.#fork())
  }

  #fork(below?: number): Worker {
    const limit = below === undefined ? {} : { KEELSON_SETTINGS_BELOW: String(below) }
    return cluster.fork({ ...this.#options.env, ...limit, KEELSON_SERVED: '1' })
  }

  #follow(worker: Worker): void {
    const host: Host = {
      worker,
      pid: worker.process.pid ?? 0,
      startedAt: performance.now(),
      revision: 0,
      isProven: true,
      failure: undefined,
      isServing: false,
      isRetired: false
    }
    this.#hosts.add(host)
    this.#next = host
    worker.on('message', (message: HostMessage | undefined) => {
      if (typeof message?.keelson === 'string') this.#hear(host, message)
    })
    const { exitCode, signalCode } = worker.process
    worker.once('exit', (code, signal) => this.#ended(host, code, signal))
    this.#report(host, 'starting', `process ${host.pid} starts`)
    if (worker.isDead()) this.#ended(host, exitCode, signalCode)
  }

  #hear(host: Host, message: HostMessage): void {
    switch (message.keelson) {
      case 'starts':
        host.revision = message.revision
        host.isProven = message.isProven
        break
      case 'serves':
        this.#serves(host)
        break
      case 'changed':
        this.#changed(host, message.revision)
        break
      case 'failed':
        host.failure = message.failure
        this.#killIn(FAILED_MS, host)
    }
  }

  #serves(host: Host): void {
    if (host.isServing || this.#exitCode !== undefined) return
    const before = this.#current
    host.isServing = true
    this.#hasServed = true
    this.#current = host
    this.#next = undefined
    if (!this.#isRecorded) this.#record(host)
    this.#report(host, 'serving', `process ${host.pid} serves with revision ${host.revision}`)
    if (before === undefined) return
    before.isRetired = true
    this.#say(before, { keelson: 'retire' })
    this.#killIn(END_MS, before)
    this.#report(before, 'replaced', `process ${before.pid} ends its requests`)
  }

  #changed(host: Host, revision: number): void {
    if (host !== this.#current || this.#next !== undefined || this.#exitCode !== undefined) return
    if (revision !== this.#failed?.revision) this.#follow(this.#fork())
  }

  #ended(host: Host, code: number | null, signal: string | null): void {
    this.#hosts.delete(host)
    const how = signal ?? `exit code ${code}`
    this.#report(host, 'ended', `process ${host.pid} ended (${how})`)
    if (this.#exitCode !== undefined) {
      if (this.#hosts.size === 0) this.#end(this.#exitCode)
      return
    }
    if (host === this.#next) this.#notStarted(host, how, code)
    else if (!host.isRetired) this.#died(host, code)
  }

  #died(host: Host, code: number | null): void {
    this.#current = undefined
    // One that ends with 0 was asked to stop, by its own means.
    if (code === 0) this.#stop(0)
    else if (this.#next === undefined) this.#again(host)
  }

  #notStarted(host: Host, how: string, code: number | null): void {
    this.#next = undefined
    const { revision, isProven, failure = endedEarly(how) } = host
    this.#report(host, 'failed', failure.message, failure.code)
    this.#failed = { revision, failure }
    this.#isRecorded = revision === 0
    if (this.#current !== undefined) this.#record(this.#current)
    // Nothing serves. Settings that have run before are not what is wrong, and what has served may do so again.
    else if (!isProven) this.#follow(this.#fork(revision))
    else if (this.#hasServed) this.#again(host)
    else this.#stop(code === 0 || code === null ? 1 : code)
  }

  /** The one that serves has the database. */
  #record(host: Host): void {
    if (this.#failed === undefined || this.#isRecorded) return
    const { revision, failure } = this.#failed
    const where = `${hostname()} (process ${process.pid})`
    this.#say(host, { keelson: 'record', revision, failure: { ...failure, where } })
    this.#isRecorded = true
  }

  #again({ startedAt }: Host): void {
    this.#deaths = performance.now() - startedAt < SOON_MS ? this.#deaths + 1 : 0
    const wait = this.#deaths === 0 ? 0 : AGAIN_MS * 2 ** Math.min(this.#deaths - 1, 5)
    setTimeout(() => {
      if (this.#exitCode === undefined && this.#next === undefined) this.#follow(this.#fork())
    }, wait)
  }

  #stop(exitCode: number): void {
    if (this.#exitCode !== undefined) return
    this.#exitCode = exitCode
    if (this.#hosts.size === 0) this.#end(exitCode)
    for (const host of this.#hosts) {
      if (host.isServing) this.#say(host, { keelson: 'stop' })
      else host.worker.process.kill('SIGTERM')
      this.#killIn(END_MS, host)
    }
  }

  #say({ worker }: Host, message: SupervisorMessage): void {
    if (worker.isConnected()) worker.send(message)
  }

  #killIn(ms: number, { worker }: Host): void {
    const timer = setTimeout(() => worker.process.kill('SIGKILL'), ms)
    worker.once('exit', () => clearTimeout(timer))
  }

  #report({ pid, revision }: Host, event: ServeEvent['event'], text: string, code?: string): void {
    this.#options.report({ event, pid, revision, text, ...(code !== undefined && { code }) })
  }
}

/** Of a process that did not say why. */
const endedEarly = (how: string): Failure => ({
  code: 'KRN_WORKER_ENDED',
  message: `The new process ended (${how}) before it served. Read its log lines.`
})
