// Sends batches one after the other, again until each is taken, at a pace that spares a server in trouble.
import { type IngestAnswer, pauseMs, troubleOf, verdictOf } from '../pace.ts'
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

/** `again` with the milliseconds to wait, and what is left to be sent. */
export type Outcome =
  | { readonly is: 'over' }
  | { readonly is: 'again'; readonly afterMs: number; readonly rest: readonly ClientRecord[] }

const TIMEOUT_MS = 15_000

function answerOf(text: string): IngestAnswer {
  try {
    return (JSON.parse(text) ?? {}) as IngestAnswer
  } catch {
    return {}
  }
}

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
    const said = answerOf(text)
    const trouble = troubleOf(status, records.length, said)
    if (trouble !== undefined) onError(trouble)
    const again = (rest: readonly ClientRecord[]): Outcome => ({
      is: 'again',
      afterMs: pauseMs(++failures, retryAfter, Math.random()),
      rest
    })
    switch (verdictOf(status, said)) {
      case 'taken': {
        failures = 0
        const { overRate = 0 } = said
        return overRate > 0 ? again(records.slice(-overRate)) : { is: 'over' }
      }
      case 'again': {
        const { max = 0 } = said
        return max > 0 && max < records.length ? sendParts(records, max, signal) : again(records)
      }
      case 'smaller':
        return records.length > 1
          ? sendParts(records, records.length >> 1, signal)
          : refused(records, status, text)
      case 'refused':
        return refused(records, status, text)
    }
  }

  async function sendParts(
    records: readonly ClientRecord[],
    size: number,
    signal: AbortSignal
  ): Promise<Outcome> {
    for (let at = 0; at < records.length; at += size) {
      const outcome = await send(records.slice(at, at + size), signal)
      if (outcome.is === 'again') {
        return { ...outcome, rest: [...outcome.rest, ...records.slice(at + size)] }
      }
    }
    return { is: 'over' }
  }

  function refused(records: readonly ClientRecord[], status: number, text: string): Outcome {
    onError(
      new Error(`ingest answered ${status} to ${records.length} records: ${text.slice(0, 200)}`)
    )
    return { is: 'over' }
  }

  return { send: (batch: Batch, signal: AbortSignal) => send(batch.records, signal) }
}
