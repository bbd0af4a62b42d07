// The LMDB environment: one file, one ordered map, one writer, and nothing of documents.
import { open, type RootDatabase } from 'lmdb'
import { type Entry, NOTHING, type Snapshot, type View, type Walk, type WriteView } from './view.ts'

/** LMDB's limit for the length of a key in bytes. */
export const MAX_KEY_BYTES = 1978

/** Address space kept for the file; disk is taken only as data grows. */
const MAP_BYTES = 2 ** 40

const MAX_READERS = 2_000
const ONLY_IF_ABSENT = { noOverwrite: true }

type ReadTransaction = ReturnType<RootDatabase['useReadTransaction']>
interface ReadOptions {
  readonly transaction?: ReadTransaction
}

/** What lmdb-js takes and answers beyond its declarations. */
type Database = Omit<
  RootDatabase<Uint8Array, Uint8Array>,
  'getBinary' | 'getBinaryFast' | 'putSync'
> & {
  getBinary(key: Uint8Array, options: ReadOptions): Uint8Array | undefined
  getBinaryFast(key: Uint8Array, options: ReadOptions): Uint8Array | undefined
  /** False when the entry was not written. */
  putSync(key: Uint8Array, value: Uint8Array, options?: typeof ONLY_IF_ABSENT): boolean
}

/** The open file. */
export interface Environment {
  /** The present state; inside `write` with the changes made so far. */
  readonly live: View
  /** The state as of now, until it is closed. Not to be read inside `write`. */
  snapshot(): Snapshot
  /**
   * Runs `change` in a write transaction and resolves when that is on disk. A throw undoes all of it.
   */
  write<T>(change: (view: WriteView) => T): Promise<T>
  /** Bytes of the data file in use. */
  usedBytes(): number
  /** A consistent copy of the file while writes go on. */
  copyTo(path: string): Promise<void>
  close(): Promise<void>
}

interface RangeRequest {
  start: Uint8Array
  end: Uint8Array
  reverse: boolean
  exclusiveStart: boolean
  inclusiveEnd: boolean
  transaction?: ReadTransaction
}

function rangeRequest(
  low: Uint8Array,
  high: Uint8Array,
  reverse: boolean,
  transaction: ReadTransaction | undefined
): RangeRequest {
  const request: RangeRequest = {
    start: reverse ? high : low,
    end: reverse ? low : high,
    reverse,
    exclusiveStart: reverse,
    inclusiveEnd: reverse
  }
  if (transaction !== undefined) request.transaction = transaction
  return request
}

function keyWalkOf(iterator: Iterator<Uint8Array>): Walk {
  return {
    next() {
      const step = iterator.next()
      return step.done === true ? undefined : { key: step.value, value: NOTHING }
    },
    close() {
      iterator.return?.()
    }
  }
}

function walkOf(iterator: Iterator<Entry>): Walk {
  return {
    next() {
      const step = iterator.next()
      return step.done === true ? undefined : step.value
    },
    close() {
      iterator.return?.()
    }
  }
}

function viewOf(database: Database, transaction?: ReadTransaction): View {
  const options: ReadOptions = transaction === undefined ? {} : { transaction }
  return {
    get: (key) => database.getBinary(key, options),
    has: (key) => database.getBinaryFast(key, options) !== undefined,
    range(low, high, reverse, only) {
      const request = rangeRequest(low, high, reverse, transaction)
      return only === 'keys'
        ? keyWalkOf(database.getKeys(request)[Symbol.iterator]())
        : walkOf(database.getRange(request)[Symbol.iterator]())
    },
    countRange: (low, high) => database.getCount(rangeRequest(low, high, false, transaction))
  }
}

function writeViewOf(database: Database): WriteView {
  return {
    ...viewOf(database),
    put(key, value) {
      database.putSync(key, value)
    },
    putEntry(_tree, key) {
      database.putSync(key, NOTHING)
    },
    putIfAbsent: (key, value) => database.putSync(key, value, ONLY_IF_ABSENT),
    remove: (key) => database.removeSync(key)
  }
}

/** Opens or creates the file. Every commit is flushed before it is visible, so it survives a power cut. */
export function openEnvironment(path: string): Environment {
  const options = {
    path,
    noSubdir: true,
    keyEncoding: 'binary',
    encoding: 'binary',
    mapSize: MAP_BYTES,
    maxDbs: 1,
    maxReaders: MAX_READERS,
    permissionsMode: 0o600,
    overlappingSync: false,
    // With it on, a failed commit also rejects a promise that nobody can reach.
    eventTurnBatching: false
  } as const
  const database = open<Uint8Array, Uint8Array>(options) as unknown as Database
  const writeView = writeViewOf(database)
  return {
    live: viewOf(database),
    snapshot() {
      database.resetReadTxn()
      const transaction = database.useReadTransaction()
      return { ...viewOf(database, transaction), close: () => transaction.done() }
    },
    // A child transaction can be undone as a whole; a plain one would commit what was done before a throw.
    write: (change) => database.childTransaction(() => change(writeView)),
    usedBytes() {
      const stats = database.getStats() as { lastPageNumber: number; pageSize: number }
      return (stats.lastPageNumber + 1) * stats.pageSize
    },
    copyTo: (target) => database.backup(target, true),
    close: () => database.close()
  }
}
