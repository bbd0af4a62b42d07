// The sums of a walk and the report made from them.
import type { Subscriber } from '@keelson/mailer/contracts'
import fc from 'fast-check'
import { test } from 'tap'
import { type ContactRow, dayOf } from '../counts/contact-row.ts'
import { reportOf } from '../report/report.ts'
import { addContact, EMPTY_TALLY, isSunset } from '../report/tally.ts'

const now = new Date('2026-11-20T12:00:00Z')
const ago = (days: number | null) =>
  days === null ? null : new Date(now.getTime() - days * 86_400_000)

const subscriber = (
  firstSent: number | null,
  engaged: number | null,
  status: Subscriber['status'] = 'subscribed'
): Subscriber => ({
  externalId: 'c1',
  status,
  subscribedAt: ago(700),
  firstSentAt: ago(firstSent),
  lastEngagedAt: ago(engaged)
})

const days = fc.option(fc.integer({ min: 0, max: 400 }))
const contact = fc.record({
  subscriber: fc.option(
    fc
      .tuple(
        days,
        days,
        fc.constantFrom<Subscriber['status']>('subscribed', 'unsubscribed', 'bounced')
      )
      .map((parts) => subscriber(...parts)),
    { nil: undefined }
  ),
  row: fc.option(
    fc.record({
      _id: fc.constant('c1'),
      lifetime: fc.record({ sent: fc.nat(9), bounced: fc.nat(3) }),
      days: fc.dictionary(
        fc.integer({ min: dayOf(now) - 120, max: dayOf(now) }).map(String),
        fc.record({ sent: fc.nat(9), bounced: fc.nat(3), complained: fc.nat(2) })
      )
    }),
    { nil: undefined }
  )
})

test('a contact is a sunset candidate after 180 days without engagement, mailed and subscribed', async (t) => {
  const cases: [Subscriber, boolean][] = [
    [subscriber(400, 181), true],
    [subscriber(400, 179), false],
    [subscriber(181, null), true],
    [subscriber(179, null), false],
    [subscriber(null, null), false],
    [subscriber(null, 300), false],
    [subscriber(400, 300, 'unsubscribed'), false]
  ]
  for (const [each, expected] of cases) t.equal(isSunset(each, now), expected, JSON.stringify(each))
})

test('engagement falls into six buckets, in percent of all subscribers', async (t) => {
  const engaged = [0, 30, 31, 60, 61, 90, 91, 180, 181, null]
  const contacts = [...engaged.map((each) => subscriber(500, each)), subscriber(null, null)]
  const tally = contacts.reduce(
    (sums, each) => addContact(sums, { subscriber: each }, now),
    EMPTY_TALLY
  )
  const { totalSubscribers, totalWithSends, buckets } = reportOf(tally, now)
  t.same([totalSubscribers, totalWithSends], [11, 10])
  t.same(
    buckets.map(({ minDays, maxDays, neverEngaged, count }) => [
      minDays,
      maxDays,
      neverEngaged,
      count
    ]),
    [
      [0, 30, false, 2],
      [31, 60, false, 2],
      [61, 90, false, 2],
      [91, 180, false, 2],
      [181, null, false, 1],
      [null, null, true, 1]
    ]
  )
  t.equal(buckets[0]?.pctOfTotal, (2 / 11) * 100)
})

test('without mail there are no rates, and no division by zero', async (t) => {
  t.match(reportOf(EMPTY_TALLY, now), {
    totalSubscribers: 0,
    sunsetCandidate: { count: 0, pctOfTotal: 0, cohortLifetime: null, projectedImpact: null }
  })
})

test('the impact is what the rates of 90 days would have been without the candidates', async (t) => {
  const today = dayOf(now)
  const bad: ContactRow = {
    _id: 'bad',
    lifetime: { sent: 40, bounced: 8, hardBounced: 2, complained: 4 },
    days: { [today]: { sent: 10, bounced: 5, complained: 1 }, [today - 90]: { sent: 30 } }
  }
  const good: ContactRow = { _id: 'good', days: { [today - 89]: { sent: 90, bounced: 1 } } }
  const tally = [
    { subscriber: subscriber(300, null), row: bad },
    { subscriber: subscriber(300, 1), row: good }
  ].reduce((sums, each) => addContact(sums, each, now), EMPTY_TALLY)
  t.same(reportOf(tally, now).sunsetCandidate, {
    count: 1,
    pctOfTotal: 50,
    cohortLifetime: {
      totalSends: 40,
      bouncedRate: 0.2,
      hardBouncedRate: 0.05,
      complaintRate: 0.1
    },
    projectedImpact: {
      recentTotalSends: 100,
      recentBounced: 6,
      recentComplained: 1,
      cohortRecentSends: 10,
      cohortRecentBounced: 5,
      cohortRecentComplained: 1,
      currentOverallBounceRate: 0.06,
      projectedBounceRate: 1 / 90,
      currentOverallComplaintRate: 0.01,
      projectedComplaintRate: 0
    }
  })
})

test('whatever the contacts, the parts add up and no rate is out of its range', async () => {
  fc.assert(
    fc.property(fc.array(contact, { maxLength: 30 }), (contacts) => {
      const tally = contacts.reduce((sums, each) => addContact(sums, each, now), EMPTY_TALLY)
      const report = reportOf(tally, now)
      const inBuckets = report.buckets.reduce((sum, { count }) => sum + count, 0)
      const recentSends = contacts.flatMap(({ row }) =>
        Object.entries(row?.days ?? {}).flatMap(([day, { sent = 0 }]) =>
          Number(day) > dayOf(now) - 90 ? [sent] : []
        )
      )
      const impact = report.sunsetCandidate.projectedImpact
      return (
        inBuckets === report.totalWithSends &&
        report.totalWithSends <= report.totalSubscribers &&
        report.sunsetCandidate.count <= report.totalWithSends &&
        (impact?.recentTotalSends ?? 0) === recentSends.reduce((sum, each) => sum + each, 0) &&
        [impact?.projectedBounceRate, impact?.projectedComplaintRate].every(
          (rate) => rate === undefined || rate === null || rate >= 0
        )
      )
    })
  )
})
