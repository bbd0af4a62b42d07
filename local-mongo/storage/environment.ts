// The LMDB environment: one file, one ordered map, split entries beside it, one writer, nothing of documents.
import { rm } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { commandError } from '../errors.ts'
import { copyOf } from './copy-bytes.ts'
import {
  type Databases,
  type Dictionary,
  openDatabases,
  type ReadOptions,
  type ValueDatabase,
  writeDictionary
} from './databases.ts'
import { growDictionary, MOST_DICTIONARY_BYTES } from './dictionary.ts'
import { type PageCount, pageCounter } from './leaked-pages.ts'
import { MappedMemory } from './mapped-memory.ts'
import { keyWalkOf, noted, walkOf } from './noted-walks.ts'
import {
  countSplit,
  type EntryDatabase,
  hasSplit,
  putSplit,
  type ReadTransaction,
  removeSplit,
  walkSplit
} from './split-entries.ts'
import { isSplit, slotOf } from './tree-keys.ts'
import { NOTHING, type Snapshot, type View, type WriteView } from './view.ts'

/** So much written is worth a look at what it has in common. */
const GROWN_BYTES = 256 * 1024
const ONLY_IF_ABSENT = { noOverwrite: true }

/** How much of the file is used, and how often it was written. */
export interface FileUsage {
  readonly bytes: number
  readonly commits: number
}

interface FileStats {
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
  /** Whether documents may be stored in slots. */
  readonly hasSlots: boolean
  /** Has a function called, after a commit, whenever much was written. */
  onGrown(act: () => void): void
  /** Collections that the dictionary knows; undefined when it can learn no more. */
  learned(): ReadonlySet<number> | undefined
  /** Adds to what values are compressed against, from the next opening of the file on. */
  learn(collection: number, more: Uint8Array): Promise<void>
  /** Closes the file as soon as no snapshot needs it; the next use opens it. */
  reopen(): void
  /** True when much of the file is mapped: then writes are to be short. */
  isCrowded(): boolean
  /** Bytes of the data file in use, and how many transactions were ever committed. */
  usage(): FileUsage
  /**
   * Notes the last commit; what it answers counts the file's pages as of then, while a snapshot of that commit
   * is open.
   */
  pageCounter(): () => Promise<PageCount>
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

/** The file while it is open, and again after its pages were let go. */
interface OpenFile {
  readonly memory: MappedMemory
  /** Where a key, or an end of a range, lies. */
  values(key: Uint8Array): ValueDatabase
  entries(): EntryDatabase
  /** Notes bytes that were put. */
  noteWritten(bytes: number): void
}

function viewOf(file: OpenFile, transaction?: ReadTransaction): View {
  const options: ReadOptions = transaction === undefined ? {} : { transaction }
  const { memory } = file
  return {
    get(key) {
      memory.noteLookup()
      if (isSplit(key)) return hasSplit(file.entries(), key, transaction) ? NOTHING : undefined
      return copyOf(file.values(key).getBinaryFast(key, options))
    },
    has(key) {
      memory.noteLookup()
      if (isSplit(key)) return hasSplit(file.entries(), key, transaction)
      return file.values(key).getBinaryFast(key, options) !== undefined
    },
    range(low, high, reverse, only) {
      const request = rangeRequest(low, high, reverse, transaction)
      const database = file.values(low)
      memory.noteLookup()
      return only === 'keys'
        ? keyWalkOf(database.getKeys(request)[Symbol.iterator](), memory)
        : walkOf(database.getRange(request)[Symbol.iterator](), memory)
    },
    entries(range, reverse) {
      memory.noteLookup()
      return noted(walkSplit(file.entries(), range, reverse, transaction), memory)
    },
    countRange(low, high) {
      if (isSplit(low)) return countSplit(file.entries(), low, high, transaction)
      return file.values(low).getCount(rangeRequest(low, high, false, transaction))
    }
  }
}

function writeViewOf(file: OpenFile): WriteView {
  const { memory } = file
  return {
    ...viewOf(file),
    put(key, value) {
      memory.noteLookup()
      if (isSplit(key)) {
        putSplit(file.entries(), key)
        return
      }
      file.noteWritten(value.length)
      file.values(key).putSync(key, value)
    },
    putEntry(_tree, key) {
      memory.noteLookup()
      if (isSplit(key)) {
        // Its key lies on one page, its value on another.
        memory.noteLookup()
        putSplit(file.entries(), key)
      } else file.values(key).putSync(key, NOTHING)
    },
    putIfAbsent(key, value) {
      memory.noteLookup()
      file.noteWritten(value.length)
      return file.values(key).putSync(key, value, ONLY_IF_ABSENT)
    },
    remove(key) {
      memory.noteLookup()
      if (isSplit(key)) return removeSplit(file.entries(), key)
      return file.values(key).removeSync(key)
    }
  }
}

/** The file; it is closed and opened again now and then, so that its mapped pages are let go. */
class File implements OpenFile {
  readonly memory: MappedMemory
  readonly #path: string
  #open: Databases | undefined
  #dictionary: Dictionary | undefined
  /** Snapshots, copies and the write under way: none of them may lose the file. */
  #users = 0
  #written = 0
  #isDue = false
  #letting: Promise<void> | undefined
  #atWork = 0
  #whenIdle = () => {}
  #isClosed = false

  constructor(path: string, mostResident: number | undefined) {
    this.#path = path
    this.memory = new MappedMemory(path, () => this.letGoSoon(), mostResident)
    this.databases()
  }

  databases(): Databases {
    if (this.#isClosed) throw commandError('ShutdownInProgress', 'The database is closed')
    // Asked for while the pages are let go: then they stay mapped, and the next time comes.
    if (this.#open === undefined) {
      this.#open = openDatabases(this.#path)
      this.#dictionary = this.#open.dictionary
    }
    return this.#open
  }

  /** As of the last opening; asking for it does not open the file. */
  get dictionary(): Dictionary | undefined {
    return this.#dictionary
  }

  values(key: Uint8Array): ValueDatabase {
    const { values, slots } = this.databases()
    const slot = slotOf(key)
    return (slot === undefined ? undefined : slots[slot]) ?? values
  }

  entries(): EntryDatabase {
    return this.databases().entries
  }

  noteWritten(bytes: number): void {
    this.#written += bytes
  }

  /** Whether much was put since this was last so. */
  hasGrown(): boolean {
    if (this.#written < GROWN_BYTES) return false
    this.#written = 0
    return true
  }

  /** Notes a user; the answer ends it. */
  use(): () => void {
    this.#users++
    return () => {
      this.#users--
      if (this.#isDue) this.letGoSoon()
    }
  }

  /** Runs what needs the file all the time, after the pages were let go when that is due. */
  async during<T>(act: (databases: Databases) => Promise<T>): Promise<T> {
    this.#atWork++
    if (this.#isDue) this.letGoSoon()
    await this.#letting
    const end = this.use()
    try {
      return await act(this.databases())
    } finally {
      end()
      if (--this.#atWork === 0) this.#whenIdle()
    }
  }

  /** Ends what is at work first; nothing opens the file again. */
  async close(): Promise<void> {
    if (this.#atWork > 0) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve
      })
    }
    this.#isClosed = true
    await this.#letting
    await this.#open?.root.close()
    this.#open = undefined
  }

  /** Closes the file as soon as nobody uses it; the next use opens it. */
  letGoSoon(): void {
    this.#isDue = true
    if (this.#users > 0 || this.#letting !== undefined || this.#open === undefined) return
    this.#isDue = false
    const { root } = this.#open
    this.#open = undefined
    const done = () => {
      this.#letting = undefined
    }
    this.#letting = root.close().then(done, done)
  }
}

/** LMDB does not compact a file that has lost pages: then the copy has all of them. */
async function copyFile(root: ValueDatabase, target: string): Promise<void> {
  try {
    await root.backup(target, true)
  } catch (error) {
    if (!String(error).includes('MDB_INCOMPATIBLE')) throw error
    await rm(target, { force: true })
    await root.backup(target, false)
  }
}

export interface EnvironmentOptions {
  /** Memory of this process in bytes from which on mapped pages are let go; default 256 MiB. */
  readonly mostResident?: number
  /** Milliseconds that a flush takes longer than it does; default 0. */
  readonly slowerFlushMs?: number
}

/**
 * Opens or creates the file. Every commit is flushed before it is visible, so it survives a power cut.
 */
export function openEnvironment(
  path: string,
  { mostResident, slowerFlushMs = 0 }: EnvironmentOptions = {}
): Environment {
  const file = new File(path, mostResident)
  const writeView = writeViewOf(file)
  let whenGrown = () => {}
  let begun = 0
  let underWay = 0
  return {
    live: viewOf(file),
    snapshot() {
      const { root } = file.databases()
      root.resetReadTxn()
      const transaction = root.useReadTransaction()
      const end = file.use()
      const taken = underWay === 0 ? begun : undefined
      return {
        ...viewOf(file, transaction),
        isPresent: () => underWay === 0 && begun === taken,
        close() {
          transaction.done()
          end()
        }
      }
    },
    // A child transaction can be undone as a whole; a plain one would commit what was done before a throw.
    async write(change) {
      begun++
      underWay++
      try {
        const result = await file.during(({ root }) =>
          root.childTransaction(() => change(writeView))
        )
        if (slowerFlushMs > 0) await setTimeout(slowerFlushMs)
        return result
      } finally {
        underWay--
        if (file.hasGrown()) whenGrown()
      }
    },
    hasSlots: file.databases().slots.length > 0,
    onGrown(act) {
      whenGrown = act
    },
    learned() {
      const { dictionary } = file
      return dictionary !== undefined && dictionary.bytes.length < MOST_DICTIONARY_BYTES
        ? dictionary.learned
        : undefined
    },
    async learn(collection, more) {
      await file.during(({ root, dictionary }) =>
        root.childTransaction(() => {
          if (dictionary === undefined) return
          const bytes = growDictionary(dictionary.bytes, more)
          writeDictionary(root, { bytes, learned: new Set([...dictionary.learned, collection]) })
        })
      )
      file.letGoSoon()
    },
    reopen: () => file.letGoSoon(),
    isCrowded: () => file.memory.isCrowded,
    usage() {
      const { lastPageNumber, pageSize, lastTxnId } = file.databases().root.getStats() as FileStats
      return { bytes: (lastPageNumber + 1) * pageSize, commits: lastTxnId }
    },
    pageCounter: () => pageCounter(path),
    copyTo: (target) => file.during(({ root }) => copyFile(root, target)),
    close: () => file.close()
  }
}
