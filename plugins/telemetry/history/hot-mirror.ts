// Rows that are documents, mirrored in DuckDB: loaded once, then kept up by the database's own log of changes, so that a
// read sees every insert, erasure and removal before it, in the order in which they happened.
import { isMissingFeature } from '@keelson/sdk'
import { Binary, type ChangeStream, type Collection, type Document } from 'mongodb'
import type { StoredRow } from '../envelope/stored-row.ts'
import type { TelemetryLogger } from '../logger.ts'
import { COLUMNS_OF_LINE, idHex, LINE_SHAPE, lineOf } from './columns.ts'
import { type Engine, MIRROR, type OpenSession, type Session } from './engine.ts'
import { lineBatches } from './line-batches.ts'

/** The table of the mirror. */
export const HOT_TABLE = `${MIRROR}.rows`

export interface MirrorOptions {
  /** Rows that it may hold; with more, each read copies the rows that fit. */
  readonly maxRows: number
  readonly logger: TelemetryLogger
  /** Milliseconds that only go forward. Default: those of the process. */
  readonly elapsed?: () => number
}

/** Milliseconds that the database waits for a change before it answers that it found none. */
const AWAIT_MS = 1
/** Milliseconds in which it must have come to where the log was when a read began. */
const MOST_BEHIND_MS = 2_000
/** Changes, or rows, that are read at a time. */
const BATCH = 1000
/** Rows that are put into the table at a time: a chunk of DuckDB. */
const LINES = 2048
/** Changes after which the table is made small again. */
const CHANGES_PER_CHECKPOINT = 10_000
/** Milliseconds before the next try after it was given up. */
const GIVEN_UP_MS = 600_000
const TRIES = 3

type Stream = ChangeStream<StoredRow>

/** What is known of changed rows, the latest last; undefined for those that are gone. */
type Changes = Map<string, StoredRow | undefined>

/** There is something that it cannot hold. */
class NotMirrored extends Error {
  override readonly name = 'NotMirrored'
}

/** The stream began anew, or the collection did. */
class LogEnded extends Error {
  override readonly name = 'LogEnded'
}

export class HotMirror {
  readonly #rows: Collection<StoredRow>
  readonly #options: MirrorOptions
  readonly #elapsed: () => number
  #turn: Promise<unknown> = Promise.resolve()
  #stream: Stream | undefined
  #session: OpenSession | undefined
  #count = 0
  #changes = 0
  #offUntil = Number.NEGATIVE_INFINITY
  #isClosed = false

  constructor(rows: Collection<StoredRow>, options: MirrorOptions) {
    this.#rows = rows
    this.#options = options
    this.#elapsed = options.elapsed ?? (() => performance.now())
  }

  /** Rows that it holds. */
  get rows(): number {
    return this.#count
  }

  /**
   * Brings the mirror to what the database has, and lets a session see `HOT_TABLE` as it is then. How many rows that
   * are; undefined when they must be read as documents.
   */
  open(engine: Engine, session: Session): Promise<number | undefined> {
    const opened = this.#turn.then(async () => {
      if (!(await this.#isCaughtUp(engine))) return undefined
      await session.run('BEGIN TRANSACTION')
      // The first look at a table begins what the transaction sees.
      await session.texts(`SELECT '' FROM ${HOT_TABLE} LIMIT 0`)
      return this.#count
    })
    this.#turn = opened.catch(() => undefined)
    return opened
  }

  /** Gives back its memory; the next read loads it anew. */
  async release(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#drop())
    await this.#turn
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#stream?.close().catch(() => undefined)
    await this.#turn
    await this.#drop()
  }

  async #isCaughtUp(engine: Engine): Promise<boolean> {
    if (this.#isClosed || this.#options.maxRows === 0 || this.#elapsed() < this.#offUntil)
      return false
    for (let attempt = 1; ; attempt++) {
      try {
        if (this.#stream === undefined) await this.#load(engine)
        else await this.#follow(this.#stream)
        return true
      } catch (error) {
        await this.#drop()
        if (this.#isClosed) return false
        const isHopeless = error instanceof NotMirrored || isMissingFeature(error)
        if (!isHopeless && attempt < TRIES) continue
        this.#giveUp(error)
        return false
      }
    }
  }

  #giveUp(err: unknown): void {
    this.#offUntil = isMissingFeature(err)
      ? Number.POSITIVE_INFINITY
      : this.#elapsed() + GIVEN_UP_MS
    this.#options.logger.warn(
      { err },
      'Records that are not sealed are not mirrored: each read of history copies those that fit.'
    )
  }

  /** What happens from before the first row is read is in the log, and is applied to what was read. */
  async #load(engine: Engine): Promise<void> {
    this.#checkCount(await this.#rows.estimatedDocumentCount())
    this.#session = await engine.open()
    const { session } = this.#session
    await session.run('CREATE TEMP TABLE lines (line VARCHAR)')
    await session.run('CREATE TEMP TABLE gone (id VARCHAR)')
    await session.run(
      `CREATE OR REPLACE TABLE ${HOT_TABLE} AS SELECT ${COLUMNS_OF_LINE} FROM (SELECT unnest(from_json(line, '${LINE_SHAPE}')) FROM lines)`
    )
    const stream = this.#rows.watch(
      [{ $project: { operationType: 1, documentKey: 1, fullDocument: 1 } }],
      {
        fullDocument: 'updateLookup',
        maxAwaitTimeMS: AWAIT_MS,
        batchSize: BATCH,
        readPreference: 'primary'
      }
    ) as Stream
    this.#stream = stream
    const early: Changes = new Map()
    note(early, await stream.tryNext())
    const all = this.#rows.find({}, { batchSize: BATCH, readPreference: 'primary' })
    await this.#insert(session, all as unknown as AsyncIterable<StoredRow>)
    await this.#apply(early)
    await this.#follow(stream)
    await this.#shrink()
  }

  /**
   * Applies what has changed up to where the log is now. An empty answer alone proves nothing: the database may have
   * passed writes of other collections for as long as it looked.
   */
  async #follow(stream: Stream): Promise<void> {
    const until = await this.#placeNow()
    const last = this.#elapsed() + MOST_BEHIND_MS
    for (;;) {
      const changes: Changes = new Map()
      let isThere = false
      while (!isThere && changes.size < BATCH) {
        isThere = !note(changes, await stream.tryNext()) && placeOf(stream) >= until
        if (!isThere && this.#elapsed() > last) throw new NotMirrored('the log is far ahead')
      }
      await this.#apply(changes)
      if (isThere) break
    }
    if (this.#changes > CHANGES_PER_CHECKPOINT) await this.#shrink()
  }

  /** Where a stream begins that is opened now. */
  async #placeNow(): Promise<string> {
    const probe = this.#rows.watch([], { maxAwaitTimeMS: AWAIT_MS, readPreference: 'primary' })
    try {
      await probe.tryNext()
      return placeOf(probe)
    } finally {
      await probe.close()
    }
  }

  async #apply(changes: Changes): Promise<void> {
    const session = this.#session?.session
    if (changes.size === 0 || session === undefined) return
    await session.fill('gone', [...changes.keys()])
    const [gone = '0'] = await session.texts(
      `SELECT count(*)::VARCHAR FROM ${HOT_TABLE} WHERE "_id" IN (SELECT unhex(id) FROM gone)`
    )
    if (gone !== '0') {
      await session.run(`DELETE FROM ${HOT_TABLE} WHERE "_id" IN (SELECT unhex(id) FROM gone)`)
    }
    await session.run('DELETE FROM gone')
    this.#count -= Number(gone)
    await this.#insert(
      session,
      [...changes.values()].flatMap((row) => row ?? [])
    )
    this.#changes += changes.size
  }

  #checkCount(count: number): void {
    if (count > this.#options.maxRows) throw new NotMirrored(`${count} records`)
  }

  async #insert(
    session: Session,
    rows: Iterable<StoredRow> | AsyncIterable<StoredRow>
  ): Promise<void> {
    for await (const lines of lineBatches(rows, LINES, mirroredLine)) {
      this.#checkCount(this.#count + lines.length)
      await session.fill('lines', lines)
      await session.run(
        `INSERT INTO ${HOT_TABLE} SELECT ${COLUMNS_OF_LINE} FROM (SELECT unnest(from_json(line, '${LINE_SHAPE}')) FROM lines)`
      )
      await session.run('DELETE FROM lines')
      this.#count += lines.length
    }
  }

  /** Without what was deleted, and compressed. Reads under way keep what they see. */
  async #shrink(): Promise<void> {
    this.#changes = 0
    const session = this.#session?.session
    await session?.run(`CREATE OR REPLACE TABLE ${HOT_TABLE} AS SELECT * FROM ${HOT_TABLE}`)
    await session?.run(`CHECKPOINT ${MIRROR}`)
  }

  async #drop(): Promise<void> {
    const [stream, opened] = [this.#stream, this.#session]
    this.#stream = undefined
    this.#session = undefined
    this.#count = 0
    this.#changes = 0
    await stream?.close().catch(() => undefined)
    await opened?.session.run(`DROP TABLE IF EXISTS ${HOT_TABLE}`).catch(() => undefined)
    opened?.close()
  }
}

function mirroredLine(row: StoredRow): string {
  if (!(row._id instanceof Binary)) throw new NotMirrored('ids of old')
  return lineOf(row)
}

/** Tokens of one log are texts that are ordered as their places are (MongoDB manual, Change Streams, Resume Tokens). */
function placeOf(stream: ChangeStream): string {
  const { _data } = stream.resumeToken as { readonly _data?: unknown }
  if (typeof _data !== 'string') throw new NotMirrored('tokens that have no order')
  return _data
}

/** False when there was no change. @throws LogEnded */
function note(changes: Changes, change: Document | null): boolean {
  if (change === null) return false
  const { operationType, documentKey, fullDocument } = change as {
    readonly operationType: string
    readonly documentKey?: { readonly _id: Binary }
    readonly fullDocument?: StoredRow | null
  }
  if (!(documentKey?._id instanceof Binary)) throw new LogEnded(operationType)
  const id = idHex(documentKey._id)
  // The latest state of a row has the latest place.
  changes.delete(id)
  changes.set(id, operationType === 'delete' ? undefined : (fullDocument ?? undefined))
  return true
}
