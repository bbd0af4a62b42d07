// When a marketing mail may leave under each rule, in the contact's time zone.
import fc from 'fast-check'
import { test } from 'tap'
import { type ContactPolicy, judgePolicy, type PolicyFacts, policyReach } from './contact-policy.ts'

const at = (text: string) => new Date(text)
const now = at('2026-11-22T12:00:00Z')
const judge = (policy: ContactPolicy, more: Partial<PolicyFacts> = {}) =>
  judgePolicy(policy, { now, queuedAt: now, recent: [], ...more })

test('without a rule that forbids it a mail goes', async (t) => {
  t.same(judge({}), { kind: 'go' })
  t.same(judge({ minGapHours: 24 }, { recent: [at('2026-11-21T12:00:00Z')] }), { kind: 'go' })
})

test('a mail waits until the gap since the last one is over', async (t) => {
  t.same(judge({ minGapHours: 24 }, { recent: [at('2026-11-22T02:00:00Z')] }), {
    kind: 'wait',
    cause: 'min_gap',
    until: at('2026-11-23T02:00:00Z')
  })
})

test('a mail over the cap waits until the oldest of the window leaves it', async (t) => {
  const recent = [
    at('2026-11-20T10:00:00Z'),
    at('2026-11-21T10:00:00Z'),
    at('2026-11-01T10:00:00Z')
  ]
  t.same(judge({ maxPerRollingDays: { days: 3, count: 2 } }, { recent }), {
    kind: 'wait',
    cause: 'max_per_days',
    until: at('2026-11-23T10:00:00Z')
  })
})

test('quiet hours pass midnight in the time zone of the contact', async (t) => {
  const policy = { quietHours: { start: '21:00', end: '08:00' } }
  t.same(judge(policy, { timezone: 'Asia/Tokyo' }), {
    kind: 'wait',
    cause: 'quiet_hours',
    until: at('2026-11-22T23:00:00Z')
  })
  t.same(judge(policy, { timezone: 'Europe/Berlin' }), { kind: 'go' })
})

test('quiet hours end by the clock on the night that clocks change', async (t) => {
  const night = at('2026-10-24T23:30:00Z')
  const policy = { quietHours: { start: '22:00', end: '06:00' } }
  t.match(judge(policy, { now: night, queuedAt: night, timezone: 'Europe/Berlin' }), {
    until: at('2026-10-25T05:00:00Z')
  })
})

test('a blackout day holds mail until the next day, and never ends it', async (t) => {
  const blackoutDates = ['2026-11-22', '2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26']
  t.same(judge({ blackoutDates }), {
    kind: 'wait',
    cause: 'blackout',
    until: at('2026-11-27T00:00:00Z')
  })
})

test('a mail that would wait longer than it may is ended, with the rule', async (t) => {
  const facts = { queuedAt: at('2026-11-19T13:00:00Z'), recent: [at('2026-11-22T11:00:00Z')] }
  t.same(judge({ minGapHours: 24 }, facts), { kind: 'expired', cause: 'min_gap' })
})

test('an unknown time zone counts as the default one', async (t) => {
  const policy = { quietHours: { start: '21:00', end: '08:00' }, defaultTimezone: 'Asia/Tokyo' }
  t.match(judge(policy, { timezone: 'Mars/Olympus' }), { cause: 'quiet_hours' })
})

test('a mail that waited as long as it was asked to goes', async (_t) => {
  const hour = fc
    .integer({ min: 0, max: 23 })
    .map((value) => `${String(value).padStart(2, '0')}:00`)
  const times = fc.array(fc.date({ min: at('2026-11-01'), max: now, noInvalidDate: true }), {
    maxLength: 8
  })
  fc.assert(
    fc.property(hour, hour, times, fc.integer({ min: 0, max: 72 }), (start, end, recent, gap) => {
      const policy = {
        minGapHours: gap,
        maxPerRollingDays: { days: 7, count: 3 },
        quietHours: { start, end },
        blackoutDates: ['2026-11-23'],
        deferral: { maxHours: 8760 }
      }
      const verdict = judge(policy, { recent, timezone: 'America/New_York' })
      if (verdict.kind !== 'wait') return verdict.kind === 'go'
      const later = judge(policy, { recent, now: verdict.until, timezone: 'America/New_York' })
      return later.kind === 'go'
    })
  )
})

test('the policy looks back as far as its longest rule', async (t) => {
  t.equal(
    policyReach({ minGapHours: 48, maxPerRollingDays: { days: 1, count: 1 } }),
    48 * 3_600_000
  )
})
