// Leases on names: one holder at a time, and none for ever.
// Runs beside the others: it waits for much of its time.
import { setTimeout as sleep } from 'node:timers/promises'
import tap, { test } from 'tap'
import { withLease } from './lease.ts'
import { openTestDatabase, reopen } from './testing/test-database.ts'

// Most of what these tests do is wait, so they do it side by side.
tap.jobs = 8

const { signal } = new AbortController()
/** Renewed by the quarter: a busy machine may hold it up for more than a second. */
const LEASE_MS = 1_500

test('what two processes do under one lease never overlaps', async (t) => {
  const first = await openTestDatabase(t)
  const second = await reopen(t, first)
  let inside = 0
  let most = 0
  const act = async () => {
    inside++
    most = Math.max(most, inside)
    await new Promise((resolve) => setImmediate(resolve))
    inside--
  }
  await Promise.all([
    withLease(first.db, 'work', { signal }, act),
    withLease(second.db, 'work', { signal }, act),
    withLease(first.db, 'work', { signal }, act)
  ])
  t.equal(most, 1)
})

test('leases of different names do not wait for each other', async (t) => {
  const { db } = await openTestDatabase(t)
  const inner = await withLease(db, 'one', { signal }, () =>
    withLease(db, 'two', { signal }, async () => 'both')
  )
  t.equal(inner, 'both')
})

test('the lease ends when the work fails, and the error is handed on', async (t) => {
  const { db } = await openTestDatabase(t)
  const failing = withLease(db, 'work', { signal }, async () => {
    throw new Error('no luck')
  })
  await t.rejects(failing, { message: 'no luck' })
  t.equal(await withLease(db, 'work', { signal }, async () => 'next'), 'next')
})

test('the lease of a process that died is taken when it has run out', async (t) => {
  const { db } = await openTestDatabase(t)
  const leases = db.collection<{ _id: string; holder: string; until: Date }>('keelson_leases')
  await leases.insertOne({ _id: 'work', holder: 'dead', until: new Date(Date.now() + 1_500) })
  let waited = 0
  const onWait = () => void waited++
  t.equal(await withLease(db, 'work', { signal, onWait }, async () => 'taken'), 'taken')
  t.equal(waited, 1)
})

test('a lease outlives its time while its holder is at work', async (t) => {
  const first = await openTestDatabase(t)
  const second = await reopen(t, first)
  let isOver = false
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const held = withLease(first.db, 'work', { signal, leaseMs: LEASE_MS }, async () => {
    begin()
    await sleep(2 * LEASE_MS)
    isOver = true
  })
  await begun
  t.equal(
    await withLease(second.db, 'work', { signal, leaseMs: LEASE_MS }, async () => isOver),
    true
  )
  await held
})

test('waiting for a lease can be aborted', async (t) => {
  const { db } = await openTestDatabase(t)
  const controller = new AbortController()
  await withLease(db, 'work', { signal }, async () => {
    const waiting = withLease(db, 'work', { signal: controller.signal }, async () => {})
    controller.abort()
    await t.rejects(waiting, { name: 'AbortError' })
  })
})
