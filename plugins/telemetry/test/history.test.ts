// History in columns: every read over hot, sealed, mixed, late, erased and redacted rows answers as it would of documents.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testDatabase } from '@keelson/sdk/testing'
import type { Db } from 'mongodb'
import { type Test, test } from 'tap'
import { createQueries } from '../create-queries.ts'
import { openTelemetry } from '../create-telemetry.ts'
import type { Queries } from '../queries/queries.ts'
import type { TimeRange } from '../queries/types.ts'
import {
  HISTORY_SPEC,
  MANY_ROWS,
  rangesFrom,
  recordAt,
  withMethods,
  writeRecords
} from './history-rows.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = Math.floor(Date.now() / DAY) * DAY
const START = NOW - 9 * DAY
const clock = { now: () => new Date(NOW) }

type T = Test
type Ask = (queries: Queries, scope: string, range: TimeRange) => Promise<unknown>

const attrs = new Map([['source', 'ads']])
const zone = { timeZone: 'Asia/Kathmandu' } as const

/** Every read of rows, with every filter and measure. */
const READS: Readonly<Record<string, Ask>> = {
  records: (q, s, r) => q.records(s, { ...r, limit: 50 }),
  'records of a name': (q, s, r) => q.records(s, { ...r, filters: { name: 'page.viewed', attrs } }),
  'records of a kind': (q, s, r) => q.records(s, { ...r, filters: { kind: 'error' } }),
  'records of a quoted value': (q, s, r) =>
    q.records(s, { ...r, filters: { attrs: new Map([['source', 'o\'brien"; drop']]) } }),
  'records by service and release': (q, s, r) =>
    q.records(s, { ...r, filters: { service: 's1', release: 'r2', env: 'prod' } }),
  'records of a subject': (q, s, r) => q.records(s, { ...r, filters: { subject: 'user:u3' } }),
  'records of a second subject': (q, s, r) =>
    q.records(s, { ...r, filters: { subject: 'org:o0' } }),
  'records of a trace': (q, s, r) => q.records(s, { ...r, filters: { traceId: 'trace-5' } }),
  'records without values': (q, s, r) =>
    q.records(s, {
      ...r,
      filters: {
        exclude: [
          { field: 'attrs.source', value: 'ads' },
          { field: 'service', value: 's0' },
          { field: 'subject', value: 'user:u1' }
        ],
        excludeActors: ['agent']
      }
    }),
  'root spans': (q, s, r) => q.records(s, { ...r, filters: { kind: 'span', isRoot: true } }),
  'records by a metric': (q, s, r) =>
    q.records(s, {
      ...r,
      filters: {
        metrics: [
          { key: 'load_ms', op: 'gte', value: 5 },
          { key: 'load_ms', op: 'lte', value: 60.5 }
        ]
      }
    }),
  'records of a tenant': (q, s, r) => q.records(s, { ...r, filters: { tenant: 'globex' } }),
  ...Object.fromEntries(
    [
      'count',
      'unique',
      'error_rate',
      ...['sum', 'avg', 'min', 'max', 'p50', 'p95', 'p99'].flatMap((op) => [
        `${op}:durationMs`,
        `${op}:load_ms`
      ])
    ].flatMap((measure): [string, Ask][] => [
      [`series of ${measure}`, (q, s, r) => q.series(s, { ...r, measure })],
      [
        `breakdown by service of ${measure}`,
        (q, s, r) => q.breakdown(s, { ...r, by: 'service', measure, interval: 'day', ...zone })
      ]
    ])
  ),
  ...Object.fromEntries(
    (['minute', 'hour', 'day', 'week', 'month'] as const).flatMap((interval) =>
      ['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/Havana'].map(
        (timeZone): [string, Ask] => [
          `series by ${interval} of ${timeZone}`,
          (q, s, r) =>
            q.series(s, {
              ...(interval === 'minute'
                ? { from: r.from, to: new Date(r.from.getTime() + DAY) }
                : r),
              interval,
              timeZone
            })
        ]
      )
    )
  ),
  distribution: (q, s, r) => q.distribution(s, r),
  'distribution of a metric': (q, s, r) => q.distribution(s, { ...r, measure: 'load_ms' }),
  ...Object.fromEntries(
    [
      'tenantId',
      'kind',
      'name',
      'severity',
      'env',
      'release',
      'subject',
      'actorType',
      'error.type',
      'fingerprint',
      'state.to',
      'meter',
      'billedTo',
      'attr:source',
      'attr:none'
    ].map((by): [string, Ask] => [`breakdown by ${by}`, (q, s, r) => q.breakdown(s, { ...r, by })])
  ),
  'breakdown by two values': (q, s, r) =>
    q.breakdown(s, { ...r, by: 'subject', alsoBy: 'attr:source', interval: 'day', ...zone }),
  'people by two values': (q, s, r) =>
    q.breakdown(s, { ...r, by: 'service', alsoBy: 'name', measure: 'unique' }),
  'durations by service': (q, s, r) => q.durations(s, { ...r, by: 'service' }),
  'durations by tenant': (q, s, r) => q.durations(s, { ...r, by: 'tenantId' }),
  issues: (q, s, r) => q.issues(s, r),
  'issues by people': (q, s, r) => q.issues(s, { ...r, sort: 'people', limit: 2 }),
  'issues by count': (q, s, r) => q.issues(s, { ...r, sort: 'count', limit: 2 }),
  'issues that contain a word': (q, s, r) => q.issues(s, { ...r, contains: 'e', sort: 'count' }),
  'issues by day': (q, s, r) => q.issues(s, { ...r, interval: 'day' }),
  'issues of a service': (q, s, r) => q.issues(s, { ...r, filters: { service: 's2' } }),
  activity: (q, s, r) =>
    q.activity(s, { ...r, groupBy: ['kind', 'name'], interval: 'day', ...zone }),
  'usage by meter': (q, s, r) => q.usageTotals(s, { ...r, by: 'meter', sums: ['cost_usd'] }),
  'usage by model': (q, s, r) => q.usageTotals(s, { ...r, by: 'attr:model' }),
  'usage by payer': (q, s, r) => q.usageTotals(s, { ...r, by: 'billedTo' }),
  ...Object.fromEntries(
    [
      'ads',
      '-ads',
      'T1 m3',
      '"o\'brien\\"; drop"',
      '/^m\\d$/ -T0',
      '/P.*VIEW/i',
      'heap 1',
      '-x'
    ].map((text): [string, Ask] => [
      `records with ${text}`,
      (q, s, r) => q.records(s, { ...r, filters: { q: text } })
    ])
  ),
  'series of a search': (q, s, r) =>
    q.series(s, { ...r, filters: { q: 'pro -free', kind: 'event' }, interval: 'hour' }),
  'breakdown of a search': (q, s, r) =>
    q.breakdown(s, { ...r, by: 'name', filters: { q: '/[pm]\\d/' } }),
  'breakdown of a search by an attribute': (q, s, r) =>
    q.breakdown(s, { ...r, by: 'attr:source', filters: { q: '/^[/]p|ads/' } }),
  ...Object.fromEntries(
    (['strict', 'any'] as const).map((order): [string, Ask] => [
      `a funnel of events in ${order} order`,
      (q, s, r) =>
        q.eventFunnel(s, {
          ...r,
          steps: ['account.signed_up', 'page.viewed', 'app.error'],
          order,
          windowMs: 3 * DAY,
          by: 'attr:plan'
        })
    ])
  ),
  'retention over events': (q, s, r) =>
    q.eventRetention(s, {
      ...r,
      first: 'account.signed_up',
      again: 'page.viewed',
      interval: 'day'
    }),
  'records of who did this': (q, s, r) =>
    q.records(s, { ...r, filters: { did: 'app.error', didNot: 'ticket.status' } }),
  'errors of who did that': (q, s, r) => q.issues(s, { ...r, filters: { did: 'page.viewed' } }),
  metrics: (q, s, r) => q.metrics(s, r),
  ...Object.fromEntries(
    (
      [
        ['orders', 'rate'],
        ['orders', 'increase'],
        ['took', 'p95'],
        ['took', 'avg'],
        ['heap', 'max'],
        ['none', 'avg']
      ] as const
    ).map(([metric, measure]): [string, Ask] => [
      `${measure} of the metric ${metric}`,
      (q, s, r) =>
        q.metricSeries(s, { ...r, metric, measure, by: 'attr:route', interval: 'day', ...zone })
    ])
  ),
  trace: (q, s) => q.trace(s, 'trace-5'),
  journey: (q, s, r) => q.journey(s, { ...r, ref: 'user:u3' }),
  'keys that were seen': (q, s) => q.seenKeys(s)
}

/** Sums differ in their last digits by the order they were made in. */
const plain = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer, (_key, value: unknown) =>
      typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(9)) : value
    )
  )

interface Given {
  readonly db?: Db
  readonly enabled?: boolean
  readonly cacheDir?: string
  readonly mirrorRows?: number
}

async function open(t: T, more: Given = {}) {
  const db = more.db ?? (await testDatabase(t)).db
  const cacheDir = more.cacheDir ?? (await mkdtemp(join(tmpdir(), 'keelson-history-')))
  t.teardown(() => rm(cacheDir, { recursive: true, force: true }))
  const { telemetry } = openTelemetry(
    {
      registry: HISTORY_SPEC,
      connection: db,
      clock,
      pepper: 'p',
      history: {
        enabled: more.enabled ?? true,
        cacheDir,
        threads: 1,
        mirrorRows: more.mirrorRows ?? 200_000
      }
    },
    { change: (storage) => withMethods(storage, 'rows', MANY_ROWS) }
  )
  t.teardown(() => telemetry.close())
  await telemetry.syncIndexes()
  return { db, telemetry, cacheDir, queries: createQueries({ telemetry, cacheMs: 0 }) }
}

type Opened = Awaited<ReturnType<typeof open>>

/** What is hot goes to the control, where nothing is ever sealed. */
async function copyTo(control: Opened, { db }: Opened): Promise<void> {
  for (const name of ['telemetry', 'telemetry_rollups', 'telemetry_aliases']) {
    const documents = await db.collection(name).find().toArray()
    if (name !== 'telemetry') await control.db.collection(name).deleteMany({})
    if (documents.length === 0) continue
    await control.db.collection(name).bulkWrite(
      documents.map((one) => ({
        replaceOne: { filter: { _id: one._id }, replacement: one, upsert: true }
      }))
    )
  }
}

/** Every read, or every nth. */
async function compare(
  t: T,
  control: Opened,
  sealed: Opened,
  when: string,
  every = 1
): Promise<void> {
  let turn = 0
  for (const [index, [name, ask]] of Object.entries(READS).entries()) {
    if (index % every !== 0) continue
    const ranges = [...rangesFrom(START).entries()]
    // All rows each time, and in turn a scope and a range that cuts days and hours.
    const cases = [
      [turn % 2 === 0 ? '*' : 'acme', [ranges[0]]],
      [turn++ % 4 < 2 ? 'acme' : '*', [ranges[1 + (turn % 2)]]]
    ] as const
    for (const [scope, some] of cases) {
      for (const [part, range] of some.flatMap((one) => (one === undefined ? [] : [one]))) {
        const expected = plain(await ask(control.queries, scope, range))
        const actual = plain(await ask(sealed.queries, scope, range))
        if (JSON.stringify(sortedKeys(expected)) !== JSON.stringify(sortedKeys(actual))) {
          t.same(actual, expected, `${when}: ${name} of ${scope} in range ${part}`)
        }
      }
    }
  }
  t.pass(when)
}

const sortedKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortedKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sortedKeys(one)])
  )
}

const usage = (n: number) => ({
  name: 'llm.tokens',
  tenantId: 'acme',
  occurredAt: START + n * 5 * HOUR,
  subjects: [{ type: 'user', id: `u${n % 4}` }],
  attrs: { model: `m${n % 2}` },
  metrics: { cost_usd: n / 7 },
  usage: {
    meter: 'tokens',
    quantity: n,
    unit: 'token',
    amount: `0.00000${n + 1}`,
    currency: 'USD',
    billedTo: `user:u${n % 3}`,
    billable: n % 4 !== 0,
    idempotencyKey: `key-${n}`
  }
})

const point = (n: number) => {
  const route = `/r${n % 2}`
  const of = (name: string, type: string, more: Record<string, string>) => ({
    name: 'otlp.metric',
    tenantId: n % 5 === 0 ? 'globex' : 'acme',
    service: `s${n % 2}`,
    occurredAt: START + n * 4 * HOUR,
    attrs: { 'metric.name': name, 'metric.type': type, 'metric.unit': '1', route, ...more }
  })
  const since = { 'metric.temporality': 'cumulative', 'metric.start': String(START) }
  return [
    {
      ...of('orders', 'sum', { ...since, 'metric.monotonic': 'true' }),
      metrics: { value: n === 17 ? 1 : n * 3 }
    },
    {
      ...of('took', 'histogram', {
        ...since,
        'metric.bounds': '[5,10]',
        'metric.bucket_counts': `[${n},${2 * n},1]`,
        'metric.exemplars': JSON.stringify([[n, `${n}`.padStart(32, 'a'), 'b', START + n]])
      }),
      metrics: { count: 3 * n + 1, sum: n * 20 }
    },
    { ...of('heap', 'gauge', {}), metrics: { value: n % 7 } }
  ]
}

const remaining = async ({ db }: Opened) => db.collection('telemetry').countDocuments()

test('every read answers the same of hot, sealed, mixed, late, erased and redacted rows', async (t) => {
  const [control, sealed] = [await open(t, { enabled: false }), await open(t)]
  const { telemetry } = sealed
  await writeRecords(
    telemetry,
    Array.from({ length: 200 }, (_, n) => recordAt(n, START))
  )
  await writeRecords(
    telemetry,
    Array.from({ length: 20 }, (_, n) => usage(n))
  )
  await writeRecords(telemetry, Array.from({ length: 40 }, (_, n) => point(n)).flat())
  await copyTo(control, sealed)
  t.equal((await telemetry.historyUse()).mirroredRows, 0)
  await compare(t, control, sealed, 'hot', 3)
  t.ok((await telemetry.historyUse()).mirroredRows > 200, 'read in columns')
  const half = new Date(START + 50 * HOUR)
  const { rows, segments } = await telemetry.seal({ before: half })
  t.ok(rows > 50 && segments > 3, `${rows} rows in ${segments} segments`)
  await compare(t, control, sealed, 'mixed')
  const copying = await open(t, { db: sealed.db, mirrorRows: 0 })
  await compare(t, control, copying, 'mixed, without a mirror')
  await writeRecords(
    telemetry,
    Array.from({ length: 30 }, (_, n) => recordAt(n * 3, START + 7))
  )
  await copyTo(control, sealed)
  await compare(t, control, sealed, 'late', 2)
  await telemetry.seal({ before: new Date(NOW) })
  t.equal(await remaining(sealed), 0)
  await compare(t, control, sealed, 'sealed')
  const receipts = await Promise.all(
    [control, sealed].map((one) => one.telemetry.forget('acme', 'user:u3'))
  )
  t.same(
    receipts.map(({ deleted, redacted, rollups, captures }) => [
      deleted,
      redacted,
      rollups,
      captures
    ])[1],
    receipts.map(({ deleted, redacted, rollups, captures }) => [
      deleted,
      redacted,
      rollups,
      captures
    ])[0]
  )
  t.equal(
    Object.values(receipts[1]?.remaining ?? {}).reduce((sum, one) => sum + one, 0),
    0
  )
  await compare(t, control, sealed, 'erased', 2)
  await telemetry.seal({ before: new Date(NOW) })
  t.equal(await remaining(sealed), 0)
  await compare(t, control, sealed, 'redacted and sealed')
})
