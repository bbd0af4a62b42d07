// A trivial kernel route against the same route on bare Fastify, requests per second, in one run.
import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { inTurns, printFigure } from './measure.ts'

const server = fileURLToPath(new URL('./route-server.js', import.meta.url))

interface Served {
  readonly url: string
  end(): void
}

async function serve(kind: 'bare' | 'kernel', dataDir: string): Promise<Served> {
  const child = fork(server, [kind, dataDir], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (message) => resolve(String(message)))
    child.once('exit', (code) => reject(new Error(`the ${kind} server ended with ${code}`)))
  })
  return { url, end: () => child.kill('SIGTERM') }
}

async function requestsPerSecond(url: string): Promise<number> {
  const result = await autocannon({ url, connections: 20, pipelining: 4, duration: 3 })
  if (result.non2xx > 0) throw new Error(`${result.non2xx} answers of ${url} were not 2xx`)
  return result.requests.average
}

const dataDir = await mkdtemp(join(tmpdir(), 'keelson-bench-'))
const bare = await serve('bare', dataDir)
const kernel = await serve('kernel', dataDir)
await Promise.all([requestsPerSecond(bare.url), requestsPerSecond(kernel.url)])
const { first, second } = await inTurns(
  5,
  () => requestsPerSecond(bare.url),
  () => requestsPerSecond(kernel.url)
)
const detail = `kernel ${second.toFixed(0)}/s, bare Fastify ${first.toFixed(0)}/s`
printFigure('kernel route against bare Fastify', second / first, { atLeast: 0.95 }, detail)
bare.end()
kernel.end()
await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 })
