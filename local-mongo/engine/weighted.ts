// Documents for a group that counts: one for all that share the leading parts of an index's keys, with its weight.

import { Int32 } from 'bson'
import { WEIGHT } from '../aggregate/counting-group.ts'
import { decodeDoc } from '../bson/decode.ts'
import type { Doc } from '../bson/value.ts'
import type { OperationContext } from '../engine.ts'
import type { IndexAccess } from '../planner/plan.ts'
import type { KeyRange } from '../storage/entry-range.ts'
import { openEntries } from '../storage/index-entries.ts'
import { afterKey, restOfKey, sharedPart } from '../storage/tree-keys.ts'
import { coverOf } from './covering.ts'
import type { Query } from './query.ts'
import { runInSlices } from './time-slices.ts'

/** Each costs about as much as this many entries, so keys that few share are not worth it. */
const LEAST_SHARED = 4
/** Keys that are looked at before that is decided. */
const TRIED = 64
const MOST_KEYS = 10_000

/** Whether entries keep the fields in what they share, and the ranges end there too. */
function isShared(
  { index: { layout, parts, sharedParts }, ranges }: IndexAccess,
  fields: ReadonlySet<string>
): boolean {
  const shared = new Set(parts.slice(0, sharedParts).map(({ path }) => path))
  return (
    layout.isSplit &&
    [...fields].every((field) => shared.has(field)) &&
    ranges.every(({ lowShared, highShared }) => lowShared === undefined && highShared === undefined)
  )
}

/**
 * One document for each beginning that entries share, in the order of the index, with the wanted fields and
 * its weight: LMDB knows how many entries share one. Undefined where the documents must be read one by one.
 */
export async function weightedDocuments(
  query: Query,
  fields: ReadonlySet<string>,
  context: OperationContext
): Promise<readonly Doc[] | undefined> {
  const { access } = query.plan
  // What a transaction has changed lies beside the file.
  if (context.transaction !== undefined || access.kind !== 'index') return undefined
  const read = coverOf(access, fields)
  if (read === undefined || !isShared(access, fields)) return undefined
  const documents: Doc[] = []
  const keys = new SharedKeys(query, access)
  let entries = 0
  let isComplete = true
  await runInSlices(
    context,
    () => {
      const found = keys.next()
      if (found === undefined) return true
      const bytes = read(found.key)
      entries += found.count
      isComplete = bytes !== undefined && isWorthIt(documents.length, entries)
      if (bytes === undefined || !isComplete) return true
      documents.push(decodeDoc(bytes).set(WEIGHT, new Int32(found.count)))
      return false
    },
    () => {},
    () => query.refresh()
  )
  return isComplete ? documents : undefined
}

const isWorthIt = (keys: number, entries: number): boolean =>
  keys < MOST_KEYS && (keys < TRIED || entries >= keys * LEAST_SHARED)

/** The keys that entries share in the ranges of an index. Nothing is held between two of them. */
class SharedKeys {
  readonly #query: Query
  readonly #access: IndexAccess
  #position = 0
  #low: Uint8Array | undefined

  constructor(query: Query, access: IndexAccess) {
    this.#query = query
    this.#access = access
  }

  /** The first entry of the next key, and how many have the key. */
  next(): { readonly key: Uint8Array; readonly count: number } | undefined {
    const { index, ranges } = this.#access
    const { view } = this.#query.source
    for (;;) {
      const range: KeyRange | undefined = ranges[this.#position]
      if (range === undefined) return undefined
      const walk = openEntries(view, index, { low: this.#low ?? range.low, high: range.high })
      const entry = walk.next()
      walk.close()
      if (entry !== undefined) {
        const shared = sharedPart(entry.key)
        const beyond = afterKey(shared)
        this.#low = restOfKey(beyond)
        return { key: entry.key, count: view.countRange(shared, beyond) }
      }
      this.#position++
      this.#low = undefined
    }
  }
}
