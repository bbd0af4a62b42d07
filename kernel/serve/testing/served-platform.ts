// A platform under `keelson serve` as processes, for tests: its command line, its events, and requests to it.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { StorageConfig } from '@keelson/sdk'
import type { Test } from 'tap'
import { freePort } from '../../cli/testing/dev-process.ts'
import { keelson, platformFolder, sourceOf } from '../../cli/testing/platform-folder.ts'
import { tally } from '../../schedule/testing/queue-bench.ts'
import type { ServeEvent } from '../index.ts'

const BIN = fileURLToPath(new URL('../../../cli/keelson.mjs', import.meta.url))
const HOST = fileURLToPath(new URL('./served-host.js', import.meta.url))

const ping = (id: string) =>
  sourceOf(`register(host) {
    host.route({ method: 'GET', path: '/ping', handler: async () => ({ plugin: '${id}' }) })
  }`)

const route = { method: 'GET', path: '/ping', auth: 'public', summary: 'Answers' }

/** `alpha` is on; `beta` needs it, `broken` throws and `late` adds an index; these are off. */
export async function servedFolder(t: Test, files: Readonly<Record<string, unknown>> = {}) {
  const routes = [route]
  const indexes = [{ name: 'by_n', keys: { n: 1 } }]
  const folder = await platformFolder(
    t,
    {
      alpha: { routes },
      beta: { routes, requires: { alpha: '*' } },
      broken: {},
      late: { collections: [{ name: 'late_rows', indexes }] }
    },
    {
      'plugins/alpha/index.js': ping('alpha'),
      'plugins/beta/index.js': ping('beta'),
      'plugins/broken/index.js': sourceOf(`register() { throw new Error('no luck') }`),
      ...files
    }
  )
  for (const id of ['beta', 'broken', 'late']) await keelson(folder, ['disable', id])
  return folder
}

/** What its config says of the database. */
export async function storageOf(folder: string): Promise<StorageConfig> {
  const config = JSON.parse(await readFile(`${folder}/keelson.config.json`, 'utf8'))
  return config.storage
}

/** Runs `keelson serve` in a folder. */
export async function startServe(t: Test, folder: string, more: NodeJS.ProcessEnv = {}) {
  const port = await freePort()
  const env = {
    PATH: process.env['PATH'],
    PORT: String(port),
    KEELSON_CONFIG: `${folder}/keelson.config.json`,
    ...more
  }
  const child = fork(BIN, ['serve', HOST, '--json'], { cwd: folder, env, silent: true })
  const events = tally<ServeEvent & { readonly message: string }>()
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.trim().split('\n')) events.add(JSON.parse(line))
  })
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const exited = once(child, 'exit')
  t.teardown(() => end(child))
  /** Waits until the event has come so often. */
  const reached = async (name: ServeEvent['event'], times = 1) => {
    for (;;) {
      const found = events.seen.filter(({ event }) => event === name)[times - 1]
      if (found !== undefined) return found
      await events.reached(events.seen.length + 1)
    }
  }
  const get = async (path: string) => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`)
    return { status: reply.status, json: (await reply.json()) as Record<string, unknown> }
  }
  return {
    reached,
    get,
    stderr: () => stderr,
    /** The exit code, when it ends by itself. */
    exitCode: async () => (await exited)[0] as number | null,
    /** Asks until the answer has the status: a connection may still be to the process before. */
    until: async (path: string, status: number) => {
      for (const end = Date.now() + 60_000; Date.now() < end; ) {
        if ((await get(path).catch(() => undefined))?.status === status) return status
      }
      return undefined
    },
    stop: () => end(child)
  }
}

async function end(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  return child.exitCode
}
