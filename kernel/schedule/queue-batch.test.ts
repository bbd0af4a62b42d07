// Batch handlers: one run over the items of a claim, a result for each, and own fields in the same write.
import type { BatchHandler, ClaimedItem, ItemResult } from '@keelson/sdk'
import { test } from 'tap'
import { many, openQueue, tally } from './testing/queue-bench.ts'

type Decide = (claimed: ClaimedItem) => ItemResult | undefined

/** A batch handler that decides item by item, and tells the sizes of its batches. */
function deciding(decide: Decide, sizes = tally<number>()): BatchHandler {
  return {
    batch(items) {
      sizes.add(items.length)
      return new Map(
        items.flatMap((claimed) => {
          const result = decide(claimed)
          return result === undefined ? [] : [[claimed.item._id, result] as const]
        })
      )
    }
  }
}

const done: ItemResult = { state: 'done' }

test('a batch handler gets the items of one claim together', async (t) => {
  const sizes = tally<number>()
  const bench = await openQueue(t, {
    isManual: true,
    batch: 10,
    handler: deciding(() => done, sizes)
  })
  await bench.queue.add(many(25))
  await bench.runDue()
  t.same(sizes.seen, [10, 10, 5])
  t.equal(await bench.items.countDocuments({ state: 'done' }), 25)
})

test('each item of a batch ends as its own result says', async (t) => {
  const results: Record<string, ItemResult> = {
    done,
    failed: { state: 'failed', error: new Error('no luck') },
    parked: { state: 'parked', reason: 'wait for a person' }
  }
  const bench = await openQueue(t, {
    isManual: true,
    attempts: 2,
    handler: deciding(({ item }) => results[item._id])
  })
  await bench.queue.add(['done', 'failed', 'parked', 'without'].map((_id) => ({ _id })))
  await bench.runDue()
  t.same(await bench.states(), { done: 'done', failed: 'due', parked: 'parked', without: 'due' })
  t.match(await bench.items.findOne({ _id: 'failed' }), { reason: 'no luck', attempts: 1 })
  t.match(await bench.items.findOne({ _id: 'without' }), { reason: /gave no result/ })
  t.match(await bench.items.findOne({ _id: 'parked' }), { reason: 'wait for a person' })
})

test('own fields are written with the result, computed from what is stored', async (t) => {
  const update = [{ $set: { total: { $add: ['$total', 2] }, note: { $literal: '$5 off' } } }]
  const bench = await openQueue(t, {
    isManual: true,
    handler: deciding(() => ({ state: 'done', update }))
  })
  await bench.queue.add([{ _id: 'a', total: 40 }])
  await bench.runDue()
  t.match(await bench.items.findOne({ _id: 'a' }), { state: 'done', total: 42, note: '$5 off' })
})

test('a result that says failed keeps its fields through every try, then the item is parked', async (t) => {
  const bench = await openQueue(t, {
    isManual: true,
    attempts: 2,
    backoff: 5,
    handler: deciding(({ attempts }) => ({
      state: 'failed',
      error: new Error('$refused'),
      update: [{ $set: { tries: attempts } }]
    }))
  })
  await bench.queue.add([{ _id: 'a' }])
  await bench.runDue()
  t.match(await bench.items.findOne({ _id: 'a' }), { state: 'due', tries: 1, reason: '$refused' })
  bench.clock.move(5_000)
  await bench.runDue()
  t.match(await bench.items.findOne({ _id: 'a' }), { state: 'parked', tries: 2 })
})

test('an item that is scheduled goes on at its time with fresh tries', async (t) => {
  const seen = tally<number>()
  let dueAt = new Date()
  const bench = await openQueue(t, {
    isManual: true,
    attempts: 1,
    handler: deciding(({ attempts }) => {
      seen.add(attempts)
      return seen.seen.length < 3 ? { state: 'scheduled', dueAt } : done
    })
  })
  await bench.queue.add([{ _id: 'a' }])
  for (let round = 0; round < 3; round++) {
    dueAt = new Date(bench.clock.now().getTime() + 60_000)
    await bench.runDue()
    await bench.runDue()
    bench.clock.move(60_000)
  }
  t.same(seen.seen, [1, 1, 1])
  t.same(await bench.states(), { a: 'done' })
})

test('a batch handler that throws fails every item of its batch', async (t) => {
  const bench = await openQueue(t, {
    isManual: true,
    handler: {
      batch() {
        throw new Error('the database of the plugin is away')
      }
    }
  })
  await bench.queue.add(many(3))
  await bench.runDue()
  t.equal(await bench.items.countDocuments({ state: 'due', reason: /is away/ }), 3)
})

test('an update before the results reaches only items that are still held, and says which', async (t) => {
  const held = tally<readonly string[]>()
  const bench = await openQueue(t, {
    isManual: true,
    handler: {
      async batch(items, { update }) {
        await bench.items.updateOne({ _id: 'stolen' }, { $set: { lease: 'another process' } })
        const ids = items.map(({ item }) => item._id)
        const first = await update([
          { ids: ['held'], update: [{ $set: { step: 1 } }] },
          { ids: ['stolen', 'other'], update: [{ $set: { step: 2 } }] }
        ])
        held.add([...first].sort())
        await update([{ ids, update: [{ $set: { seen: { $add: ['$step', 10] } } }] }])
        return new Map(ids.map((id) => [id, done]))
      }
    }
  })
  await bench.queue.add([{ _id: 'held' }, { _id: 'other' }, { _id: 'stolen' }])
  await bench.runDue()
  t.same(held.seen, [['held', 'other']])
  t.match(await bench.items.findOne({ _id: 'held' }), { state: 'done', step: 1, seen: 11 })
  t.match(await bench.items.findOne({ _id: 'other' }), { state: 'done', step: 2, seen: 12 })
  t.match(await bench.items.findOne({ _id: 'stolen' }), { state: 'leased', step: undefined })
})

test('a worker that was stopped claims nothing, also when it is driven from outside', async (t) => {
  const sizes = tally<number>()
  const bench = await openQueue(t, { isManual: true, handler: deciding(() => done, sizes) })
  await bench.queue.add(many(2))
  await bench.schedule.drain(2_000)
  await bench.runDue()
  t.same(sizes.seen, [])
  t.equal(await bench.items.countDocuments({ state: 'due' }), 2)
})

test('a worker claims the next batch while the last one is in hand', async (t) => {
  const sizes = tally<number>()
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const bench = await openQueue(t, {
    batch: 10,
    handler: {
      async batch(items) {
        sizes.add(items.length)
        await held
        return new Map(items.map(({ item }) => [item._id, done]))
      }
    }
  })
  await bench.queue.add(many(20))
  await sizes.reached(2)
  release()
  await bench.schedule.drain(5_000)
  t.equal(await bench.items.countDocuments({ state: 'done' }), 20)
  t.same(sizes.seen, [10, 10])
})
