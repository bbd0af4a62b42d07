// What a broadcast says its mails and recipients wait for.
import { test } from 'tap'
import type { BroadcastRow } from '../../ledger/broadcast-row.ts'
import { waitsOf } from './waits-of-broadcast.ts'

const at = new Date(Date.UTC(2026, 0, 1))
const row = { recipientCount: 100, queuedCount: 40 } as BroadcastRow
const wait = { provider: 'smtp', since: at, reason: 'refused', nextProbeAt: at }

test('a broadcast that nothing keeps waits for nothing', async (t) => {
  t.same(waitsOf(row, { queued: 40 }, [{ ...wait, count: 0 }]), [])
})

test('mails wait for each provider that takes none, and for the end of a pause', async (t) => {
  const pauseReason = { code: 'manual', by: 'human:ann', message: 'A wrong price.', at } as const
  t.same(waitsOf({ ...row, pauseReason }, { held: 3 }, [{ ...wait, count: 7 }]), [
    { reason: 'provider', count: 7, since: at, provider: 'smtp', message: 'refused' },
    { reason: 'pause', count: 3, since: at, message: 'A wrong price.' }
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
  const until = new Date(at.getTime() + 2 * 3_600_000)
  t.same(waitsOf(deciding, {}, []), [{ reason: 'winner', count: 60, since: at, until }])
  t.same(waitsOf({ ...deciding, splitPhase: 'rest' }, {}, []), [])
})
