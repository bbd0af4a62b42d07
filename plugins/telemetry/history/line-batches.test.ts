// Rows as lines, some at a time.
import { test } from 'tap'
import type { StoredRow } from '../envelope/stored-row.ts'
import { lineOf } from './columns.ts'
import { lineBatches } from './line-batches.ts'

const rows = Array.from({ length: 50 }, (_, n) => ({ name: `n${n}` }) as StoredRow)

test('each row is one line, in order, in batches of a size', async (t) => {
  const found: string[][] = []
  for await (const lines of lineBatches(rows, 20)) found.push([...lines])
  t.same(
    found.map(({ length }) => length),
    [20, 20, 10]
  )
  t.same(found.flat(), rows.map(lineOf))
  for await (const _lines of lineBatches([], 20)) t.fail('there is nothing')
})

test('others have their turn while rows are written, and within a batch', async (t) => {
  let turns = 0
  const count = () => {
    turns++
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  t.teardown(() => clearImmediate(timer))
  const slowly = (row: StoredRow) => {
    const until = performance.now() + 1
    while (performance.now() < until);
    return lineOf(row)
  }
  for await (const lines of lineBatches(rows, 50, slowly)) t.equal(lines.length, 50)
  t.ok(turns >= 2, `${turns} turns in 50 milliseconds of work`)
})
