// A process that reads history for measurements: prints how long others wait in it, and what memory it keeps.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as later } from 'node:timers/promises'
import { createQueries, createTelemetry } from '@keelson/telemetry'
import { MongoClient } from 'mongodb'

/** One line of its output, as JSON. */
export interface ReaderFigure {
  readonly name: string
  readonly value: number
  readonly most: number
  readonly detail: string
}

const ROUNDS = 3
const IDLE_MS = 10_000
const MEGABYTE = 1024 * 1024

const [uri = '', database = '', cacheDir = '', from, to] = process.argv.slice(2)
const client = await new MongoClient(uri).connect()
const connection = client.db(database)
const telemetry = createTelemetry({
  registry: {},
  connection,
  history: { enabled: true, cacheDir }
})
const queries = createQueries({ telemetry, cacheMs: 0 })
const range = { from: new Date(Number(from)), to: new Date(Number(to)) }
const print = (figure: ReaderFigure) => process.stdout.write(`${JSON.stringify(figure)}\n`)

const READS: Readonly<Record<string, () => Promise<unknown>>> = {
  'a distribution': () => queries.distribution('*', range),
  'percentiles by day': () => queries.series('*', { ...range, measure: 'p95:durationMs' }),
  'subjects by day': () => queries.series('*', { ...range, measure: 'unique' }),
  'durations by route': () => queries.durations('*', { ...range, by: 'attr:route' }),
  'a breakdown by subject': () => queries.breakdown('*', { ...range, by: 'subject' }),
  'a text that none has': () => queries.records('*', { ...range, filters: { q: 'nowhere' } }),
  'a funnel': () => queries.eventFunnel('*', { ...range, steps: ['page.viewed', 'http.request'] }),
  retention: () => queries.eventRetention('*', { ...range, first: 'page.viewed' })
}

async function residentMb(): Promise<number> {
  await later(IDLE_MS)
  globalThis.gc?.()
  return process.memoryUsage.rss() / MEGABYTE
}

async function waitsDuring(name: string, act: () => Promise<unknown>): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await act()
  delay.disable()
  print({
    name: `ms that others wait at most during ${name}`,
    value: delay.max / 1e6,
    most: 50,
    detail: `99 of 100 wait ${(delay.percentile(99) / 1e6).toFixed(1)} ms`
  })
}

// What is not of history: the driver and the rows of a read, from documents.
await connection.collection('telemetry').find().limit(1000).toArray()
const before = await residentMb()
await waitsDuring('the first read, which loads DuckDB and mirrors hot records', () =>
  queries.distribution('*', range)
)
for (const [name, read] of Object.entries(READS)) {
  await read()
  await waitsDuring(name, async () => {
    for (let round = 0; round < ROUNDS; round++) await read()
  })
}
const after = await residentMb()
print({
  name: 'MB that a process keeps after its reads',
  value: after - before,
  most: 60,
  detail: `${before.toFixed(0)} and ${after.toFixed(0)} MB`
})
await telemetry.close()
await client.close()
