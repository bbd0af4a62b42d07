// Waves that go out by themselves: when each begins, what holds it, and what the broadcast says of it.
import fc from 'fast-check'
import { test } from 'tap'
import type { BroadcastRow } from '../../ledger/broadcast-row.ts'
import { recorded } from '../../test/sent-mail.ts'
import { changeDraft, createBroadcast, type NewBroadcast } from './draft-broadcast.ts'
import { listLeftOut } from './left-out.ts'
import { beginNextWave, sendNextWave } from './next-wave.ts'
import { pauseByHand } from './pause-broadcasts.ts'
import { comingWaves, MOST_WAVES, withWave } from './plan-waves.ts'
import { readBroadcast } from './read-broadcasts.ts'
import { resumeBroadcast } from './resume-broadcast.ts'
import { scheduleBroadcast } from './schedule-broadcast.ts'
import { ANNA, type BroadcastBench, DRAFT, openBench, people } from './test/broadcast-bench.ts'

const MINUTE = 60_000
const HOURLY = { people: 4, everyMinutes: 60 }

const detail = async ({ context }: BroadcastBench) => {
  const found = await readBroadcast(context, 'cast')
  if (found === null) throw new Error('there is no broadcast')
  return found
}
const sizes = async (bench: BroadcastBench) =>
  (await detail(bench)).progress.waves.map(({ size }) => size)

test('waves of a number of people begin one interval after the other, and mail each contact once', async (t) => {
  const bench = await openBench(t, { contacts: people(10) })
  const start = bench.context.clock.now()
  const later = (minutes: number) => new Date(start.getTime() + minutes * MINUTE)
  await bench.schedule({ wavePlan: HOURLY })
  t.match((await detail(bench)).progress.waves, [
    { size: 4, startsAt: start },
    { size: 4, startsAt: later(60) },
    { size: 2, startsAt: later(120) }
  ])
  await bench.drain()
  t.equal(bench.sent.length, 4)
  t.match(await bench.read(), { status: 'sending', nextWaveAt: later(60) })
  t.match(await detail(bench), {
    waiting: [{ reason: 'wave', cause: 'time', count: 6, until: later(60) }],
    progress: {
      waves: [
        { size: 4, handed: 4, startedAt: start },
        { size: 4, handed: 0, startsAt: later(60) },
        { size: 2, handed: 0, startsAt: later(120) }
      ]
    }
  })
  bench.pass(59 * MINUTE)
  await bench.drain()
  t.equal(bench.sent.length, 4, 'not before its time')
  bench.pass(MINUTE)
  await bench.drain()
  t.equal(bench.sent.length, 8)
  bench.pass(60 * MINUTE)
  await bench.drain()
  t.match(await bench.read(), { status: 'sent', queuedCount: 10 })
  t.equal(new Set(bench.sent.map(({ to }) => to)).size, 10)
  const { auditLog } = bench.context.collections
  t.equal(await auditLog.countDocuments({ action: 'broadcast.wave' }), 2)
})

test('waves of a share are counted from all recipients', async (t) => {
  const bench = await openBench(t, { contacts: people(10) })
  await bench.schedule({ wavePlan: { percent: 25, everyMinutes: 15 } })
  await bench.drain()
  t.same(await sizes(bench), [3, 3, 3, 1])
  for (let wave = 2; wave <= 4; wave++) {
    bench.pass(15 * MINUTE)
    await bench.drain()
  }
  t.match(await bench.read(), { status: 'sent', queuedCount: 10 })
})

test('processes that tick at once begin one wave', async (t) => {
  const bench = await openBench(t, { contacts: people(10) })
  await bench.schedule({ wavePlan: HOURLY })
  await bench.drain()
  bench.pass(60 * MINUTE)
  await Promise.all([bench.advance(), bench.advance(), bench.advance()])
  await bench.drain()
  t.match(await bench.read(), { queuedCount: 8, waves: { length: 2 } })
})

test('a process that stopped between two waves leaves the next one to another', async (t) => {
  const bench = await openBench(t, { contacts: people(6) })
  await bench.schedule({ wavePlan: HOURLY })
  await bench.drain()
  bench.pass(60 * MINUTE)
  await beginNextWave(bench.context, await bench.read())
  t.match(await bench.read(), { queuedCount: 4, waves: { length: 2 } }, 'it has only begun')
  await bench.drain()
  t.match(await bench.read(), { status: 'sent', queuedCount: 6, waves: { length: 2 } })
  t.equal(bench.sent.length, 6)
})

test('a wave waits until the mails of the one before have left', async (t) => {
  const bench = await openBench(t, { contacts: people(6) })
  await bench.schedule({ wavePlan: HOURLY })
  await bench.advance()
  await bench.advance()
  bench.pass(60 * MINUTE)
  await bench.advance()
  t.match(await bench.read(), { queuedCount: 4, waves: { length: 1 } })
  t.match((await detail(bench)).waiting, [{ reason: 'wave', cause: 'mails', count: 2 }])
  await bench.drain()
  t.match(await bench.read(), { status: 'sent', queuedCount: 6 })
})

test('a stop rule holds the next wave, says so, and a resume lets it go at its time', async (t) => {
  const bench = await openBench(t, { contacts: people(8) })
  const { context } = bench
  const stopRules = { minSample: 4, hardBounceRatePct: 20 }
  await bench.schedule({ wavePlan: HOURLY, stopRules })
  await bench.drain()
  const bounced = recorded({ bouncedAt: context.clock.now(), bounceType: 'hard' })
  await context.collections.sends.updateOne({}, bounced)
  t.match(await sendNextWave(context, 'cast', ANNA), {
    code: 'stop_rule_still_breached',
    message: /25% of 4 mails/
  })
  bench.pass(60 * MINUTE)
  await bench.drain()
  t.match(await bench.read(), { status: 'paused', pauseReason: { code: 'stop_rule' } })
  t.equal(bench.sent.length, 4)
  t.match((await detail(bench)).waiting, [{ reason: 'wave', cause: 'stop_rule', count: 4 }])
  t.notOk((await detail(bench)).progress.waves[1]?.startsAt)
  const resume = { confirmedCount: 4, stopRules: { hardBounceRatePct: 30 } }
  t.match(await resumeBroadcast(context, 'cast', resume, ANNA), { ok: true })
  await bench.drain()
  t.match(await bench.read(), { status: 'sent', queuedCount: 8 })
})

test('a person sends the next wave before its time, and pauses hold it', async (t) => {
  const bench = await openBench(t, { contacts: people(10) })
  const { context } = bench
  await bench.schedule({ wavePlan: HOURLY })
  t.match(await sendNextWave(context, 'cast', ANNA), { code: 'no_wave_waits' })
  await bench.drain()
  t.match(await sendNextWave(context, 'cast', ANNA), { ok: true })
  await bench.drain()
  t.match(await bench.read(), { queuedCount: 8 })
  await pauseByHand(context, 'cast', ANNA)
  t.match(await sendNextWave(context, 'cast', ANNA), { code: 'no_wave_waits' })
  t.match((await detail(bench)).waiting[0], { reason: 'wave', cause: 'manual', count: 2 })
  t.match(await sendNextWave(context, 'none', ANNA), { code: 'not_found' })
})

test('the test of two templates is the first wave, and its winner goes out in the others', async (t) => {
  const bench = await openBench(t, { contacts: people(40) })
  const splitTest: NewBroadcast['splitTest'] = {
    variants: [
      { name: 'a', templateSlug: 'first' },
      { name: 'b', templateSlug: 'second' }
    ],
    testPercent: 20,
    winner: 'human_opens',
    decideAfterHours: 4
  }
  await bench.schedule({ wavePlan: { people: 20, everyMinutes: 60 }, splitTest })
  await bench.drain()
  t.equal(bench.sent.length, 8)
  bench.pass(3 * 60 * MINUTE)
  await bench.drain()
  t.equal(bench.sent.length, 8, 'no wave before the winner')
  t.same(await sizes(bench), [8, 20, 12])
  bench.pass(60 * MINUTE)
  await bench.drain()
  t.equal(bench.sent.length, 28)
  t.match(await bench.read(), { winner: 'a', nextWaveAt: Date })
  t.same(await sizes(bench), [8, 20, 12])
  bench.pass(60 * MINUTE)
  await bench.drain()
  t.match(await bench.read(), { status: 'sent', queuedCount: 40 })
})

test('a cap ends waves, and a resume above it goes on with them', async (t) => {
  const bench = await openBench(t, { contacts: people(10) })
  await bench.schedule({ wavePlan: HOURLY, recipientCap: 6 })
  await bench.drain()
  bench.pass(60 * MINUTE)
  await bench.drain()
  t.match(await bench.read(), { status: 'paused', queuedCount: 6 })
  t.same(await sizes(bench), [4, 2, 4])
  const resume = { recipientCap: null, confirmedCount: 4 }
  t.match(await resumeBroadcast(bench.context, 'cast', resume, ANNA), { ok: true })
  await bench.drain()
  t.match(await bench.read(), { status: 'sent', queuedCount: 10 })
})

test('who let a broadcast send and may no longer do so lets no wave out', async (t) => {
  const bench = await openBench(t, { contacts: people(6) })
  await bench.schedule({ wavePlan: HOURLY })
  await bench.drain()
  const admits = async () => false
  const context = Object.assign(Object.create(bench.context), { admits })
  await beginNextWave(context, await bench.read())
  t.match(await bench.read(), { status: 'paused', pauseReason: { by: 'owner' } })
})

test('waves are refused when they would be more than a hundred, and a draft gives them up', async (t) => {
  const bench = await openBench(t, { contacts: people(101) })
  const { context } = bench
  await createBroadcast(context, { ...DRAFT, wavePlan: { people: 1, everyMinutes: 5 } }, ANNA)
  const schedule = { scheduledAt: context.clock.now(), confirmedCount: 101 }
  t.match(await scheduleBroadcast(context, 'cast', schedule, ANNA), { code: 'too_many_waves' })
  await t.rejects(changeDraft(context, 'cast', { wavePlan: { people: 0, everyMinutes: 5 } }, ANNA))
  t.match(await changeDraft(context, 'cast', { wavePlan: null }, ANNA), { ok: true })
  t.match(await scheduleBroadcast(context, 'cast', schedule, ANNA), { ok: true })
})

test('who got the mail and unsubscribed is not left out of a later wave without a cap', async (t) => {
  const bench = await openBench(t, { contacts: people(4) })
  const { context } = bench
  await bench.schedule({ recipientCap: 2 })
  await bench.drain()
  await context.collections.subscriptions.updateOne(
    { externalId: 'c000' },
    { $set: { status: 'unsubscribed' } }
  )
  const all = { recipientCap: null, confirmedCount: 2 }
  t.match(await resumeBroadcast(context, 'cast', all, ANNA), { ok: true })
  await bench.drain()
  const { _id } = await bench.read()
  t.same((await listLeftOut(context, _id)).rows, [])
})

test('waves of any size hold everybody, each within its size', async (t) => {
  const given = fc.record({
    count: fc.integer({ min: 1, max: 5000 }),
    percent: fc.integer({ min: 1, max: 100 }),
    cap: fc.option(fc.integer({ min: 1, max: 6000 }), { nil: undefined })
  })
  fc.assert(
    fc.property(given, ({ count, percent, cap }) => {
      const row = {
        status: 'sending',
        recipientCount: Math.min(count, cap ?? count),
        queuedCount: 0,
        wavePlan: { percent, everyMinutes: 5 },
        ...(cap !== undefined && { recipientCap: cap })
      } as BroadcastRow
      const coming = comingWaves(row, { from: 0, total: count })
      const sum = coming.reduce((all, { size }) => all + size, 0)
      const first = withWave(row, new Date(0))[0]?.upTo ?? 0
      return (
        sum === count &&
        coming.length <= MOST_WAVES + 1 &&
        coming[0]?.size === Math.min(first, count)
      )
    })
  )
  t.pass()
})
