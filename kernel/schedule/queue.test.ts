// A queue moved by hand: adding, claiming, settling, in every way an item can go.
import { test } from 'tap'
import { COLLECTION, many, openQueue, tally } from './testing/queue-bench.ts'

const manual = { isManual: true } as const

test('items that were added are handled once', async (t) => {
  const handled = tally<string>()
  const { queue, runDue, states } = await openQueue(t, {
    ...manual,
    handler: (item) => handled.add(item._id)
  })
  t.same(await queue.add([{ _id: 'a' }, { _id: 'b' }]), { added: 2 })
  await runDue()
  await runDue()
  t.same(handled.seen.sort(), ['a', 'b'])
  t.same(await states(), { a: 'done', b: 'done' })
})

test('the handler gets the fields that were added and nothing of the queue’s', async (t) => {
  const handled = tally<unknown>()
  const { queue, runDue, lines } = await openQueue(t, {
    ...manual,
    handler: (item, { log, signal }) => {
      handled.add({ item, aborted: signal.aborted })
      log.info('handled')
    }
  })
  await queue.add([{ _id: 'a', to: 'ann', nested: { n: 1 } }])
  await runDue()
  t.same(handled.seen, [{ item: { _id: 'a', to: 'ann', nested: { n: 1 } }, aborted: false }])
  t.match(lines, [{ msg: 'handled', queue: 'items', item: 'a' }])
})

test('an item that is there is left as it is, even when it is done', async (t) => {
  const { queue, runDue, items } = await openQueue(t, manual)
  await queue.add([{ _id: 'a', n: 1 }])
  await runDue()
  t.same(await queue.add([{ _id: 'a', n: 2 }, { _id: 'b' }, { _id: 'b' }]), { added: 1 })
  t.match(await items.findOne({ _id: 'a' }), { n: 1, state: 'done' })
})

test('adding nothing is nothing', async (t) => {
  const { queue } = await openQueue(t, manual)
  t.same(await queue.add([]), { added: 0 })
})

test('an item with a later dueAt waits for it', async (t) => {
  const handled = tally<string>()
  const { queue, runDue, clock, schedule } = await openQueue(t, {
    ...manual,
    handler: (item) => handled.add(item._id)
  })
  const dueAt = new Date(clock.now().getTime() + 60_000)
  await queue.add([{ _id: 'later', dueAt }])
  await runDue()
  t.same(handled.seen, [])
  t.same(await schedule.nextDueAt(), dueAt)
  clock.move(60_000)
  t.ok(((await schedule.nextDueAt()) ?? 0) <= clock.now())
  await runDue()
  t.same(handled.seen, ['later'])
  t.equal(await schedule.nextDueAt(), undefined)
})

const wrong: [name: string, item: never][] = [
  ['without an _id', {} as never],
  ['with an _id that is not a string', { _id: 7 } as never],
  ['with an empty _id', { _id: '' } as never],
  ['with an endless _id', { _id: 'x'.repeat(513) } as never],
  ['with a dueAt that is not a date', { _id: 'a', dueAt: 'soon' } as never],
  ['with a dueAt that is not a time', { _id: 'a', dueAt: new Date('never') } as never],
  ['with its own state', { _id: 'a', state: 'done' } as never],
  ['with its own lease', { _id: 'a', lease: 'mine' } as never]
]
for (const [name, item] of wrong) {
  test(`an item ${name} is refused, and none of its batch is added`, async (t) => {
    const { queue, items } = await openQueue(t, manual)
    await t.rejects(queue.add([{ _id: 'good' }, item]), {
      code: 'KRN_QUEUE_ITEM',
      plugin: 'work'
    })
    t.equal(await items.findOne(), null)
  })
}

test('an item that breaks a unique index of the plugin is an error, not a known item', async (t) => {
  const { queue, items } = await openQueue(t, manual)
  await items.createIndex({ key: 1 }, { name: 'by_key', unique: true })
  await queue.add([{ _id: 'a', key: 1 }])
  await t.rejects(queue.add([{ _id: 'b', key: 1 }]), { code: 11000 })
})

test('an item whose unique field is there is known, in and out of a transaction', async (t) => {
  const { queue, items, database } = await openQueue(t, manual)
  await items.createIndex({ key: 1 }, { name: 'by_key', unique: true })
  await queue.add([{ _id: 'a', key: 1 }])
  const uniqueBy = 'key'
  const again = [
    { _id: 'b', key: 1 },
    { _id: 'a', key: 2 },
    { _id: 'c', key: 3 }
  ]
  t.same(await queue.add(again, { uniqueBy }), { added: 1 })
  const more = [...again, { _id: 'd', key: 4 }]
  const added = await database.client.withSession((session) =>
    session.withTransaction(() => queue.add(more, { session, uniqueBy }))
  )
  t.same(added, { added: 1 })
  const rows = await items.find().sort({ _id: 1 }).toArray()
  t.same(
    rows.map(({ _id, key }) => `${_id}${key}`),
    ['a1', 'c3', 'd4']
  )
})

test('items added in a transaction are there when it is committed, and not when it is not', async (t) => {
  const { queue, runDue, states, database } = await openQueue(t, manual)
  await queue.add([{ _id: 'known' }])
  const add = (id: string, fail: boolean) =>
    database.client.withSession((session) =>
      session.withTransaction(async () => {
        const { added } = await queue.add([{ _id: 'known' }, { _id: id }], { session })
        if (fail) throw new Error('changed our mind')
        return added
      })
    )
  await t.rejects(add('lost', true), { message: 'changed our mind' })
  t.equal(await add('kept', false), 1)
  await runDue()
  t.same(await states(), { known: 'done', kept: 'done' })
})

test('a done item keeps no lease and is not looked at again', async (t) => {
  const { queue, runDue, items } = await openQueue(t, manual)
  await queue.add([{ _id: 'a' }])
  await runDue()
  const item = await items.findOne({ _id: 'a' })
  t.match(item, { state: 'done', attempts: 1, doneAt: Date })
  t.same(
    Object.keys(item ?? {}).filter((key) => ['dueAt', 'lease', 'leaseUntil'].includes(key)),
    []
  )
})

test('claiming and finishing 100 items takes four commands', async (t) => {
  const handled = tally<string>()
  const { queue, runDue, database } = await openQueue(t, {
    ...manual,
    batch: 100,
    handler: (item) => handled.add(item._id)
  })
  await queue.add(many(100))
  const before = database.commands.length
  await runDue()
  t.equal(handled.seen.length, 100)
  t.same(
    database.commands.slice(before).map(({ command, collection }) => `${command} ${collection}`),
    [`find ${COLLECTION}`, `update ${COLLECTION}`, `find ${COLLECTION}`, `update ${COLLECTION}`]
  )
})

test('more items than a batch are claimed batch by batch until none is due', async (t) => {
  const handled = tally<string>()
  const { queue, runDue } = await openQueue(t, {
    ...manual,
    batch: 10,
    handler: (item) => handled.add(item._id)
  })
  await queue.add(many(35))
  await runDue()
  t.equal(new Set(handled.seen).size, 35)
  t.equal(handled.seen.length, 35)
})

test('the oldest items come first', async (t) => {
  const handled = tally<string>()
  const { queue, runDue, clock } = await openQueue(t, {
    ...manual,
    batch: 1,
    handler: (item) => handled.add(item._id)
  })
  const ago = (ms: number) => new Date(clock.now().getTime() - ms)
  await queue.add([
    { _id: 'young', dueAt: ago(1) },
    { _id: 'old', dueAt: ago(3_000) },
    { _id: 'middle', dueAt: ago(2_000) }
  ])
  await runDue()
  t.same(handled.seen, ['old', 'middle', 'young'])
})

test('an item that fails is tried again after its backoff, doubled, then parked with its reason', async (t) => {
  const tries = tally<string>()
  const { queue, runDue, clock, items, reports, lines } = await openQueue(t, {
    ...manual,
    attempts: 3,
    backoff: 10,
    handler: (item) => {
      tries.add(item._id)
      if (item._id === 'poison') throw new Error('poisoned on purpose')
    }
  })
  await queue.add([{ _id: 'poison' }, { _id: 'fine' }])
  const triesAfter = async (ms: number) => {
    clock.move(ms)
    await runDue()
    return tries.seen.filter((id) => id === 'poison').length
  }
  t.equal(await triesAfter(0), 1)
  t.match(await items.findOne({ _id: 'poison' }), { state: 'due', reason: 'poisoned on purpose' })
  t.equal(await triesAfter(9_000), 1)
  t.equal(await triesAfter(2_000), 2)
  t.equal(await triesAfter(18_000), 2)
  t.equal(await triesAfter(3_000), 3)
  t.equal(await triesAfter(3_600_000), 3)
  t.match(await items.findOne({ _id: 'poison' }), {
    state: 'parked',
    reason: 'poisoned on purpose',
    attempts: 3,
    parkedAt: Date
  })
  t.match(await items.findOne({ _id: 'fine' }), { state: 'done' })
  t.match(lines, [{ level: 50, msg: 'item is parked', reason: 'poisoned on purpose' }])
  t.same(
    reports.map(({ plugin, kind, name, outcome }) => `${plugin} ${kind} ${name} ${outcome}`).sort(),
    [
      'work queue items done',
      'work queue items failed',
      'work queue items failed',
      'work queue items parked'
    ]
  )
})

test('an item that succeeds after a failure is done and keeps no reason', async (t) => {
  let fails = true
  const { queue, runDue, clock, items } = await openQueue(t, {
    ...manual,
    handler: () => {
      if (fails) throw new Error('not yet')
    }
  })
  await queue.add([{ _id: 'a' }])
  await runDue()
  fails = false
  clock.move(60_000)
  await runDue()
  const item = await items.findOne({ _id: 'a' })
  t.match(item, { state: 'done', attempts: 2 })
  t.equal(item?.reason, undefined)
})

test('an item whose lease ran out as often as it may be tried is parked without a run', async (t) => {
  const handled = tally<string>()
  const { queue, runDue, items, clock } = await openQueue(t, {
    ...manual,
    attempts: 2,
    handler: (item) => handled.add(item._id)
  })
  await queue.add([{ _id: 'deadly' }, { _id: 'fine' }])
  const past = new Date(clock.now().getTime() - 1)
  await items.updateOne(
    { _id: 'deadly' },
    { $set: { state: 'leased', lease: 'dead', leaseUntil: past, dueAt: past, attempts: 2 } }
  )
  await runDue()
  t.same(handled.seen, ['fine'])
  t.match(await items.findOne({ _id: 'deadly' }), { state: 'parked', reason: /lease ran out/ })
})

test('in the role web items are added and none is handled', async (t) => {
  const handled = tally<string>()
  const { queue, runDue, states, schedule } = await openQueue(t, {
    ...manual,
    role: 'web',
    handler: (item) => handled.add(item._id)
  })
  await queue.add([{ _id: 'a' }])
  await runDue()
  t.same([handled.seen, await states()], [[], { a: 'due' }])
  t.equal(await schedule.nextDueAt(), undefined)
})
