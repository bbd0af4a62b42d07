// forget: what mentions the subject without being its own: views, rules, keys, captures of rows that have expired.

import { testDatabase } from '@keelson/sdk/testing'
import { test } from 'tap'
import { createQueries } from '../create-queries.ts'
import { openTelemetry } from '../create-telemetry.ts'
import type { EmitRecord } from '../envelope/types.ts'
import { runAlerts } from './run-alerts.ts'
import { SAMPLE_SPEC } from './sample-registry.ts'
import { standInMailer } from './stand-in-mailer.ts'

async function open(t: Parameters<typeof testDatabase>[0]) {
  const { db } = await testDatabase(t)
  const { mailer, mails } = standInMailer(() => true)
  const opened = openTelemetry({
    registry: SAMPLE_SPEC,
    connection: db,
    pepper: 'p',
    alerts: { mailer: () => mailer }
  })
  const { telemetry } = opened
  await telemetry.syncIndexes()
  return { db, opened, telemetry, mails }
}

const REF = 'user:ann@example.test'
const ABOUT: EmitRecord = {
  tenantId: 'acme',
  service: 'web',
  release: 'r',
  env: 'prod',
  subjects: [{ type: 'user', id: 'ann@example.test' }]
}
const noneOf = (remaining: Readonly<Record<string, number>>) =>
  Object.values(remaining).every((count) => count === 0)

test('a saved view of another person no longer mentions the subject', async (t) => {
  const { db, telemetry } = await open(t)
  const views = db.collection<{ _id: string; [field: string]: unknown }>('telemetry_views')
  const query = { range: '7d', filters: { subject: REF, attrs: 'email:ANN@example.test,plan:pro' } }
  const view = { tenantId: 'acme', ownerRef: 'user:bob', shared: false, page: 'events' }
  await views.insertMany([
    { _id: 'v1', ...view, name: 'What ann@example.test did', query: JSON.stringify(query) },
    { _id: 'v2', ...view, name: 'Joanna', query: JSON.stringify({ filters: { name: 'annual' } }) }
  ])
  const { pseudonym, remaining, views: touched } = await telemetry.forget('acme', REF)
  t.ok(noneOf(remaining), JSON.stringify(remaining))
  t.equal(touched, 1)
  const [one, two] = await views.find().sort({ _id: 1 }).toArray()
  t.same(JSON.parse(String(one?.['query'])), {
    range: '7d',
    filters: { subject: pseudonym, attrs: `email:${pseudonym},plan:pro` }
  })
  t.equal(one?.['name'], `What ${pseudonym} did`)
  t.equal(two?.['name'], 'Joanna')
})

test('rules on a dimension or an attribute stay without mentioning the subject, history included', async (t) => {
  const { db, telemetry } = await open(t)
  const viewer = { tenantId: 'acme', role: 'admin', viewerRef: 'user:bob' }
  const condition = { type: 'threshold', op: 'above', value: 1 }
  const { id } = await telemetry.alerts.save(viewer, {
    name: `Watch ${REF}`,
    signal: { source: 'rollup', as: 'daily_active', dims: [REF, 'user:bob'] },
    condition,
    windowMinutes: 1440,
    deliver: { mail: { templateSlug: 'alert', externalIds: ['ann@example.test', 'bob'] } }
  })
  await telemetry.alerts.save(viewer, {
    name: 'By attribute',
    signal: { source: 'series', attrs: { path: '/users/ann@example.test' } },
    condition,
    windowMinutes: 60
  })
  const changes = db.collection<{ _id: string; [field: string]: unknown }>(
    'telemetry_alert_changes'
  )
  await changes.insertOne({
    _id: 'c1',
    ruleId: id,
    ruleName: `Watch ${REF}`,
    tenantId: 'acme',
    at: new Date(),
    summary: `Watch ${REF} is firing`,
    deliveries: [{ channel: 'mail', target: 'ann@example.test', state: 'sent', attempts: 1 }]
  })
  const { alerts, remaining, pseudonym } = await telemetry.forget('acme', REF)
  t.equal(alerts, 2)
  t.ok(noneOf(remaining), JSON.stringify(remaining))
  const { rules } = await telemetry.alerts.list(viewer)
  t.match(
    rules.find((rule) => rule.id === id),
    {
      signal: { dims: [pseudonym, 'user:bob'] },
      deliver: { mail: { externalIds: ['bob'] } }
    }
  )
  const stored = [
    await db.collection('telemetry_alerts').find().toArray(),
    await changes.find().toArray()
  ]
  t.notMatch(JSON.stringify(stored), /ann@example/)
})

test('a rule whose owner was erased stays, names them no more and mails in no name', async (t) => {
  const { db, opened, telemetry, mails } = await open(t)
  const owner = { tenantId: 'acme', viewerRef: REF, name: 'human:ann@example.test', via: 'session' }
  const { id } = await telemetry.alerts.save(
    { tenantId: 'acme', role: 'admin', viewerRef: REF, actor: owner },
    {
      name: 'Quiet',
      signal: { source: 'series' },
      condition: { type: 'threshold', op: 'below', value: 1 },
      windowMinutes: 60,
      deliver: { mail: { templateSlug: 'alert', externalIds: ['bob'] } }
    }
  )
  const { remaining, pseudonym } = await telemetry.forget('acme', REF)
  t.ok(noneOf(remaining), JSON.stringify(remaining))
  const [stored] = await db.collection('telemetry_alerts').find().toArray()
  t.match(stored, { _id: id, ownerRef: pseudonym, ownerTenant: 'acme' })
  t.notMatch(JSON.stringify(stored), /ann@example/)
  await runAlerts(opened)
  const { changes } = await telemetry.alerts.history({ tenantId: 'acme', role: 'admin' }, {})
  t.match(changes[0]?.deliveries, [{ channel: 'mail', problem: /could not be sent/ }])
  t.same(mails, [])
})

test('keys of usage that stays no longer mention the subject, and stay apart', async (t) => {
  const { db, telemetry } = await open(t)
  for (const month of ['10', '11']) {
    await telemetry.emit('llm.tokens', {
      ...ABOUT,
      usage: { meter: 'm', quantity: 1, unit: 'u', idempotencyKey: `seat:${REF}:2026-${month}` }
    })
  }
  const { remaining, pseudonym } = await telemetry.forget('acme', REF)
  t.ok(noneOf(remaining), JSON.stringify(remaining))
  const rows = await db.collection('telemetry').find().sort({ occurredAt: 1 }).toArray()
  t.same(
    rows.map((row) => row['usage'].idempotencyKey),
    [`seat:${pseudonym}:2026-10`, `seat:${pseudonym}:2026-11`]
  )
})

test('what is left is counted: a mention that returns is found by the proof', async (t) => {
  const { db, telemetry } = await open(t)
  const { proof } = await telemetry.forget('acme', REF)
  const views = db.collection<{ _id: string; [field: string]: unknown }>('telemetry_views')
  await views.insertOne({ _id: 'v', tenantId: 'acme', name: 'n', query: `{"subject":"${REF}"}` })
  const counts = await Promise.all(
    (proof['telemetry_views'] ?? []).map((filter) => views.countDocuments(filter))
  )
  t.same(Math.max(...counts), 1)
})

test('a capture goes with its subject after its row has expired', async (t) => {
  const { db, telemetry } = await open(t)
  await telemetry.emit('app.error', {
    ...ABOUT,
    error: { type: 'Boom', message: 'secret of ann', fingerprint: 'f1' }
  })
  await telemetry.emit('app.error', {
    ...ABOUT,
    subjects: [{ type: 'user', id: 'bob' }],
    error: { type: 'Boom', message: 'of bob', fingerprint: 'f2' }
  })
  await telemetry.flush()
  await db.collection('telemetry').deleteMany({})
  const receipt = await telemetry.forget('acme', REF)
  t.match(receipt, { deleted: 0, captures: 1 })
  t.ok(noneOf(receipt.remaining))
  const { rows } = await createQueries({ telemetry }).rollups('acme', { as: 'issues' })
  t.same(rows.map(({ dims, count, firstCapture }) => [dims[0], count, firstCapture]).sort(), [
    ['error.fingerprint=f1', 1, {}],
    ['error.fingerprint=f2', 1, { 'field:error.message': 'of bob' }]
  ])
})
