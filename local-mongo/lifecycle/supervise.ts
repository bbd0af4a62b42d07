// The command's own process beside its server: starts it again when a signal or an abort ends it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Log } from '../commands/log.ts'
import type { AfterEnd, ServerEnd } from './respawn.ts'
import { afterEnd, MOST_ENDS } from './respawn.ts'

const BIN = fileURLToPath(new URL('../../bin.mjs', import.meta.url))

/** What the command prints. */
interface Printing {
  /** Called once, with the address that stays. */
  onReady(uri: string): void
  readonly log: Log
}

/** Serves with the command line `argv` until a signal ends it, or the server does; resolves with the exit code. */
export async function supervise(argv: readonly string[], printing: Printing): Promise<number> {
  const asked = new AbortController()
  let server: ChildProcess | undefined
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      asked.abort()
      server?.kill(signal)
    })
  }
  let history: readonly ServerEnd[] = []
  let port: string | undefined
  for (;;) {
    server = startServer(argv, port)
    readUri(server, (uri) => {
      port = /:(\d+)\//.exec(uri)?.[1]
      printing.onReady(uri)
    })
    const [code, signal] = (await once(server, 'exit')) as [number | null, string | null]
    const now = performance.now()
    const end = { at: now, code, signal, wasAsked: asked.signal.aborted }
    history = [...history, end].slice(-MOST_ENDS)
    const next = afterEnd(history, now)
    report(next, { signal, pid: server.pid }, printing.log)
    if (next.kind !== 'start') return next.exitCode
    await delay(next.afterMs, undefined, { signal: asked.signal }).catch(() => {})
    if (asked.signal.aborted) return 0
  }
}

/**
 * The server ends when its stdin does, which is when this process ends in whatever way. Clients know the port of the
 * first, so the next take it too, and their ready lines are not read.
 */
function startServer(argv: readonly string[], port: string | undefined): ChildProcess {
  const own = ['--until-stdin-ends', '--supervisor', String(process.pid)]
  if (port !== undefined) own.push('--port', port)
  return spawn(process.execPath, [...process.execArgv, BIN, ...argv, ...own], {
    stdio: ['pipe', port === undefined ? 'pipe' : 'ignore', 'inherit']
  })
}

/** Takes the address of the ready line, after which the server prints nothing more. */
function readUri(server: ChildProcess, take: (uri: string) => void): void {
  let text = ''
  const read = (chunk: Buffer): void => {
    text += chunk.toString()
    const end = text.indexOf('\n')
    if (end < 0) return
    server.stdout?.off('data', read)
    take((JSON.parse(text.slice(0, end)) as { uri: string }).uri)
  }
  server.stdout?.on('data', read)
}

interface Ended {
  readonly signal: string | null
  readonly pid: number | undefined
}

function report(next: AfterEnd, { signal, pid }: Ended, log: Log): void {
  if (next.kind === 'exit') return
  const facts = { signal, pid, endsInMinute: next.ends }
  if (next.kind === 'start') {
    const { afterMs } = next
    log({ level: 'warn', message: 'the server was ended and starts again', ...facts, afterMs })
  } else {
    log({ level: 'error', message: 'the server was ended and does not start again', ...facts })
  }
}
