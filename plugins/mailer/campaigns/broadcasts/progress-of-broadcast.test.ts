// How far a broadcast says it is.
import fc from 'fast-check'
import { test } from 'tap'
import type { BroadcastRow } from '../../ledger/broadcast-row.ts'
import { progressOf } from './progress-of-broadcast.ts'

const now = new Date('2026-11-25T09:30:00Z')
const before = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
const row = (over: Partial<BroadcastRow>) =>
  ({ status: 'sending', queuedCount: 0, recipientCount: 0, ...over }) as BroadcastRow
const facts = (over: object) => ({ handed: 0, ended: 0, minutes: [], now, ...over })

test('waves are filled one after the other, and those whom none has reached are one more', async (t) => {
  const waves = [
    { at: before(60), upTo: 46 },
    { at: before(30), upTo: 92 }
  ]
  const broadcast = row({ waves, queuedCount: 92, recipientCount: 184 })
  const found = progressOf(broadcast, facts({ handed: 70, ended: 2 }))
  t.match(found, { handed: 70, total: 184 })
  t.same(found.waves, [
    { size: 46, handed: 46, startedAt: before(60) },
    { size: 46, handed: 26, startedAt: before(30) },
    { size: 92, handed: 0 }
  ])
})

test('people who wait for the winner of a split test belong to the total', async (t) => {
  const deciding = row({
    splitPhase: 'deciding',
    cursor: null,
    queuedCount: 92,
    recipientCount: 189,
    startedAt: before(9)
  })
  t.match(progressOf(deciding, facts({ handed: 92 })), {
    total: 189,
    waves: [
      { size: 92, handed: 92 },
      { size: 97, handed: 0, startedAt: undefined }
    ]
  })
  const over = row({ cursor: null, queuedCount: 90, recipientCount: 189 })
  t.equal(progressOf(over, facts({ handed: 90 })).total, 90, 'in the end, who was queued')
})

test('the rate is of the minutes since mails began to leave, and says when the rest is out', async (t) => {
  const minutes = [
    { at: before(55), count: 500 },
    { at: before(5), count: 30 },
    { at: before(2), count: 10 }
  ]
  const found = progressOf(
    row({ queuedCount: 100, recipientCount: 100 }),
    facts({ handed: 60, minutes })
  )
  t.match(found, { perMinute: 8, endsAt: new Date(now.getTime() + 5 * 60_000) })
  const paused = progressOf(row({ status: 'paused', queuedCount: 100 }), facts({ minutes }))
  t.equal(paused.endsAt, undefined, 'a pause has no end by itself')
  const idle = progressOf(row({ queuedCount: 9 }), facts({ minutes: minutes.slice(0, 1) }))
  t.equal(idle.perMinute, undefined)
})

test('waves together hold everybody, and no more is handed over than they hold', async () => {
  const given = fc.record({
    caps: fc.array(fc.integer({ min: 1, max: 500 }), { maxLength: 6 }),
    recipientCount: fc.nat(2000),
    handed: fc.nat(2000)
  })
  fc.assert(
    fc.property(given, ({ caps, recipientCount, handed }) => {
      const waves = caps.map((upTo) => ({ at: now, upTo }))
      const found = progressOf(row({ waves, recipientCount }), facts({ handed }))
      const size = found.waves.reduce((sum, one) => sum + one.size, 0)
      const filled = found.waves.reduce((sum, one) => sum + one.handed, 0)
      return size === found.total && filled === Math.min(handed, found.total)
    })
  )
})
