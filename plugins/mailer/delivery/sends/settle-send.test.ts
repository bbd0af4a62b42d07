// What becomes of a send after its dispatch.
import { test } from 'tap'
import { errors } from '../../errors.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import {
  type DeliveryAnswer,
  type MailRecord,
  type RetryRules,
  settleDelivery,
  settleLost,
  settleStop,
  settleWait
} from './settle-send.ts'

const now = new Date('2026-11-22T12:00:00Z')
const minutes = (count: number) => new Date(now.getTime() + count * 60_000)
const rules: RetryRules = { now, maxAttempts: 3, attempt: 1 }
const mail: MailRecord = {
  to: 'c@example.test',
  from: { name: 'Acme', email: 'hello@acme.test' },
  subject: '$5 off',
  links: []
}
const settle = (outcome: DeliveryAnswer, more: Partial<RetryRules> = {}) =>
  settleDelivery(mail, outcome, { ...rules, ...more })
const failed = (error: unknown): DeliveryAnswer => ({ kind: 'failed', provider: 'smtp', error })
/** The values that the update sets, without the `$literal` around them. */
const setBy = (result: { readonly update?: readonly object[] }) => {
  const [{ $set = {} } = {}] = (result.update ?? []) as readonly { $set?: object }[]
  return Object.fromEntries(
    Object.entries($set).map(([name, value]) => [name, (value as { $literal: unknown }).$literal])
  )
}

test('an accepted mail is done, and the ledger keeps what was sent as it was', async (t) => {
  const result = settle({ kind: 'accepted', provider: 'smtp', providerMessageId: '<1@x>' })
  t.equal(result.state, 'done')
  t.match(setBy(result), { handoff: 'sent', sentAt: now, subject: '$5 off', emailAtSend: mail.to })
})

test('a refused mail has failed for good', async (t) => {
  const result = settle({ kind: 'rejected', provider: 'smtp', reason: 'no such user' })
  t.equal(result.state, 'done')
  t.match(setBy(result), {
    handoff: 'failed',
    exitReason: 'rejected',
    errorMessage: 'no such user'
  })
})

test('a mail that the provider does not have is tried again, later each time', async (t) => {
  const first = settle(failed(new Error('421 try later')))
  t.match(first, { state: 'scheduled', dueAt: minutes(1) })
  t.match(setBy(first), { handoff: 'failed', errorMessage: '421 try later' })
  t.match(settle(failed(new Error('421')), { attempt: 2 }), { dueAt: minutes(2) })
})

test('a provider that names a time is not asked before it', async (t) => {
  const error = Object.assign(new Error('slow down'), { retryAfterSeconds: 600 })
  t.match(settle(failed(error)), { dueAt: minutes(10) })
})

test('the last try ends the mail', async (t) => {
  const result = settle(failed(new Error('421')), { attempt: 3 })
  t.equal(result.state, 'done')
  t.match(setBy(result), { handoff: 'failed', exitReason: 'attempts_used_up' })
})

test('the words of a try promise no other one, since it may be the last', async (t) => {
  const causes = [
    errors.MLR_MAIL_NOT_TAKEN({ provider: 'smtp', reason: '421' }),
    errors.MLR_VARIABLES({ problem: 'The host answers 503.' })
  ]
  for (const cause of causes) {
    const { errorMessage } = setBy(settle(failed(cause), { attempt: 3 }))
    t.match(errorMessage, /421|503/)
    t.notMatch(errorMessage, /again/)
  }
})

test('an unknown outcome is not tried again', async (t) => {
  for (const result of [
    settle({ kind: 'unknown', provider: 'smtp', reason: 'connection lost' }),
    settleLost(rules)
  ]) {
    t.equal(result.state, 'done')
    t.match(setBy(result), { handoff: 'unknown' })
  }
})

test('a provider that drops second mails gets an unknown one again, as long as it remembers', async (t) => {
  const outcome = { kind: 'unknown', provider: 'resend', reason: 'connection lost' } as const
  t.match(settle(outcome, { deduplicatesUntil: minutes(60) }), { state: 'scheduled' })
  t.match(settle(outcome, { deduplicatesUntil: minutes(0) }), { state: 'done' })
})

test('a held mail is parked until it is resumed, with the cause', async (t) => {
  const result = settleStop({ handoff: 'held', reason: 'broadcast_paused', message: 'm' }, now)
  t.match(result, { state: 'parked', reason: 'broadcast_paused' })
  t.match(setBy(result), { hold: { cause: 'broadcast_paused', since: now } })
})

const wait = { handoff: 'held', cause: 'tripped', message: 'm', until: minutes(1) } as const
const sendHeldSince = (since: Date) =>
  ({ hold: { cause: 'tripped', message: 'm', since } }) as SendRow

test('a gate is asked again later, and the hold keeps its beginning', async (t) => {
  const result = settleWait(sendHeldSince(minutes(-60)), wait, now)
  t.match(result, { state: 'scheduled', dueAt: minutes(1) })
  t.match(setBy(result), { handoff: 'held', hold: { since: minutes(-60) } })
})

test('a mail that a gate held for 72 hours is cancelled with the reason', async (t) => {
  const result = settleWait(sendHeldSince(minutes(-72 * 60 - 1)), wait, now)
  t.equal(result.state, 'done')
  t.match(setBy(result), { handoff: 'cancelled', exitReason: 'tripped' })
})
