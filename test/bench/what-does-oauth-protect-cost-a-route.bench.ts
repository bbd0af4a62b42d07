// A route behind protect(), without and with its cache, against the same route behind a static bearer check.
import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startLocalMongo } from '@keelson/local-mongo'
import autocannon from 'autocannon'
import { MongoClient } from 'mongodb'
import { inTurns, median, printFigure } from './measure.ts'
import { startActor } from './oauth-actor.ts'

const server = fileURLToPath(new URL('./oauth-server.js', import.meta.url))

interface Served {
  readonly url: string
  /** Microseconds of CPU that the server has used. */
  cpu(): Promise<number>
  end(): void
}

async function serve(kind: string, uri: string, token: string): Promise<Served> {
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as ['ignore', 'inherit', 'inherit', 'ipc']
  const child = fork(server, [kind, uri, token], { stdio })
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (message) => resolve(String(message)))
    child.once('exit', (code) => reject(new Error(`the ${kind} server ended with ${code}`)))
  })
  const cpu = () =>
    new Promise<number>((resolve) => {
      child.once('message', (used) => resolve(Number(used)))
      child.send('cpu')
    })
  return { url, cpu, end: () => child.kill('SIGTERM') }
}

/** CPU time of each request, by server and round: it says the same on a machine that others use too. */
const cost = new Map<Served, number[]>()

async function requestsPerSecond(served: Served, token: string): Promise<number> {
  const { url } = served
  const headers = { authorization: `Bearer ${token}` }
  const before = await served.cpu()
  const result = await autocannon({ url, headers, connections: 100, pipelining: 4, duration: 3 })
  if (result.non2xx > 0) throw new Error(`${result.non2xx} answers of ${url} were not 2xx`)
  const each = ((await served.cpu()) - before) / result.requests.total
  cost.set(served, [...(cost.get(served) ?? []), each])
  return result.requests.average
}

const micros = (served: Served): string => `${median(cost.get(served) ?? []).toFixed(1)} µs`

const dataDir = await mkdtemp(join(tmpdir(), 'keelson-bench-'))
const engine = await startLocalMongo({ dataDir })
const mongo = await new MongoClient(engine.uri).connect()
const actor = await startActor(mongo.db('oauth_bench'))
const { access_token: token } = await actor.exchange(await actor.toCode())
const fixed = await serve('static', engine.uri, token)
const aims = [
  ['opaque', 0.6],
  ['cached', 0.85]
] as const
for (const [kind, atLeast] of aims) {
  const guarded = await serve(kind, engine.uri, token)
  await Promise.all([requestsPerSecond(fixed, token), requestsPerSecond(guarded, token)])
  cost.clear()
  const { first, second } = await inTurns(
    5,
    () => requestsPerSecond(fixed, token),
    () => requestsPerSecond(guarded, token)
  )
  const detail = `protect ${second.toFixed(0)}/s (${micros(guarded)} of CPU each), static check ${first.toFixed(0)}/s (${micros(fixed)})`
  printFigure(
    `protect (${kind}) against a static bearer check`,
    second / first,
    { atLeast },
    detail
  )
  guarded.end()
}
fixed.end()
await actor.close()
await mongo.close()
await engine.close()
await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 })
