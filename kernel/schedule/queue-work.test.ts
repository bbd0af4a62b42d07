// A queue at work by itself: waking, sharing, leases, time limits, the close of the host.
// Runs beside the others: it waits for much of its time.
import { setTimeout as sleep } from 'node:timers/promises'
import { startLocalMongo } from '@keelson/local-mongo'
import { createQueueWorker } from '@keelson/sdk/queue'
import tap, { test } from 'tap'
import { many, openQueue, tally } from './testing/queue-bench.ts'
import { rememberingLog } from './testing/silent-log.ts'

// Most of what these tests do is wait, so they do it side by side.
tap.jobs = 8

/** Waits until the database says so; the queue writes after its handlers. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(20)
}

const never = () => new Promise<void>(() => {})

test('what is added in this process is handled at once', async (t) => {
  const handled = tally<string>()
  const { queue } = await openQueue(t, { handler: (item) => handled.add(item._id) })
  await queue.add([{ _id: 'a' }])
  await handled.reached(1)
  t.same(handled.seen, ['a'])
})

test('what another process adds is found', async (t) => {
  const handled = tally<string>()
  const worker = await openQueue(t, { handler: (item) => handled.add(item._id) })
  const web = await openQueue(t, { role: 'web', beside: worker.database })
  await web.queue.add([{ _id: 'a' }])
  await handled.reached(1)
  t.same(handled.seen, ['a'])
})

test('what is added in a transaction is handled after it', async (t) => {
  const handled = tally<string>()
  const { queue, database } = await openQueue(t, { handler: (item) => handled.add(item._id) })
  await database.client.withSession((session) =>
    session.withTransaction(() => queue.add([{ _id: 'a' }], { session }))
  )
  await handled.reached(1)
  t.same(handled.seen, ['a'])
})

test('an item is handled when it comes due', async (t) => {
  const handled = tally<number>()
  const { queue } = await openQueue(t, { handler: () => handled.add(Date.now()) })
  const dueAt = new Date(Date.now() + 300)
  await queue.add([{ _id: 'a', dueAt }])
  await handled.reached(1)
  t.ok((handled.seen[0] ?? 0) >= dueAt.getTime())
})

test('workers that share a queue never handle an item twice', async (t) => {
  const handled = tally<string>()
  const handler = async (item: { _id: string }) => {
    await sleep(1)
    handled.add(item._id)
  }
  const first = await openQueue(t, { batch: 20, handler })
  const second = await openQueue(t, { batch: 20, handler, beside: first.database })
  const third = await openQueue(t, { batch: 20, handler, beside: first.database })
  await Promise.all([
    first.queue.add(many(100, 'a')),
    second.queue.add(many(100, 'b')),
    third.queue.add(many(100, 'c'))
  ])
  await handled.reached(300)
  await until(async () => (await first.items.findOne({ state: { $ne: 'done' } })) === null)
  t.equal(handled.seen.length, 300)
  t.equal(new Set(handled.seen).size, 300)
})

test('at most 32 handlers of a batch are at work, and the rest keep their lease while they wait', async (t) => {
  const handled = tally<string>()
  let now = 0
  let most = 0
  const handler = async (item: { _id: string }) => {
    most = Math.max(most, ++now)
    await sleep(1_300)
    now--
    handled.add(item._id)
  }
  const first = await openQueue(t, { batch: 80, leaseSeconds: 3, handler })
  // Claims whatever lease runs out.
  await openQueue(t, { leaseSeconds: 3, handler, beside: first.database })
  await first.queue.add(many(80))
  await until(async () => (await first.items.findOne({ state: { $ne: 'done' } })) === null)
  t.equal(handled.seen.length, 80)
  t.ok(most <= 64)
})

test('an item whose lease has run out is claimed again', async (t) => {
  const handled = tally<string>()
  const web = await openQueue(t, { role: 'web' })
  await web.queue.add([{ _id: 'held' }])
  const until = new Date(Date.now() + 500)
  await web.items.updateOne(
    { _id: 'held' },
    { $set: { state: 'leased', lease: 'dead', leaseUntil: until, dueAt: until, attempts: 1 } }
  )
  await openQueue(t, { handler: (item) => handled.add(item._id), beside: web.database })
  await handled.reached(1)
  t.ok(Date.now() >= until.getTime())
})

test('a handler that does not end in time gets the signal, counts as failed, and delays no other item', async (t) => {
  const handled = tally<string>()
  const reasons = tally<unknown>()
  const { queue, items, reports } = await openQueue(t, {
    batch: 4,
    leaseSeconds: 1,
    attempts: 1,
    handler: (item, { signal }) => {
      if (item._id !== 'stuck') return handled.add(item._id)
      signal.addEventListener('abort', () => reasons.add(signal.reason))
      return never()
    }
  })
  await queue.add([{ _id: 'stuck' }, ...many(20)])
  await handled.reached(20)
  await until(async () => (await items.findOne({ _id: 'stuck' }))?.state === 'parked')
  t.match(await items.findOne({ _id: 'stuck' }), { reason: /did not end within 1 s/ })
  t.match(reasons.seen, [{ code: 'KRN_RUN_TIMEOUT', plugin: 'work' }])
  t.equal(reports.filter((report) => report.outcome === 'done').length, 20)
})

test('what is done is written while a neighbour is still at work', async (t) => {
  const { queue, items } = await openQueue(t, {
    handler: (item) => (item._id === 'slow' ? never() : undefined)
  })
  await queue.add([{ _id: 'slow' }, { _id: 'fast' }])
  await until(async () => (await items.findOne({ _id: 'fast' }))?.state === 'done')
  t.match(await items.findOne({ _id: 'slow' }), { state: 'leased' })
})

test('at the close what has not finished is handed back as if it had not been claimed', async (t) => {
  const started = tally<string>()
  const { queue, items, schedule, states } = await openQueue(t, {
    batch: 50,
    handler: (item) => {
      started.add(item._id)
      return never()
    }
  })
  await queue.add(many(50))
  await started.reached(32)
  await schedule.drain(2_000)
  t.equal(started.seen.length, 32)
  t.same(new Set(Object.values(await states())), new Set(['due']))
  t.equal(await items.findOne({ attempts: { $ne: 0 } }), null)
  t.equal(await items.findOne({ lease: { $exists: true } }), null)
})

test('at the close a handler may finish what it has in hand', async (t) => {
  const started = tally<string>()
  const { queue, schedule, states } = await openQueue(t, {
    handler: async (item) => {
      started.add(item._id)
      await sleep(200)
    }
  })
  await queue.add([{ _id: 'a' }])
  await started.reached(1)
  await schedule.drain(3_000)
  t.same(await states(), { a: 'done' })
})

test('nothing is claimed after the close', async (t) => {
  const handled = tally<string>()
  const { queue, schedule, states } = await openQueue(t, {
    handler: (item) => handled.add(item._id)
  })
  await schedule.drain(2_000)
  await queue.add([{ _id: 'late' }])
  await sleep(50)
  t.same([handled.seen, await states()], [[], { late: 'due' }])
})

/** A collection whose method fails a number of times. */
function failing<T extends object>(collection: T, method: string, times: number): T {
  let left = times
  return new Proxy(collection, {
    get(target, key) {
      const found: unknown = Reflect.get(target, key)
      if (typeof found !== 'function') return found
      return (...given: unknown[]) => {
        if (key === method && left-- > 0) throw new Error('the database does not answer')
        return Reflect.apply(found, target, given)
      }
    }
  })
}

test('a queue that cannot look or settle says so once and goes on', async (t) => {
  const web = await openQueue(t, { role: 'web' })
  const handled = tally<string>()
  const { log, lines } = rememberingLog()
  const worker = createQueueWorker({
    collection: failing(failing(web.items, 'find', 2), 'bulkWrite', 1),
    limits: { batch: 10, leaseSeconds: 60, attempts: 5, backoff: 1 },
    handler: ((item: { _id: string }) => handled.add(item._id)) as never,
    clock: { now: () => new Date() },
    log,
    cut: new AbortController().signal,
    timeoutError: () => new Error('too long'),
    onSettled: () => {}
  })
  await web.queue.add([{ _id: 'a' }])
  worker.start()
  await handled.reached(1)
  await until(async () => (await web.items.findOne({ _id: 'a' }))?.state === 'done')
  worker.stop()
  await worker.idle()
  t.same(handled.seen, ['a'])
  t.same(
    lines.map(({ msg }) => msg),
    [
      'the queue waits: the database does not answer',
      'settled items wait: the database does not answer'
    ]
  )
})

test('after the close a settled item that cannot be written is given up, and no try is left', async (t) => {
  const web = await openQueue(t, { role: 'web' })
  const handled = tally<string>()
  const { log, lines } = rememberingLog()
  const cut = new AbortController()
  const worker = createQueueWorker({
    collection: failing(web.items, 'bulkWrite', Number.POSITIVE_INFINITY),
    limits: { batch: 10, leaseSeconds: 60, attempts: 5, backoff: 1 },
    handler: ((item: { _id: string }) => handled.add(item._id)) as never,
    clock: { now: () => new Date() },
    log,
    cut: cut.signal,
    timeoutError: () => new Error('too long'),
    onSettled: () => {}
  })
  await web.queue.add([{ _id: 'a' }])
  worker.start()
  await handled.reached(1)
  worker.stop()
  cut.abort(new Error('the host closes'))
  await worker.idle()
  t.match(lines.at(-1)?.msg, 'settled items are handled again: the host closed')
  const kept = await web.items.findOne({ _id: 'a' })
  t.ok(kept?.['leaseUntil'], 'it is handled again when its lease is over')
})

// By itself: all other tests use the database that it kills.
test('a database that dies under the queue costs no item and repeats none', {
  buffered: false
}, async (t) => {
  const handled = tally<string>()
  const { queue, items, database } = await openQueue(t, {
    handler: async (item) => {
      handled.add(item._id)
      await sleep(300)
    }
  })
  const { dataDir } = database.config
  if (dataDir === undefined) return
  await queue.add(many(10))
  await handled.reached(10)
  const engine = await startLocalMongo({ dataDir })
  const { pid } = engine
  await engine.close()
  process.kill(pid, 'SIGKILL')
  const isDone = () =>
    items.findOne({ state: { $ne: 'done' } }).then(
      (open) => open === null,
      () => false
    )
  await until(isDone)
  t.equal(handled.seen.length, 10)
})
