// Mails whose outcome is unknown, mails that lost their workers, and cancelled mails.

import { type Test, test } from 'tap'
import type { LookUp, ProviderResult } from '../../contracts/mailer-provider.ts'
import { sendIdOf } from '../../ledger/send-id.ts'
import { newSend, type RecordingOptions, recordingSends } from '../../test/recording-sends.ts'
import { TEST_SECRET } from '../../test/test-context.ts'
import { cancelSends } from './cancel-sends.ts'
import { queueSends } from './queue-sends.ts'
import { recoverParked } from './recover-parked.ts'
import { resolveUnknown } from './resolve-unknown.ts'
import { lookUpUnknowns } from './unknown-sends.ts'

/** A mail to c1 whose provider answers without sense the first time. */
async function withUnknown(t: Test, options: RecordingOptions = {}) {
  const answer = (_message: unknown, tries: number) =>
    tries === 1 ? { status: 'perhaps' } : undefined
  const opened = await recordingSends(t, { answer, ...options })
  await queueSends(opened.context, [newSend('c1')])
  await opened.run()
  return { ...opened, sendId: sendIdOf(TEST_SECRET, 'oneoff:c1') }
}

test('an operator may say that an unknown mail was sent', async (t) => {
  const { context, sendId, rowOf } = await withUnknown(t)
  t.same(await resolveUnknown(context, sendId, 'sent', { actor: 'human:a' }), {
    ok: true,
    status: 'sent'
  })
  t.match(await rowOf('c1'), { sentAt: Date })
  t.match(await context.collections.auditLog.findOne({ action: 'send.resolve' }), {
    actor: 'human:a',
    before: { status: 'unknown' }
  })
})

test('an operator may have an unknown mail sent again', async (t) => {
  const opened = await withUnknown(t)
  t.match(await resolveUnknown(opened.context, opened.sendId, 'resend', { actor: 'human:a' }), {
    ok: true,
    status: 'queued'
  })
  await opened.run()
  t.match(await opened.rowOf('c1'), { status: 'sent', attempt: { number: 2 } })
})

test('only an unknown mail can be resolved', async (t) => {
  const { context, sendId } = await withUnknown(t)
  await resolveUnknown(context, sendId, 'not_sent', { actor: 'human:a' })
  t.same(await resolveUnknown(context, sendId, 'resend', { actor: 'human:a' }), {
    ok: false,
    code: 'not_unknown'
  })
  t.same(await resolveUnknown(context, 'none', 'sent', { actor: 'human:a' }), {
    ok: false,
    code: 'not_found'
  })
})

const answers: readonly (readonly [ProviderResult | { status: 'absent' }, string])[] = [
  [{ status: 'accepted', providerId: 'v1' }, 'sent'],
  [{ status: 'rejected', reason: 'no such user' }, 'failed'],
  [{ status: 'absent' }, 'queued'],
  [{ status: 'unknown', reason: 'not yet' }, 'unknown']
]
for (const [answer, status] of answers) {
  test(`a provider that says ${answer.status} makes an unknown mail ${status}`, async (t) => {
    const asked: LookUp[] = []
    const lookUp = async (mail: LookUp) => {
      asked.push(mail)
      return answer
    }
    const opened = await withUnknown(t, { provider: { lookUp } })
    await lookUpUnknowns(opened.context)
    t.equal(asked.length, 0, 'not before the vendor can know')
    opened.pass(61_000)
    await lookUpUnknowns(opened.context)
    t.match(asked, [{ messageId: opened.messageIds[0] ?? '', to: 'c1@example.test' }])
    t.match(await opened.rowOf('c1'), { status })
  })
}

test('mails that lost every worker go on, are unknown when they were in hand, and held ones stay', async (t) => {
  const { context } = await recordingSends(t)
  await queueSends(
    context,
    ['c1', 'c2', 'c3'].map((id) => newSend(id))
  )
  const { sends } = context.collections
  const park = (externalId: string, handoff: 'queued' | 'sending' | 'held') =>
    sends.updateOne(
      { externalId },
      {
        $set: { handoff, status: handoff, state: 'parked', parkedAt: new Date() },
        $unset: { dueAt: 1 }
      }
    )
  await park('c1', 'queued')
  await park('c2', 'sending')
  await park('c3', 'held')
  await recoverParked(context)
  const rows = await sends.find().sort({ externalId: 1 }).toArray()
  t.match(rows, [
    { status: 'queued', state: 'due', attempts: 0, dueAt: Date },
    { status: 'unknown', state: 'done' },
    { status: 'held', state: 'parked' }
  ])
})

test('cancelling stops mails that wait and leaves those that were sent', async (t) => {
  const opened = await recordingSends(t)
  await queueSends(opened.context, [newSend('c1')])
  await opened.run()
  await queueSends(opened.context, [newSend('c2')])
  t.equal(
    await cancelSends(opened.context, { externalId: { $in: ['c1', 'c2'] } }, 'run_inactive'),
    1
  )
  await opened.run()
  t.match(await opened.rowOf('c1'), { status: 'sent' })
  t.match(await opened.rowOf('c2'), { status: 'cancelled', exitReason: 'run_inactive' })
  t.equal(opened.sent.length, 1)
})
