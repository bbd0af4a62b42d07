// A map whose size has an end.
import { test } from 'tap'
import { createBoundedMap } from './bounded-map.ts'

test('the entry that was used longest ago goes when one too many comes', async (t) => {
  const map = createBoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  t.equal(map.get('a'), 1)
  map.set('c', 3)
  t.same([map.get('a'), map.get('b'), map.get('c'), map.size], [1, undefined, 3, 2])
})

test('an entry is replaced, removed, and all of them are', async (t) => {
  const map = createBoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('a', 2)
  t.same([map.get('a'), map.size], [2, 1])
  map.delete('a')
  map.delete('unknown')
  t.same([map.get('a'), map.size], [undefined, 0])
  map.set('b', 1)
  map.clear()
  t.equal(map.size, 0)
})
