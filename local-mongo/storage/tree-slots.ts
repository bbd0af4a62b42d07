// Which of the databases in the file the documents of a collection lie in.
//
// LMDB fills the last page of a database and splits all others in halves: a collection that has one for
// itself takes half as much of the disk when its `_id`s grow. There are a few; more collections share them.

/** How many databases there are for documents. */
export const TREE_SLOTS = 64

/** The slot that fewest collections have; of several the next after the one given last. */
export function leastUsedSlot(used: Iterable<number | undefined>, last: number): number {
  const counts = new Array<number>(TREE_SLOTS).fill(0)
  for (const slot of used) if (slot !== undefined) counts[slot] = (counts[slot] ?? 0) + 1
  let best = (last + 1) % TREE_SLOTS
  for (let step = 1; step <= TREE_SLOTS; step++) {
    const slot = (last + step) % TREE_SLOTS
    if ((counts[slot] as number) < (counts[best] as number)) best = slot
  }
  return best
}
