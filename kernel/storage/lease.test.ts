// Leases: one holder at a time, and none for ever.
// Runs beside the others: it waits for much of its time.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Lease, LeaseLost, openLeases } from '@keelson/sdk'
import fc from 'fast-check'
import { type Test, test } from 'tap'
import { withLease } from './lease.ts'
import { openTestDatabase } from './testing/test-database.ts'

const HOLDER = fileURLToPath(new URL('./testing/lease-holder.js', import.meta.url))
interface Row {
  readonly _id: string
  readonly owner: string
  readonly until: Date
  readonly seenAt: Date
}
const START = Date.UTC(2026, 10, 27)

/** Leases of several processes on one database, whose clock moves by hand. */
async function open(t: Test) {
  const { db, client } = await openTestDatabase(t)
  let time = START
  const clock = { now: () => new Date(time) }
  return {
    db,
    client,
    rows: db.collection<Row>('keelson_leases'),
    lease: openLeases({ db, clock, owner: 'work' }),
    other: openLeases({ db, clock, owner: 'work' }),
    pass: (seconds: number) => {
      time += seconds * 1000
    }
  }
}

const once10 = { seconds: 10 }

test('what is done under one lease is done by one at a time, and others do not wait', async (t) => {
  const { lease, other } = await open(t)
  const outer = await lease('one', once10, async ({ owner }) => {
    t.same(await other('one', once10, () => t.fail('two holders')), { held: false })
    t.same(await other('two', once10, () => 'free'), { held: true, value: 'free' })
    return owner
  })
  t.equal(outer.held, true)
  const again = await other('one', once10, ({ owner }) => owner)
  t.equal(again.held, true)
  t.not(again.held && again.value, outer.held && outer.value, 'each holder has a token of its own')
})

test('leases of different owners do not meet', async (t) => {
  const { db, lease } = await open(t)
  const foreign = openLeases({ db, clock: { now: () => new Date(START) }, owner: 'other' })
  const held = await lease('one', once10, () => foreign('one', once10, () => 'both'))
  t.match(held, { value: { held: true, value: 'both' } })
})

test('a failure ends the lease, and is handed on', async (t) => {
  const { lease, rows } = await open(t)
  const failing = lease('one', once10, async () => {
    throw new Error('no luck')
  })
  await t.rejects(failing, { message: 'no luck' })
  t.equal(await rows.countDocuments(), 0)
})

test('a lease is renewed while its holder is at work', async (t) => {
  const { lease, other, rows, pass } = await open(t)
  await lease('one', { seconds: 0.3 }, async () => {
    const before = await rows.findOne({ _id: 'work/one' })
    pass(1)
    while ((await rows.findOne({ _id: 'work/one' }))?.until.getTime() === before?.until.getTime())
      await sleep(5)
    t.same(await other('one', once10, () => 'two'), { held: false })
  })
})

test('the signal of a holder is aborted when another took its lease, and its result does not count', async (t) => {
  const { lease, rows } = await open(t)
  const lost = await lease('one', { seconds: 0.3 }, async ({ signal }) => {
    // As another process does after a pause that outlived the lease.
    await rows.updateOne({ _id: 'work/one' }, { $set: { owner: 'other' } })
    await once(signal, 'abort')
    t.ok(signal.reason instanceof LeaseLost)
    return 'late'
  })
  t.same(lost, { held: false })
  t.match(
    await rows.findOne({ _id: 'work/one' }),
    { owner: 'other' },
    'it does not end the lease of the next'
  )
})

test('a holder that another took over without its notice hears of it at the end', async (t) => {
  const { lease, other, pass } = await open(t)
  const late = await lease('one', once10, async () => {
    pass(11)
    t.match(await other('one', once10, () => 'theirs'), { held: true, value: 'theirs' })
    return 'mine'
  })
  t.same(late, { held: false })
})

test('the signal of the options aborts that of the lease', async (t) => {
  const { lease } = await open(t)
  const controller = new AbortController()
  await lease('one', { ...once10, signal: controller.signal }, ({ signal }) => {
    controller.abort(new Error('the host closes'))
    t.match(signal, { aborted: true, reason: { message: 'the host closes' } })
  })
})

test('a lease that cannot be renewed is lost when its time is over', async (t) => {
  const { db, rows } = await open(t)
  let time = START
  let isAway = false
  const away = new Proxy(rows, {
    get(target, name) {
      if (isAway && name === 'updateOne') return () => Promise.reject(new Error('away'))
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    }
  })
  const lease = openLeases({
    db: { collection: () => away } as unknown as typeof db,
    clock: { now: () => new Date(time) },
    owner: 'work'
  })
  const lost = await lease('one', { seconds: 0.3 }, async ({ signal }) => {
    isAway = true
    await sleep(150)
    t.notOk(signal.aborted, 'one failure is not the end')
    time += 1_000
    if (!signal.aborted) await once(signal, 'abort')
  })
  t.same(lost, { held: false })
})

test('what a transaction writes with a lease is written only while it is held', async (t) => {
  const { db, client, lease, other, pass } = await open(t)
  const notes = db.collection<{ _id: string }>('notes')
  await db.createCollection('notes')
  const write = (held: Lease, _id: string) =>
    client.withSession((session) =>
      session.withTransaction(async () => {
        await held.keep(session)
        await notes.insertOne({ _id }, { session })
      })
    )
  const slow = await lease('one', once10, async (held) => {
    await write(held, 'mine')
    pass(11)
    await other('one', once10, async (next) => {
      await t.rejects(write(held, 'late'), { name: 'LeaseLost' })
      t.ok(held.signal.aborted)
      await write(next, 'theirs')
    })
  })
  t.same(slow, { held: false })
  t.same(
    (await notes.find().toArray()).map(({ _id }) => _id),
    ['mine', 'theirs']
  )
})

test('seconds must be more than 0 and at most 3,600', async (t) => {
  const { lease } = await open(t)
  for (const seconds of [0, -1, 3_601, Number.NaN])
    await t.rejects(
      lease('one', { seconds }, () => {}),
      { name: 'RangeError' }
    )
})

test('rows of processes that died are removed a day later, by the clock of the database', async (t) => {
  const { lease, rows } = await open(t)
  await lease('one', once10, async () => {
    const { seenAt } = (await rows.findOne({ _id: 'work/one' })) ?? {}
    t.ok(seenAt instanceof Date && seenAt.getTime() > START)
  })
  t.match(await rows.indexes(), [{}, { key: { seenAt: 1 }, expireAfterSeconds: 86_400 }])
})

test('the lease of a process that is killed is free when its time is over, and not before', async (t) => {
  const { db, config } = await openTestDatabase(t)
  const child = fork(HOLDER, [JSON.stringify(config)])
  const [{ until }] = (await once(child, 'message')) as [{ until: number }]
  child.kill('SIGKILL')
  await once(child, 'exit')
  let time = until - 1
  const lease = openLeases({ db, clock: { now: () => new Date(time) }, owner: 'work' })
  t.same(await lease('one', once10, () => t.fail('two holders')), { held: false })
  time = until
  t.same(await lease('one', once10, () => 'next'), { held: true, value: 'next' })
})

const LEASE_S = 10
const act = fc.record({
  at: fc.integer({ min: 0, max: 2 }),
  kind: fc.constantFrom('take' as const, 'keep' as const, 'end' as const)
})
const step = fc.record({
  pass: fc.integer({ min: 0, max: 15 }),
  acts: fc.array(act, { minLength: 1, maxLength: 4 })
})

test('whatever processes do at once, there are never two holders', async (t) => {
  const { db } = await openTestDatabase(t)
  let run = 0
  const property = fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
    let time = START
    const clock = { now: () => new Date(time) }
    const name = `run-${run++}`
    const rivals = [0, 1, 2].map(() => createRival(openLeases({ db, clock, owner: 'work' }), name))
    for (const { pass, acts } of steps) {
      time += pass * 1000
      // Each in turn, all at once.
      await Promise.all(
        rivals.map(async (rival, at) => {
          for (const { kind } of acts.filter((one) => one.at === at)) await rival[kind](time)
        })
      )
      if (rivals.filter((rival) => rival.until() > time).length > 1) return false
    }
    await Promise.all(rivals.map((rival) => rival.end()))
    return true
  })
  await fc.assert(property, { numRuns: 50 })
  t.pass()
})

/** A process that takes, renews and ends a lease by command, and knows until when it holds it. */
function createRival(lease: ReturnType<typeof openLeases>, name: string) {
  type Held = { readonly lease: Lease; readonly end: () => void } | undefined
  let held: Held
  let until = 0
  return {
    until: () => until,
    async take(time: number) {
      if (held !== undefined) return
      const taken = new Promise<Held>((resolve, reject) => {
        const hold = (one: Lease) => new Promise<void>((end) => resolve({ lease: one, end }))
        lease(name, { seconds: LEASE_S }, hold).then(() => resolve(undefined), reject)
      })
      held = await taken
      if (held !== undefined) until = time + LEASE_S * 1000
    },
    async keep(time: number) {
      try {
        await held?.lease.keep()
        if (held !== undefined) until = time + LEASE_S * 1000
      } catch {
        until = 0
      }
    },
    async end() {
      // It stops to believe before it says so.
      until = 0
      held?.end()
      held = undefined
    }
  }
}

test('a start waits for another that holds its lease, and waiting can be aborted', async (t) => {
  const { db } = await openTestDatabase(t)
  const controller = new AbortController()
  const { signal } = controller
  let waited = 0
  const order: string[] = []
  await withLease(db, 'work', { signal }, async () => {
    const onWait = () => void waited++
    const next = withLease(db, 'work', { signal, onWait }, async () => void order.push('second'))
    controller.abort()
    await t.rejects(next, { name: 'AbortError' })
    order.push('first')
  })
  await withLease(db, 'work', { signal }, async () => void order.push('third'))
  t.same(order, ['first', 'third'])
  t.equal(waited, 1)
})
