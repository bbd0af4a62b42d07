// A worker that is killed: nothing is lost, what was finished is not done again.
// Runs beside the others: it waits for much of its time.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { many, openQueue, tally } from './testing/queue-bench.ts'

const SCRIPT = fileURLToPath(new URL('./testing/crashing-worker.js', import.meta.url))

interface Handled {
  readonly id: string
  readonly at: number
}

test('after kill -9 the held item is claimed again when its lease is over, finished ones never', async (t) => {
  const web = await openQueue(t, { role: 'web' })
  const early = many(4, 'early')
  await web.queue.add(early)
  const first = tally<Handled>()
  const child = fork(SCRIPT, [JSON.stringify(web.database.config)])
  child.on('message', (message) => first.add(message as Handled))
  await first.reached(4)
  while ((await web.items.findOne({ state: { $ne: 'done' } })) !== null) await sleep(20)
  await web.queue.add([{ _id: 'held' }, ...many(5, 'later')])
  while (!first.seen.some(({ id }) => id === 'held')) await first.reached(first.seen.length + 1)
  child.kill('SIGKILL')
  await once(child, 'exit')

  const second = tally<Handled>()
  await openQueue(t, {
    leaseSeconds: 2,
    handler: (item) => second.add({ id: item._id, at: Date.now() }),
    beside: web.database
  })
  while ((await web.items.findOne({ state: { $ne: 'done' } })) !== null) await sleep(20)
  const all = [...first.seen, ...second.seen]
  const held = all.filter(({ id }) => id === 'held').map(({ at }) => at)
  t.equal(held.length, 2)
  t.ok((held[1] ?? 0) - (held[0] ?? 0) >= 1_500)
  for (const { _id } of early) t.equal(all.filter(({ id }) => id === _id).length, 1)
  for (const { _id } of many(5, 'later')) t.ok(all.some(({ id }) => id === _id))
})
