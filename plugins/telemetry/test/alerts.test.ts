// Alerts on a database: rules of a scope, evaluation, history, delivery, preview, erasure.
// Runs beside the others: it waits for much of its time.
import { test } from 'tap'
import { MAIL_PROBLEM } from '../alerts/alert-mail.ts'
import type { AlertViewer } from '../alerts/types.ts'
import { requestErasure } from '../erasure/requests.ts'
import { internalsOf } from '../internals.ts'
import type { AlertRuleSpec } from '../schemas/alerts.ts'
import { ADMIN, openAlerts as open } from './alert-bench.ts'
import { standInMailer } from './stand-in-mailer.ts'

const HOUR_MS = 3_600_000
const VIEWER: AlertViewer = { tenantId: 'acme', role: 'viewer', viewerRef: 'user:v' }
const RULE: AlertRuleSpec = {
  name: 'Many pages',
  signal: { source: 'series', filters: { name: 'page.viewed' } },
  condition: { type: 'threshold', op: 'above', value: 2 },
  windowMinutes: 60
}

test('a rule fires, is resolved and is ok again, with its history', async (t) => {
  const { alerts, view, advance, stateOf, run } = await open(t)
  const { id } = await alerts.save(ADMIN, RULE)
  t.same(await run(), { evaluated: 1, sent: 0 })
  t.equal(await stateOf(id), 'ok')
  t.same(await run(), { evaluated: 0, sent: 0 }, 'not due yet')
  await view(3, 5)
  advance(60_000)
  await run()
  t.equal(await stateOf(id), 'firing')
  advance(HOUR_MS)
  await run()
  t.equal(await stateOf(id), 'resolved')
  advance(HOUR_MS)
  await run()
  t.equal(await stateOf(id), 'ok')
  const { changes } = await alerts.history(VIEWER, { ruleId: id })
  t.same(
    changes.map(({ from, to, value }) => [from, to, value]),
    [
      ['resolved', 'ok', 0],
      ['firing', 'resolved', 0],
      ['ok', 'firing', 3]
    ]
  )
  t.equal(
    changes[2]?.summary,
    'Many pages is firing: count of page.viewed over 1 hour is 3; the limit is above 2.'
  )
})

test('without the kernel the job evaluates and erases, and the queue sends', async (t) => {
  const { host, telemetry, alerts, view, calls, advance, stateOf } = await open(t)
  const deliver = { webhook: { url: 'https://hooks.example/' } }
  const { id } = await alerts.save(ADMIN, { ...RULE, deliver })
  await view(3, 1)
  const order = { tenantId: 'acme', ref: 'user:gone', at: telemetry.clock.now() }
  const { collections } = internalsOf(telemetry).storage
  await requestErasure(collections, order)
  await host.runDue()
  advance(60_000)
  await host.runDue()
  t.equal(await stateOf(id), 'firing')
  t.equal(calls.length, 1)
  t.equal(await collections.checkpoints.findOne({ ref: 'user:gone' }), null)
})

test('every signal is measured', async (t) => {
  const { alerts, telemetry, view, advance, now, stateOf, run } = await open(t)
  await view(4, 5)
  for (const name of ['account.signed_up', 'account.activated']) {
    await telemetry.emit(name, {
      tenantId: 'acme',
      subjects: [{ type: 'user', id: 'u1' }],
      occurredAt: now() - 20 * 60_000
    })
  }
  await telemetry.flush()
  const more = (value: number) => ({ type: 'threshold', op: 'above', value }) as const
  const rules: [string, Partial<AlertRuleSpec>, boolean][] = [
    ['sum', { signal: { source: 'series', measure: 'sum:load_ms' }, condition: more(99) }, true],
    [
      'average',
      {
        signal: { source: 'series', measure: 'avg:load_ms', filters: { name: 'page.viewed' } },
        condition: more(24)
      },
      true
    ],
    [
      'average of none',
      {
        signal: { source: 'series', measure: 'avg:load_ms', filters: { env: 'prod' } },
        condition: more(-1)
      },
      false
    ],
    [
      'count of rows',
      { signal: { source: 'series', attrs: { source: 'a' } }, condition: more(3) },
      true
    ],
    [
      'rollup',
      {
        signal: {
          source: 'rollup',
          as: 'pages_by_source',
          dims: ['source=a'],
          measure: 'sum:load_ms'
        },
        condition: more(99),
        windowMinutes: 1440
      },
      true
    ],
    [
      'other dims',
      {
        signal: { source: 'rollup', as: 'pages_by_source', dims: ['source=b'] },
        condition: { type: 'threshold', op: 'above', value: 0 },
        windowMinutes: 1440
      },
      false
    ],
    [
      'distinct',
      {
        signal: { source: 'distinct', as: 'daily_active', subjectType: 'user' },
        condition: more(0),
        windowMinutes: 1440
      },
      true
    ],
    [
      'funnel',
      {
        signal: { source: 'funnel', stages: ['signed_up', 'activated'], subjectType: 'user' },
        condition: more(99)
      },
      true
    ],
    [
      'people',
      {
        signal: {
          source: 'funnel',
          stages: ['signed_up', 'activated'],
          stage: 'signed_up',
          value: 'subjects'
        },
        condition: more(0)
      },
      true
    ],
    ['rise', { condition: { type: 'change', op: 'rise', percent: 10 } }, true],
    [
      'silence',
      { signal: { source: 'series', filters: { kind: 'usage' } }, condition: { type: 'no-data' } },
      true
    ],
    ['no silence', { condition: { type: 'no-data' } }, false]
  ]
  const ids = new Map<string, string>()
  for (const [name, rule] of rules)
    ids.set(name, (await alerts.save(ADMIN, { ...RULE, ...rule, name })).id)
  advance(1000)
  await run()
  for (const [name, , fires] of rules) {
    t.equal(await stateOf(ids.get(name) ?? ''), fires ? 'firing' : 'ok', name)
  }
})

test('a webhook is signed, tried again with growing pauses, and given up when it is gone', async (t) => {
  const { alerts, view, advance, calls, answers, run } = await open(t)
  await view(3, 1)
  const deliver = { webhook: { url: 'https://hooks.example/a/secret' } }
  const { id, webhookSecret } = await alerts.save(ADMIN, { ...RULE, deliver })
  t.match(webhookSecret, /^whsec_/)
  answers.push({ status: 500 }, { status: 0 }, { status: 429, retryAfter: '600' })
  t.same(await run(), { evaluated: 1, sent: 0 })
  t.match(calls[0], {
    url: deliver.webhook.url,
    body: {
      type: 'alert.firing',
      data: { value: 3, state: 'firing', tenantId: 'acme', rule: { id, name: RULE.name } }
    }
  })
  t.match(calls[0]?.headers, { 'webhook-signature': /^v1,/, 'webhook-id': String })
  const attempt = async (pause: number) => {
    advance(pause)
    return (await run()).sent
  }
  t.equal(await attempt(29_000), 0)
  t.equal(calls.length, 1, 'too early')
  await attempt(1000)
  await attempt(60_000)
  t.equal(calls.length, 3)
  await attempt(599_000)
  t.equal(calls.length, 3, 'Retry-After is kept')
  t.equal(await attempt(1000), 1)
  t.equal(
    new Set(calls.map(({ headers }) => headers['webhook-id'])).size,
    1,
    'the same id each time'
  )
  const [change] = (await alerts.history(ADMIN)).changes
  t.same(change?.deliveries, [
    { channel: 'webhook', target: 'hooks.example', state: 'sent', attempts: 4, problem: null }
  ])
  answers.push({ status: 410 })
  advance(HOUR_MS)
  await run()
  const [resolved] = (await alerts.history(ADMIN)).changes
  t.match(resolved, {
    to: 'resolved',
    deliveries: [{ state: 'failed', attempts: 1, problem: 'the webhook answered 410' }]
  })
  const { length } = calls
  advance(HOUR_MS)
  await run()
  await view(3, 1)
  advance(60_000)
  await run()
  t.match((await alerts.history(ADMIN)).changes[0], {
    to: 'firing',
    deliveries: [{ state: 'failed', problem: 'the webhook answered 410 before' }]
  })
  t.equal(calls.length, length, 'it is not called again')
})

test('a message waits until the one before it of the same rule is sent', async (t) => {
  const { alerts, view, advance, calls, answers, run } = await open(t)
  await view(3, 1)
  const deliver = { webhook: { url: 'https://hooks.example/' } }
  await alerts.save(ADMIN, { ...RULE, deliver })
  answers.push({ status: 500 }, { status: 429, retryAfter: '3600' })
  t.same(await run(), { evaluated: 1, sent: 0 })
  advance(HOUR_MS)
  t.same(await run(), { evaluated: 1, sent: 0 }, 'it is resolved, and firing is not sent')
  t.equal((await alerts.history(ADMIN)).changes.length, 2)
  t.same(
    calls.map(({ body }) => body['type']),
    ['alert.firing', 'alert.firing']
  )
  advance(HOUR_MS)
  t.equal((await run()).sent, 2)
  t.same(
    calls.slice(2).map(({ body }) => body['type']),
    ['alert.firing', 'alert.resolved']
  )
})

test('a message is given up after eight attempts', async (t) => {
  const { alerts, view, advance, calls, answers, run } = await open(t)
  await view(3, 1)
  await alerts.save(ADMIN, {
    ...RULE,
    deliver: { webhook: { url: 'https://hooks.example/' } },
    windowMinutes: 44_640
  })
  for (let n = 0; n < 20; n++) {
    answers.push({ status: 503 })
    await run()
    advance(2 * HOUR_MS)
  }
  t.equal(calls.length, 8)
  const [change] = (await alerts.history(ADMIN)).changes
  t.match(change?.deliveries, [
    { state: 'failed', attempts: 8, problem: 'the webhook answered 503' }
  ])
})

const ADA = {
  ...ADMIN,
  viewerRef: 'user:ada',
  actor: { tenantId: 'acme', viewerRef: 'user:ada', name: 'human:ada@acme.test', via: 'session' }
}

test('mail goes through the mailer in the name of who saved the rule, once a contact', async (t) => {
  const mail = { templateSlug: 'alert', externalIds: ['u1', 'u2'] }
  const { mailer, mails } = standInMailer(() => true)
  const { alerts, view, run } = await open(t, mailer)
  const { id } = await alerts.save(ADA, { ...RULE, deliver: { mail } })
  await view(3, 1)
  await run()
  const actor = {
    tenantId: 'acme',
    viewerRef: 'user:ada',
    name: ADA.actor.name,
    via: `alert:${id}`
  }
  t.match(mails, [
    {
      actor,
      mail: { templateSlug: 'alert', externalId: 'u1', vars: { alert: { state: 'firing' } } }
    },
    { actor, mail: { externalId: 'u2', dedupeKey: /^alert:.+:u2$/ } }
  ])
  t.notOk('ownerName' in ((await alerts.list(ADA)).rules[0] ?? {}), 'readers are not shown it')
})

test('without a template a mail goes to addresses, with a link to the rule', async (t) => {
  const { mailer, mails } = standInMailer(() => true)
  const pageUrl = 'https://acme.test/telemetry/alerts'
  const { alerts, view, run } = await open(t, mailer, { pageUrl })
  const deliver = { mail: { to: ['ops@acme.test', 'cto@acme.test'] } }
  const { id } = await alerts.save(ADA, { ...RULE, deliver })
  await view(3, 1)
  await run()
  t.match(mails, [
    {
      mail: {
        to: 'ops@acme.test',
        subject: '[firing] Many pages',
        text: /the limit is above 2\.\n\nhttps:\/\/acme\.test\/telemetry\/alerts\?rule=/,
        dedupeKey: /^alert:.+:ops@acme\.test$/
      }
    },
    { mail: { to: 'cto@acme.test' } }
  ])
  const [seen] = (await alerts.list(VIEWER)).rules
  t.same(seen?.deliver.mail, { to: ['…', '…'] }, 'addresses are for administrators')
  t.equal(seen?.id, id)
})

test('a rule with a least number of records is quiet below it, in the preview too', async (t) => {
  const { alerts, view, advance, stateOf, run, now } = await open(t)
  const rule = { ...RULE, minimum: 5 }
  const { id } = await alerts.save(ADMIN, rule)
  await view(4, 5)
  await run()
  t.equal(await stateOf(id), 'ok')
  await view(1, 1)
  advance(60_000)
  await run()
  t.equal(await stateOf(id), 'firing')
  t.equal((await alerts.list(VIEWER)).rules[0]?.minimum, 5)
  const range = { from: new Date(now() - 86_400_000), to: new Date(now()) }
  t.equal((await alerts.preview(ADMIN, rule, range)).fired, 1)
  t.equal((await alerts.preview(ADMIN, { ...rule, minimum: 6 }, range)).fired, 0)
  await alerts.save(ADMIN, RULE, id)
  t.notOk('minimum' in ((await alerts.list(VIEWER)).rules[0] ?? {}), 'one is enough again')
})

test('a rule that mails is refused to who may not send mail, and where there is no mailer', async (t) => {
  const deliver = { mail: { templateSlug: 'alert', externalIds: ['u1'] } }
  const without = await open(t)
  await t.rejects(without.alerts.save(ADA, { ...RULE, deliver }), {
    message: /has no mailer/
  })
  const forbidden = await open(t, standInMailer(() => false).mailer)
  await t.rejects(forbidden.alerts.save(ADA, { ...RULE, deliver }), {
    message: /may not send mail/
  })
})

test('a right that is lost later ends the mail, and the history says nothing of the mailer', async (t) => {
  let may = true
  const { mailer, mails } = standInMailer(() => may)
  const { alerts, view, run } = await open(t, mailer)
  const deliver = { mail: { templateSlug: 'alert', externalIds: ['u1'] } }
  await alerts.save(ADA, { ...RULE, deliver })
  may = false
  await view(3, 1)
  await run()
  t.same(mails, [])
  const [change] = (await alerts.history(ADA)).changes
  t.match(change, { deliveries: [{ state: 'failed', problem: MAIL_PROBLEM }] })
})

test('rules belong to their tenant; viewers read, admins change', async (t) => {
  const { alerts } = await open(t)
  const deliver = { webhook: { url: 'https://hooks.example/a/secret' } }
  const { id } = await alerts.save(ADMIN, { ...RULE, deliver })
  const other: AlertViewer = { tenantId: 'globex', role: 'admin' }
  const platform: AlertViewer = { tenantId: '*', role: 'admin' }
  await t.rejects(alerts.save(VIEWER, RULE), { status: 403, message: 'forbidden' })
  await t.rejects(alerts.remove(VIEWER, id), { status: 403, message: 'forbidden' })
  t.same((await alerts.list(other)).rules, [])
  t.equal((await alerts.list(platform)).rules.length, 1)
  for (const viewer of [other, platform]) {
    await t.rejects(alerts.save(viewer, RULE, id), { status: 404, message: 'no such rule' })
    t.same(await alerts.remove(viewer, id), { removed: 0 })
  }
  const url = async (viewer: AlertViewer) =>
    (await alerts.list(viewer)).rules[0]?.deliver.webhook?.url
  t.equal(await url(VIEWER), 'https://hooks.example/…')
  t.equal(await url(ADMIN), deliver.webhook.url)
  t.notMatch(JSON.stringify(await alerts.list(ADMIN)), 'whsec_')
  await t.rejects(alerts.save(ADMIN, RULE), { status: 400, message: /already/ })
  t.same(await alerts.remove(ADMIN, id), { removed: 1 })
  t.same((await alerts.list(ADMIN)).rules, [])
})

test('a saved rule begins anew, and keeps its secret while its address stays', async (t) => {
  const { alerts, view, stateOf, run } = await open(t)
  await view(3, 1)
  const deliver = { webhook: { url: 'https://hooks.example/1' } }
  const { id } = await alerts.save(ADMIN, { ...RULE, deliver })
  await run()
  t.equal(await stateOf(id), 'firing')
  t.same(await alerts.save(ADMIN, { ...RULE, deliver, enabled: false }, id), { id })
  t.equal(await stateOf(id), 'ok')
  t.same(await run(), { evaluated: 0, sent: 0 }, 'switched off')
  const moved = await alerts.save(
    ADMIN,
    { ...RULE, deliver: { webhook: { url: 'https://hooks.example/2' } } },
    id
  )
  t.match(moved.webhookSecret, /^whsec_/)
  t.same(await alerts.save(ADMIN, RULE, id), { id })
})

test('a rule that cannot be measured any more says why and keeps its state', async (t) => {
  const { alerts, telemetry, run } = await open(t)
  const { id } = await alerts.save(ADMIN, {
    ...RULE,
    signal: { source: 'distinct', as: 'daily_active' },
    windowMinutes: 1440
  })
  await telemetry.collections.rows.db
    .collection<{ _id: string }>('telemetry_alerts')
    .updateOne({ _id: id }, { $set: { signal: '{"source":"distinct","as":"gone"}' } })
  await run()
  t.match((await alerts.list(ADMIN)).rules, [
    { state: 'ok', problem: 'no rollup family "gone" is declared' }
  ])
})

test('a preview tells what would have fired, and stores nothing', async (t) => {
  const { alerts, view, now } = await open(t)
  await view(3, 300)
  await view(4, 100)
  const range = { from: new Date(now() - 24 * HOUR_MS), to: new Date(now()) }
  const preview = await alerts.preview(VIEWER, RULE, range)
  t.equal(preview.fired, 2)
  t.equal(preview.points.length, 720)
  t.equal(preview.stepMinutes, 2)
  t.equal(preview.truncated, false)
  t.equal(Math.max(...preview.points.map(({ value }) => value ?? 0)), 4)
  t.same((await alerts.list(ADMIN)).rules, [])
  const change = { ...RULE, condition: { type: 'change', op: 'rise', percent: 1 } }
  t.equal((await alerts.preview(VIEWER, change, range)).fired, 2)
  await t.rejects(alerts.preview(VIEWER, RULE, { from: range.to, to: range.from }), {
    status: 400,
    message: 'invalid time range'
  })
  const long = await alerts.preview(
    VIEWER,
    { ...RULE, windowMinutes: 5 },
    { from: new Date(now() - 90 * 24 * HOUR_MS), to: range.to }
  )
  t.ok(long.truncated)
  t.ok(long.points.length <= 750)
})

test('a preview of minutes covers a month, and fires where the rule itself would', async (t) => {
  const { alerts, view, now } = await open(t)
  const days = (count: number) => count * 24 * 60
  // Two parts of one peak, each below the limit, in neighbouring windows.
  await view(2, days(10) + 3)
  await view(2, days(10) - 1)
  const rule = { ...RULE, windowMinutes: 5 }
  const range = { from: new Date(now() - 30 * 24 * HOUR_MS), to: new Date(now()) }
  const preview = await alerts.preview(VIEWER, rule, range)
  t.equal(preview.truncated, false)
  t.equal(preview.fired, 1)
  const firing = preview.changes.find(({ to }) => to === 'firing')
  t.equal(firing?.value, 4)
  const at = (firing?.at.getTime() ?? 0) - (now() - days(10) * 60_000)
  t.ok(Math.abs(at) <= 3 * 60_000, `${at} ms from the peak`)
  t.ok(preview.points.length <= 750)
  t.ok(preview.points.some(({ value }) => value === 4))
  const average = { ...rule, signal: { ...RULE.signal, measure: 'avg:load_ms' } }
  t.equal((await alerts.preview(VIEWER, average, range)).changes[0]?.value, 15)
})

test('a rule on the error rate fires by the share of failed records, as its preview does', async (t) => {
  const { alerts, telemetry, view, now, stateOf, run } = await open(t)
  const failing = async (count: number, minutesAgo: number) => {
    for (let n = 0; n < count; n++) {
      await telemetry.emit('page.viewed', {
        tenantId: 'acme',
        severity: 'error',
        occurredAt: new Date(now() - minutesAgo * 60_000),
        subjects: [{ type: 'user', id: 'u1' }],
        attrs: { source: 'a' }
      })
    }
    await telemetry.flush()
  }
  const signal = {
    source: 'series',
    measure: 'error_rate',
    filters: { name: 'page.viewed' }
  } as const
  const condition = { type: 'threshold', op: 'above', value: 20 } as const
  const rule = { ...RULE, windowMinutes: 5, signal, condition }
  // Many failures among very many records are a low rate, few among few a high one.
  await view(30, 60)
  await failing(5, 60)
  await view(3, 2)
  await failing(1, 2)
  const range = { from: new Date(now() - 3 * HOUR_MS), to: new Date(now()) }
  const preview = await alerts.preview(VIEWER, rule, range)
  t.equal(preview.fired, 1)
  t.equal(preview.changes.find(({ to }) => to === 'firing')?.value, 25)
  const { id } = await alerts.save(ADMIN, rule)
  await run()
  t.equal(await stateOf(id), 'firing')
  const onRollup = { source: 'rollup', as: 'pages_by_source', measure: 'error_rate' } as const
  await t.rejects(alerts.save(ADMIN, { ...rule, signal: onRollup }), /count or sum/)
})

test('a rule of the platform watches all tenants', async (t) => {
  const { alerts, view, run } = await open(t)
  await view(2, 1)
  await view(2, 1, 'globex')
  const platform: AlertViewer = { tenantId: '*', role: 'admin' }
  await alerts.save(platform, RULE)
  await run()
  t.match((await alerts.list(platform)).rules, [{ tenantId: '*', state: 'firing', value: 4 }])
  t.same((await alerts.list(ADMIN)).rules, [])
})

test('erasure removes rules about the subject and their history, and names no owner', async (t) => {
  const { alerts, telemetry, view, run } = await open(t)
  await view(3, 1)
  const about = {
    ...RULE,
    name: 'About',
    signal: { source: 'series', filters: { subject: 'user:u1' } }
  }
  await alerts.save(ADMIN, about)
  await alerts.save({ ...ADMIN, viewerRef: 'user:u1' }, { ...RULE, name: 'Own' })
  await run()
  const receipt = await telemetry.forget('acme', 'user:u1')
  t.equal(receipt.alerts, 2)
  t.ok(Object.values(receipt.remaining).every((count) => count === 0))
  t.match((await alerts.list(ADMIN)).rules, [{ name: 'Own', ownerRef: /redacted_/ }])
  t.same(
    (await alerts.history(ADMIN)).changes.map(({ ruleName }) => ruleName),
    ['Own']
  )
})

test('the reads of alerts are served by indexes', async (t) => {
  const { telemetry } = await open(t)
  const { db } = telemetry.collections.rows as unknown as { db: import('mongodb').Db }
  const rules = db.collection('telemetry_alerts')
  const changes = db.collection('telemetry_alert_changes')
  const due = { dueAt: { $lte: new Date() } }
  const plans = await Promise.all([
    rules.find({ tenantId: 'acme' }).sort({ tenantId: 1, name: 1 }).explain('queryPlanner'),
    rules.find({}).sort({ tenantId: 1, name: 1 }).explain('queryPlanner'),
    rules.find(due).sort({ dueAt: 1 }).explain('queryPlanner'),
    changes.find({ tenantId: 'acme' }).sort({ at: -1 }).explain('queryPlanner'),
    changes.find({}).sort({ at: -1 }).explain('queryPlanner'),
    changes.find({ ruleId: 'x', tenantId: 'acme' }).sort({ at: -1 }).explain('queryPlanner'),
    changes.find(due).sort({ dueAt: 1 }).explain('queryPlanner')
  ])
  for (const [index, plan] of plans.entries()) {
    t.notMatch(JSON.stringify(plan), /"stage":"(COLLSCAN|SORT)"/, `read ${index}`)
  }
})

test('a message that a later one has overtaken is given up: a receiver ends on what is so now', async (t) => {
  const { telemetry, alerts, view, advance, calls, answers, run } = await open(t)
  await view(3, 1)
  await alerts.save(ADMIN, { ...RULE, deliver: { webhook: { url: 'https://hooks.example/' } } })
  answers.push(...Array.from({ length: 7 }, () => ({ status: 429, retryAfter: '3600' })))
  await run()
  for (let hour = 0; hour < 9; hour++) {
    advance(HOUR_MS)
    await run()
  }
  const { changes } = await alerts.history(ADMIN)
  const kinds = calls.map(({ body }) => body['type'])
  t.equal(kinds.at(-1), 'alert.resolved')
  t.equal(kinds.indexOf('alert.resolved'), kinds.lastIndexOf('alert.firing') + 1)
  const firing = changes.find(({ to }) => to === 'firing')
  const stored = telemetry.collections as unknown as {
    changes: { updateOne(filter: object, update: object): Promise<unknown> }
  }
  await stored.changes.updateOne(
    { _id: firing?.id },
    { $set: { 'deliveries.0.state': 'due', state: 'due', attempts: 0, dueAt: new Date(0) } }
  )
  const sent = calls.length
  await run()
  t.equal(calls.length, sent)
  t.match((await alerts.history(ADMIN)).changes.find(({ to }) => to === 'firing')?.deliveries, [
    { state: 'failed', problem: /later change/ }
  ])
})
