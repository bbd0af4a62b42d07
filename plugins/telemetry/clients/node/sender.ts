// Sends batches one after the other, again until each is taken, at a pace that spares a server in trouble.
import { pauseMs, verdictOf } from '../pace.ts'
import type { ClientRecord } from '../record.ts'
import type { Batch } from './disk-queue.ts'

export interface SenderOptions {
  readonly url: string
  readonly key: string
  /** What holds for every batch: release, client, context. */
  readonly head: Readonly<Record<string, unknown>>
  readonly fetch: typeof fetch
  readonly onError: (error: unknown) => void
}

/** `again` with the milliseconds to wait. */
export type Outcome = { readonly is: 'over' } | { readonly is: 'again'; readonly afterMs: number }

const TIMEOUT_MS = 15_000

export function createSender({ url, key, head, fetch: call, onError }: SenderOptions) {
  let failures = 0

  async function post(records: readonly ClientRecord[], signal: AbortSignal) {
    try {
      const answer = await call(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify({ ...head, sentAt: Date.now(), records }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
      })
      const text = await answer.text()
      return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text }
    } catch {
      return { status: 0, retryAfter: null, text: '' }
    }
  }

  async function send(records: readonly ClientRecord[], signal: AbortSignal): Promise<Outcome> {
    const { status, retryAfter, text } = await post(records, signal)
    switch (verdictOf(status)) {
      case 'taken':
        failures = 0
        return { is: 'over' }
      case 'again':
        return { is: 'again', afterMs: pauseMs(++failures, retryAfter, Math.random()) }
      case 'smaller':
        return records.length > 1 ? sendHalves(records, signal) : refused(records, status, text)
      case 'refused':
        return refused(records, status, text)
    }
  }

  async function sendHalves(
    records: readonly ClientRecord[],
    signal: AbortSignal
  ): Promise<Outcome> {
    const middle = records.length >> 1
    // A half that has been taken is known by its ids when the whole is sent again.
    const first = await send(records.slice(0, middle), signal)
    return first.is === 'again' ? first : send(records.slice(middle), signal)
  }

  function refused(records: readonly ClientRecord[], status: number, text: string): Outcome {
    onError(
      new Error(`ingest answered ${status} to ${records.length} records: ${text.slice(0, 200)}`)
    )
    return { is: 'over' }
  }

  return { send: (batch: Batch, signal: AbortSignal) => send(batch.records, signal) }
}
