import { test } from 'tap'
import { RunSorter } from './run-sorter.ts'

test('many items come in order, equals as they came', async (t) => {
  const sorter = new RunSorter<{ key: number; at: number }>((a, b) => a.key - b.key)
  const items = Array.from({ length: 30_000 }, (_, at) => ({ key: (at * 7919) % 1000, at }))
  for (const item of items) sorter.add(item)
  t.same(
    [...sorter],
    [...items].sort((a, b) => a.key - b.key)
  )
  t.same([...new RunSorter<number>((a, b) => a - b)], [])
})
