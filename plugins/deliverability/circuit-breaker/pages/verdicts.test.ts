// Verdicts of the cockpit: can I send now, why not, what next.
import { test } from 'tap'
import type { Bucket, Health } from './api.ts'
import { type CockpitFacts, verdictsOf } from './cockpit/verdicts.ts'
import { ratesOf, toneOf } from './rates.ts'

const thresholds = {
  hardBounceRatePctTrip: 2,
  complaintRatePctTrip: 0.3,
  combinedBounceRatePctTrip: 5,
  failedToSendRatePctDegrade: 10,
  windowMinutes: 60,
  minSendsBeforeEval: 100
}
const counters = {
  sent: 200,
  delivered: 190,
  bounced: 4,
  hardBounced: 2,
  softBounced: 2,
  complained: 0,
  failedToSend: 0
}
const bucket = (change: Partial<Bucket> = {}): Bucket => ({
  senderDomain: 'acme.test',
  kind: 'marketing',
  status: 'healthy',
  windowStartedAt: '2026-11-23T09:00:00Z',
  windowDurationMs: 3_600_000,
  counters,
  rates: { bounceRate: 0.02, hardBounceRate: 0.01, complaintRate: 0, failureRate: 0 },
  updatedAt: '2026-11-23T10:00:00Z',
  trippedAt: null,
  trippedReason: null,
  manuallyResumedAt: null,
  warning: null,
  ...change
})
const health = (...buckets: Bucket[]): Health => ({
  status: 'healthy',
  rates: null,
  counters: null,
  aggregate: null,
  buckets,
  thresholds
})
const answers = (facts: CockpitFacts) =>
  verdictsOf(facts).map(({ id, answer }) => `${id} ${answer}`)

test('a tripped domain may not send marketing mail, and comes first', async (t) => {
  const tripped = bucket({
    senderDomain: 'z.test',
    status: 'tripped',
    trippedReason: 'Hard bounces'
  })
  t.same(answers({ health: health(bucket(), tripped) }), [
    'z.test|marketing no',
    'acme.test|marketing yes'
  ])
  const [first] = verdictsOf({ health: health(tripped) })
  t.match(first?.why, { text: { message: 'Hard bounces' } })
})

test('transactional mail is never answered with no', async (t) => {
  const transactional = bucket({ kind: 'transactional', status: 'tripped' })
  t.same(answers({ health: health(transactional) }), ['acme.test|transactional yes'])
})

test('listings, spam reports, warnings and missing records ask for care', async (t) => {
  const plain = { health: health(bucket()) }
  const listed = (category: 'reputation' | 'policy') => ({
    checks: [
      {
        target: 'acme.test',
        targetKind: 'domain' as const,
        listLabel: 'DBL',
        result: 'listed' as const,
        category,
        codes: []
      }
    ]
  })
  t.same(answers({ ...plain, lists: listed('reputation') }), ['acme.test|marketing care'])
  t.same(answers({ ...plain, lists: listed('policy') }), ['acme.test|marketing yes'])
  const gmail = (level: 'ok' | 'warn') => ({
    domains: [{ domain: 'acme.test', level, message: 'Spam', latest: null, history: [] }]
  })
  t.same(answers({ ...plain, gmail: gmail('warn') }), ['acme.test|marketing care'])
  t.same(answers({ ...plain, gmail: gmail('ok') }), ['acme.test|marketing yes'])
  t.same(answers({ health: health(bucket({ status: 'degraded' })) }), ['acme.test|marketing care'])
  t.same(answers({ health: health(bucket({ warning: 'Few mails' })) }), [
    'acme.test|marketing care'
  ])
  const item = { id: 'spf', label: 'SPF', message: 'None.', hint: 'Publish it.', requiredBy: [] }
  const readiness = (state: 'failed' | 'unknown') => ({
    domains: [{ domain: 'acme.test', state, items: [{ ...item, state }] }]
  })
  t.match(verdictsOf({ ...plain, readiness: readiness('failed') })[0], {
    answer: 'care',
    next: { text: { message: 'Publish it.' } }
  })
  t.same(answers({ ...plain, readiness: readiness('unknown') }), ['acme.test|marketing yes'])
})

test('the cockpit uses the words of the list, of several listings those of the gravest', async (t) => {
  const listing = (listLabel: string, category: 'reputation' | 'abused', meaning: string) => ({
    target: 'acme.test',
    targetKind: 'domain' as const,
    listLabel,
    result: 'listed' as const,
    category,
    codes: [{ meaning }]
  })
  const abused = listing('DBL', 'abused', 'A legitimate domain abused for spam')
  const phishing = listing('SURBL', 'reputation', 'PH: phishing')
  const said = (...checks: (typeof abused)[]) =>
    verdictsOf({ health: health(bucket()), lists: { checks } })[0]
  t.match(said(abused), {
    why: { values: { list: 'DBL', meaning: 'A legitimate domain abused for spam' } },
    next: { key: 'cockpit.nextAbused' }
  })
  t.match(said(abused, phishing), {
    why: { values: { list: 'SURBL', meaning: 'PH: phishing' } },
    next: { key: 'cockpit.nextListed' }
  })
})

test('a domain without mail has a verdict, and a plugin that is missing changes none', async (t) => {
  const readiness = { domains: [{ domain: 'new.test', state: 'unknown' as const, items: [] }] }
  t.same(answers({ health: health(), readiness, gmail: null, lists: null }), [
    'new.test|marketing yes'
  ])
})

test('a rate has no tone below the minimum of mails', async (t) => {
  const few = bucket({ counters: { ...counters, sent: 99 } })
  t.same([...new Set(ratesOf(few, thresholds).map(toneOf))], ['none'])
  t.same(ratesOf(bucket(), thresholds).map(toneOf), ['warn', 'good', 'good', 'good'])
})
