// Refusals of the sender, counted by mailbox provider.
import type { MailOutcome } from '@keelson/mailer/contracts'
import { test } from 'tap'
import { addRefusals, providerEventsOf, type RefusalSlots, refusalWarning } from './refusals.ts'

const NOW = Date.UTC(2026, 10, 23, 12)
const HOUR = 3_600_000
const happened = (times: number, more: Partial<MailOutcome>, at = NOW) =>
  Array.from({ length: times }, () =>
    providerEventsOf({ occurredAt: new Date(at), mailboxProvider: 'gmail', ...more } as MailOutcome)
  ).flat()
const warn = (slots: RefusalSlots, now = NOW) => refusalWarning(slots, 5, now)

test('a mailbox provider that blocks the sender is named, with its own mails alone', async (t) => {
  const events = [
    ...happened(50, { type: 'accepted' }),
    ...happened(500, { type: 'accepted', mailboxProvider: 'yahoo' }),
    ...happened(20, { type: 'soft_bounce', bounceClass: 'block' }),
    ...happened(10, { type: 'send_failed', bounceClass: 'policy' })
  ]
  const slots = addRefusals({}, events, NOW)
  t.match(warn(slots)?.message, /^Gmail refused 30 of 60 mails in 24 hours/)
  t.equal(warn(slots, NOW + 26 * HOUR), null, 'a day later it is over')
})

test('bounces about people, and few refusals of many mails, warn of nothing', async (t) => {
  const many = happened(1_000, { type: 'accepted' })
  const about = (['mailbox_full', 'unknown', 'content', 'routing'] as const).flatMap(
    (bounceClass) => happened(100, { type: 'soft_bounce', bounceClass })
  )
  const hard = happened(100, { type: 'hard_bounce', bounceClass: 'mailbox' })
  const few = happened(20, { type: 'soft_bounce', bounceClass: 'block' })
  t.equal(warn(addRefusals({}, [...many, ...about, ...hard, ...few], NOW)), null)
  t.equal(
    warn(addRefusals({}, happened(1, { type: 'soft_bounce', bounceClass: 'block' }), NOW)),
    null
  )
  t.same(
    happened(1, { type: 'accepted', mailboxProvider: undefined as never }),
    [],
    'older outcomes'
  )
})
