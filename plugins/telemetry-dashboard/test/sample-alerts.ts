// A few rules of alerts in memory that can be made, changed, tried and deleted.
import type { AlertRuleSpec } from '@keelson/telemetry'

const HOUR = 3_600_000
const ago = (hours: number) => new Date(Date.now() - hours * HOUR)

interface Saved {
  readonly spec: AlertRuleSpec
  readonly id?: string
}

const make = (id: string, spec: AlertRuleSpec, more: object = {}) => ({
  id,
  tenantId: 'acme',
  description: '',
  enabled: true,
  deliver: {},
  ownerRef: 'user:ann',
  createdAt: ago(900),
  updatedAt: ago(900),
  state: 'ok',
  since: ago(30),
  evaluatedAt: ago(0),
  value: 2,
  problem: null,
  ...spec,
  ...more
})
const change = (hours: number, to: string, from: string) => ({
  id: `c${hours}`,
  ruleId: 'r1',
  ruleName: 'Errors pile up',
  tenantId: 'acme',
  at: ago(hours),
  from,
  to,
  value: 9,
  previous: null,
  summary: 'count of error is 9, above 5',
  deliveries: [
    {
      channel: 'webhook',
      target: 'hooks.example',
      state: hours === 1 ? 'failed' : 'sent',
      attempts: 2,
      problem: hours === 1 ? 'answered 500' : null
    }
  ]
})
/** Answers of the alert operations, for `fakeStore` and `sampleStore`. */
export function alertAnswers() {
  const rules = [
    make(
      'r1',
      {
        name: 'Errors pile up',
        signal: { source: 'series', filters: { kind: 'error' }, attrs: { code: 'E_CARD' } },
        condition: { type: 'threshold', op: 'above', value: 5 },
        windowMinutes: 60,
        deliver: { webhook: { url: 'https://hooks.example/acme' } }
      },
      { state: 'firing', since: ago(1), value: 9 }
    ),
    make('r2', {
      name: 'Sign-ups stall',
      signal: { source: 'funnel', stages: ['signed_up', 'first_order'], value: 'pctOfFirst' },
      condition: { type: 'change', op: 'drop', percent: 30 },
      windowMinutes: 10_080
    })
  ]
  const points = Array.from({ length: 30 }, (_, at) => ({ at: ago(720 - at * 24), value: at % 9 }))
  return {
    rules,
    'alerts.list': () => ({ rules }),
    'alerts.history': () => ({
      changes: [change(1, 'firing', 'ok'), change(50, 'ok', 'resolved')]
    }),
    'alerts.save': (_scope: string, { spec, id }: Saved) => {
      const at = rules.findIndex((rule) => rule.id === id)
      const made = make(id ?? `r${rules.length + 1}`, spec)
      if (at < 0) rules.push(made)
      else rules[at] = made
      const isTold = id === undefined && spec.deliver?.webhook !== undefined
      return { id: made.id, ...(isTold && { webhookSecret: 'whsec_shown_once' }) }
    },
    'alerts.remove': (_scope: string, id: string) => {
      const at = rules.findIndex((rule) => rule.id === id)
      if (at >= 0) rules.splice(at, 1)
      return { removed: at >= 0 ? 1 : 0 }
    },
    'alerts.preview': () => ({
      fired: 3,
      changes: points.slice(3, 6).map((point) => ({ ...point, from: 'ok', to: 'firing' })),
      points,
      stepMinutes: 60,
      truncated: false
    })
  }
}
