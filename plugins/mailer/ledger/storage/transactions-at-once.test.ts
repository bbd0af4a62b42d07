// Transactions of one process, a few at a time.
import { test } from 'tap'
import { transactionsAtOnce } from './transactions-at-once.ts'

test('no more than the limit run at a time, and all run in the end', async (t) => {
  let running = 0
  let most = 0
  const limited = transactionsAtOnce(async (act) => {
    most = Math.max(most, ++running)
    await new Promise(setImmediate)
    running--
    return act(undefined as never)
  }, 3)
  const results = await Promise.all(Array.from({ length: 20 }, (_, at) => limited(async () => at)))
  t.equal(most, 3)
  t.same(
    results,
    Array.from({ length: 20 }, (_, at) => at)
  )
})

test('a transaction that fails makes room for the next', async (t) => {
  const limited = transactionsAtOnce((act) => act(undefined as never), 1)
  const failing = limited(async () => {
    throw new Error('no')
  })
  const next = limited(async () => 'yes')
  await t.rejects(failing, /no/)
  t.equal(await next, 'yes')
})
