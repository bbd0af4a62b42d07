// A pause while mails leave: what is not with a provider stays.
import { type Test, test } from 'tap'
import type { SendGate } from '../contracts/mailer-send-gate.ts'
import { queueSends } from '../delivery/sends/queue-sends.ts'
import { newSend, type RecordingOptions, recordingSends } from '../test/recording-sends.ts'
import { cancelBroadcast } from './broadcasts/cancel-broadcast.ts'
import { pauseBroadcasts, pauseByHand } from './broadcasts/pause-broadcasts.ts'
import { pauseMarketing } from './marketing-pause.ts'
import { createSendHandler } from './send-handler.ts'

const CONCURRENCY = 3
const acting = { actor: 'human:ann' } as const

function signalled() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** 200 mails of a broadcast and 20 of no broadcast, and a provider that answers when it may. */
async function underWay(t: Test, options: Pick<RecordingOptions, 'extensions'> = {}) {
  const gate = signalled()
  const full = signalled()
  let calls = 0
  const many = Array.from({ length: 220 }, (_, at) => ({
    externalId: `m${at}`,
    email: `m${at}@example.test`,
    tags: [],
    fields: {}
  }))
  const opened = await recordingSends(t, {
    ...options,
    contacts: many,
    provider: { concurrency: CONCURRENCY },
    async answer() {
      calls += 1
      if (calls === CONCURRENCY) full.resolve()
      await gate.promise
    },
    handlers: (context) => {
      const handler = createSendHandler(context, { freshMs: 0 })
      return { urgentSends: handler, bulkSends: handler }
    }
  })
  const { context } = opened
  const row = { _id: 'b1', slug: 'spring', status: 'sending', queuedCount: 200, revision: 1 }
  await context.collections.broadcasts.insertOne(row as never)
  const subscribed = many.map(({ externalId }) => ({
    _id: externalId,
    externalId,
    status: 'subscribed'
  }))
  await context.collections.subscriptions.insertMany(subscribed as never)
  const news = { kind: 'marketing', lane: 'bulk', templateSlug: 'news' } as const
  const of = { ...news, broadcastId: 'b1', broadcastSlug: 'spring' }
  const broadcast = many.slice(0, 200).map(({ externalId }) => newSend(externalId, of))
  const others = many
    .slice(200)
    .map(({ externalId }) => newSend(externalId, { ...news, lane: 'urgent' }))
  const end = async (running: Promise<void>) => {
    gate.resolve()
    await running
  }
  const left = () => opened.sent.length
  return { ...opened, broadcast, others, full: full.promise, end, left }
}

test('a broadcast that is paused keeps what is not with a provider, whatever was recorded ahead', async (t) => {
  const { context, broadcast, full, end, left, run } = await underWay(t)
  await queueSends(context, broadcast)
  const running = run()
  await full
  t.match(await pauseByHand(context, 'spring', acting), { ok: true })
  await end(running)
  t.equal(left(), CONCURRENCY)
  const { sends } = context.collections
  const held = { status: 'held', state: 'parked', attempt: { $exists: false } } as const
  t.equal(await sends.countDocuments(held), 200 - CONCURRENCY)
})

test('a pause of all marketing mail holds it in both lanes', async (t) => {
  const { context, broadcast, others, full, end, left, run } = await underWay(t)
  await queueSends(context, [...broadcast, ...others])
  const running = run()
  await full
  t.match(await pauseMarketing(context, { reason: 'A wrong price.' }, acting), { ok: true })
  await end(running)
  t.equal(left(), CONCURRENCY)
  const { sends } = context.collections
  t.equal(await sends.countDocuments({ status: 'held' }), 220 - CONCURRENCY)
})

test('mails leave while the database does not say what is paused', async (t) => {
  const { context, broadcast, full, end, left, run } = await underWay(t)
  await queueSends(context, broadcast)
  const running = run()
  await full
  const { state } = context.collections
  t.intercept(state, 'find', {
    value: () => {
      throw new Error('The database does not answer.')
    }
  })
  await end(running)
  t.equal(left(), 200)
  const doubtful = { status: { $in: ['sending', 'unknown'] } } as const
  t.equal(await context.collections.sends.countDocuments(doubtful), 0)
})

test('a broadcast that is cancelled keeps what is not with a provider', async (t) => {
  const { context, broadcast, full, end, left, run } = await underWay(t)
  await queueSends(context, broadcast)
  const running = run()
  await full
  t.match(await cancelBroadcast(context, 'spring', acting), { ok: true })
  await end(running)
  t.equal(left(), CONCURRENCY)
  const cancelled = { status: 'cancelled', exitReason: 'broadcast_cancelled' } as const
  t.equal(await context.collections.sends.countDocuments(cancelled), 200 - CONCURRENCY)
})

test('a bucket that trips keeps the mail of its domain, broadcasts and other mail', async (t) => {
  let isTripped = false
  const gate: SendGate = {
    name: 'breaker',
    checkBatch: ({ senderDomain }) =>
      isTripped && senderDomain === 'acme.test'
        ? { error: 'tripped', message: 'Too many bounces.' }
        : null
  }
  const opened = await underWay(t, { extensions: { sendGates: () => [gate] } })
  const { context, broadcast, others, full, end, left, run } = opened
  await queueSends(context, [...broadcast, ...others])
  const running = run()
  await full
  isTripped = true
  await pauseBroadcasts(context, {
    by: 'breaker',
    senderDomain: 'acme.test',
    message: 'Too many bounces.'
  })
  await end(running)
  t.equal(left(), CONCURRENCY)
  const held = { status: 'held', attempt: { $exists: false } } as const
  t.equal(await context.collections.sends.countDocuments(held), 220 - CONCURRENCY)
})
