// The pure parts of alerts: what holds, which state follows, which windows are measured, what a rule may say.

import { test } from 'tap'
import { textMail } from '../alerts/alert-mail.ts'
import { isAllowedWebhook } from '../alerts/allowed-webhook.ts'
import { conditionHolds, type Measurement, nextState, summaryOf } from '../alerts/judge.ts'
import { changesOf } from '../alerts/preview.ts'
import { readRule } from '../alerts/rule.ts'
import { windowAt } from '../alerts/window.ts'
import type { AlertCondition, AlertRuleSpec, AlertState } from '../schemas/alerts.ts'
import { sampleRegistry } from './sample-registry.ts'

const measured = (value: number | null): Measurement => ({
  value,
  records: value === 0 || value === null ? 0 : 1
})
const above: AlertCondition = { type: 'threshold', op: 'above', value: 10 }
const RULE: AlertRuleSpec = {
  name: 'Errors',
  signal: { source: 'series', filters: { name: 'app.error' } },
  condition: above,
  windowMinutes: 60
}

test('a threshold holds beyond its value, never at it', async (t) => {
  const below: AlertCondition = { type: 'threshold', op: 'below', value: 10 }
  const holds = (condition: AlertCondition, value: number | null) =>
    conditionHolds({ condition }, measured(value), undefined)
  t.same(
    [9, 10, 11, null].map((value) => holds(above, value)),
    [false, false, true, false]
  )
  t.same(
    [9, 10, 11, null].map((value) => holds(below, value)),
    [true, false, false, false]
  )
})

test('a change is measured against the period before', async (t) => {
  const rise: AlertCondition = { type: 'change', op: 'rise', percent: 50 }
  const drop: AlertCondition = { type: 'change', op: 'drop', percent: 50 }
  const holds = (condition: AlertCondition, now: number | null, before: number | null) =>
    conditionHolds({ condition }, measured(now), measured(before))
  t.ok(holds(rise, 15, 10))
  t.notOk(holds(rise, 14, 10))
  t.ok(holds(rise, 1, 0), 'from nothing to something')
  t.notOk(holds(rise, 0, 0))
  t.ok(holds(drop, 5, 10))
  t.notOk(holds(drop, 6, 10))
  t.notOk(holds(drop, 0, 0))
  t.notOk(holds(drop, null, 10))
  t.notOk(conditionHolds({ condition: drop }, measured(1), undefined))
})

test('no data holds when nothing was recorded, not when the sum is zero', async (t) => {
  const silent = { condition: { type: 'no-data' }, minimum: 50 } as const
  t.ok(conditionHolds(silent, { value: 0, records: 0 }, undefined))
  t.notOk(conditionHolds(silent, { value: 0, records: 3 }, undefined))
})

test('over fewer records than the least of the rule no limit and no change is judged', async (t) => {
  const change: AlertCondition = { type: 'change', op: 'rise', percent: 50 }
  for (const condition of [above, change])
    for (const [records, holds] of [
      [49, false],
      [50, true]
    ] as const)
      t.equal(
        conditionHolds({ condition, minimum: 50 }, { value: 60, records }, measured(10)),
        holds,
        `${condition.type} ${records}`
      )
  t.ok(conditionHolds({ condition: above }, { value: 60, records: 1 }, undefined), 'one by default')
})

test('a mail in plain text says what happened and where to look', async (t) => {
  const rule = { name: 'Errors\nof checkout', description: 'Page the owner.' }
  t.same(
    textMail({ rule, state: 'firing', summary: 'It is 12.', url: 'https://a.test/r?rule=1' }),
    {
      subject: '[firing] Errors of checkout',
      text: 'It is 12.\n\nPage the owner.\n\nhttps://a.test/r?rule=1\n'
    }
  )
  const short = { rule: { name: 'E', description: '' }, state: 'resolved', summary: 'It is 1.' }
  t.equal(textMail(short).text, 'It is 1.\n')
})

test('what fired is resolved for one window, then it is ok', async (t) => {
  const cases: [AlertState, boolean, number, AlertState][] = [
    ['ok', false, 0, 'ok'],
    ['ok', true, 0, 'firing'],
    ['firing', true, 999, 'firing'],
    ['firing', false, 999, 'resolved'],
    ['resolved', false, 59, 'resolved'],
    ['resolved', false, 60, 'ok'],
    ['resolved', true, 59, 'firing']
  ]
  for (const [state, holds, since, next] of cases) {
    t.equal(nextState(state, holds, since, 60), next, `${state} ${holds} ${since}`)
  }
})

test('the sentence about a change says what, over how long, and the limit', async (t) => {
  t.equal(
    summaryOf(RULE, 'firing', measured(12.345), undefined),
    'Errors is firing: count of app.error over 1 hour is 12.35; the limit is above 10.'
  )
  const change = { ...RULE, condition: { type: 'change', op: 'drop', percent: 20 } } as const
  t.equal(
    summaryOf({ ...change, windowMinutes: 90 }, 'resolved', measured(null), measured(3)),
    'Errors is resolved: count of app.error over 90 minutes is nothing, 3 the period before; the limit is a drop of 20%.'
  )
  const silent = { ...RULE, condition: { type: 'no-data' }, windowMinutes: 2880 } as const
  t.equal(
    summaryOf(
      { ...silent, signal: { source: 'distinct', as: 'daily_active' } },
      'ok',
      measured(4),
      undefined
    ),
    'Errors is quiet again: distinct daily_active over 2 days recorded 4.'
  )
  t.match(
    summaryOf(
      { ...RULE, signal: { source: 'funnel', stages: ['a', 'b'] } },
      'firing',
      measured(1),
      undefined
    ),
    'pctOfFirst of b'
  )
  t.match(
    summaryOf(
      { ...RULE, signal: { source: 'rollup', as: 'spend', measure: 'sum:x' } },
      'firing',
      measured(1),
      undefined
    ),
    'sum:x of spend'
  )
})

test('without buckets the window ends now, and the one before ends where it starts', async (t) => {
  const at = Date.parse('2026-03-04T10:20:00Z')
  const { now, before } = windowAt(at, 60, above, undefined)
  t.same(now, { from: new Date('2026-03-04T09:20:00Z'), to: new Date(at) })
  t.same(before, { from: new Date('2026-03-04T08:20:00Z'), to: now.from })
})

test('whole buckets are measured: the running one only by what looks for too much', async (t) => {
  const at = Date.parse('2026-03-04T10:20:00Z')
  const day = (text: string) => new Date(`${text}T00:00:00Z`)
  t.same(windowAt(at, 2880, above, 'day'), {
    now: { from: day('2026-03-03'), to: day('2026-03-05') },
    before: { from: day('2026-03-01'), to: day('2026-03-03') }
  })
  t.same(windowAt(at, 1440, { type: 'no-data' }, 'day').now, {
    from: day('2026-03-03'),
    to: day('2026-03-04')
  })
  t.same(windowAt(at, 44_640, { type: 'change', op: 'drop', percent: 5 }, 'month'), {
    now: { from: day('2026-02-01'), to: day('2026-03-01') },
    before: { from: day('2026-01-01'), to: day('2026-02-01') }
  })
})

test('changes of a preview follow each other as those of evaluations do', async (t) => {
  const judged = [5, 11, 12, 3, 4, 20].map((value, hour) => ({
    at: hour * 3_600_000,
    now: measured(value),
    before: undefined
  }))
  t.same(
    changesOf(RULE, judged).map(({ from, to, value }) => [from, to, value]),
    [
      ['ok', 'firing', 11],
      ['firing', 'resolved', 3],
      ['resolved', 'ok', 4],
      ['ok', 'firing', 20]
    ]
  )
})

test('a rule is read whole, or refused with what is wrong', async (t) => {
  const registry = sampleRegistry()
  const good: unknown[] = [
    RULE,
    {
      ...RULE,
      signal: {
        source: 'rollup',
        as: 'pages_by_source',
        dims: ['source=a'],
        measure: 'sum:load_ms'
      },
      windowMinutes: 1440
    },
    { ...RULE, signal: { source: 'distinct', as: 'daily_active' }, windowMinutes: 1440 },
    {
      ...RULE,
      signal: { source: 'funnel', stages: ['signed_up', 'activated'], stage: 'activated' }
    },
    {
      ...RULE,
      deliver: {
        webhook: { url: 'https://hooks.example/x' },
        mail: { templateSlug: 'alert', externalIds: ['u1'] }
      }
    }
  ]
  for (const one of good) t.same(readRule(one, registry, ['hooks.example']), one)
  const bad: [unknown, RegExp][] = [
    [null, /invalid rule/],
    [{ ...RULE, name: '' }, /name/],
    [{ ...RULE, extra: 1 }, /invalid rule/],
    [{ ...RULE, windowMinutes: 4 }, /windowMinutes/],
    [{ ...RULE, windowMinutes: '60' }, /windowMinutes/],
    [{ ...RULE, condition: { type: 'threshold', op: 'above', value: Number.NaN } }, /condition/],
    [{ ...RULE, signal: { source: 'series', measure: 'median:x' } }, /measure must be/],
    [{ ...RULE, signal: { source: 'rollup', as: 'none' } }, /no rollup family "none"/],
    [{ ...RULE, signal: { source: 'rollup', as: 'signed_up' } }, /has no bucket/],
    [
      { ...RULE, signal: { source: 'rollup', as: 'pages_by_source' } },
      /windowMinutes must be at least 1440/
    ],
    [{ ...RULE, signal: { source: 'rollup', as: 'routes', measure: 'avg:x' } }, /count or sum/],
    [{ ...RULE, signal: { source: 'distinct', as: 'routes' } }, /no subject dimension/],
    [{ ...RULE, signal: { source: 'funnel', stages: ['daily_active'] } }, /BUCKETED/],
    [
      { ...RULE, signal: { source: 'funnel', stages: ['signed_up'], stage: 'activated' } },
      /signal.stage/
    ],
    [{ ...RULE, deliver: { webhook: { url: 'https://other.example/x' } } }, /webhookHosts/]
  ]
  for (const [one, message] of bad) {
    t.throws(() => readRule(one, registry, ['hooks.example']), { status: 400, message })
  }
})

test('webhooks go to listed hosts by https; http is for loopback', async (t) => {
  const hosts = ['hooks.example', 'other.example:8443', '127.0.0.1:9000']
  const cases: [string, boolean][] = [
    ['https://hooks.example/a', true],
    ['https://HOOKS.example:9/a', true],
    ['https://other.example:8443/', true],
    ['https://other.example/', false],
    ['http://hooks.example/a', false],
    ['http://127.0.0.1:9000/', true],
    ['http://127.0.0.1/', false],
    ['https://user:x@hooks.example/', false],
    ['ftp://hooks.example/', false],
    ['nonsense', false]
  ]
  for (const [address, allowed] of cases)
    t.equal(isAllowedWebhook(address, hosts), allowed, address)
})
