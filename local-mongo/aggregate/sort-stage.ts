// $sort, with the $limit that follows it.
import { decodeDoc } from '../bson/decode.ts'
import { encodeDoc, sizeOfDoc } from '../bson/encode.ts'
import { parseSort, type Sort } from '../bson/sort.ts'
import { type Doc, isDoc } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { unionFields } from '../expressions/expression.ts'
import { RunSorter } from './run-sorter.ts'
import {
  type Batches,
  inBatches,
  MemoryMeter,
  type Stage,
  type StageEnv,
  type StageParser,
  topField
} from './stage.ts'

/** A document by its key; encoded once there are many, because Maps are many times larger. */
interface Entry {
  readonly key: Uint8Array
  doc: Doc | Uint8Array
}

const KEPT_DECODED_BYTES = 8 * 1024 * 1024

export const parseSortStage: StageParser = (spec, { collation }) => {
  if (!isDoc(spec))
    throw commandError('Location15973', 'the $sort key specification must be an object')
  if (spec.size === 0)
    throw commandError('Location15976', '$sort stage must have at least one sort key')
  return sortStage(parseSort(spec, { collation }), undefined)
}

/** A stage that sorts, and keeps the first `limit`. */
export function sortStage(sort: Sort, limit: number | undefined): SortStage {
  const fields = new Set(sort.parts.map(({ path }) => topField(path)))
  return {
    sort,
    needs: (after) => unionFields(fields, after),
    run: (input, env) =>
      limit === undefined ? sortAll(input, sort, env) : sortFirst(input, sort, limit, env)
  }
}

export interface SortStage extends Stage {
  readonly sort: Sort
}

export function isSortStage(stage: Stage): stage is SortStage {
  return 'sort' in stage
}

const byKey = (a: Entry, b: Entry): number => Buffer.compare(a.key, b.key)

function* documentsOf(entries: Iterable<Entry>): Generator<Doc> {
  for (const { doc } of entries) yield doc instanceof Uint8Array ? decodeDoc(doc) : doc
}

async function* sortAll(input: Batches, sort: Sort, env: StageEnv): AsyncGenerator<readonly Doc[]> {
  const meter = new MemoryMeter('Sort', env)
  const entries = new RunSorter(byKey)
  let decodedBytes = 0
  for await (const batch of input) {
    for (const doc of batch) {
      const key = sort.sortKey(doc)
      const size = sizeOfDoc(doc)
      meter.add(size + key.length + 64)
      decodedBytes += size
      entries.add({ key, doc: decodedBytes > KEPT_DECODED_BYTES ? encodeDoc(doc) : doc })
    }
  }
  yield* inBatches(documentsOf(entries), env)
}

/** Sorts what has gathered whenever it is twice as much as is wanted, and drops the rest. */
async function* sortFirst(
  input: Batches,
  sort: Sort,
  limit: number,
  env: StageEnv
): AsyncGenerator<readonly Doc[]> {
  let entries: Entry[] = []
  let gathered = 0
  const most = Math.max(1024, limit * 2)
  const trim = (): void => {
    entries = entries.sort(byKey).slice(0, limit)
    const meter = new MemoryMeter('Sort', env)
    gathered = entries.reduce(
      (size, { key, doc }) => size + key.length + (doc as Uint8Array).length,
      0
    )
    meter.add(gathered)
  }
  for await (const batch of input) {
    for (const doc of batch) {
      const entry = { key: sort.sortKey(doc), doc: encodeDoc(doc) }
      gathered += entry.key.length + entry.doc.length
      entries.push(entry)
      if (entries.length >= most || gathered > env.memoryLimitBytes) trim()
    }
  }
  trim()
  yield* inBatches(documentsOf(entries), env)
}
