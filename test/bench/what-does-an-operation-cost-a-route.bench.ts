// An operation against host.route with the same schemas, requests per second, in one run.
import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { inTurns, median, printFigure } from './measure.ts'

const server = fileURLToPath(new URL('./operation-server.js', import.meta.url))
/** Processes of one kind differ by some percent: how V8 compiles is partly chance. */
const PAIRS = 6
const TURNS = 3

interface Served {
  readonly url: string
  end(): void
}

async function serve(kind: 'route' | 'operation', dataDir: string): Promise<Served> {
  const child = fork(server, [kind, dataDir], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (message) => resolve(String(message)))
    child.once('exit', (code) => reject(new Error(`the ${kind} server ended with ${code}`)))
  })
  return { url, end: () => child.kill('SIGTERM') }
}

async function requestsPerSecond({ url }: Served, duration = 1): Promise<number> {
  const result = await autocannon({
    url,
    duration,
    connections: 20,
    pipelining: 4,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Ada', tags: ['a', 'b', 'c'] })
  })
  if (result.non2xx > 0) throw new Error(`${result.non2xx} answers of ${url} were not 2xx`)
  return result.requests.total / result.duration
}

const dataDir = await mkdtemp(join(tmpdir(), 'keelson-bench-'))
const ratios: number[] = []
const rates: string[] = []
for (let at = 0; at < PAIRS; at++) {
  const [route, operation] = [await serve('route', dataDir), await serve('operation', dataDir)]
  await requestsPerSecond(route, 2)
  await requestsPerSecond(operation, 2)
  const { first, second } = await inTurns(
    TURNS,
    () => requestsPerSecond(route),
    () => requestsPerSecond(operation)
  )
  ratios.push(second / first)
  rates.push(`${second.toFixed(0)}/${first.toFixed(0)}`)
  route.end()
  operation.end()
}
printFigure('operation against host.route', median(ratios), { atLeast: 0.95 }, rates.join(' '))
await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 })
