// What the answers of both versions of the API say.
import fc from 'fast-check'
import { test } from 'tap'
import { readTrafficStats } from '../api/read-v1.ts'
import { readCompliance, readStats, statsQueries } from '../api/read-v2.ts'
import { isFresh, judgeDay } from '../pull/judge-day.ts'

const date = (day: number) => ({ year: 2026, month: 11, day })
const stat = (metric: string, day: number, value: object) => ({ metric, date: date(day), value })

test('values of version 2 are put together by day, the newest first', async (t) => {
  const days = readStats([
    {
      domainStats: [
        stat('userReportedSpamRatio', 18, { doubleValue: 0.001 }),
        stat('userReportedSpamRatio', 20, { doubleValue: 0.002 }),
        stat('dkimSuccessRatio', 20, { doubleValue: 1 })
      ]
    },
    {
      domainStats: [
        stat('error_reject', 20, { doubleValue: 0.02 }),
        stat('feedbackLoops', 20, { stringList: { values: ['loop-1'] } })
      ]
    }
  ])
  t.match(days, [
    {
      date: '2026-11-20',
      userReportedSpamRatio: 0.002,
      dkimSuccessRatio: 1,
      spfSuccessRatio: null,
      deliveryErrors: [{ errorClass: 'reject', errorRatio: 0.02 }],
      spammyFeedbackLoops: [{ id: 'loop-1', spamRatio: null }]
    },
    { date: '2026-11-18', userReportedSpamRatio: 0.001 }
  ])
})

test('questions name their days, and figures are asked apart from details', async (t) => {
  const first = new Date('2026-10-21T00:00:00Z')
  const last = new Date('2026-11-20T00:00:00Z')
  const [figures, details] = statsQueries({ first, last })
  t.match(figures, {
    metricDefinitions: [
      { name: 'userReportedSpamRatio', baseMetric: { standardMetric: 'SPAM_RATE' } },
      { filter: 'auth_type = "spf"' }
    ],
    timeQuery: {
      dateRanges: { dateRanges: [{ start: { year: 2026, month: 10, day: 21 }, end: date(20) }] }
    }
  })
  t.notMatch(JSON.stringify(details), /SPAM_RATE"/)
})

test('compliance rows and verdicts are one list', async (t) => {
  const answer = {
    complianceData: {
      rowData: [{ requirement: 'SPF', status: { status: 'COMPLIANT' } }],
      oneClickUnsubscribeVerdict: {
        status: { status: 'NEEDS_WORK' },
        reason: 'NO_UNSUB_GENERAL'
      },
      honorUnsubscribeVerdict: {
        status: { status: 'NEEDS_WORK' },
        reason: 'REASON_UNSPECIFIED'
      }
    }
  }
  t.same(readCompliance(answer), [
    { requirement: 'SPF', status: 'COMPLIANT', reason: null },
    { requirement: 'ONE_CLICK_UNSUBSCRIBE', status: 'NEEDS_WORK', reason: 'NO_UNSUB_GENERAL' },
    { requirement: 'HONOR_UNSUBSCRIBE', status: 'NEEDS_WORK', reason: null }
  ])
  const subdomainComplianceData = {
    rowData: [{ requirement: 'SPF', status: { status: 'NEEDS_WORK' } }]
  }
  t.match(readCompliance({ ...answer, subdomainComplianceData }), [{ status: 'NEEDS_WORK' }])
})

test('version 1 has a date in the name of a row; a row without one is left out', async (t) => {
  const days = readTrafficStats({
    trafficStats: [
      { name: 'domains/a.test/trafficStats/20261119', domainReputation: 'BAD' },
      { name: 'domains/a.test/trafficStats/20261120', userReportedSpamRatio: 0.1 },
      { name: 'domains/a.test/trafficStats/20261340' },
      { name: 7 }
    ]
  })
  t.match(days, [
    { date: '2026-11-20', userReportedSpamRatio: 0.1, domainReputation: null },
    { date: '2026-11-19', domainReputation: 'BAD' }
  ])
})

test('version 1 names errors and reported Feedback-IDs; an entry without its name is left out', async (t) => {
  const [day] = readTrafficStats({
    trafficStats: [
      {
        name: 'domains/a.test/trafficStats/20261120',
        deliveryErrors: [
          { errorClass: 'TEMPORARY_ERROR', errorType: 'RATE_LIMIT_EXCEEDED', errorRatio: 0.02 },
          { errorClass: 'PERMANENT_ERROR' },
          { errorRatio: 0.5 }
        ],
        spammyFeedbackLoops: [{ id: 'loop-1', spamRatio: 0.003 }, { spamRatio: 0.5 }]
      }
    ]
  })
  t.same(day?.deliveryErrors, [
    { errorClass: 'TEMPORARY_ERROR', errorType: 'RATE_LIMIT_EXCEEDED', errorRatio: 0.02 }
  ])
  t.same(day?.spammyFeedbackLoops, [{ id: 'loop-1', spamRatio: 0.003 }])
})

test('any answer is read without a throw, and what is read has its type', async (t) => {
  const field = fc.constantFrom(
    'domainStats',
    'trafficStats',
    'complianceData',
    'rowData',
    'metric',
    'date',
    'value',
    'name',
    'status'
  )
  const answer = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 5 }, fc.anything(), fc.array(tie('value')), tie('object')),
    object: fc.dictionary(field, tie('value'))
  })).object
  fc.assert(
    fc.property(answer, (body) => {
      const days = [...readStats([body]), ...readTrafficStats(body)]
      readCompliance(body)
      return days.every(({ date: day }) => /^\d{4}-\d{2}-\d{2}$/.test(day))
    })
  )
  t.pass()
})

const limits = { spamRatePctTrip: 0.3, spamRatePctWarn: 0.1 }
const day = (userReportedSpamRatio: number | null, domainReputation: string | null = null) =>
  judgeDay({ userReportedSpamRatio, domainReputation }, limits).level

test('over 0.3 % of spam reports or BAD trips; over 0.1% or LOW warns', async (t) => {
  t.equal(day(0.003), 'warn')
  t.equal(day(0.0031), 'trip')
  t.equal(day(0.001), 'ok')
  t.equal(day(0.0011), 'warn')
  t.equal(day(null, 'BAD'), 'trip')
  t.equal(day(0.0005, 'LOW'), 'warn')
  t.equal(day(null, 'HIGH'), 'ok')
  t.match(judgeDay({ userReportedSpamRatio: 0.004, domainReputation: null }, limits).reason, '0.4%')
})

test('figures older than a week decide nothing', async (t) => {
  const now = new Date('2026-11-20T08:00:00Z')
  t.equal(isFresh({ date: '2026-11-14' }, now), true)
  t.equal(isFresh({ date: '2026-11-12' }, now), false)
})
