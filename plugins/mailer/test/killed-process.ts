// What crash tests kill and compare: processes that are counted step by step, and a sink of their mails.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { databaseUri, type Teardown } from '@keelson/sdk/testing'

/** Each process starts later than any clock before it: leases of the one that was killed are over. */
export const ROUND_MS = 6 * 3_600_000

/** Processes of one test. */
export interface KilledProcesses {
  /** Mails by what the process calls them, and how often each arrived. */
  readonly mails: ReadonlyMap<string, number>
  /** Starts the process of a round. */
  start(round: number): ChildProcess
  /**
   * Resolves after so many steps: commands of the process (as `update mailer_sends`), and mails that arrive
   * (`mail`); with a pattern, after so many that match.
   */
  after(steps: number, pattern?: RegExp): Promise<void>
}

/** Makes processes of a worker module that use the database; `args` follow its address and that of the sink. */
export async function killedProcesses(
  t: Teardown,
  worker: string,
  { database, args }: { readonly database: string; readonly args: readonly string[] }
): Promise<KilledProcesses> {
  const uri = await databaseUri()
  const steps = stepCounter()
  const { url, mails } = await openSink(t, () => steps.step('mail'))
  return {
    mails,
    after: steps.after,
    start(round) {
      const now = Date.now() + round * ROUND_MS
      const given = [worker, uri, database, url, `${now}`, ...args]
      const child = spawn(process.execPath, given, { stdio: ['ignore', 'pipe', 'inherit'] })
      createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', steps.step)
      t.teardown(() => kill(child))
      return child
    }
  }
}

/** Ends a process by `kill -9`. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
}

/** Counts mails by their name, and says when one arrives. */
function openSink(
  t: Teardown,
  arrived: () => void
): Promise<{ readonly url: string; readonly mails: Map<string, number> }> {
  const mails = new Map<string, number>()
  const server: Server = createServer(async (request, response) => {
    let name = ''
    for await (const chunk of request) name += chunk
    mails.set(name, (mails.get(name) ?? 0) + 1)
    arrived()
    response.end('ok')
  })
  t.teardown(() => void server.close())
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      resolve({ url: `http://127.0.0.1:${port}`, mails })
    })
  })
}

/** Resolves after so many steps, wherever they are made. */
function stepCounter() {
  let left = 0
  let counted = /^/
  let reached = () => {}
  return {
    step(name: string) {
      if (!counted.test(name)) return
      left -= 1
      if (left === 0) reached()
    },
    after(count: number, pattern = /^/) {
      left = count
      counted = pattern
      return new Promise<void>((resolve) => {
        reached = resolve
      })
    }
  }
}
