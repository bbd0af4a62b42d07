// What the platform adds to an app: seconds of start and resident memory with eleven plugins, the engine apart.
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { forkHost, freePort, startEngine } from '../hosts/processes.ts'
import { median, printFigure } from './measure.ts'

const ROUNDS = 4
const IDLE_MS = 10_000
/** A first request of each plugin that has pages or an API. */
const FIRST = [
  '/telemetry/events',
  '/telemetry/api/registry',
  '/admin/mailer/api/templates',
  '/admin/mailer/templates',
  '/.well-known/oauth-authorization-server',
  '/oauth/jwks',
  '/shell/nav'
]

interface Start {
  readonly seconds: number
  /** MiB after ten idle seconds, and after the first requests. */
  readonly idle: number
  readonly used: number
}

async function residentMemory(pid = 0): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024
}

async function start(options: object, paths: readonly string[]): Promise<Start> {
  const from = performance.now()
  const { child, url } = await forkHost('guest-host', options)
  const seconds = (performance.now() - from) / 1000
  await delay(IDLE_MS)
  const idle = await residentMemory(child.pid)
  for (const path of paths) {
    const reply = await fetch(url + path)
    await reply.arrayBuffer()
    if (!reply.ok) throw new Error(`${path} answered ${reply.status}`)
  }
  const used = await residentMemory(child.pid)
  child.kill('SIGTERM')
  await once(child, 'exit')
  return { seconds, idle, used }
}

const folder = await mkdtemp(join(tmpdir(), 'keelson-bench-'))
const engine = await startEngine(folder, await freePort())
const guest = { storage: { uri: engine.uri } }
// The first start makes the collections.
await start(guest, [])
const plain: Start[] = []
const guests: Start[] = []
for (let round = 0; round < ROUNDS; round++) {
  plain.push(await start({}, ['/']))
  guests.push(await start(guest, FIRST))
}
await engine.stop()
await rm(folder, { recursive: true, force: true })

const figure = (name: keyof Start) => {
  const [without, having] = [plain, guests].map((starts) => median(starts.map((s) => s[name])))
  return {
    added: (having ?? 0) - (without ?? 0),
    detail: `${without?.toFixed(2)} → ${having?.toFixed(2)}`
  }
}
const seconds = figure('seconds')
const idle = figure('idle')
const used = figure('used')
printFigure('seconds that a guest adds to a start', seconds.added, { atMost: 2 }, seconds.detail)
printFigure('MiB that a guest adds, idle', idle.added, { atMost: 75 }, idle.detail)
printFigure('MiB after first requests', used.added, { atMost: 90 }, used.detail)
