// Records on their way from a server: gathered, put on disk, sent in order, tried again.
import { setTimeout as sleep } from 'node:timers/promises'
import { BATCH_BYTES, BATCH_RECORDS, countWithin } from '../pace.ts'
import type { ClientRecord } from '../record.ts'
import type { Batch, DiskQueue } from './disk-queue.ts'
import type { createSender } from './sender.ts'

export interface NodeOutboxOptions {
  readonly disk: DiskQueue | undefined
  readonly sender: ReturnType<typeof createSender>
  readonly maxQueued: number
  readonly flushMs: number
  readonly onError: (error: unknown) => void
}

/** Batches that had to leave memory and still lie on disk. */
function createLeft(disk: DiskQueue | undefined) {
  const files: string[] = []
  return {
    get count() {
      return files.length
    },
    note(batch: Batch | undefined) {
      if (batch?.file !== undefined) files.push(batch.file)
    },
    /** One batch, or none when there is none any more. */
    async takeOldest(): Promise<readonly Batch[]> {
      for (let file = files.shift(); file !== undefined; file = files.shift()) {
        const batch = await disk?.read(file)
        if (batch !== undefined) return [batch]
      }
      return []
    }
  }
}

/** What has been taken must not use up the rate of the key again. */
function keepRest(batches: Batch[], first: Batch, rest: readonly ClientRecord[]): void {
  if (batches[0] === first) batches[0] = { ...first, records: rest }
}

export type NodeOutbox = ReturnType<typeof createNodeOutbox>

export function createNodeOutbox({ disk, sender, maxQueued, flushMs, onError }: NodeOutboxOptions) {
  const fresh: ClientRecord[] = []
  /** On their way to the disk. */
  let moving: ClientRecord[] = []
  let batches: Batch[] = []
  const left = createLeft(disk)
  let notBefore = 0
  let isAdopted = disk === undefined
  let sending: Promise<void> | undefined
  const stopped = new AbortController()

  /** Moves what has gathered into batches, on disk first. */
  async function gather(): Promise<void> {
    if (!isAdopted) {
      isAdopted = true
      batches.push(...((await disk?.adopt(Date.now())) ?? []))
    }
    while (fresh.length > 0) {
      moving = fresh.splice(0, countWithin(fresh, BATCH_RECORDS, BATCH_BYTES))
      batches.push(disk === undefined ? { records: moving } : await disk.put(moving))
      moving = []
    }
  }

  async function sendAll(): Promise<void> {
    await gather()
    for (;;) {
      if (batches.length === 0) batches.push(...(await left.takeOldest()))
      const [first] = batches
      if (first === undefined || Date.now() < notBefore || stopped.signal.aborted) return
      const outcome = await sender.send(first, stopped.signal)
      if (outcome.is === 'again') {
        notBefore = Date.now() + outcome.afterMs
        keepRest(batches, first, outcome.rest)
        return
      }
      batches = batches.filter((one) => one !== first)
      await disk?.done(first)
    }
  }

  function flush(): Promise<void> {
    sending ??= sendAll()
      .catch(onError)
      .finally(() => {
        sending = undefined
      })
    return sending
  }

  /** At the end of a process: nothing can be awaited any more. */
  function spill(): void {
    const left = [...moving, ...fresh]
    if (left.length > 0) disk?.putAtOnce(left)
  }

  const timer = setInterval(flush, flushMs).unref()

  return {
    flush,
    add(record: ClientRecord) {
      if (fresh.length + batches.length * BATCH_RECORDS >= maxQueued) {
        if (batches.length > 0) left.note(batches.shift())
        else fresh.shift()
        onError(new Error('more records wait than may: the oldest left memory'))
      }
      fresh.push(record)
      if (fresh.length >= BATCH_RECORDS) void flush()
    },
    /** Sends until nothing waits or it is stopped. */
    async drain() {
      while (fresh.length + batches.length + left.count > 0 && !stopped.signal.aborted) {
        await flush()
        const wait = notBefore - Date.now()
        if (wait > 0) {
          await sleep(wait, undefined, { signal: stopped.signal }).catch(() => undefined)
        }
      }
    },
    stop() {
      clearInterval(timer)
      stopped.abort()
      spill()
      fresh.length = 0
    },
    spill
  }
}
