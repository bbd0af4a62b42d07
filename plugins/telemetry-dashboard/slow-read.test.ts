// What the log says of a slow read.
import { test } from 'tap'
import { shapeOf } from './slow-read.ts'

test('the log of a slow read has its range and names, and nothing that was typed', async (t) => {
  const [from, to] = [new Date(0), new Date(1)]
  const typed = { ref: 'user:secret', q: 'secret words', filters: { subject: 'user:secret' } }
  const shape = shapeOf({ from, to, limit: 500, ...typed })
  t.same(shape, { from, to, asked: ['limit', 'ref', 'q'], filters: ['subject'] })
  t.notMatch(JSON.stringify(shape), 'secret')
})

test('a read without parameters has an empty shape', async (t) => {
  for (const params of [undefined, null, {}, 'trace-1'])
    t.same(shapeOf(params), { asked: [], filters: [] })
})
