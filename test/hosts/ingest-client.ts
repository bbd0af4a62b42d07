// Sends batches of telemetry to a host until it has taken them.
import { Agent, request } from 'undici'

export interface IngestClient {
  /** Sends a batch again until it is taken; milliseconds until then. */
  send(batch: readonly object[]): Promise<number>
  close(): Promise<void>
}

export function openIngestClient(address: string, key: string): IngestClient {
  const dispatcher = new Agent({ connections: 32 })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return {
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
    close: () => dispatcher.close()
  }
}
