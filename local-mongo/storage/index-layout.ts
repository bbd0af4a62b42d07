// How the entries of an index are laid out on disk, beside what its key pattern says.
import { Int32 } from 'bson'
import type { Collation } from '../bson/collation.ts'
import type { KeyPart } from '../bson/index-keys.ts'
import type { Value } from '../bson/value.ts'

/** Chosen when the index is made, and kept with it. */
export interface IndexLayout {
  /**
   * True when every direction is turned around, so that the last part ascends: what comes last is
   * then added at the end of a page, and pages fill up instead of being split in halves.
   */
  readonly isTurned: boolean
  /** True when the last part is `_id`, which is then the document's key at the end of the entry. */
  readonly endsInId: boolean
  /** True when an entry's leading parts are kept once for all entries that begin with them. */
  readonly isSplit: boolean
}

/** Entries as the key pattern says, with the document's key behind. Of indexes of format 1. */
export const PLAIN_LAYOUT: IndexLayout = {
  isTurned: false,
  endsInId: false,
  isSplit: false
}

const TURNED = 1
const ENDS_IN_ID = 2
const IS_SPLIT = 4

/** The layout for a new index. `collations` are those of the index and of its collection. */
export function layoutOf(
  parts: readonly KeyPart[],
  isUnique: boolean,
  collations: readonly (Collation | undefined)[]
): IndexLayout {
  const last = parts.at(-1)
  const isPlainText = collations.every((collation) => collation === undefined)
  return {
    isTurned: last?.direction === -1,
    endsInId: last?.path === '_id' && parts.length > 1 && !isUnique && isPlainText,
    isSplit: !isUnique
  }
}

/** The parts in the directions in which they are written. */
export function writtenParts(parts: readonly KeyPart[], { isTurned }: IndexLayout): KeyPart[] {
  if (!isTurned) return [...parts]
  return parts.map(({ path, direction }) => ({ path, direction: direction === 1 ? -1 : 1 }))
}

/**
 * How many leading parts entries share: all but the last before the `_id`. An index on one field has a
 * separate tree, which fills up when its values grow.
 */
export function sharedPartsOf(parts: number, { endsInId, isSplit }: IndexLayout): number {
  return isSplit ? Math.max(0, parts - (endsInId ? 2 : 1)) : 0
}

/** As the catalog keeps it. */
export function encodeLayout({ isTurned, endsInId, isSplit }: IndexLayout): Int32 {
  return new Int32((isTurned ? TURNED : 0) + (endsInId ? ENDS_IN_ID : 0) + (isSplit ? IS_SPLIT : 0))
}

/** Absent in folders from before it was kept. */
export function decodeLayout(stored: Value): IndexLayout {
  if (stored === undefined) return PLAIN_LAYOUT
  const bits = (stored as Int32).value
  return {
    isTurned: (bits & TURNED) !== 0,
    endsInId: (bits & ENDS_IN_ID) !== 0,
    isSplit: (bits & IS_SPLIT) !== 0
  }
}
