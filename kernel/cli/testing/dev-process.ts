// keelson dev as a process, for tests: what it reports, and requests to its host.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { get as getHttp, type IncomingMessage } from 'node:http'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { tally } from '../../schedule/testing/queue-bench.ts'

const BIN = fileURLToPath(new URL('../../../cli/keelson.mjs', import.meta.url))

interface DevEvent {
  readonly event: string
  readonly message?: string
  readonly code?: string
}

/** A port of this machine that was free just now. */
export const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** Runs `keelson dev --json` in a folder. */
export async function startDev(t: Test, folder: string, args: readonly string[] = []) {
  const port = await freePort()
  const env = { PATH: process.env['PATH'], PORT: String(port), KEELSON_LOG_LEVEL: 'silent' }
  const child = fork(BIN, ['dev', '--json', ...args], { cwd: folder, env, silent: true })
  const events = tally<DevEvent>()
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.trim().split('\n')) events.add(JSON.parse(line))
  })
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const stop = async () => {
    if (child.exitCode !== null) return child.exitCode
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')
    return code
  }
  t.teardown(stop)
  /** Waits until the event has come so often. */
  const reached = async (name: string, times = 1): Promise<DevEvent> => {
    for (;;) {
      const found = events.seen.filter(({ event }) => event === name)[times - 1]
      if (found !== undefined) return found
      await events.reached(events.seen.length + 1)
    }
  }
  const get = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).json()
  const post = async (path: string, body: object) => {
    const origin = `http://127.0.0.1:${port}`
    const headers = { origin, 'content-type': 'application/json' }
    await fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  /** Asks until the answer holds the words. */
  const until = async (ask: () => Promise<string>, words: string): Promise<string> => {
    for (const end = Date.now() + 60_000; Date.now() < end; ) {
      const answer = await ask()
      if (answer.includes(words)) return answer
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    throw new Error(`${words} did not come.`)
  }
  /** The status of a request that names this host. */
  const statusFor = async (host: string, path: string): Promise<number | undefined> => {
    const request = getHttp({ host: '127.0.0.1', port, path, headers: { host } })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode
  }
  return { events, reached, get, post, until, statusFor, stop, stderr: () => stderr }
}
