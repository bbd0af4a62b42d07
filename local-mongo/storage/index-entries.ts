// Walks over the entries of an index, whichever way they are laid out.
import type { KeyRange } from './entry-range.ts'
import { type End, endAt } from './entry-range.ts'
import type { Index } from './index-definition.ts'
import { afterKey, indexKeyStart, isSplit, treeKey, treeStart } from './tree-keys.ts'
import type { View, Walk } from './view.ts'

export interface EntriesOptions {
  readonly isBackward?: boolean
  /** Given when no value will be looked at. */
  readonly only?: 'keys' | undefined
  /** The entry that was read last: goes on from there. */
  readonly last?: Uint8Array | undefined
}

function endOf(tree: number, bytes: Uint8Array, shared: number | undefined): End {
  return {
    bytes: treeKey(tree, bytes),
    split: shared === undefined ? undefined : indexKeyStart + shared
  }
}

/** The entries of an index in a range. */
export function openEntries(
  view: View,
  { tree, layout }: Pick<Index, 'tree' | 'layout'>,
  range: KeyRange,
  { isBackward = false, only, last }: EntriesOptions = {}
): Walk {
  if (!layout.isSplit) {
    const low = last !== undefined && !isBackward ? afterKey(last) : treeKey(tree, range.low)
    const high = last !== undefined && isBackward ? last : treeKey(tree, range.high)
    return view.range(low, high, isBackward, only)
  }
  const low =
    last !== undefined && !isBackward
      ? endAt(last, 'beyond')
      : endOf(tree, range.low, range.lowShared)
  const high =
    last !== undefined && isBackward
      ? endAt(last, 'before')
      : endOf(tree, range.high, range.highShared)
  return view.entries({ low, high }, isBackward)
}

/** All entries of a tree. */
export function openTree(view: View, tree: number): Walk {
  const [low, high] = [treeStart(tree), treeStart(tree + 1)]
  if (!isSplit(low)) return view.range(low, high, false)
  return view.entries({ low: { bytes: low }, high: { bytes: high } }, false)
}
