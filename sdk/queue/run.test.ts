// One run of a handler: how it ends.
import Fastify from 'fastify'
import { test } from 'tap'
import { type RunLimits, startRun } from './run.ts'

const { log: silentLog } = Fastify()

const limits = (more: Partial<RunLimits> = {}): RunLimits => ({
  seconds: 60,
  log: silentLog,
  cut: new AbortController().signal,
  timeoutError: () => new Error('too long'),
  ...more
})

/** Handlers start in the next turn. */
const started = () => new Promise((resolve) => setImmediate(resolve))

test('a handler that returns is done', async (t) => {
  const run = startRun(limits(), () => 'anything')
  t.same(await run.outcome, { kind: 'done' })
  await run.ended
})

test('a handler that throws or rejects has failed', async (t) => {
  const error = new Error('no luck')
  const thrown = startRun(limits(), () => {
    throw error
  })
  t.same(await thrown.outcome, { kind: 'failed', error })
  t.same(await startRun(limits(), () => Promise.reject(error)).outcome, { kind: 'failed', error })
})

test('the signal of a handler that takes too long is aborted, and the queue goes on', async (t) => {
  let reason: unknown
  const run = startRun(limits({ seconds: 0.01 }), ({ signal }) => {
    signal.addEventListener('abort', () => {
      reason = signal.reason
    })
    return new Promise(() => {})
  })
  t.match(await run.outcome, { kind: 'timeout', error: { message: 'too long' } })
  t.match(reason, { message: 'too long' })
})

test('a handler that gives up at the cut is returned, not failed', async (t) => {
  const cut = new AbortController()
  const run = startRun(
    limits({ cut: cut.signal }),
    ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
  )
  await started()
  cut.abort(new Error('the host closes'))
  t.same(await run.outcome, { kind: 'returned' })
})

test('a handler that finishes after the cut is done', async (t) => {
  const cut = new AbortController()
  const run = startRun(
    limits({ cut: cut.signal }),
    ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', resolve)
      })
  )
  await started()
  cut.abort()
  t.same(await run.outcome, { kind: 'done' })
})

test('a handler that ignores the cut is returned after a moment', async (t) => {
  const cut = new AbortController()
  cut.abort()
  const run = startRun(limits({ cut: cut.signal }), () => new Promise(() => {}))
  t.same(await run.outcome, { kind: 'returned' })
})
