// Walks an access path entry by entry; can be left between any two and taken up again later.

import type { Access, IndexAccess } from '../planner/plan.ts'
import type { Filter } from '../query/filter.ts'
import type { Collection } from '../storage/catalog.ts'
import type { KeyRange } from '../storage/entry-range.ts'
import type { Index } from '../storage/index-definition.ts'
import { openEntries } from '../storage/index-entries.ts'
import {
  afterKey,
  idOfSharedKey,
  restOfKey,
  textOfKey,
  treeKey,
  treeStart
} from '../storage/tree-keys.ts'
import type { Entry, View, Walk } from '../storage/view.ts'
import { coverOf, type ReadKey } from './covering.ts'

/** A document that the filter takes. */
export interface Found {
  /** The document's key in its collection. */
  readonly id: Uint8Array
  /** Of a covered walk the fields that are wanted, else the document. */
  readonly bytes: Uint8Array
}

/** What a walk has done; the numbers of `explain`. */
export interface WalkStats {
  keysExamined: number
  docsExamined: number
  seeks: number
  returned: number
  readonly branches: readonly WalkStats[]
}

/** Documents of an access path, one step at a time. */
export interface DocumentWalk {
  readonly stats: WalkStats
  readonly isEnded: boolean
  /**
   * Looks at one entry; undefined when it is none that is wanted, or at the end. When the filter
   * throws, the next call looks at the same entry.
   */
  step(): Found | undefined
  /** Releases what must not be held while others have the turn; `step` goes on from there. */
  pause(): void
}

export interface WalkSource {
  readonly view: View
  readonly collection: Collection
  /** Checked where the path does not settle it. */
  readonly filter: Filter
  /** True when documents may move in the index while they are walked: each is given once. */
  readonly mayMove?: boolean
  /** The only fields that will be looked at: an index that keeps them may stand for the document. */
  readonly fields?: ReadonlySet<string> | undefined
}

/** Nothing done yet. */
export function newStats(branches: readonly WalkStats[] = []): WalkStats {
  return { keysExamined: 0, docsExamined: 0, seeks: 0, returned: 0, branches }
}

/** Reads entries of sorted ranges, forwards or backwards. */
export class RangeReader {
  readonly #view: View
  readonly #index: Index
  readonly #ranges: readonly KeyRange[]
  readonly #isBackward: boolean
  readonly #stats: WalkStats
  readonly #only: 'keys' | undefined
  readonly #isByKey: boolean
  #next = 0
  #walk: Walk | undefined
  #last: Uint8Array | undefined

  constructor(
    view: View,
    index: Index,
    access: {
      readonly ranges: readonly KeyRange[]
      readonly isBackward: boolean
      /** Given when no value will be looked at. */
      readonly only?: 'keys'
      /** As of the access. */
      readonly isByKey?: boolean
    },
    stats: WalkStats
  ) {
    const { ranges, isBackward, only, isByKey = false } = access
    this.#only = only
    this.#isByKey = isByKey
    this.#view = view
    this.#index = index
    this.#ranges = ranges
    this.#isBackward = isBackward
    this.#stats = stats
  }

  /** The next entry; undefined at the end. */
  read(): Entry | undefined {
    if (this.#isByKey) return this.#readByKey()
    while (this.#next < this.#ranges.length) {
      this.#walk ??= this.#open()
      const entry = this.#walk.next()
      if (entry !== undefined) {
        this.#last = entry.key
        return entry
      }
      this.#walk = undefined
      this.#last = undefined
      this.#next++
    }
    return undefined
  }

  pause(): void {
    this.#walk?.close()
    this.#walk = undefined
  }

  /** Getting an entry by its key costs a fraction of opening its range. */
  #readByKey(): Entry | undefined {
    while (this.#next < this.#ranges.length) {
      const key = treeKey(this.#index.tree, this.#range().low)
      this.#next++
      this.#stats.seeks++
      const value = this.#view.get(key)
      if (value !== undefined) return { key, value }
    }
    return undefined
  }

  /** The range that is due. */
  #range(): KeyRange {
    const position = this.#isBackward ? this.#ranges.length - 1 - this.#next : this.#next
    return this.#ranges[position] as KeyRange
  }

  #open(): Walk {
    this.#stats.seeks++
    return openEntries(this.#view, this.#index, this.#range(), {
      isBackward: this.#isBackward,
      only: this.#only,
      last: this.#last
    })
  }
}

const WHOLE = new Uint8Array(0)

/** All documents of a collection in the order of `_id`. */
class CollectionWalk implements DocumentWalk {
  readonly stats = newStats()
  readonly #source: WalkSource
  readonly #isBackward: boolean
  #walk: Walk | undefined
  #last: Uint8Array | undefined
  /** Read, while the filter has not answered. */
  #entry: Entry | undefined
  isEnded = false

  constructor(source: WalkSource, isBackward: boolean) {
    this.#source = source
    this.#isBackward = isBackward
  }

  step(): Found | undefined {
    if (this.isEnded) return undefined
    const entry = this.#entry ?? this.#next()
    if (entry === undefined) {
      this.isEnded = true
      return undefined
    }
    this.#entry = entry
    const isTaken = this.#source.filter.matches(entry.value)
    this.#entry = undefined
    this.stats.docsExamined++
    if (!isTaken) return undefined
    this.stats.returned++
    return { id: restOfKey(entry.key), bytes: entry.value }
  }

  pause(): void {
    this.#walk?.close()
    this.#walk = undefined
  }

  #next(): Entry | undefined {
    this.#walk ??= this.#open()
    const entry = this.#walk.next()
    if (entry !== undefined) this.#last = entry.key
    return entry
  }

  #open(): Walk {
    const { view, collection } = this.#source
    const last = this.#last
    const from =
      last !== undefined && !this.#isBackward ? afterKey(last) : treeKey(collection.tree, WHOLE)
    const to = last !== undefined && this.#isBackward ? last : treeStart(collection.tree + 1)
    return view.range(from, to, this.#isBackward)
  }
}

/** Less with each thing that an index's documents are no longer known to be. */
function strictness({ arrays, isExact, isPlain }: Index['flags']): number {
  let strict = Number(isExact) + Number(isPlain)
  for (const isArray of arrays) if (!isArray) strict++
  return strict
}

/** The documents of an index's ranges. */
class IndexWalk implements DocumentWalk {
  readonly stats = newStats()
  readonly #source: WalkSource
  readonly #access: IndexAccess
  readonly #reader: RangeReader
  /** Documents that were met, where one may have several keys. */
  #seen: Set<string> | undefined
  #cover: ReadKey | undefined
  #isSettled: boolean
  /** What was known of the documents when the path was chosen. */
  readonly #known: number
  #isPaused = false
  /** Read, while the filter has not answered. */
  #found: Found | undefined
  isEnded = false

  constructor(source: WalkSource, access: IndexAccess) {
    this.#source = source
    this.#access = access
    this.#cover = coverOf(access, source.fields)
    const { ranges, isBackward, isByKey, index } = access
    const isKeyOnly = this.#cover !== undefined && !index.isUnique
    const only = isKeyOnly ? { only: 'keys' as const } : {}
    const wanted = { ranges, isBackward, isByKey, ...only }
    this.#reader = new RangeReader(source.view, index, wanted, this.stats)
    if (source.mayMove === true || access.index.flags.arrays.includes(true)) this.#seen = new Set()
    this.#isSettled = access.isSettled
    this.#known = strictness(index.flags)
  }

  step(): Found | undefined {
    if (this.isEnded) return undefined
    if (this.#isPaused) this.#lookAgain()
    if (this.#found !== undefined) return this.#check(this.#found.id, this.#found.bytes)
    if (this.#access.isPoint) return this.#single()
    const entry = this.#reader.read()
    if (entry === undefined) {
      this.isEnded = true
      return undefined
    }
    this.stats.keysExamined++
    return this.#take(entry)
  }

  pause(): void {
    this.#isPaused = true
    this.#reader.pause()
  }

  /** Documents that came during the pause may be such as the path was not chosen for. */
  #lookAgain(): void {
    this.#isPaused = false
    if (strictness(this.#access.index.flags) === this.#known) return
    this.#seen ??= new Set()
    this.#cover = undefined
    this.#isSettled = false
  }

  /** One document by its key: read at once. */
  #single(): Found | undefined {
    const { index, ranges } = this.#access
    const id = ranges[0]?.low as Uint8Array
    const bytes = this.#source.view.get(treeKey(index.tree, id))
    this.isEnded = bytes === undefined
    if (bytes === undefined) return undefined
    this.stats.keysExamined++
    return this.#check(id, bytes)
  }

  #take(entry: Entry): Found | undefined {
    const { index } = this.#access
    if (index.isOnId) return this.#check(restOfKey(entry.key), entry.value)
    const id = index.isUnique ? entry.value : idOfSharedKey(entry.key)
    if (this.#isSeen(id)) return undefined
    const covered = this.#cover?.(entry.key)
    if (covered !== undefined) {
      this.stats.returned++
      return { id, bytes: covered }
    }
    const bytes = this.#source.view.get(treeKey(this.#source.collection.tree, id))
    return bytes === undefined ? undefined : this.#check(id, bytes)
  }

  #isSeen(id: Uint8Array): boolean {
    if (this.#seen === undefined) return false
    const text = textOfKey(id)
    if (this.#seen.has(text)) return true
    this.#seen.add(text)
    return false
  }

  #check(id: Uint8Array, bytes: Uint8Array): Found | undefined {
    const found = { id, bytes }
    this.#found = found
    const isTaken = this.#isSettled || this.#source.filter.matches(bytes)
    this.#found = undefined
    this.isEnded = this.#access.isPoint
    this.stats.docsExamined++
    if (!isTaken) return undefined
    this.stats.returned++
    return found
  }
}

/** The documents of several paths, each once. */
class OrWalk implements DocumentWalk {
  readonly stats: WalkStats
  readonly #branches: readonly DocumentWalk[]
  readonly #seen = new Set<string>()
  #current = 0

  constructor(branches: readonly DocumentWalk[]) {
    this.#branches = branches
    this.stats = newStats(branches.map(({ stats }) => stats))
  }

  get isEnded(): boolean {
    return this.#current >= this.#branches.length
  }

  step(): Found | undefined {
    const branch = this.#branches[this.#current]
    if (branch === undefined) return undefined
    const found = branch.step()
    if (branch.isEnded) this.#current++
    if (found === undefined) return undefined
    const id = textOfKey(found.id)
    if (this.#seen.has(id)) return undefined
    this.#seen.add(id)
    this.stats.returned++
    return found
  }

  pause(): void {
    for (const branch of this.#branches) branch.pause()
  }
}

/** Opens the walk over an access path. */
export function openWalk(source: WalkSource, access: Access): DocumentWalk {
  switch (access.kind) {
    case 'collection':
      return new CollectionWalk(source, access.isBackward)
    case 'index':
      return new IndexWalk(source, access)
    case 'or':
      return new OrWalk(access.branches.map((branch) => openWalk(source, branch)))
    case 'nothing':
      return new OrWalk([])
  }
}

/** Keys and documents that a walk has looked at, with those of its branches. */
export function totals(stats: WalkStats): { readonly keys: number; readonly docs: number } {
  let keys = stats.keysExamined
  let docs = stats.docsExamined
  for (const branch of stats.branches) {
    const inner = totals(branch)
    keys += inner.keys
    docs += inner.docs
  }
  return { keys, docs }
}
