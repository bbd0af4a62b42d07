// Starts a host of ingest in a separate process, and sends it batches.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Agent, request } from 'undici'
import { wireEvent } from './telemetry-events.ts'

const HOST = fileURLToPath(new URL('./telemetry-host.js', import.meta.url))

export interface Used {
  readonly commands: number
  readonly cpuMs: number
  readonly rss: number
}

export interface IngestHost {
  used(): Promise<Used>
  /** Sends a batch again until it is taken; milliseconds until then. */
  send(batch: readonly object[]): Promise<number>
  close(): Promise<void>
}

export async function startIngestHost(uri: string, database: string): Promise<IngestHost> {
  const child: ChildProcess = spawn(process.execPath, [HOST, uri, database], {
    stdio: ['pipe', 'pipe', 'inherit']
  })
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  const [line] = (await once(lines, 'line')) as [string]
  const { address, key } = JSON.parse(line) as { address: string; key: string }
  const dispatcher = new Agent({ connections: 32 })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return {
    async used() {
      const { body } = await request(`${address}/used`, { dispatcher })
      return (await body.json()) as Used
    },
    async send(batch) {
      const text = JSON.stringify({ release: 'web@1', records: batch })
      const startedAt = performance.now()
      for (;;) {
        const { statusCode, body } = await request(`${address}/ingest`, {
          method: 'POST',
          dispatcher,
          headers,
          body: text
        })
        await body.dump()
        if (statusCode === 202) return performance.now() - startedAt
        if (statusCode !== 429 && statusCode !== 503) throw new Error(`ingest said ${statusCode}`)
      }
    },
    async close() {
      const ended = once(child, 'exit')
      child.stdin?.end()
      await ended
      await dispatcher.close()
    }
  }
}

let made = 0

/** Batches of 100, occurring now. */
export const nextBatch = (size = 100) =>
  Array.from({ length: size }, () => wireEvent(made++, Date.now()))

/** Sends so many batches over so many lanes; milliseconds of each. */
export async function sendBatches(
  host: IngestHost,
  batches: number,
  lanes: number
): Promise<number[]> {
  const times: number[] = []
  let left = batches
  const lane = async () => {
    while (left-- > 0) times.push(await host.send(nextBatch()))
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return times
}

/** The value that a fraction of all is at most. */
export function quantile(values: readonly number[], fraction: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN
}
