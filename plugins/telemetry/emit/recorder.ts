// What every way in shares: emit, ingest, OTLP and request spans read, decide and hand over here.
import type { Clock } from '@keelson/sdk'
import { createBlockedTransactions } from '@keelson/sdk/storage'
import {
  type PreparedRecord,
  type RecordInput,
  type RecordReading,
  type RecordSettings,
  readRecord
} from '../envelope/read-record.ts'
import { errors } from '../errors.ts'
import type { TelemetryLogger } from '../logger.ts'
import type { Registry } from '../registry/types.ts'
import { Ledger } from '../rollups/ledger.ts'
import type { StoredReject, TelemetryStorage } from '../storage/storage.ts'
import { createBurstCaps } from './burst.ts'
import { CounterSet, type OnCount } from './counters.ts'
import { decideRecord, type WriteItem } from './decide.ts'
import { flush } from './flush.ts'
import type { Parcel } from './parcel.ts'
import { type Refusal, storeRefusal } from './quarantine.ts'
import { type ParcelResult, writeParcels } from './write-parcels.ts'
import { Writer } from './writer.ts'

export interface RecorderOptions {
  readonly storage: TelemetryStorage
  readonly registry: () => Registry
  readonly settings: RecordSettings
  readonly clock: Clock
  readonly logger: TelemetryLogger
  readonly gatherMs: number
  readonly maxQueued: number
  /** Whether rows may have left for segments. */
  readonly isSealing: () => boolean
  readonly onCount: OnCount | undefined
}

/** A sender gives up waiting when a flush has been going on for so long. */
const STALLED_MS = 5000
/** Refusals stored in a minute by this process, in all and of one tenant; the rest are only counted. */
const REFUSALS_PER_MINUTE = 1200
const REFUSALS_PER_TENANT = 300

export class Recorder {
  readonly storage: TelemetryStorage
  readonly clock: Clock
  readonly logger: TelemetryLogger
  readonly counters: CounterSet
  readonly ledger = new Ledger()
  readonly #options: RecorderOptions
  readonly #bursts = createBurstCaps()
  readonly #writer: Writer
  readonly #waiting = new Set<Promise<void>>()
  #isClosed = false

  constructor(options: RecorderOptions) {
    this.#options = options
    this.storage = options.storage
    this.clock = options.clock
    this.logger = options.logger
    this.counters = new CounterSet(options.onCount)
    const target = {
      storage: options.storage,
      ledger: this.ledger,
      isSealing: options.isSealing,
      blocked: createBlockedTransactions(options.storage.collections.checkpoints)
    }
    const write = async (parcel: Parcel) => {
      const { repeats, skipped } = await flush(target, parcel, options.clock.now())
      this.counters.add('rollupSkipped', skipped)
      return repeats
    }
    this.#writer = new Writer({
      write: (parcels) => writeParcels(parcels, write),
      clock: options.clock,
      onFailure: (error) => this.#reportFailure(error),
      gatherMs: options.gatherMs,
      maxQueued: options.maxQueued
    })
  }

  get registry(): Registry {
    return this.#options.registry()
  }

  /** Subject types of visitors who are not known. */
  get anonymousTypes(): ReadonlySet<string> {
    return this.#options.settings.anonymousTypes
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  get queued(): number {
    return this.#writer.queued
  }

  read(input: RecordInput): RecordReading {
    return readRecord(input, this.#options.settings)
  }

  /** Samples and caps a record that passed. */
  decide(record: PreparedRecord, isReplayable: boolean): WriteItem {
    return decideRecord(record, this.#bursts, this.clock.now().getTime(), isReplayable)
  }

  /** Counts a refusal; its document, unless too many were stored this minute. */
  refuse(refusal: Refusal): StoredReject[] {
    this.counters.add('rejected')
    const now = this.clock.now()
    const at = now.getTime()
    const mayStore =
      this.#bursts.take(`refused ${refusal.tenantId ?? ''}`, REFUSALS_PER_TENANT, at) &&
      this.#bursts.take('refused', REFUSALS_PER_MINUTE, at)
    return mayStore ? [storeRefusal(refusal, now)] : []
  }

  /**
   * Hands over what a client sent. It resolves when it is in the database.
   *
   * @throws TEL_OVERLOADED when too much is waiting, TEL_WRITE_FAILED when the database cannot be
   * written, TEL_CLOSED after close.
   */
  submit(parcel: Parcel): Promise<ParcelResult> {
    if (this.#isClosed) throw errors.TEL_CLOSED()
    if (!this.#writer.hasRoom) throw errors.TEL_OVERLOADED()
    if (this.#writer.stalledMs > STALLED_MS) {
      throw errors.TEL_WRITE_FAILED({ reason: 'the database does not answer' })
    }
    return this.#put(parcel, true)
  }

  /** As submit, for callers of this process: waits for room instead of refusing. */
  submitDurable(parcel: Parcel): Promise<ParcelResult> {
    return this.#whenRoom(() => this.#put(parcel, true))
  }

  /** Resolves when the parcel is in the bounded queue; it is tried until it is written. */
  async enqueue(parcel: Parcel): Promise<void> {
    await this.#whenRoom(async () => {
      // Failures are logged by #reportFailure.
      this.#put(parcel, false).catch(() => undefined)
    })
  }

  // With room, nothing is awaited: whoever asks to drain right after has this included.
  async #whenRoom<T>(put: () => Promise<T>): Promise<T> {
    if (this.#writer.hasRoom) return put()
    const roomy = this.#writer.room()
    this.#waiting.add(roomy)
    try {
      await roomy
    } finally {
      this.#waiting.delete(roomy)
    }
    return put()
  }

  async #put(parcel: Parcel, isAnswerable: boolean): Promise<ParcelResult> {
    try {
      const result = await this.#writer.put(parcel, isAnswerable)
      this.#count(parcel, result)
      return result
    } catch (cause) {
      throw errors.TEL_WRITE_FAILED({ reason: (cause as Error).message, cause })
    }
  }

  /** Resolves when everything handed over so far is written, what waits for room included. */
  async drain(): Promise<void> {
    while (this.#waiting.size > 0) await Promise.all(this.#waiting)
    await this.#writer.drain()
  }

  /** Writes what is waiting, what waits for room included, trying once more when the database is away; takes nothing new. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#writer.stop()
    await this.drain()
    // Refusals of the database itself were put there meanwhile.
    while (this.#writer.queued > 0) await this.#writer.drain()
  }

  #count(parcel: Parcel, { repeats, faulty }: ParcelResult): void {
    const { counters } = this
    for (const item of parcel.items) {
      const reason = faulty.get(item)
      if (repeats.has(item)) counters.add('deduped')
      else if (reason !== undefined) this.#quarantineFaulty(item, reason)
      else countWritten(counters, item)
    }
  }

  // The database refuses what is in this record; it is kept for people to look at.
  #quarantineFaulty({ record }: WriteItem, reason: string): void {
    const { row } = record
    const raw = { name: row.name, id: record.id, occurredAt: row.occurredAt }
    const rejects = this.refuse({
      name: row.name,
      reason: `could not be stored: ${reason}`,
      raw,
      tenantId: row.tenantId,
      keyId: undefined
    })
    if (rejects.length > 0) void this.enqueue({ items: [], rejects, aliases: [] })
  }

  #reportFailure(error: unknown): void {
    const isStandalone = (error as { code?: unknown }).code === 20
    this.logger.error(
      { err: error, queued: this.#writer.queued },
      isStandalone
        ? 'Telemetry needs transactions: run MongoDB as a replica set.'
        : 'Telemetry could not be written; it is tried again.'
    )
  }
}

function countWritten(counters: CounterSet, { fate, record }: WriteItem): void {
  counters.add('truncated', record.truncated)
  counters.add('defaulted', record.defaulted)
  if (record.isDataDropped) counters.add('rejected')
  if (fate !== 'kept') counters.add(fate)
}
