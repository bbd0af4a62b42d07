// Slices of long work.
import { test } from 'tap'
import { inSlices } from './slices.ts'

test('others have their turn between slices, and each item comes once and in order', async (t) => {
  const items = Array.from({ length: 2500 }, (_, n) => n)
  let turns = 0
  const count = () => {
    turns++
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  t.teardown(() => clearImmediate(timer))
  const found: number[] = []
  for await (const some of inSlices(items)) found.push(...some)
  t.same(found, items)
  t.ok(turns >= 2, `${turns} turns`)
  for await (const _some of inSlices([])) t.fail('there is nothing')
})
