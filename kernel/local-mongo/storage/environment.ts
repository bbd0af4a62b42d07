// The LMDB environment: one file, one ordered map, one writer, and nothing of documents.
import { open, type RootDatabase } from 'lmdb'
import { MappedMemory } from './mapped-memory.ts'
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

/** How much of the file is used, and how often it was written. */
export interface FileUsage {
  readonly bytes: number
  readonly commits: number
}

interface DatabaseStats {
  readonly lastPageNumber: number
  readonly pageSize: number
  readonly lastTxnId: number
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
  /** True when much of the file is mapped: then writes are to be short. */
  isCrowded(): boolean
  /** Bytes of the data file in use, and how many transactions were ever committed. */
  usage(): FileUsage
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

function keyWalkOf(iterator: Iterator<Uint8Array>, memory: MappedMemory): Walk {
  return {
    next() {
      const step = iterator.next()
      if (step.done === true) return undefined
      memory.noteEntry(step.value.length)
      return { key: step.value, value: NOTHING }
    },
    close() {
      iterator.return?.()
    }
  }
}

function walkOf(iterator: Iterator<Entry>, memory: MappedMemory): Walk {
  return {
    next() {
      const step = iterator.next()
      if (step.done === true) return undefined
      memory.noteEntry(step.value.value.length)
      return step.value
    },
    close() {
      iterator.return?.()
    }
  }
}

/** The file while it is open, and again after its pages were let go. */
interface OpenFile {
  readonly memory: MappedMemory
  database(): Database
}

function viewOf(file: OpenFile, transaction?: ReadTransaction): View {
  const options: ReadOptions = transaction === undefined ? {} : { transaction }
  const { memory } = file
  return {
    get(key) {
      memory.noteLookup()
      return file.database().getBinary(key, options)
    },
    has(key) {
      memory.noteLookup()
      return file.database().getBinaryFast(key, options) !== undefined
    },
    range(low, high, reverse, only) {
      const request = rangeRequest(low, high, reverse, transaction)
      const database = file.database()
      memory.noteLookup()
      return only === 'keys'
        ? keyWalkOf(database.getKeys(request)[Symbol.iterator](), memory)
        : walkOf(database.getRange(request)[Symbol.iterator](), memory)
    },
    countRange: (low, high) => file.database().getCount(rangeRequest(low, high, false, transaction))
  }
}

function writeViewOf(file: OpenFile): WriteView {
  const { memory } = file
  return {
    ...viewOf(file),
    put(key, value) {
      memory.noteLookup()
      file.database().putSync(key, value)
    },
    putEntry(_tree, key) {
      memory.noteLookup()
      file.database().putSync(key, NOTHING)
    },
    putIfAbsent(key, value) {
      memory.noteLookup()
      return file.database().putSync(key, value, ONLY_IF_ABSENT)
    },
    remove(key) {
      memory.noteLookup()
      return file.database().removeSync(key)
    }
  }
}

function openDatabase(path: string): Database {
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
  return open<Uint8Array, Uint8Array>(options) as unknown as Database
}

/** The file; it is closed and opened again now and then, so that its mapped pages are let go. */
class File implements OpenFile {
  readonly memory: MappedMemory
  readonly #path: string
  #database: Database | undefined
  /** Snapshots, copies and the write under way: none of them may lose the file. */
  #users = 0
  #isDue = false
  #letting: Promise<void> | undefined

  constructor(path: string, mostResident: number | undefined) {
    this.#path = path
    this.memory = new MappedMemory(() => this.#letGoSoon(), mostResident)
    this.#database = openDatabase(path)
  }

  database(): Database {
    // Asked for while the pages are let go: then they stay mapped, and the next time comes.
    this.#database ??= openDatabase(this.#path)
    return this.#database
  }

  /** Notes a user; the answer ends it. */
  use(): () => void {
    this.#users++
    return () => {
      this.#users--
      if (this.#isDue) this.#letGoSoon()
    }
  }

  /** Runs what needs the file all the time, after the pages were let go when that is due. */
  async during<T>(act: (database: Database) => Promise<T>): Promise<T> {
    if (this.#isDue) this.#letGoSoon()
    await this.#letting
    const end = this.use()
    try {
      return await act(this.database())
    } finally {
      end()
    }
  }

  async close(): Promise<void> {
    await this.#letting
    await this.#database?.close()
  }

  #letGoSoon(): void {
    this.#isDue = true
    if (this.#users > 0 || this.#letting !== undefined || this.#database === undefined) return
    this.#isDue = false
    const database = this.#database
    this.#database = undefined
    const done = () => {
      this.#letting = undefined
    }
    this.#letting = database.close().then(done, done)
  }
}

/**
 * Opens or creates the file. Every commit is flushed before it is visible, so it survives a power cut.
 * `mostResident` is the memory of this process in bytes from which on mapped pages are let go;
 * default 256 MiB.
 */
export function openEnvironment(
  path: string,
  { mostResident }: { readonly mostResident?: number } = {}
): Environment {
  const file = new File(path, mostResident)
  const writeView = writeViewOf(file)
  return {
    live: viewOf(file),
    snapshot() {
      const database = file.database()
      database.resetReadTxn()
      const transaction = database.useReadTransaction()
      const end = file.use()
      return {
        ...viewOf(file, transaction),
        close() {
          transaction.done()
          end()
        }
      }
    },
    // A child transaction can be undone as a whole; a plain one would commit what was done before a throw.
    write: (change) =>
      file.during((database) => database.childTransaction(() => change(writeView))),
    isCrowded: () => file.memory.isCrowded,
    usage() {
      const { lastPageNumber, pageSize, lastTxnId } = file.database().getStats() as DatabaseStats
      return { bytes: (lastPageNumber + 1) * pageSize, commits: lastTxnId }
    },
    copyTo: (target) => file.during((database) => database.backup(target, true)),
    close: () => file.close()
  }
}
