// Whatever the read primitives, alerts and tools send to the database is explained: no collection scan, in any scope.

import { databaseUri, testDatabase } from '@keelson/sdk/testing'
import { type Document, MongoClient } from 'mongodb'
import { test } from 'tap'
import { createQueries } from '../create-queries.ts'
import { openTelemetry } from '../create-telemetry.ts'
import { createMcpTools } from '../mcp/tools.ts'
import type { Queries } from '../queries/queries.ts'
import { runAlerts } from './run-alerts.ts'
import { SAMPLE_SPEC } from './sample-registry.ts'

const NOW = Date.now()
const range = { from: new Date(NOW - 7 * 86_400_000), to: new Date(NOW + 1000) }
const attrs = new Map([['source', 'a']])

type Read = (queries: Queries, scope: string) => Promise<unknown>

const READS: Readonly<Record<string, Read>> = {
  records: (q, s) => q.records(s, { ...range, filters: { name: 'page.viewed', attrs } }),
  'records without a value': (q, s) =>
    q.records(s, { ...range, filters: { exclude: [{ field: 'name', value: 'x' }] } }),
  'records of a tenant, meter, payer': (q, s) =>
    q.records(s, { ...range, filters: { tenant: 'acme', meter: 'm', billedTo: 'user:u1' } }),
  'records by fingerprint': (q, s) => q.records(s, { ...range, filters: { fingerprint: 'f' } }),
  'records of a search': (q, s) => q.records(s, { ...range, filters: { q: 'a -b /c+/' } }),
  series: (q, s) => q.series(s, { ...range, measure: 'avg:load_ms' }),
  distribution: (q, s) => q.distribution(s, { ...range, filters: { kind: 'span' } }),
  rollups: (q, s) => q.rollups(s, { as: 'issues' }),
  'totals of a rollup': (q, s) => q.rollupTotals(s, { ...range, as: 'pages_by_source' }),
  'totals of a lifetime rollup': (q, s) => q.rollupTotals(s, { ...range, as: 'signed_up' }),
  trace: (q, s) => q.trace(s, 'trace-1'),
  journey: (q, s) => q.journey(s, { ...range, ref: 'user:u1' }),
  distinct: (q, s) => q.distinctCount(s, { ...range, as: 'daily_active' }),
  funnel: (q, s) =>
    q.funnel(s, { ...range, stages: ['signed_up', 'activated'], exits: ['first_order'] }),
  'people of a funnel': (q, s) =>
    q.funnelPeople(s, {
      ...range,
      stages: ['signed_up', 'activated'],
      stage: 'activated',
      outcome: 'missed'
    }),
  retention: (q, s) => q.retention(s, { ...range, anchor: 'signed_up', activity: 'daily_active' }),
  activity: (q, s) => q.activity(s, { ...range, groupBy: ['kind', 'service'], interval: 'hour' }),
  'activity by days of half hours': (q, s) =>
    q.activity(s, { ...range, interval: 'day', timeZone: 'Asia/Kolkata' }),
  'activity of a name': (q, s) => q.activity(s, { ...range, name: 'page.viewed' }),
  breakdown: (q, s) => q.breakdown(s, { ...range, by: 'attr:source', interval: 'day' }),
  'breakdown of a kind': (q, s) =>
    q.breakdown(s, { ...range, by: 'subject', filters: { kind: 'error' } }),
  'breakdown by two values': (q, s) =>
    q.breakdown(s, { ...range, by: 'attr:source', alsoBy: 'service' }),
  'breakdown by fingerprint': (q, s) =>
    q.breakdown(s, { ...range, by: 'fingerprint', filters: { kind: 'error', attrs } }),
  durations: (q, s) => q.durations(s, { ...range, by: 'service', filters: { kind: 'span' } }),
  'issues from rollups': (q, s) => q.issues(s, range),
  'issues by the first time': (q, s) => q.issues(s, { ...range, sort: 'firstAt' }),
  'issues by their total': (q, s) => q.issues(s, { ...range, sort: 'total' }),
  'issues that contain words': (q, s) => q.issues(s, { ...range, contains: 'card -time /out$/' }),
  'issues that contain words, by their total': (q, s) =>
    q.issues(s, { ...range, contains: 'card', sort: 'total' }),
  'issues by people': (q, s) => q.issues(s, { ...range, sort: 'people' }),
  'issues over time': (q, s) => q.issues(s, { ...range, interval: 'day' }),
  'issues of a name, an attribute, a subject': (q, s) =>
    q.issues(s, { ...range, filters: { name: 'app.error', attrs, subject: 'user:u1' } }),
  'issues without a value': (q, s) =>
    q.issues(s, { ...range, filters: { exclude: [{ field: 'fingerprint', value: 'f' }] } }),
  'a funnel of events': (q, s) => q.eventFunnel(s, { ...range, steps: ['a.b', 'c.d'] }),
  'retention over events': (q, s) => q.eventRetention(s, { ...range, first: 'a.b' }),
  'records of who did this': (q, s) =>
    q.records(s, { ...range, filters: { did: 'page.viewed', didNot: 'app.error' } }),
  metrics: (q, s) => q.metrics(s, range),
  'a metric over time': (q, s) => q.metricSeries(s, { ...range, metric: 'm' }),
  'a sum of what may be points': (q, s) => q.series(s, { ...range, measure: 'sum:value' }),
  'usage totals': (q, s) => q.usageTotals(s, { ...range, by: 'meter', sums: ['cost_usd'] })
}

/** Fields of a command that belong to its sending, not to its query. */
const OF_SENDING = [
  'lsid',
  '$clusterTime',
  '$db',
  'txnNumber',
  'maxTimeMS',
  '$readPreference',
  'comment'
]

/** All indexes, or those that remain where columns serve the reads. */
const STATES = { 'all indexes': false, 'few indexes': true } as const

async function open(t: Parameters<typeof testDatabase>[0], areFew: boolean) {
  const { db } = await testDatabase(t)
  const client = new MongoClient(await databaseUri(), { monitorCommands: true })
  await client.connect()
  t.teardown(() => client.close())
  const sent: Document[] = []
  client.on('commandStarted', ({ commandName, command }) => {
    if (commandName === 'find' || commandName === 'aggregate') sent.push(command)
  })
  const opened = openTelemetry({
    registry: SAMPLE_SPEC,
    pepper: 'p',
    connection: client.db(db.databaseName),
    history: { enabled: areFew }
  })
  const { telemetry } = opened
  await telemetry.syncIndexes()
  const subjects = [{ type: 'user', id: 'u1' }]
  for (const name of ['account.signed_up', 'account.activated', 'page.viewed']) {
    await telemetry.emit(name, {
      tenantId: 'acme',
      subjects,
      occurredAt: NOW - 9000,
      traceId: 'trace-1'
    })
  }
  await telemetry.flush()
  sent.splice(0)
  /** The worst of what was sent since the last look. */
  const scans = async (): Promise<string[]> => {
    const found: string[] = []
    for (const command of sent.splice(0)) {
      const plain = Object.fromEntries(
        Object.entries(command).filter(([key]) => !OF_SENDING.includes(key))
      )
      const plan = await db.command({ explain: plain, verbosity: 'queryPlanner' })
      if (/"stage":"COLLSCAN"/.test(JSON.stringify(plan))) found.push(JSON.stringify(plain))
    }
    return found
  }
  return { opened, telemetry, scans, sent }
}

for (const [state, areFew] of Object.entries(STATES)) {
  test(`every read primitive is served by ${state}, for a tenant and for all`, async (t) => {
    const { telemetry, scans, sent } = await open(t, areFew)
    const queries = createQueries({ telemetry, cacheMs: 0 })
    for (const [name, read] of Object.entries(READS)) {
      for (const scope of ['acme', '*']) {
        await read(queries, scope)
        t.ok(sent.length > 0, `${name} asked`)
        t.same(await scans(), [], `${name} of ${scope}`)
      }
    }
  })

  test(`alerts, tools, keys, quarantine and erasure are served by ${state}`, async (t) => {
    const { opened, telemetry, scans } = await open(t, areFew)
    const tools = createMcpTools({ telemetry })
    const admin = { tenantId: 'acme', role: 'admin', viewerRef: 'user:v' }
    const acts: Readonly<Record<string, () => Promise<unknown>>> = {
      save: () =>
        telemetry.alerts.save(admin, {
          name: 'Quiet',
          signal: { source: 'rollup', as: 'pages_by_source', dims: ['source=a'] },
          condition: { type: 'no-data' },
          windowMinutes: 1440
        }),
      run: () => runAlerts(opened),
      list: () => telemetry.alerts.list(admin),
      history: () => telemetry.alerts.history(admin),
      tenants: async () => tools.find(({ name }) => name === 'list_tenants')?.handler({}, admin),
      reports: async () => tools.find(({ name }) => name === 'list_reports')?.handler({}, admin),
      keys: () => telemetry.listKeys('acme'),
      'keys of all': () => telemetry.listKeys('*'),
      erasures: () => telemetry.erasures('acme'),
      'erasures of all': () => telemetry.erasures('*'),
      backfills: () => telemetry.backfills(),
      quarantine: () => telemetry.quarantine('acme'),
      'quarantine of all': () => telemetry.quarantine('*')
    }
    for (const [name, act] of Object.entries(acts)) {
      await act()
      t.same(await scans(), [], name)
    }
    await telemetry.emit('app.error', {
      tenantId: 'acme',
      error: { type: 'E', message: 'm', fingerprint: '00000000000000aa' }
    })
    await telemetry.flush()
    t.match(await telemetry.regroup(), { moved: 1 })
    t.same(await scans(), [], 'regroup')
    const receipt = await telemetry.forget('acme', 'user:u1')
    t.same(await scans(), [], 'erasure')
    t.same(Object.keys(receipt.proof), Object.keys(receipt.remaining))
  })
}
