// What a broadcast says its mails and recipients wait for.
import { test } from 'tap'
import type { BroadcastRow } from '../../ledger/broadcast-row.ts'
import { type MeasuredMails, waitsOf } from './waits-of-broadcast.ts'

const HOUR = 3_600_000
const at = new Date(Date.UTC(2026, 0, 1))
const now = new Date(at.getTime() + HOUR)
const row = { status: 'sending', recipientCount: 100, queuedCount: 40 } as BroadcastRow
const measured: MeasuredMails = { breakdown: {}, forProviders: [], kept: [] }
const smtp = { provider: 'smtp', since: at, reason: 'refused', nextProbeAt: at }
const price = { by: 'human:ann', message: 'A wrong price.', at } as const
const until = new Date(now.getTime() + HOUR)

test('a broadcast that nothing keeps waits for nothing', async (t) => {
  const forProviders = [{ ...smtp, count: 0 }]
  t.same(waitsOf(row, { ...measured, breakdown: { queued: 40 }, forProviders }, now), [])
})

test('mails wait for each provider that takes none, and for the end of a pause', async (t) => {
  const pauseReason = { code: 'manual', ...price } as const
  const forProviders = [{ ...smtp, count: 7 }]
  t.same(
    waitsOf({ ...row, pauseReason }, { ...measured, breakdown: { held: 3 }, forProviders }, now),
    [
      { reason: 'provider', count: 7, since: at, provider: 'smtp', message: 'refused' },
      { reason: 'pause', count: 3, since: at, message: 'A wrong price.' }
    ]
  )
})

test('mails that a gate holds wait for its reason while the broadcast goes on', async (t) => {
  const hold = { status: 'held', cause: 'tripped', message: 'Too many bounces.' } as const
  const kept = [{ ...hold, count: 5, since: at, until: null }]
  const breakdown = { held: 5 }
  t.same(waitsOf(row, { ...measured, breakdown, kept }, now), [
    { reason: 'pause', count: 5, since: at, message: 'Too many bounces.' }
  ])
  const pauseReason = { code: 'manual', ...price } as const
  t.match(waitsOf({ ...row, pauseReason }, { ...measured, breakdown, kept }, now), [
    { reason: 'pause', count: 5, message: 'A wrong price.' }
  ])
})

test('recipients who are not in the test wait for its winner until it is chosen', async (t) => {
  const splitTest = {
    variants: [],
    testPercent: 40,
    winner: 'human_opens',
    decideAfterHours: 2
  } as const
  const deciding = { ...row, splitTest, splitPhase: 'deciding', testQueuedAt: at } as const
  t.same(waitsOf(deciding, measured, now), [{ reason: 'winner', count: 60, since: at, until }])
  t.same(waitsOf({ ...deciding, splitPhase: 'rest' }, measured, now), [])
})

test('recipients over the cap wait for the next wave, whatever else pauses the broadcast', async (t) => {
  const full = { code: 'cap_reached', by: 'mailer', message: 'Full.', at } as const
  const manual = { code: 'manual', ...price } as const
  const paused = { ...row, status: 'paused', audienceCount: 130, pauses: [full] } as const
  const wave = { reason: 'wave', count: 90, since: at }
  t.same(waitsOf({ ...paused, pauseReason: full }, measured, now), [wave])
  const both = { ...paused, pauses: [full, manual], pauseReason: manual }
  t.match(waitsOf(both, { ...measured, breakdown: { held: 2 } }, now), [{ count: 2 }, wave])
})

test('mails of later time zones wait until the last of their times', async (t) => {
  const laterMails = { [at.getTime()]: 4, [now.getTime() + 1]: 2, [until.getTime()]: 3 }
  const zoned = { ...row, laterMails, startedAt: at }
  const window = { reason: 'window', cause: 'time_zone', since: at, until }
  t.same(waitsOf(zoned, { ...measured, breakdown: { queued: 9 } }, now), [{ ...window, count: 5 }])
  t.same(
    waitsOf(zoned, { ...measured, breakdown: { queued: 1 } }, now),
    [{ ...window, count: 1 }],
    'the others have ended'
  )
  t.same(waitsOf(zoned, { ...measured, breakdown: { queued: 9 } }, until), [])
})

test('mails that the contact policy keeps wait for its rule', async (t) => {
  const quiet = { cause: 'quiet_hours', message: 'Quiet.', count: 4, since: at, until }
  t.same(waitsOf(row, { ...measured, kept: [{ status: 'deferred', ...quiet }] }, now), [
    { reason: 'window', ...quiet }
  ])
})

test('a broadcast that is over waits for nothing', async (t) => {
  const laterMails = { [until.getTime()]: 3 }
  const breakdown = { queued: 3 }
  for (const status of ['draft', 'sent', 'cancelled', 'failed'] as const)
    t.same(waitsOf({ ...row, status, laterMails }, { ...measured, breakdown }, now), [], status)
})
