// Alerts on metrics that came over OTLP: rates of counters over restarts, percentiles of histograms, by an attribute.
import { test } from 'tap'
import type { AlertRuleSpec, AlertSignal } from '../schemas/alerts.ts'
import { ADMIN, openAlerts } from './alert-bench.ts'

const MINUTE = 60_000
const ORDERS: AlertSignal = { source: 'metric', metric: 'orders', measure: 'rate' }
const rule = (signal: AlertSignal, more: Partial<AlertRuleSpec> = {}): AlertRuleSpec => ({
  name: 'Orders',
  signal,
  condition: { type: 'threshold', op: 'above', value: 3 },
  windowMinutes: 5,
  deliver: { webhook: { url: 'https://hooks.example/' } },
  ...more
})

async function opened(t: Parameters<typeof openAlerts>[0]) {
  const all = await openAlerts(t)
  const point = (attrs: Record<string, string>, metrics: Record<string, number>) =>
    all.telemetry.emit('otlp.metric', {
      tenantId: 'acme',
      service: 'shop',
      occurredAt: new Date(all.now() - 1000),
      attrs,
      metrics
    })
  /** A total so far, exported now. */
  const total = (route: string, value: number, start = 0) =>
    point(
      {
        'metric.name': 'orders',
        'metric.type': 'sum',
        'metric.temporality': 'cumulative',
        'metric.monotonic': 'true',
        'metric.start': String(start),
        route
      },
      { value }
    )
  const took = (counts: readonly number[]) =>
    point(
      {
        'metric.name': 'took',
        'metric.type': 'histogram',
        'metric.temporality': 'delta',
        'metric.bounds': '[100,200]',
        'metric.bucket_counts': JSON.stringify(counts)
      },
      { count: counts.reduce((a, b) => a + b, 0), sum: 0 }
    )
  /** One minute of the host, after what was exported in it. */
  const minute = async () => {
    await all.telemetry.flush()
    await all.run()
    all.advance(MINUTE)
  }
  return { ...all, total, took, minute }
}

test('the rate of a counter fires for each value by itself, over a restart', async (t) => {
  const { alerts, total, minute, now, calls } = await opened(t)
  await alerts.save(ADMIN, rule({ ...ORDERS, by: 'attr:route' }))
  let [slow, fast, start] = [0, 0, 0]
  for (let at = 0; at < 16; at++) {
    if (at === 10) [fast, start] = [0, now()]
    slow += 60
    fast += at < 5 ? 60 : 300
    await total('/slow', slow)
    await total('/fast', fast, start)
    await minute()
  }
  t.equal(calls.length, 1, 'a restart neither resolves nor fires')
  t.match(calls[0]?.body, {
    type: 'alert.firing',
    data: {
      group: '/fast',
      summary: /^Orders \(\/fast\) is firing: rate per second of orders over 5 minutes is 3\.4;/
    }
  })
  const [state] = (await alerts.list(ADMIN)).rules
  t.match(state, { value: 5, groups: [{ group: '/fast', state: 'firing', value: 5 }] })
})

test('a percentile of a histogram fires only over enough points', async (t) => {
  const { alerts, took, minute, calls } = await opened(t)
  const p95: AlertSignal = { source: 'metric', metric: 'took', measure: 'p95' }
  await alerts.save(
    ADMIN,
    rule(p95, { condition: { type: 'threshold', op: 'above', value: 150 }, minimum: 3 })
  )
  const fired: number[] = []
  for (let at = 0; at < 4; at++) {
    await took([0, 10, 0])
    await minute()
    fired.push(calls.length)
  }
  t.same(fired, [0, 0, 1, 1])
  t.match(calls[0]?.body, { data: { value: 195 } })
})

test('a preview of a metric fires as the rule would have', async (t) => {
  const { alerts, total, minute, now } = await opened(t)
  const spec = rule({ ...ORDERS, filters: { service: 'shop' }, attrs: { route: '/a' } })
  await alerts.save(ADMIN, spec)
  const from = new Date(now() - MINUTE)
  let value = 0
  for (let at = 0; at < 30; at++) {
    value += at > 8 && at < 14 ? 600 : 60
    await total('/a', value)
    await total('/b', value * 100)
    await minute()
  }
  const preview = await alerts.preview(ADMIN, spec, { from, to: new Date(now()) })
  const { changes } = await alerts.history(ADMIN)
  t.equal(preview.fired, 1)
  t.same(
    preview.changes.map(({ from: was, to, value: of }) => [was, to, of]),
    changes.map(({ from: was, to, value: of }) => [was, to, of]).reverse()
  )
})

test('what a metric cannot say is refused by a preview and is the problem of the rule', async (t) => {
  const { alerts, total, minute, now } = await opened(t)
  await total('/a', 1)
  await minute()
  const wrong = rule({ ...ORDERS, measure: 'p95' })
  const range = { from: new Date(now() - 10 * MINUTE), to: new Date(now()) }
  await t.rejects(alerts.preview(ADMIN, wrong, range), { status: 400, message: /has no p95/ })
  await alerts.save(ADMIN, wrong)
  await minute()
  t.match((await alerts.list(ADMIN)).rules[0]?.problem, /has no p95: .* rate, increase/)
  await t.rejects(alerts.save(ADMIN, rule({ ...ORDERS, by: 'name' })), {
    status: 400,
    message: /by must be/
  })
})

test('a metric that is sent no more fires a rule on missing data', async (t) => {
  const { alerts, total, minute, calls } = await opened(t)
  await alerts.save(ADMIN, rule(ORDERS, { condition: { type: 'no-data' } }))
  await total('/a', 1)
  for (let at = 0; at < 7; at++) await minute()
  t.equal(calls.length, 1)
  t.match(calls[0]?.body, { data: { value: null } })
})
