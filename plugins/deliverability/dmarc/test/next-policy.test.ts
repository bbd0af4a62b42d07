// How far a domain is on the way to its next policy, as the page shows it.
import { createFormat } from '@keelson/ui'
import { test } from 'tap'
import { stepConditions } from '../overview/policy-progression.ts'
import { roundedDown } from '../pages/domains/columns.ts'
import { conditionLines } from '../pages/domains/setup-steps.ts'

const none = { policy: 'none', pct: null, testing: false } as const
const t = (key: string, values: Readonly<Record<string, string | number>> = {}) =>
  [key, ...Object.values(values)].join(' ')
const words = { t, format: createFormat('en') }

test('a share below its limit never reads as the limit', (t) => {
  for (const [passed, messages, shown] of [
    [9_899, 10_000, 0.989],
    [98_999, 100_000, 0.989],
    [99_000, 100_000, 0.99],
    [998, 999, 0.998]
  ] as const)
    t.equal(stepConditions({ current: none, reports: 1, messages, passed })?.aligned, shown)
  t.equal(roundedDown(0.98999), 0.989)
  t.equal(roundedDown(1), 1)
  t.end()
})

test('each condition says what there is beside what is needed', (t) => {
  const facts = { current: none, reports: 12, messages: 16_488, passed: 16_280 }
  const conditions = stepConditions(facts)
  if (conditions === null) throw new Error('a next policy was expected')
  t.same(
    conditionLines(conditions, 1, words).map(({ isMet, text }) => `${isMet} ${text}`),
    [
      'false dmarc.need.reports 12 30 30',
      'true dmarc.need.messages 16,488 1,000 30',
      'false dmarc.need.aligned 98.7% 99%',
      'false dmarc.need.sources 1'
    ]
  )
  t.end()
})

test('the strictest policy has no next one', (t) => {
  const strict = { policy: 'reject', pct: null, testing: false } as const
  t.equal(stepConditions({ current: strict, reports: 0, messages: 0, passed: 0 }), null)
  t.end()
})
