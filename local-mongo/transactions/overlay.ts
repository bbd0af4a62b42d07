// Private changes on top of a view: what a multi-document transaction sees before it commits.
import type { EntryRange } from '../storage/entry-range.ts'
import { isSplit, textOfKey, treeOf } from '../storage/tree-keys.ts'
import { type Entry, NOTHING, type View, type Walk, type WriteView } from '../storage/view.ts'
import { EntryLog } from './entry-log.ts'
import { SortedTexts } from './sorted-texts.ts'

/** A changed entry; `value` undefined says that it was removed. */
interface Change {
  readonly key: Uint8Array
  readonly value: Uint8Array | undefined
}

const PER_ENTRY_BYTES = 200

/**
 * A view with private changes. Most transactions read documents by their keys alone, so the order of the changes is
 * made when a walk asks for it, and changes of split entries wait in the order they came in until their tree is read.
 */
export class Overlay implements WriteView {
  readonly #base: View
  readonly #changes = new Map<string, Change>()
  #order = new SortedTexts()
  /** Keys of `#changes` that `#order` does not have yet. */
  #unordered: string[] = []
  /** Changes of split entries by tree. */
  readonly #waiting = new Map<number, EntryLog>()
  #bytes = 0

  constructor(base: View) {
    this.#base = base
  }

  /** About how much memory the changes take. */
  get bytes(): number {
    return this.#bytes
  }

  get isEmpty(): boolean {
    return this.#changes.size === 0 && this.#waiting.size === 0
  }

  /** Makes the changes in another view: those that wait tree by tree, all others in the order of their keys. */
  applyTo(view: Pick<WriteView, 'put' | 'remove'>): void {
    const texts = [...this.#changes.keys()].sort()
    for (const text of texts) makeChange(view, this.#changes.get(text) as Change)
    for (const log of this.#waiting.values()) {
      log.forEach((key, isThere) => {
        if (isThere) view.put(key, NOTHING)
        else view.remove(key)
      })
    }
  }

  /** Forgets all changes. */
  clear(): void {
    this.#changes.clear()
    this.#order = new SortedTexts()
    this.#unordered = []
    this.#waiting.clear()
    this.#bytes = 0
  }

  get(key: Uint8Array): Uint8Array | undefined {
    if (isSplit(key)) this.#settle()
    const change = this.#changes.get(textOfKey(key))
    return change === undefined ? this.#base.get(key) : change.value
  }

  has(key: Uint8Array): boolean {
    if (isSplit(key)) this.#settle()
    const change = this.#changes.get(textOfKey(key))
    return change === undefined ? this.#base.has(key) : change.value !== undefined
  }

  range(low: Uint8Array, high: Uint8Array, reverse: boolean, only?: 'keys'): Walk {
    return this.#withChanges(this.#base.range(low, high, reverse, only), low, high, reverse)
  }

  entries(range: EntryRange, reverse: boolean): Walk {
    const { low, high } = range
    return this.#withChanges(this.#base.entries(range, reverse), low.bytes, high.bytes, reverse)
  }

  countRange(low: Uint8Array, high: Uint8Array): number {
    if (!this.#orderOf(low).hasBetween(textOfKey(low), textOfKey(high))) {
      return this.#base.countRange(low, high)
    }
    let count = 0
    const walk = isSplit(low)
      ? this.entries({ low: { bytes: low }, high: { bytes: high } }, false)
      : this.range(low, high, false)
    while (walk.next() !== undefined) count++
    return count
  }

  put(key: Uint8Array, value: Uint8Array): void {
    if (isSplit(key)) this.#wait(key, true)
    else this.#set(key, value)
  }

  putEntry(_tree: number, key: Uint8Array): void {
    this.put(key, NOTHING)
  }

  putIfAbsent(key: Uint8Array, value: Uint8Array): boolean {
    if (this.has(key)) return false
    this.#set(key, value)
    return true
  }

  remove(key: Uint8Array): void {
    if (isSplit(key)) this.#wait(key, false)
    else this.#set(key, undefined)
  }

  #withChanges(base: Walk, low: Uint8Array, high: Uint8Array, reverse: boolean): Walk {
    const order = this.#orderOf(low)
    const from = textOfKey(low)
    const to = textOfKey(high)
    if (!order.hasBetween(from, to)) return base
    return mergedWalk(base, order.between(from, to, reverse), this.#changes, reverse)
  }

  /** The keys of all changes that a walk from `low` can meet. */
  #orderOf(low: Uint8Array): SortedTexts {
    if (isSplit(low)) this.#settle()
    for (const text of this.#unordered) this.#order.add(text)
    this.#unordered = []
    return this.#order
  }

  #wait(key: Uint8Array, isThere: boolean): void {
    const tree = treeOf(key)
    let log = this.#waiting.get(tree)
    if (log === undefined) {
      log = new EntryLog()
      this.#waiting.set(tree, log)
    }
    log.add(key, isThere)
    this.#bytes += EntryLog.sizeOf(key)
  }

  /** Puts what waits among the other changes: a split entry is read. */
  #settle(): void {
    if (this.#waiting.size === 0) return
    for (const log of this.#waiting.values()) {
      log.forEach((key, isThere) => {
        this.#bytes -= EntryLog.sizeOf(key)
        this.#set(key, isThere ? NOTHING : undefined)
      })
    }
    this.#waiting.clear()
  }

  #set(key: Uint8Array, value: Uint8Array | undefined): void {
    const text = textOfKey(key)
    const before = this.#changes.get(text)
    if (before === undefined) {
      this.#unordered.push(text)
      this.#bytes += 2 * key.length + PER_ENTRY_BYTES
    }
    this.#bytes += (value?.length ?? 0) - (before?.value?.length ?? 0)
    this.#changes.set(text, { key, value })
  }
}

function makeChange(view: Pick<WriteView, 'put' | 'remove'>, { key, value }: Change): void {
  if (value === undefined) view.remove(key)
  else view.put(key, value)
}

/** The entries of the base with the changes among them, in order. */
function mergedWalk(
  base: Walk,
  own: Iterator<string>,
  changes: ReadonlyMap<string, Change>,
  reverse: boolean
): Walk {
  let baseEntry: Entry | undefined
  let baseText = ''
  let ownText: string | undefined
  const advanceBase = () => {
    baseEntry = base.next()
    if (baseEntry !== undefined) baseText = textOfKey(baseEntry.key)
  }
  const advanceOwn = () => {
    const step = own.next()
    ownText = step.done === true ? undefined : step.value
  }
  advanceBase()
  advanceOwn()
  const isOwnFirst = () => {
    if (ownText === undefined) return false
    if (baseEntry === undefined) return true
    return reverse ? ownText >= baseText : ownText <= baseText
  }
  return {
    next() {
      while (isOwnFirst()) {
        const text = ownText as string
        const change = changes.get(text) as Change
        if (baseEntry !== undefined && baseText === text) advanceBase()
        advanceOwn()
        if (change.value !== undefined) return { key: change.key, value: change.value }
      }
      const entry = baseEntry
      if (entry !== undefined) advanceBase()
      return entry
    },
    close: () => base.close()
  }
}
