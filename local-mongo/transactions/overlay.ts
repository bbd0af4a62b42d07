// Private changes on top of a view: what a multi-document transaction sees before it commits.
import type { EntryRange } from '../storage/entry-range.ts'
import { isSplit, textOfKey } from '../storage/tree-keys.ts'
import { type Entry, NOTHING, type View, type Walk, type WriteView } from '../storage/view.ts'
import { SortedTexts } from './sorted-texts.ts'

/** A changed entry; `value` undefined says that it was removed. */
export interface Change {
  readonly key: Uint8Array
  readonly value: Uint8Array | undefined
}

const PER_ENTRY_BYTES = 200

/** A view with private changes. */
export class Overlay implements WriteView {
  readonly #base: View
  readonly #changes = new Map<string, Change>()
  readonly #order = new SortedTexts()
  #bytes = 0

  constructor(base: View) {
    this.#base = base
  }

  /** About how much memory the changes take. */
  get bytes(): number {
    return this.#bytes
  }

  get size(): number {
    return this.#changes.size
  }

  /** The changes in the order of their keys. */
  *changes(): Generator<Change> {
    for (const text of this.#order.all()) yield this.#changes.get(text) as Change
  }

  get(key: Uint8Array): Uint8Array | undefined {
    const change = this.#changes.get(textOfKey(key))
    return change === undefined ? this.#base.get(key) : change.value
  }

  has(key: Uint8Array): boolean {
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
    const from = textOfKey(low)
    const to = textOfKey(high)
    if (!this.#order.hasBetween(from, to)) return this.#base.countRange(low, high)
    let count = 0
    const walk = isSplit(low)
      ? this.entries({ low: { bytes: low }, high: { bytes: high } }, false)
      : this.range(low, high, false)
    while (walk.next() !== undefined) count++
    return count
  }

  put(key: Uint8Array, value: Uint8Array): void {
    this.#set(key, value)
  }

  putEntry(_tree: number, key: Uint8Array): void {
    this.#set(key, NOTHING)
  }

  putIfAbsent(key: Uint8Array, value: Uint8Array): boolean {
    if (this.has(key)) return false
    this.#set(key, value)
    return true
  }

  remove(key: Uint8Array): void {
    this.#set(key, undefined)
  }

  #withChanges(base: Walk, low: Uint8Array, high: Uint8Array, reverse: boolean): Walk {
    const from = textOfKey(low)
    const to = textOfKey(high)
    if (!this.#order.hasBetween(from, to)) return base
    return mergedWalk(base, this.#order.between(from, to, reverse), this.#changes, reverse)
  }

  #set(key: Uint8Array, value: Uint8Array | undefined): void {
    const text = textOfKey(key)
    const before = this.#changes.get(text)
    if (before === undefined) {
      this.#order.add(text)
      this.#bytes += 2 * key.length + PER_ENTRY_BYTES
    }
    this.#bytes += (value?.length ?? 0) - (before?.value?.length ?? 0)
    this.#changes.set(text, { key, value })
  }
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
