// Slices of long work.
import { type Test, test } from 'tap'
import { inSlices, startSlices } from './slices.ts'

/** How many turns others have had. */
function turnsOfOthers(t: Test): () => number {
  let turns = 0
  const count = () => {
    turns++
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  t.teardown(() => clearImmediate(timer))
  return () => turns
}

test('others have their turn between slices, and each item comes once and in order', async (t) => {
  const items = Array.from({ length: 2550 }, (_, n) => n)
  const turns = turnsOfOthers(t)
  let now = 0
  const found: number[] = []
  for await (const some of inSlices(items, () => now)) {
    found.push(...some)
    now += 4
  }
  t.same(found, items)
  t.equal(turns(), 13, 'one after each eight milliseconds of work')
  for await (const _some of inSlices([])) t.fail('there is nothing')
})

test('work that takes no time gives no turn', async (t) => {
  const turns = turnsOfOthers(t)
  const turn = startSlices(() => 5)
  for (let at = 0; at < 1000; at++) await turn()
  t.equal(turns(), 0)
})
