// The limiter on a real engine: what processes share, what is granted, and what happens without a database.
import { createLimiter, type LimiterOptions, type StoredLimit } from '@keelson/sdk'
import pino from 'pino'
import { type Test, test } from 'tap'
import { openTestDatabase, reopen } from '../storage/testing/test-database.ts'
import { openLimits } from './limits.ts'

const WINDOW = { max: 60, windowSeconds: 60 }

function movable() {
  let time = 1_800_000_000_000
  return {
    clock: { now: () => new Date(time) },
    advance(seconds: number) {
      time += seconds * 1000
    }
  }
}

async function open(t: Test, more: Partial<LimiterOptions> = {}) {
  const database = await openTestDatabase(t)
  const moving = movable()
  const collection = database.db.collection<StoredLimit>('limits')
  const limiter = createLimiter({ collection, clock: moving.clock, ...more })
  return { database, collection, limiter, ...moving }
}

const sum = (taken: readonly { readonly granted: number }[]) =>
  taken.reduce((total, { granted }) => total + granted, 0)

test('no more than the limit is granted to a key in a window, then it says how long to wait', async (t) => {
  const { limiter, advance } = await open(t)
  const limit = limiter.limit('tries', WINDOW)
  const first = await Promise.all(Array.from({ length: 100 }, () => limit.take('a')))
  t.equal(sum(first), 60)
  advance(20)
  t.same(await limit.take('a'), { granted: 0, remaining: 0, retryAfterSeconds: 40 })
  advance(40)
  t.match(await limit.take('a'), { granted: 1, remaining: 59, retryAfterSeconds: 60 })
})

test('keys do not count for each other, and neither do limits', async (t) => {
  const { limiter } = await open(t)
  const one = limiter.limit('one', { max: 1, windowSeconds: 60 })
  const two = limiter.limit('two', { max: 1, windowSeconds: 60 })
  t.equal(sum([await one.take('a'), await one.take('b'), await two.take('a')]), 3)
  t.equal(sum([await one.take('a'), await one.take('b'), await two.take('a')]), 0)
})

test('processes share one count', async (t) => {
  const { limiter, database, clock } = await open(t)
  const other = await reopen(t, database)
  const collection = other.db.collection<StoredLimit>('limits')
  const limits = [limiter, createLimiter({ collection, clock })].map((each) =>
    each.limit('tries', WINDOW)
  )
  const takes = Array.from({ length: 200 }, (_, at) => limits[at % 2]?.take('a'))
  const granted = sum((await Promise.all(takes)).filter((taken) => taken !== undefined))
  t.ok(granted <= 60 && granted >= 57, `${granted} were granted; a share is 3`)
})

test('batches of many processes at once get all of the limit and no more', async (t) => {
  const { collection, clock } = await open(t)
  const limits = Array.from({ length: 4 }, () =>
    createLimiter({ collection, clock }).limit('records', { max: 500, windowSeconds: 60 })
  )
  const takes = Array.from({ length: 200 }, (_, at) => limits[at % 4]?.take('key', { count: 7 }))
  t.equal(sum((await Promise.all(takes)).filter((taken) => taken !== undefined)), 500)
})

test('many at once ask the counter once', async (t) => {
  const { limiter, database } = await open(t)
  const limit = limiter.limit('records', { max: 100_000, windowSeconds: 60 })
  await Promise.all(
    Array.from({ length: 20 }, () => limit.take('key', { count: 100, whole: true }))
  )
  t.equal(database.commands.filter(({ command }) => command === 'findAndModify').length, 1)
})

test('a share of the window is one write', async (t) => {
  const { limiter, database } = await open(t)
  const limit = limiter.limit('tries', WINDOW)
  database.commands.length = 0
  for (let count = 0; count < 60; count++) await limit.take('a')
  t.equal(database.commands.filter(({ command }) => command === 'findAndModify').length, 20)
})

test('of a batch that does not fit, as many are granted as there are', async (t) => {
  const { limiter } = await open(t)
  const limit = limiter.limit('records', { max: 5, windowSeconds: 60 })
  t.equal((await limit.take('key', { count: 3 })).granted, 3)
  t.equal((await limit.take('key', { count: 3 })).granted, 2)
})

test('a whole batch is granted all or none, and what it does not take is still there', async (t) => {
  const { limiter } = await open(t)
  const limit = limiter.limit('records', { max: 10, windowSeconds: 60 })
  const whole = true
  t.equal((await limit.take('key', { count: 6, whole })).granted, 6)
  t.equal((await limit.take('key', { count: 5, whole })).granted, 0)
  t.equal((await limit.take('key', { count: 11, whole })).granted, 0)
  t.equal((await limit.take('key', { count: 4, whole })).granted, 4)
})

test('a key may have a limit different from the others', async (t) => {
  const { limiter } = await open(t)
  const limit = limiter.limit('records', { max: 2, windowSeconds: 60 })
  t.equal((await limit.take('large', { count: 50, max: 40 })).granted, 40)
  t.equal((await limit.take('usual', { count: 50 })).granted, 2)
})

test('what is given back can be taken again', async (t) => {
  const { limiter } = await open(t)
  const limit = limiter.limit('tries', { max: 1, windowSeconds: 60 })
  await limit.take('a')
  limit.giveBack('a')
  limit.giveBack('unknown')
  t.equal(sum([await limit.take('a'), await limit.take('a')]), 1)
})

test('memory is bounded whatever keys come, and a forgotten key gets no second share', async (t) => {
  const { limiter, collection } = await open(t, { maxKeys: 10 })
  const limit = limiter.limit('tries', { max: 1, windowSeconds: 60 })
  for (let number = 0; number < 30; number++) await limit.take(`made up ${number}`)
  t.equal((await limit.take('made up 0')).granted, 0)
  t.equal(await collection.countDocuments(), 30)
})

test('a row names neither address nor key, and outlives its window', async (t) => {
  const { limiter, collection, clock } = await open(t)
  await limiter.limit('tries', WINDOW).take('192.0.2.7')
  const row = await collection.findOne()
  t.notMatch(row?._id, '192.0.2.7')
  t.ok((row?.expiresAt.getTime() ?? 0) >= clock.now().getTime() + 120_000)
})

test('while the database does not answer, each process counts alone, and asks again later', async (t) => {
  const errors: unknown[] = []
  const { limiter, collection, advance } = await open(t, {
    onAway: (error) => void errors.push(error)
  })
  const limit = limiter.limit('tries', { max: 3, windowSeconds: 60 })
  const asked = collection.findOneAndUpdate
  let calls = 0
  collection.findOneAndUpdate = (() => {
    calls++
    return Promise.reject(new Error('away'))
  }) as never
  const alone = []
  for (let count = 0; count < 5; count++) alone.push(await limit.take('a'))
  t.equal(sum(alone), 3)
  t.equal(calls, 1)
  t.equal(errors.length, 1)
  collection.findOneAndUpdate = asked
  advance(6)
  t.equal((await limit.take('a')).granted, 1, 'the database knows of none')
})

test('a database that answers too late counts as one that does not answer', async (t) => {
  const { limiter, collection } = await open(t, { timeoutMs: 20 })
  collection.findOneAndUpdate = (() => new Promise(() => {})) as never
  t.equal((await limiter.limit('tries', WINDOW).take('a')).granted, 1)
})

test('a limiter that does not count alone hands on the error, and keeps what it had', async (t) => {
  const { limiter, collection } = await open(t)
  const limit = limiter.limit('tries', { ...WINDOW, whenAway: 'throw' })
  t.equal((await limit.take('a')).granted, 1)
  const asked = collection.findOneAndUpdate
  collection.findOneAndUpdate = (() => Promise.reject(new Error('away'))) as never
  await t.rejects(limit.take('a', { count: 10 }), { message: 'away' })
  t.equal((await limit.take('a', { count: 2 })).granted, 2)
  collection.findOneAndUpdate = asked
  t.equal((await limit.take('a', { count: 10 })).granted, 10)
})

test('the platform makes the TTL index of its limits when there are some', async (t) => {
  const { db } = await openTestDatabase(t)
  const { clock } = movable()
  const limits = await openLimits(db, { clock, log: pino({ level: 'silent' }) })
  await limits.prepare()
  t.same(await db.listCollections().toArray(), [])
  const limit = limits.limit('alpha', 'tries', WINDOW)
  await limits.prepare()
  t.equal((await limit.take('a')).granted, 1)
  t.match(await db.collection('keelson_limits').indexes(), [
    {},
    { name: 'expiry', key: { expiresAt: 1 }, expireAfterSeconds: 0 }
  ])
})
