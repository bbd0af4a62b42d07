// Sending a mail again by hand: what it means in each state, and that no state makes two of a mail that waits.
import { test } from 'tap'
import type { SendRow } from '../../ledger/send-row.ts'
import { newSend, recordingSends } from '../../test/recording-sends.ts'
import { queueSends } from './queue-sends.ts'
import { resend, wayOf } from './resend.ts'

const states: readonly (readonly [string, Partial<SendRow>, unknown])[] = [
  ['queued', { status: 'queued', handoff: 'queued', state: 'due' }, 'now'],
  ['deferred', { status: 'deferred', handoff: 'deferred', state: 'due' }, 'now'],
  ['awaiting another try', { status: 'failed', handoff: 'failed', state: 'due' }, 'now'],
  ['failed for good', { status: 'failed', handoff: 'failed', state: 'done' }, 'back'],
  ['held', { status: 'held', handoff: 'held', state: 'parked' }, 'refused'],
  ['held by a gate', { status: 'held', handoff: 'held', state: 'due' }, 'refused'],
  ['in hand', { status: 'sending', handoff: 'sending', state: 'leased' }, 'refused'],
  ['claimed', { status: 'queued', handoff: 'queued', state: 'leased' }, 'refused'],
  ['unknown', { status: 'unknown', handoff: 'unknown', state: 'done' }, 'refused'],
  ['dropped by the provider', { status: 'failed', handoff: 'sent', state: 'done' }, 'new'],
  ['sent', { status: 'sent', handoff: 'sent', state: 'done' }, 'new'],
  ['delivered', { status: 'delivered', handoff: 'sent', state: 'done' }, 'new'],
  ['bounced at delivery', { status: 'bounced', handoff: 'failed', state: 'done' }, 'new'],
  ['suppressed', { status: 'suppressed', handoff: 'suppressed', state: 'done' }, 'new'],
  ['cancelled', { status: 'cancelled', handoff: 'cancelled', state: 'done' }, 'new']
]
for (const [name, row, expected] of states) {
  test(`a mail that is ${name}: ${expected}`, async (t) => {
    const way = wayOf({ templateSlug: 'notice', ...row } as SendRow)
    t.equal(typeof way === 'string' ? way : 'refused', expected)
  })
}

test('a deferred mail that is sent again is due now, and stays one mail', async (t) => {
  const opened = await recordingSends(t)
  const { context, sent, run } = opened
  const dueAt = new Date(context.clock.now().getTime() + 3_600_000)
  await queueSends(context, [newSend('c1', { dueAt })])
  await run()
  t.equal(sent.length, 0)
  const { _id } = await opened.rowOf('c1')
  const again = () => resend(context, _id, { actor: 'human:a', key: 'k' })
  t.same(await again(), { ok: true, sendId: _id })
  await run()
  t.same(await again(), { ok: true, sendId: _id })
  await run()
  t.equal(sent.length, 1)
  t.equal(await context.collections.sends.countDocuments(), 1)
  t.equal(await context.collections.auditLog.countDocuments({ action: 'send.resend' }), 1)
})
