// What the readiness checklist and the setup list say from what Gmail answered.
import { test } from 'tap'
import { emptyDay } from '../api/day-stats.ts'
import type { PostmasterReport } from '../operations/report.ts'
import { gmailFacts } from '../sender-facts.ts'
import { judgeSetup } from '../setup-check.ts'

type Domain = PostmasterReport['domains'][number]

const domainOf = (domain: string, more: Partial<Domain> = {}): Domain => ({
  domain,
  latest: null,
  history: [],
  level: 'ok',
  message: '',
  compliance: [],
  errorMessage: null,
  attemptedAt: null,
  ...more
})

const reportOf = (...domains: Domain[]): PostmasterReport => ({
  configured: true,
  intervalHours: 6,
  domains,
  reason: null
})

const dayOf = (figures: object): Domain['latest'] =>
  ({ ...emptyDay('2026-11-20'), source: 'v2', ...figures }) as Domain['latest']

test('Gmail gives spam, encryption and one-click of the asked domains alone', async (t) => {
  const domains = [
    domainOf('acme.test', {
      latest: dayOf({ userReportedSpamRatio: 0.002, inboundEncryptionRatio: 0.99 }),
      compliance: [{ requirement: 'ONE_CLICK_UNSUBSCRIBE', status: 'NEEDS_WORK', reason: null }]
    }),
    domainOf('other.test', { latest: dayOf({ userReportedSpamRatio: 0.5 }) })
  ]
  t.same(gmailFacts({ domains }, ['acme.test']), [
    {
      domain: 'acme.test',
      spamRate: { rate: 0.002, receiver: 'Gmail', date: '2026-11-20' },
      encryptedRate: { rate: 0.99, receiver: 'Gmail' },
      oneClick: { isMet: false, receiver: 'Gmail' }
    }
  ])
})

test('what Gmail did not answer is missing, and not zero', async (t) => {
  const domains = [domainOf('acme.test'), domainOf('shop.test', { latest: dayOf({}) })]
  t.same(gmailFacts({ domains }, ['acme.test', 'shop.test']), [
    { domain: 'acme.test' },
    { domain: 'shop.test' }
  ])
})

test('the setup list names an unmet requirement and a failed read', async (t) => {
  const unmet = { requirement: 'SPF', status: 'NEEDS_WORK', reason: 'NO_SPF' }
  const { severity, items } = judgeSetup(
    reportOf(domainOf('acme.test', { compliance: [unmet], errorMessage: 'Google answered 503.' })),
    true
  )
  t.match(
    { severity, items },
    {
      severity: 'warn',
      items: [
        { label: 'acme.test', severity: 'warn', message: 'Google answered 503.' },
        { severity: 'warn', message: "Gmail's requirement SPF is not met (NO_SPF)." }
      ]
    }
  )
})

test('without credentials the setup list says which to set; without a problem it counts', async (t) => {
  const off = judgeSetup({ ...reportOf(), configured: false }, true)
  t.match(off, { severity: 'ok', hint: /clientId, clientSecret and refreshToken/ })
  const fine = judgeSetup(reportOf(domainOf('acme.test'), domainOf('shop.test')), true)
  t.match(fine, { severity: 'ok', message: /no problem of 2 domains/ })
})
