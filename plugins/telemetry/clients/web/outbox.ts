// Records on their way from a page: queued, stored, sent in batches, tried again until they are taken.
import {
  BATCH_BYTES,
  BATCH_RECORDS,
  countWithin,
  type IngestAnswer,
  pauseMs,
  troubleOf,
  verdictOf
} from '../pace.ts'
import type { ClientRecord } from '../record.ts'
import type { Stored } from './stored.ts'

export interface OutboxOptions {
  /** With the key in it. */
  readonly address: string
  readonly credentials: RequestCredentials
  readonly release: string | undefined
  readonly maxQueued: number
  readonly stored: Stored
  readonly onError: ((error: unknown) => void) | undefined
}

/** Browsers let 64 kB at a time outlive a page. */
const BEACON_CHARACTERS = 60_000
const SAVE_MS = 1000

function bodyOf({ release }: OutboxOptions, records: readonly ClientRecord[]): string {
  return JSON.stringify({
    sentAt: Date.now(),
    release,
    client: {
      platform: 'web',
      userAgent: navigator.userAgent,
      locale: navigator.language,
      viewportW: innerWidth,
      viewportH: innerHeight
    },
    records
  })
}

/** Plain text, so that the browser need not ask first whether it may. undefined: the connection broke. */
const post = (options: OutboxOptions, records: readonly ClientRecord[]) =>
  fetch(options.address, {
    method: 'POST',
    body: bodyOf(options, records),
    credentials: options.credentials
  }).catch(() => undefined)

export function createOutbox(options: OutboxOptions) {
  const { address, stored, maxQueued } = options
  let queue = stored.adopt(Date.now()).slice(-maxQueued)
  let size = BATCH_RECORDS
  let failures = 0
  let notBefore = 0
  let sending: Promise<void> | undefined
  let saving: ReturnType<typeof setTimeout> | undefined

  const maySend = () => Date.now() >= notBefore && navigator.onLine

  function save(): void {
    clearTimeout(saving)
    saving = undefined
    stored.save(queue)
  }

  function take(batch: readonly ClientRecord[]): void {
    const taken = new Set(batch)
    queue = queue.filter((one) => !taken.has(one))
    failures = 0
  }

  async function sendAll(): Promise<void> {
    while (queue.length > 0 && maySend()) {
      const batch = queue.slice(0, countWithin(queue, size, BATCH_BYTES))
      const answer = await post(options, batch)
      const status = answer?.status ?? 0
      const said = ((await answer?.json().catch(() => 0)) || {}) as IngestAnswer
      const verdict = verdictOf(status, said)
      const trouble = troubleOf(status, batch.length, said)
      if (trouble) options.onError?.(trouble)
      if (verdict === 'again') {
        const asked = answer?.headers.get('retry-after')
        notBefore = Date.now() + pauseMs(++failures, asked, Math.random())
      } else if (verdict === 'smaller' && batch.length > 1) {
        size = batch.length >> 1
      } else {
        take(batch)
        if (verdict !== 'taken') options.onError?.(new Error(`ingest answered ${status}`))
      }
    }
    save()
  }

  // What was taken over lies nowhere else: the page may crash.
  if (queue.length > 0) save()

  function flush(): Promise<void> {
    sending ??= sendAll().finally(() => {
      sending = undefined
    })
    return sending
  }

  return {
    flush,
    add(record: ClientRecord) {
      queue = [...queue, record].slice(-maxQueued)
      saving ??= setTimeout(save, SAVE_MS)
      // An attempt ends with storing everything: not for each record as long as none can be sent.
      if (queue.length >= size && maySend()) void flush()
    },
    /** Tries at once, whatever the pace: the network is back. */
    hurry() {
      notBefore = 0
      void flush()
    },
    /** The page may end now. What the beacon takes stays in the queue until an answer says it arrived. */
    leave() {
      save()
      let batch = queue.slice(0, size)
      while (batch.length > 0 && bodyOf(options, batch).length > BEACON_CHARACTERS) {
        batch = batch.slice(0, batch.length >> 1)
      }
      if (batch.length > 0) navigator.sendBeacon(address, bodyOf(options, batch))
    },
    clear() {
      clearTimeout(saving)
      saving = undefined
      queue = []
    }
  }
}
