// Items that wait: set aside, brought forward, and kept apart when queues share a collection.
import { test } from 'tap'
import { COLLECTION, openQueue, tally } from './testing/queue-bench.ts'

const manual = { isManual: true } as const

test('items that are withdrawn for good are never handled', async (t) => {
  const handled = tally<string>()
  const bench = await openQueue(t, { ...manual, handler: (item) => handled.add(item._id) })
  await bench.queue.add([
    { _id: 'a', group: 1 },
    { _id: 'b', group: 2 }
  ])
  t.same(await bench.queue.withdraw({ group: 1 }, { state: 'done' }), { withdrawn: 1 })
  await bench.runDue()
  t.same(handled.seen, ['b'])
  t.match(await bench.items.findOne({ _id: 'a' }), { state: 'done', doneAt: Date })
})

test('parked items wait for reschedule, and then have fresh tries', async (t) => {
  const handled = tally<string>()
  const bench = await openQueue(t, { ...manual, handler: (item) => handled.add(item._id) })
  await bench.queue.add([{ _id: 'a' }])
  await bench.queue.withdraw(
    { _id: 'a' },
    { state: 'parked', reason: 'paused', update: [{ $set: { note: 'held' } }] }
  )
  await bench.runDue()
  t.same(handled.seen, [])
  t.match(await bench.items.findOne({ _id: 'a' }), { reason: 'paused', note: 'held' })
  t.same(await bench.queue.reschedule({ _id: 'a' }), { rescheduled: 1 })
  await bench.runDue()
  t.same(handled.seen, ['a'])
})

test('parked items can be withdrawn for good', async (t) => {
  const bench = await openQueue(t, manual)
  await bench.queue.add([{ _id: 'a' }])
  await bench.queue.withdraw({ _id: 'a' }, { state: 'parked' })
  t.same(await bench.queue.withdraw({ _id: 'a' }, { state: 'parked' }), { withdrawn: 0 })
  t.same(await bench.queue.withdraw({ _id: 'a' }, { state: 'done' }), { withdrawn: 1 })
  t.same(await bench.queue.reschedule({ _id: 'a' }), { rescheduled: 0 })
  t.notOk((await bench.items.findOne({ _id: 'a' }))?.parkedAt)
})

test('an item can be brought forward and put off while it waits', async (t) => {
  const handled = tally<string>()
  const bench = await openQueue(t, { ...manual, handler: (item) => handled.add(item._id) })
  const later = new Date(bench.clock.now().getTime() + 60_000)
  await bench.queue.add([{ _id: 'forward', dueAt: later }, { _id: 'back' }])
  await bench.queue.reschedule({ _id: 'forward' })
  await bench.queue.reschedule({ _id: 'back' }, { dueAt: later })
  await bench.runDue()
  t.same(handled.seen, ['forward'])
  bench.clock.move(60_000)
  await bench.runDue()
  t.same(handled.seen, ['forward', 'back'])
})

test('an item that a worker holds is neither withdrawn nor rescheduled', async (t) => {
  const counts = tally<unknown>()
  const bench = await openQueue(t, {
    ...manual,
    handler: async () => {
      counts.add(await bench.queue.withdraw({ _id: 'a' }, { state: 'parked' }))
      counts.add(await bench.queue.reschedule({ _id: 'a' }))
    }
  })
  await bench.queue.add([{ _id: 'a' }])
  await bench.runDue()
  t.same(counts.seen, [{ withdrawn: 0 }, { rescheduled: 0 }])
  t.same(await bench.states(), { a: 'done' })
})

test('an item that is done stays done', async (t) => {
  const bench = await openQueue(t, manual)
  await bench.queue.add([{ _id: 'a' }])
  await bench.runDue()
  t.same(await bench.queue.reschedule({ _id: 'a' }), { rescheduled: 0 })
  t.same(await bench.queue.withdraw({ _id: 'a' }, { state: 'parked' }), { withdrawn: 0 })
})

test('items that move in a transaction are handled after it', async (t) => {
  const handled = tally<string>()
  const bench = await openQueue(t, { handler: (item) => handled.add(item._id) })
  const later = new Date(bench.clock.now().getTime() + 3_600_000)
  await bench.queue.add([{ _id: 'a', dueAt: later }])
  await bench.database.client.withSession((session) =>
    session.withTransaction(() => bench.queue.reschedule({ _id: 'a' }, { session }))
  )
  await handled.reached(1)
  t.same(handled.seen, ['a'])
})

test('queues that share a collection each handle their own items', async (t) => {
  const fast = tally<string>()
  const slow = tally<string>()
  const one = await openQueue(t, {
    ...manual,
    where: { lane: 'fast' },
    handler: (item) => fast.add(item._id)
  })
  const other = await openQueue(t, {
    ...manual,
    where: { lane: 'slow' },
    handler: (item) => slow.add(item._id),
    beside: one.database
  })
  await one.queue.add([{ _id: 'a', lane: 'fast' }])
  await other.queue.add([{ _id: 'b', lane: 'slow' }])
  await one.runDue()
  t.same(fast.seen, ['a'])
  await other.runDue()
  t.same(slow.seen, ['b'])
})

test('an item without the values of its queue is refused', async (t) => {
  const bench = await openQueue(t, { ...manual, where: { lane: 'fast' } })
  await t.rejects(bench.queue.add([{ _id: 'a', lane: 'slow' }]), {
    code: 'KRN_QUEUE_ITEM',
    message: /"a" must have lane "fast"/
  })
})

test('what a shared queue looks for is served by its index', async (t) => {
  const bench = await openQueue(t, { ...manual, where: { lane: 'fast' } })
  await bench.queue.add([{ _id: 'a', lane: 'fast' }])
  const plan = await bench.database.db
    .collection(COLLECTION)
    .find({ lane: 'fast', dueAt: { $lte: new Date() } })
    .sort({ dueAt: 1 })
    .explain('queryPlanner')
  const text = JSON.stringify(plan)
  t.match(text, /keelson_due_lane/)
  t.notMatch(text, /COLLSCAN|"SORT"/)
})
