// How much longer requests wait while a process with changed plugins takes over: the demo, four callers, five changes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort, ROOT, until } from '../hosts/processes.ts'
import { printFigure } from './measure.ts'

const CALLERS = 4
const CHANGES = 5
const QUIET_MS = 10_000

const folder = await mkdtemp(join(process.env['KEELSON_BENCH_DIR'] ?? tmpdir(), 'keelson-bench-'))
const [port, smtp] = [await freePort(), await freePort()]
const url = `http://127.0.0.1:${port}`
const demo = spawn(process.execPath, ['examples/platform/start.mjs'], {
  cwd: ROOT,
  env: {
    ...process.env,
    KEELSON_DATA_DIR: folder,
    PORT: `${port}`,
    KEELSON_SMTP_PORT: `${smtp}`
  },
  stdio: 'ignore'
})
const isReady = async () => ((await fetch(`${url}/health/ready`)).ok ? true : undefined)
await until('the demo being ready', 120_000, isReady)

const admin = { email: 'platform@keelson.test', password: 'keelson-demo' }
const json = { 'content-type': 'application/json', origin: url }
const login = { method: 'POST', headers: json, body: JSON.stringify(admin) }
const cookie = (await fetch(`${url}/login`, login)).headers.get('set-cookie')?.split(';')[0] ?? ''
const call = async (method: string, path: string) => {
  const headers = { cookie, origin: url }
  const reply = await fetch(`${url}/platform/api${path}`, { method, headers })
  return (await reply.json()) as { readonly running: number; readonly wanted: number }
}

let waits: number[] = []
let failed = 0
let isOver = false
const caller = async () => {
  while (!isOver) {
    const from = performance.now()
    const isGood = await fetch(`${url}/shell/nav`).then(
      (reply) => reply.text().then(() => reply.ok),
      () => false
    )
    if (!isGood) failed++
    waits.push(performance.now() - from)
    await delay(5)
  }
}
const calling = Array.from({ length: CALLERS }, caller)
/** The wait that one request in a thousand exceeds, and the longest. */
const longest = () => {
  const sorted = waits.toSorted((a, b) => a - b)
  return { rare: sorted.at(-Math.ceil(sorted.length / 1000)) ?? 0, most: sorted.at(-1) ?? 0 }
}
await delay(QUIET_MS)
const quiet = longest()
waits = []
const took: number[] = []
for (let n = 0; n < CHANGES; n++) {
  const from = performance.now()
  await call('POST', `/plugins/snds/${n % 2 === 0 ? 'disable' : 'enable'}`)
  await until('the change', 120_000, async () => {
    const { running, wanted } = await call('GET', '/plugins')
    return running === wanted && running > n ? true : undefined
  })
  took.push(performance.now() - from)
}
const busy = longest()
isOver = true
await Promise.all(calling)
demo.kill('SIGTERM')
await once(demo, 'exit')
await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })

const text = ({ rare, most }: typeof quiet) => `${rare.toFixed(0)} and ${most.toFixed(0)} ms`
const detail = `one in a thousand and the longest: ${text(quiet)} before, ${text(busy)} during`
printFigure(
  'ms that a change of plugins holds a request',
  busy.rare - quiet.rare,
  { atMost: 50 },
  detail
)
printFigure('requests that failed', failed, { atMost: 0 }, `of ${waits.length}`)
printFigure(
  's until a change of plugins is in force',
  Math.max(...took) / 1000,
  { atMost: 10 },
  `${CHANGES} changes`
)
