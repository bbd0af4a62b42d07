// How slots are given out.
import { test } from 'tap'
import { leastUsedSlot, TREE_SLOTS } from './tree-slots.ts'

test('slots are given in turn while they are free, then to those that have fewest', (t) => {
  const used: number[] = []
  for (let n = 0; n < TREE_SLOTS; n++) used.push(leastUsedSlot(used, used.at(-1) ?? -1))
  t.equal(new Set(used).size, TREE_SLOTS)
  t.equal(leastUsedSlot(used, TREE_SLOTS - 1), 0)
  const freed = used.filter((slot) => slot !== 7)
  t.equal(leastUsedSlot(freed, 20), 7)
  t.equal(leastUsedSlot([undefined, ...used], 3), 4)
  t.end()
})
