// The one lane to the database: gathers what arrives into few large flushes, in order, within bounds.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, isClientClosed } from '@keelson/sdk'
import type { Parcel } from './parcel.ts'
import type { ParcelResult } from './write-parcels.ts'

export interface WriterOptions {
  /** Writes parcels together. */
  readonly write: (parcels: readonly Parcel[]) => Promise<ParcelResult>
  readonly clock: Clock
  /** Called with the error of each failed attempt. */
  onFailure(error: unknown): void
  /** Milliseconds the first arrival waits for company. Default 5. */
  readonly gatherMs?: number
  /** Records that may wait. Default 10,000. */
  readonly maxQueued?: number
}

interface Waiting extends Parcel {
  /** Told of failure at once: the sender will send it again. */
  readonly isAnswerable: boolean
  readonly weight: number
  readonly bytes: number
  resolve(result: ParcelResult): void
  reject(error: unknown): void
}

const FLUSH_RECORDS = 2000
const FLUSH_BYTES = 8 * 1024 * 1024
const FIRST_BACKOFF_MS = 100
const LAST_BACKOFF_MS = 5000

export class Writer {
  readonly #options: WriterOptions
  readonly #queue: Waiting[] = []
  readonly #roomWaiters: (() => void)[] = []
  #queued = 0
  #failures = 0
  #isRunning = false
  #isStopped = false
  #startedAt = 0
  #latest: Promise<unknown> = Promise.resolve()
  /** Of those that are tried until they are written: they may outlast an answerable one that came later. */
  #latestPatient: Promise<unknown> = Promise.resolve()

  constructor(options: WriterOptions) {
    this.#options = options
  }

  /** Records waiting or being written. */
  get queued(): number {
    return this.#queued
  }

  /** Milliseconds the flush in hand has been going on; 0 when none is. */
  get stalledMs(): number {
    return this.#startedAt === 0 ? 0 : this.#now() - this.#startedAt
  }

  /** Whether more may be taken. */
  get hasRoom(): boolean {
    return this.#queued < (this.#options.maxQueued ?? 10_000)
  }

  /**
   * Takes a parcel; callers see to it that there is room. An answerable one rejects when it could not be
   * written; any other is tried again until it is, until the writer is stopped or the client was closed.
   */
  put(parcel: Parcel, isAnswerable: boolean): Promise<ParcelResult> {
    const weight = parcel.items.length + parcel.rejects.length + parcel.aliases.length
    const bytes = parcel.items.reduce((sum, item) => sum + item.record.size, 0)
    this.#queued += weight
    const settled = new Promise<ParcelResult>((resolve, reject) => {
      this.#queue.push({ ...parcel, isAnswerable, weight, bytes, resolve, reject })
    })
    this.#latest = settled.catch(() => undefined)
    if (!isAnswerable) this.#latestPatient = this.#latest
    if (!this.#isRunning) {
      this.#isRunning = true
      void this.#run()
    }
    return settled
  }

  /** Resolves when there is room. */
  async room(): Promise<void> {
    while (!this.hasRoom) {
      await new Promise<void>((resolve) => {
        this.#roomWaiters.push(resolve)
      })
    }
  }

  /** Resolves when everything taken so far has been written or given up. */
  async drain(): Promise<void> {
    await Promise.all([this.#latest, this.#latestPatient])
  }

  /** Gives up what cannot be written at the next attempt. */
  stop(): void {
    this.#isStopped = true
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      await sleep(this.#pauseMs())
      const batch = takeBatch(this.#queue)
      this.#startedAt = this.#now()
      const isWritten = await this.#write(batch)
      this.#startedAt = 0
      this.#failures = isWritten ? 0 : this.#failures + 1
    }
    this.#isRunning = false
  }

  #now(): number {
    return this.#options.clock.now().getTime()
  }

  #pauseMs(): number {
    if (this.#failures === 0) return this.#options.gatherMs ?? 5
    if (this.#isStopped) return 0
    const longest = Math.min(LAST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (this.#failures - 1))
    return longest * (0.5 + Math.random() / 2)
  }

  async #write(batch: readonly Waiting[]): Promise<boolean> {
    try {
      const result = await this.#options.write(batch)
      for (const parcel of batch) this.#settle(parcel, () => parcel.resolve(result))
      return true
    } catch (error) {
      this.#options.onFailure(error)
      const isOver = this.#isStopped || isClientClosed(error)
      const isGivenUp = (parcel: Waiting) => parcel.isAnswerable || isOver
      this.#queue.unshift(...batch.filter((parcel) => !isGivenUp(parcel)))
      for (const parcel of batch.filter(isGivenUp)) {
        this.#settle(parcel, () => parcel.reject(error))
      }
      return false
    }
  }

  #settle(parcel: Waiting, tell: () => void): void {
    this.#queued -= parcel.weight
    tell()
    if (this.hasRoom) for (const wake of this.#roomWaiters.splice(0)) wake()
  }
}

/** Parcels from the front, whole, up to the size of one flush; at least one. */
function takeBatch(queue: Waiting[]): Waiting[] {
  let records = 0
  let bytes = 0
  let count = 0
  for (const parcel of queue) {
    records += parcel.weight
    bytes += parcel.bytes
    if (count > 0 && (records > FLUSH_RECORDS || bytes > FLUSH_BYTES)) break
    count++
  }
  return queue.splice(0, count)
}
