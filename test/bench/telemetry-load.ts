// Starts a host of ingest in a separate process, and sends it batches.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { type IngestClient, openIngestClient } from '../hosts/ingest-client.ts'
import { wireEvent } from './telemetry-events.ts'

const HOST = fileURLToPath(new URL('./telemetry-host.js', import.meta.url))

export interface Used {
  readonly commands: number
  readonly cpuMs: number
  readonly rss: number
}

export interface IngestHost extends IngestClient {
  used(): Promise<Used>
}

export async function startIngestHost(uri: string, database: string): Promise<IngestHost> {
  const child: ChildProcess = spawn(process.execPath, [HOST, uri, database], {
    stdio: ['pipe', 'pipe', 'inherit']
  })
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  const [line] = (await once(lines, 'line')) as [string]
  const { address, key } = JSON.parse(line) as { address: string; key: string }
  const client = openIngestClient(address, key)
  return {
    async used() {
      const { body } = await request(`${address}/used`)
      return (await body.json()) as Used
    },
    send: client.send,
    async close() {
      const ended = once(child, 'exit')
      child.stdin?.end()
      await ended
      await client.close()
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
