// The watch over revocations: what it trusts, when it stops to, and who waits for whom.
// Runs beside the others: it waits for much of its time.

import { testDatabase } from '@keelson/sdk/testing'
import { MongoServerError } from 'mongodb'
import { test } from 'tap'
import { allHeard, CACHE_VERSION, raiseVersion, SILENCE_MS } from '../grants/tell-caches.ts'
import type { StoredState } from '../storage/rows.ts'
import { createRevocationWatch } from '../tokens/revocation-watch.ts'

type Answer = object | null | Error

/** A stream whose answers are given by hand, over a row store that remembers what it was told. */
function scripted() {
  const questions: ((answer: Answer) => void)[] = []
  const asked: (() => void)[] = []
  const written: (number | undefined)[] = []
  const warnings: object[] = []
  let now = 0
  let isGone = false
  let opened = 0
  const tryNext = (): Promise<object | null> =>
    new Promise((resolve, reject) => {
      questions.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer)))
      asked.shift()?.()
    })
  const rows = {
    watch: () => {
      opened++
      return { tryNext, close: async () => questions.shift()?.(null) }
    },
    findOne: async () => ({ version: 7 }),
    updateOne: async (_filter: object, { $set }: { $set: { version: number } }) =>
      void written.push($set.version),
    deleteOne: async () => {
      isGone = true
    }
  }
  const watch = createRevocationWatch(rows as never, {
    logger: { warn: (fields) => void warnings.push(fields), error() {} },
    elapsed: () => now
  })
  const question = () =>
    questions.length > 0 ? Promise.resolve() : new Promise<void>((resolve) => asked.push(resolve))
  return {
    watch,
    written,
    warnings,
    isGone: () => isGone,
    opened: () => opened,
    advance: (ms: number) => {
      now += ms
    },
    /** Answers the question that is open, and waits for the next one. */
    async answer(answer: Answer, { isLast = false } = {}) {
      await question()
      questions.shift()?.(answer)
      if (!isLast) await question()
      else await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

const update = (version: number) => ({
  operationType: 'update',
  updateDescription: { updatedFields: { version } }
})

test('the cache is used from the second answer on, for one second after its question', async (t) => {
  const { watch, written, answer, advance } = scripted()
  t.equal(watch.age(), undefined)
  await answer(null)
  t.equal(watch.age(), undefined, 'it is announced, and has heard nothing yet')
  t.same(written, [7])
  await answer(null)
  const age = watch.age()
  t.type(age, 'number')
  advance(SILENCE_MS - 1)
  t.equal(watch.age(), age)
  advance(1)
  t.equal(watch.age(), undefined)
  await answer(null)
  t.equal(watch.age(), undefined, 'an answer counts from its question, which was long ago')
  await answer(null)
  t.equal(watch.age(), age)
})

test('a revocation changes the age in every process, and each writes the version it knows', async (t) => {
  const { watch, written, answer } = scripted()
  watch.age()
  await answer(null)
  await answer(null)
  const ages = [watch.age()]
  watch.changed()
  ages.push(watch.age())
  await answer(update(8))
  ages.push(watch.age())
  await answer({ operationType: 'insert', fullDocument: { version: 9 } })
  ages.push(watch.age())
  t.equal(new Set(ages).size, 4)
  t.notOk(ages.includes(undefined))
  t.same(written, [7, 8, 9])
})

test('a failed stream is reopened with back-off, and the age changes', async (t) => {
  const { watch, answer, advance, warnings, isGone } = scripted()
  watch.age()
  await answer(null)
  await answer(null)
  const age = watch.age()
  await answer(new Error('away'), { isLast: true })
  t.equal(watch.age(), undefined)
  t.ok(isGone(), 'nobody waits for it')
  t.match(warnings, [{ err: { message: 'away' } }])
  advance(250)
  t.equal(watch.age(), undefined)
  await answer(new Error('still away'), { isLast: true })
  advance(250)
  t.equal(watch.age(), undefined, 'the second pause is longer')
  advance(250)
  t.equal(watch.age(), undefined)
  const isLive = watch.whenLive()
  await answer(null)
  await answer(null)
  await isLive
  t.not(watch.age(), age)
  await watch.whenLive()
})

test('a server without change streams is asked once', async (t) => {
  const { watch, answer, advance, warnings, opened } = scripted()
  watch.age()
  const code = 40_573
  await answer(new MongoServerError({ message: 'only on replica sets', code }), { isLast: true })
  advance(86_400_000)
  t.equal(watch.age(), undefined)
  t.equal(opened(), 1)
  t.equal(warnings.length, 1)
})

test('the stream ends when the version row is deleted', async (t) => {
  const { watch, answer, warnings } = scripted()
  watch.age()
  await answer(null)
  await answer({ operationType: 'delete' }, { isLast: true })
  t.match(warnings, [{ err: { message: /lost by delete/ } }])
  t.equal(watch.age(), undefined)
})

test('a process with a cache renews its announcement and stops when idle', async (t) => {
  const { watch, written, answer, advance, isGone } = scripted()
  watch.age()
  await answer(null)
  await answer(null)
  advance(10_001)
  await answer(null)
  await answer(null)
  t.same(written, [7, 7])
  t.type(watch.age(), 'number')
  advance(60_001)
  await answer(null, { isLast: true })
  t.ok(isGone())
  t.equal(watch.age(), undefined)
})

test('a closed watch is never reopened', async (t) => {
  const { watch, answer, warnings, isGone } = scripted()
  watch.age()
  await answer(null)
  await answer(null)
  await watch.close()
  t.ok(isGone())
  t.equal(watch.age(), undefined)
  await watch.close()
  t.same(warnings, [])
})

test('a revocation waits for lagging processes, at most until their cache is unused', async (t) => {
  const { db } = await testDatabase(t)
  const rows = db.collection<StoredState>('oauth_state')
  let changes = 0
  const own = { holder: 'cache-holder own', changed: () => void changes++ }
  t.equal(await raiseVersion(rows, own), 1)
  t.equal(changes, 1)
  await rows.insertMany([
    { _id: own.holder, version: 0 },
    { _id: 'cache-holder ahead', version: 1 }
  ])
  await allHeard(1, rows, own)
  await rows.insertOne({ _id: 'cache-holder behind', version: 0 })
  let isOver = false
  const begun = performance.now()
  const waiting = allHeard(1, rows, own).then(() => {
    isOver = true
  })
  await rows.findOne({ _id: CACHE_VERSION })
  t.ok(!isOver || performance.now() - begun >= SILENCE_MS - 1)
  await rows.updateOne({ _id: 'cache-holder behind' }, { $set: { version: 1 } })
  await waiting
  const started = performance.now()
  await allHeard(2, rows, own)
  t.ok(performance.now() - started >= SILENCE_MS - 1)
})

test('the own cache is emptied also when the version cannot be raised', async (t) => {
  let changes = 0
  const rows = { findOneAndUpdate: async () => Promise.reject(new Error('away')) }
  const own = { holder: 'own', changed: () => void changes++ }
  await t.rejects(raiseVersion(rows as never, own), { message: 'away' })
  t.equal(changes, 1)
  const asked = { findOne: async () => Promise.reject(new Error('away')) }
  const started = performance.now()
  await allHeard(1, asked as never, own)
  t.ok(performance.now() - started >= SILENCE_MS - 1, 'who cannot ask waits it out')
})
