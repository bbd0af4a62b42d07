// The hours that the dashboard is made from: each mail once, in the hour that it happened.
import { test } from 'tap'
import { kpisOf, seriesOf } from '../../admin/setup/mail-figures.ts'
import { testContext } from '../../test/test-context.ts'
import { hourCounts } from './count-hours.ts'
import { followOutcomes } from './follow-outcomes.ts'
import { type NewOutcome, outcomeOf, recordOutcomes } from './record-outcomes.ts'

const hex = (text: string) => Buffer.from(text.padEnd(12, '.')).toString('hex')
const at = (time: string) => new Date(`2026-03-01T${time}:00Z`)

function outcome(mail: string, type: NewOutcome['type'], time: string, eventId?: string) {
  const send = {
    _id: hex(mail),
    externalId: 'c1',
    emailAtSend: 'c1@example.test',
    kind: 'marketing',
    templateSlug: 'news'
  } as const
  const isMachine = eventId?.endsWith('machine') === true
  return outcomeOf(send, { type, occurredAt: at(time), isMachine, ...(eventId && { eventId }) })
}

test('mails count once per hour and kind; an open by a machine and a person is one open', async (t) => {
  const { context } = await testContext(t)
  await recordOutcomes(context, [
    outcome('m1', 'accepted', '10:01'),
    outcome('m2', 'accepted', '10:59'),
    outcome('m1', 'delivered', '10:02'),
    outcome('m2', 'hard_bounce', '11:00'),
    outcome('m1', 'open', '10:03', 'machine'),
    outcome('m1', 'click', '10:05', 'l1:person')
  ])
  await followOutcomes(context, [hourCounts(context)])
  await recordOutcomes(context, [
    outcome('m1', 'open', '11:30', 'person'),
    outcome('m1', 'click', '11:31', 'l2:person')
  ])
  await followOutcomes(context, [hourCounts(context)])
  t.match(await context.collections.hours.find().sort({ _id: 1 }).toArray(), [
    { _id: '2026-03-01T10', sent: 2, delivered: 1, opened: 1, clicked: 1, lastSentAt: at('10:59') },
    { _id: '2026-03-01T11', bounced: 1, openedByPeople: 1, lastFailedAt: at('11:00') }
  ])
  t.notOk((await context.collections.hours.findOne({ _id: '2026-03-01T11' }))?.clicked)
})

test('rates are fractions of the last 24 hours, and null without mail', (t) => {
  const now = at('23:30')
  const row = (_id: string, counts: object) => [_id, { _id, at: now, ...counts }] as const
  const rows = new Map([
    row('2026-03-01T00', { sent: 4, delivered: 2, bounced: 1, opened: 2, openedByPeople: 1 }),
    row('2026-02-28T23', { sent: 2, delivered: 2 })
  ])
  t.same(kpisOf(rows, now), {
    sends: { value: 4, delta: 2 },
    deliveredRate: { value: 0.5, delta: -0.5, bounced: 0.25 },
    openRate: { value: 1, delta: 1, exclBots: 0.5 },
    clickRate: { value: 0, delta: 0 }
  })
  const none = { value: null, delta: null }
  const unreported = new Map([row('2026-03-01T00', { sent: 4, opened: 2, openedByPeople: 1 })])
  t.match(
    kpisOf(unreported, now),
    {
      deliveredRate: { ...none, bounced: 0 },
      openRate: { value: 0.5, exclBots: 0.25 },
      clickRate: { value: 0 }
    },
    'without a report of the provider, of the mails that were handed off'
  )
  const refused = new Map([row('2026-03-01T00', { sent: 4, bounced: 1 })])
  t.match(kpisOf(refused, now).deliveredRate, { ...none, bounced: 0.25 }, 'a bounce reports none')
  t.match(kpisOf(new Map(), now), { sends: { value: 0, delta: null }, clickRate: none })
  t.end()
})

test('a period of days is summed by the day, and compared with the one before', (t) => {
  const now = at('23:30')
  const row = (_id: string, sent: number) => [_id, { _id, at: now, sent }] as const
  const rows = new Map([
    row('2026-03-01T23', 5),
    row('2026-02-23T00', 2),
    row('2026-02-22T23', 3),
    row('2026-02-16T00', 1)
  ])
  t.same(kpisOf(rows, now, 7).sends, { value: 7, delta: 3 })
  const { course } = seriesOf(rows, now, 7)
  t.same(course.sends, [2, 0, 0, 0, 0, 0, 5])
  t.same(course.times[0], new Date('2026-02-23T00:00:00Z'))
  t.equal(seriesOf(rows, now, 30).course.times.length, 30)
  t.equal(seriesOf(rows, now, 1).course.times.length, 24)
  t.end()
})
