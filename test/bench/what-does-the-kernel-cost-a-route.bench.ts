// A trivial kernel route against the same route on bare Fastify, requests per second, in one run.
import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { printFigure } from './measure.ts'

const server = fileURLToPath(new URL('./route-server.js', import.meta.url))
/** Processes of one kind differ by some percent: how V8 compiles is partly chance. */
const PAIRS = 12
const TURNS = 3
/** V8 gives memory back after about 8 seconds of rest. */
const IDLE_MS = 12_000

interface Served {
  readonly url: string
  end(): void
}

interface Pair {
  readonly bare: Served
  readonly kernel: Served
}

async function serve(kind: 'bare' | 'kernel', dataDir: string): Promise<Served> {
  const child = fork(server, [kind, dataDir], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (message) => resolve(String(message)))
    child.once('exit', (code) => reject(new Error(`the ${kind} server ended with ${code}`)))
  })
  return { url, end: () => child.kill('SIGTERM') }
}

async function requestsPerSecond(url: string, seconds = 1): Promise<number> {
  const result = await autocannon({ url, connections: 20, pipelining: 4, duration: seconds })
  if (result.non2xx > 0) throw new Error(`${result.non2xx} answers of ${url} were not 2xx`)
  return result.requests.total / result.duration
}

async function startPair(dataDir: string): Promise<Pair> {
  return { bare: await serve('bare', dataDir), kernel: await serve('kernel', dataDir) }
}

interface Rates {
  readonly bare: number[]
  readonly kernel: number[]
}

/** Warms both servers, measures them in turn, and ends them. */
async function measurePair({ bare, kernel }: Pair, rates: Rates): Promise<void> {
  await requestsPerSecond(bare.url, 2)
  await requestsPerSecond(kernel.url, 2)
  for (let turn = 0; turn < TURNS; turn++) {
    rates.bare.push(await requestsPerSecond(bare.url))
    rates.kernel.push(await requestsPerSecond(kernel.url))
  }
  bare.end()
  kernel.end()
}

/** What only a quarter of the turns exceed: whatever disturbs a turn makes it slower, never faster. */
function upperQuarter(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => b - a)
  return sorted[Math.floor(sorted.length / 4)] ?? Number.NaN
}

function print(name: string, rates: Rates): void {
  const [bare, kernel] = [upperQuarter(rates.bare), upperQuarter(rates.kernel)]
  const detail = `kernel ${kernel.toFixed(0)}/s, bare Fastify ${bare.toFixed(0)}/s`
  printFigure(name, kernel / bare, { atLeast: 0.95 }, detail)
}

const dataDir = await mkdtemp(join(tmpdir(), 'keelson-bench-'))
const fresh: Rates = { bare: [], kernel: [] }
for (let at = 0; at < PAIRS; at++) await measurePair(await startPair(dataDir), fresh)
print('kernel route against bare Fastify', fresh)

const pairs: Pair[] = []
for (let at = 0; at < PAIRS / 2; at++) pairs.push(await startPair(dataDir))
await setTimeout(IDLE_MS)
const rested: Rates = { bare: [], kernel: [] }
for (const pair of pairs) await measurePair(pair, rested)
print('the same on servers that idled after their start', rested)
await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 })
