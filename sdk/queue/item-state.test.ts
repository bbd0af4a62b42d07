// What becomes of a queue item after a run, in every case.
import fc from 'fast-check'
import { test } from 'tap'
import { exhausted, queueLimits, reasonOf, settle } from './item-state.ts'
import type { Outcome } from './run.ts'

const now = new Date('2026-01-01T00:00:00Z')
const limits = queueLimits({ name: 'q', collection: 'c', attempts: 3, backoff: 5 })
const failed: Outcome = { kind: 'failed', error: new Error('no luck') }
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)

test('the limits have the defaults of the manifest', async (t) => {
  t.same(queueLimits({ name: 'q', collection: 'c' }), {
    batch: 50,
    leaseSeconds: 60,
    attempts: 5,
    backoff: 5
  })
})

test('an item whose handler succeeds is done', async (t) => {
  t.same(settle(1, { kind: 'done' }, limits, now), { state: 'done' })
})

test('an item that fails is due again after the backoff, doubled each time, with the reason', async (t) => {
  t.same(settle(1, failed, limits, now), { state: 'due', dueAt: later(5), reason: 'no luck' })
  t.same(settle(2, failed, limits, now), { state: 'due', dueAt: later(10), reason: 'no luck' })
})

test('an error may ask for a later try, never for an earlier one', async (t) => {
  const asking = (retryAfterSeconds: unknown): Outcome => ({
    kind: 'failed',
    error: Object.assign(new Error('busy'), { retryAfterSeconds })
  })
  t.same(settle(1, asking(60), limits, now), { state: 'due', dueAt: later(60), reason: 'busy' })
  for (const seconds of [1, -5, Number.NaN, '60']) {
    t.match(settle(1, asking(seconds), limits, now), { dueAt: later(5) }, String(seconds))
  }
  t.match(settle(1, asking(1e9), limits, now), { dueAt: later(86_400) })
})

test('an item that fails for the last time is parked with the reason', async (t) => {
  t.same(settle(3, failed, limits, now), { state: 'parked', reason: 'no luck' })
})

test('an item that takes too long counts as failed', async (t) => {
  const timeout: Outcome = { kind: 'timeout', error: new Error('too long') }
  t.same(settle(1, timeout, limits, now), { state: 'due', dueAt: later(5), reason: 'too long' })
  t.same(settle(3, timeout, limits, now), { state: 'parked', reason: 'too long' })
})

test('an item that was cut by the close, or never started, is handed back', async (t) => {
  t.same(settle(3, { kind: 'returned' }, limits, now), { state: 'returned' })
  t.same(settle(3, undefined, limits, now), { state: 'returned' })
})

test('an item is parked when its lease ran out as often as it may be tried', async (t) => {
  t.equal(exhausted(3, limits), undefined)
  t.match(exhausted(4, limits), { state: 'parked', reason: /lease ran out 3 times/ })
})

test('the backoff never passes a day', async (t) => {
  const patient = { ...limits, attempts: 100 }
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99 }), (attempts) => {
      const settlement = settle(attempts, failed, patient, now)
      return settlement.state === 'due' && settlement.dueAt <= later(86_400)
    })
  )
  t.pass()
})

test('a reason is one short line', async (t) => {
  t.equal(reasonOf('just text'), 'just text')
  t.equal(reasonOf(new Error('')), 'Error')
  t.equal(reasonOf(new Error('x'.repeat(2000))).length, 500)
})
