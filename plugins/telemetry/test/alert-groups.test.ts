// Alerts by group: one state and one message for each value of a dimension.
import { test } from 'tap'
import { judgeGroups, type Measured, MOST_GROUPS } from '../alerts/judge-groups.ts'
import type { AlertRuleSpec } from '../schemas/alerts.ts'
import { ADMIN, openAlerts as open } from './alert-bench.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const BY_ROUTE: AlertRuleSpec = {
  name: 'Slow',
  signal: {
    source: 'series',
    filters: { name: 'http.request' },
    measure: 'p95:durationMs',
    by: 'attr:route'
  },
  condition: { type: 'threshold', op: 'above', value: 500 },
  windowMinutes: 60,
  minimum: 2,
  deliver: { webhook: { url: 'https://hooks.example/' } }
}

async function opened(t: Parameters<typeof open>[0]) {
  const all = await open(t)
  let spans = 0
  const request = async (route: string, durations: readonly number[], tenantId = 'acme') => {
    for (const durationMs of durations) {
      const span = {
        tenantId,
        traceId: 'trace-1',
        spanId: `span-${++spans}`,
        durationMs,
        attrs: { route },
        occurredAt: new Date(all.now() - 1000)
      }
      await all.telemetry.emit('http.request', span)
    }
    await all.telemetry.flush()
  }
  const changes = async () =>
    (await all.alerts.history(ADMIN)).changes
      .map(({ group, from, to, value }) => [group, from, to, value])
      .reverse()
  return { ...all, request, changes }
}

test('each value fires and is resolved by itself', async (t) => {
  const { alerts, request, run, advance, calls, changes } = await opened(t)
  await alerts.save(ADMIN, BY_ROUTE)
  await request('/fast', [10, 20])
  await request('/slow', [900, 900])
  await request('/rare', [900])
  await request('/other', [900, 900], 'globex')
  t.same(await run(), { evaluated: 1, sent: 1 })
  t.match(calls[0]?.body, {
    type: 'alert.firing',
    data: {
      group: '/slow',
      value: 900,
      summary:
        'Slow (/slow) is firing: p95:durationMs of http.request over 1 hour is 900; the limit is above 500.'
    }
  })
  const [rule] = (await alerts.list(ADMIN)).rules
  t.match(rule, { state: 'firing', value: 900, groups: [{ group: '/slow', state: 'firing' }] })
  advance(30 * MINUTE)
  await request('/fast', [800, 800])
  await run()
  t.equal(calls.length, 2, 'the one that is still firing says nothing')
  advance(31 * MINUTE)
  await run()
  t.same(await changes(), [
    ['/slow', 'ok', 'firing', 900],
    ['/fast', 'ok', 'firing', 800],
    ['/slow', 'firing', 'resolved', null]
  ])
  t.equal((await alerts.list(ADMIN)).rules[0]?.state, 'firing')
  advance(HOUR)
  await run()
  advance(HOUR)
  await run()
  t.match((await alerts.list(ADMIN)).rules[0], { state: 'ok', groups: [] })
})

test('a preview by group fires as the rule would have', async (t) => {
  const { alerts, request, run, advance, changes, now } = await opened(t)
  await alerts.save(ADMIN, BY_ROUTE)
  const from = new Date(now() - HOUR)
  for (const [route, durations] of [
    ['/slow', [900, 900]],
    ['/fast', [10, 20]]
  ] as const) {
    await request(route, durations)
    for (let minutes = 0; minutes < 70; minutes++) {
      advance(MINUTE)
      await run()
    }
  }
  const preview = await alerts.preview(ADMIN, BY_ROUTE, { from, to: new Date(now()) })
  t.equal(preview.fired, 1)
  t.same(
    preview.changes.map(({ group, from: was, to, value }) => [group, was, to, value]),
    await changes()
  )
})

test('a value that stops is reported, and forgotten after a window', async (t) => {
  const { alerts, request, run, advance, changes } = await opened(t)
  await alerts.save(ADMIN, {
    ...BY_ROUTE,
    minimum: 1,
    condition: { type: 'no-data' },
    deliver: {}
  })
  await request('/a', [1])
  await run()
  advance(61 * MINUTE)
  await request('/b', [1])
  await run()
  advance(60 * MINUTE)
  await run()
  const told = (await changes()).map(([group, , to]) => `${group} ${to}`)
  t.equal(told[0], '/a firing')
  // Both of one evaluation.
  t.same(told.slice(1).sort(), ['/a resolved', '/b firing'])
})

test('a rule by something that records do not have is refused', async (t) => {
  const { alerts } = await opened(t)
  const signal = { source: 'series' as const, by: 'colour' }
  await t.rejects(alerts.save(ADMIN, { ...BY_ROUTE, signal }), {
    status: 400,
    message: /by must be/
  })
})

test('what is erased is in no group and in no change of one', async (t) => {
  const { alerts, telemetry, request, run } = await opened(t)
  await alerts.save(ADMIN, BY_ROUTE)
  await request('/of/ada@mail.test', [900, 900])
  await run()
  await telemetry.forget('acme', 'user:ada@mail.test')
  const { rules } = await alerts.list(ADMIN)
  const { changes } = await alerts.history(ADMIN)
  t.equal(changes.length, 1)
  t.notMatch(JSON.stringify({ rules, changes }), /ada@mail/)
})

test('at most fifty values are watched: those that fire, then those with the most records', (t) => {
  const now: Measured = new Map(
    Array.from({ length: 80 }, (_, n) => [`g${n}`, { value: 9, records: n }])
  )
  const at = new Date(0)
  const known = [{ group: 'g1', state: 'firing' as const, since: at, value: 9 }]
  const rule = {
    condition: { type: 'threshold' as const, op: 'above' as const, value: 5 },
    isCount: true
  }
  const { groups, changes, state } = judgeGroups(rule, known, {
    at,
    windowMs: 1,
    now,
    before: undefined
  })
  t.equal(groups.length, MOST_GROUPS)
  t.equal(groups[0]?.group, 'g1')
  t.same(
    changes.map(({ group }) => group),
    Array.from({ length: 49 }, (_, n) => `g${79 - n}`)
  )
  t.equal(state, 'firing')
  t.end()
})
