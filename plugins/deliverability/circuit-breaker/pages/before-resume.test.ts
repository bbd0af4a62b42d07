// What is still wrong with a tripped domain, as the Health page shows it.
import { test } from 'tap'
import type { Bucket, Health } from './api.ts'
import { resumeChecks } from './before-resume.ts'
import type { CockpitFacts, Listing, Readiness } from './cockpit/verdicts.ts'

const bucket: Bucket = {
  senderDomain: 'acme.test',
  kind: 'marketing',
  status: 'tripped',
  windowStartedAt: '2026-11-23T09:00:00Z',
  windowDurationMs: 3_600_000,
  counters: {
    sent: 200,
    delivered: 190,
    bounced: 10,
    hardBounced: 10,
    softBounced: 0,
    complained: 0,
    failedToSend: 0
  },
  rates: { bounceRate: 0.05, hardBounceRate: 0.05, complaintRate: 0, failureRate: 0 },
  updatedAt: '2026-11-23T10:00:00Z',
  trippedAt: '2026-11-23T10:00:00Z',
  trippedReason: 'Hard bounces 5 %',
  manuallyResumedAt: null,
  warning: null
}
const health: Health = {
  status: 'tripped',
  rates: null,
  counters: null,
  aggregate: null,
  buckets: [bucket],
  thresholds: {
    hardBounceRatePctTrip: 2,
    complaintRatePctTrip: 0.3,
    combinedBounceRatePctTrip: 6,
    failedToSendRatePctDegrade: 10,
    windowMinutes: 60,
    minSendsBeforeEval: 100
  }
}
const words = {
  t: (key: string, values: object = {}) => [key, ...Object.values(values)].join(' '),
  format: {
    percent: (value: number) => `${value * 100} %`,
    number: String,
    date: String,
    dateTime: String
  }
}
const checksOf = (facts: Partial<CockpitFacts>, row: Bucket = bucket) =>
  resumeChecks(row, { health, ...facts }, words).map(({ id, state, text }) => [id, state, text])
const listing = (result: Listing['result'], category: Listing['category']): Listing => ({
  target: 'acme.test',
  targetKind: 'domain',
  listLabel: 'Spam list',
  result,
  category,
  codes: []
})
const readiness = (state: Readiness['state']): CockpitFacts['readiness'] => ({
  domains: [
    {
      domain: 'acme.test',
      state,
      items: [{ id: 'dmarc', label: 'DMARC', state, message: 'No record.', requiredBy: [] }]
    }
  ]
})

test('rates over their limits, listings, Gmail and DMARC faults are still wrong', (t) => {
  const facts = {
    lists: { checks: [listing('listed', 'reputation')] },
    gmail: {
      domains: [
        {
          domain: 'acme.test',
          level: 'trip' as const,
          message: 'Spam rate 0.4 %',
          latest: { date: '2026-11-22', userReportedSpamRatio: 0.004 },
          history: []
        }
      ]
    },
    readiness: readiness('failed')
  }
  t.same(checksOf(facts), [
    ['rates', 'bad', 'health.before.rate 10 200 health.rate.hardBounce 5 % 2 %'],
    ['lists', 'bad', 'health.before.listed Spam list'],
    ['gmail', 'bad', 'Spam rate 0.4 %'],
    ['readiness', 'bad', 'requirement.dmarc: No record.']
  ])
  t.end()
})

test('what is in order says so, and policy lists do not count', (t) => {
  const calm = { ...bucket, rates: { ...bucket.rates, hardBounceRate: 0.001, bounceRate: 0.001 } }
  const lists = { checks: [listing('listed', 'policy'), listing('clean', null)] }
  t.same(
    checksOf({ lists, readiness: readiness('met') }, calm).map(([id, state]) => `${id} ${state}`),
    ['gmail unknown', 'rates good', 'lists good', 'readiness good']
  )
  t.end()
})

test('what no plugin knows is not called good', (t) => {
  t.same(
    checksOf({ lists: null, gmail: null, readiness: null }).map(([id, state]) => `${id} ${state}`),
    ['rates bad', 'lists unknown', 'gmail unknown', 'readiness unknown']
  )
  t.end()
})
