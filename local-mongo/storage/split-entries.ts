// Split index entries in LMDB: keys with many sorted values, in a separate database of the file.
import type { Database as LmdbDatabase, RootDatabase } from 'lmdb'
import { type EntryRange, keyBefore, type Reading, readingsOf } from './entry-range.ts'
import { joinedKey, ownPart, sharedPart } from './tree-keys.ts'
import { type Entry, NOTHING, type Walk } from './view.ts'

export type ReadTransaction = ReturnType<RootDatabase['useReadTransaction']>

/** What lmdb-js takes and answers beyond its declarations. */
export type EntryDatabase = Omit<
  LmdbDatabase<Uint8Array, Uint8Array>,
  'putSync' | 'removeSync' | 'getCount' | 'doesExist'
> & {
  putSync(key: Uint8Array, value: Uint8Array): boolean
  /** False when the entry was not there. */
  removeSync(key: Uint8Array, value: Uint8Array): boolean
  getCount(options: object): number
  encoder: unknown
  doesExist(key: Uint8Array, value: Uint8Array, options: object): boolean
}

/** Ends of ranges of values go through an encoder, and lmdb-js gives bytes none. */
const AS_IT_IS = {
  encode: (value: Uint8Array) => value,
  writeKey(value: Uint8Array, target: Uint8Array, at: number): number {
    target.set(value, at)
    return at + value.length
  }
}

/** Lies among the keys of the file, after every tree that there can be. */
const NAME = '\u007fentries'

/** Opens the entries in a file that may have other keys; made when they are not there. */
export function openEntryDatabase(root: RootDatabase<Uint8Array, Uint8Array>): EntryDatabase {
  const options = {
    name: NAME,
    dupSort: true,
    keyEncoding: 'binary',
    encoding: 'binary',
    compression: false
  } as const
  const database = root.openDB<Uint8Array, Uint8Array>(
    options as unknown as Parameters<RootDatabase['openDB']>[0] & { name: string }
  ) as unknown as EntryDatabase
  database.encoder = AS_IT_IS
  return database
}

/** Puts the entry; nothing happens when it is there. */
export function putSplit(database: EntryDatabase, entry: Uint8Array): void {
  database.putSync(sharedPart(entry), ownPart(entry))
}

/** Nothing happens when the entry is not there. */
export function removeSplit(database: EntryDatabase, entry: Uint8Array): void {
  database.removeSync(sharedPart(entry), ownPart(entry))
}

/** Whether the entry is there. */
export function hasSplit(
  database: EntryDatabase,
  entry: Uint8Array,
  transaction: ReadTransaction | undefined
): boolean {
  return database.doesExist(sharedPart(entry), ownPart(entry), withTransaction({}, transaction))
}

/** How many entries there are from one key up to another. */
export function countSplit(
  database: EntryDatabase,
  low: Uint8Array,
  high: Uint8Array,
  transaction: ReadTransaction | undefined
): number {
  return database.getCount(withTransaction({ start: low, end: high }, transaction))
}

function withTransaction<T extends object>(options: T, transaction: ReadTransaction | undefined) {
  return transaction === undefined ? options : { ...options, transaction }
}

function valuesOf(
  database: EntryDatabase,
  { key, from = NOTHING, to = NOTHING }: Extract<Reading, { kind: 'values' }>,
  reverse: boolean,
  transaction: ReadTransaction | undefined
): Iterator<Entry> {
  const ends = reverse
    ? { start: to, end: from, exclusiveStart: to.length > 0, inclusiveEnd: true }
    : { start: from, end: to }
  const options = withTransaction({ ...ends, reverse }, transaction)
  const values = database.getValues(key, options as object)[Symbol.iterator]()
  return {
    next() {
      const step = values.next()
      if (step.done === true) return { done: true, value: undefined }
      return { done: false, value: { key, value: step.value } }
    },
    return(value) {
      values.return?.()
      return { done: true, value }
    }
  }
}

function openReading(
  database: EntryDatabase,
  reading: Reading,
  reverse: boolean,
  transaction: ReadTransaction | undefined
): Iterator<Entry> {
  if (reading.kind === 'values') return valuesOf(database, reading, reverse, transaction)
  const { from, to } = reading
  const ends = reverse
    ? { start: keyBefore(to), end: from, inclusiveEnd: true }
    : { start: from, end: to }
  const options = withTransaction({ ...ends, reverse }, transaction)
  return database.getRange(options as object)[Symbol.iterator]()
}

/** Walks the entries of a range; their keys are whole, their values empty. */
export function walkSplit(
  database: EntryDatabase,
  range: EntryRange,
  reverse: boolean,
  transaction: ReadTransaction | undefined
): Walk {
  const readings = readingsOf(range)
  if (reverse) readings.reverse()
  let position = 0
  let open: Iterator<Entry> | undefined
  return {
    next() {
      while (position < readings.length) {
        open ??= openReading(database, readings[position] as Reading, reverse, transaction)
        const step = open.next()
        if (step.done !== true) {
          const { key, value } = step.value
          return { key: joinedKey(key, value), value: NOTHING }
        }
        open = undefined
        position++
      }
      return undefined
    },
    close() {
      open?.return?.()
      position = readings.length
    }
  }
}
