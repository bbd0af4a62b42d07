// The tools for agents: names and schemas, scope from the viewer, redaction, reports, bad arguments.

import type { McpTool, McpViewer } from '@keelson/sdk/contracts/mcp-tools'
import { testDatabase } from '@keelson/sdk/testing'
import { Compile, type TSchema } from '@keelson/sdk/typebox'
import { type Test, test } from 'tap'
import { createTelemetry } from '../create-telemetry.ts'
import { tenantsPipeline } from '../mcp/list-tenants.ts'
import type { McpToolsOptions } from '../mcp/options.ts'
import { readReport } from '../mcp/reports.ts'
import { createMcpTools } from '../mcp/tools.ts'
import { SAMPLE_SPEC } from './sample-registry.ts'

const ACME: McpViewer = { tenantId: 'acme', role: 'viewer', viewerRef: 'user:v' }
const PLATFORM: McpViewer = { tenantId: '*', role: 'admin' }
const NAMES = [
  'active_users',
  'describe_telemetry',
  'event_funnel',
  'event_retention',
  'event_trends',
  'funnel_analysis',
  'group_records',
  'inspect_trace',
  'list_alerts',
  'list_errors',
  'list_issues',
  'list_metrics',
  'list_reports',
  'list_tenants',
  'metric_distribution',
  'metric_over_time',
  'rollup_breakdown',
  'run_report',
  'search_events',
  'slowest_groups',
  'telemetry_health',
  'usage_totals',
  'user_journey'
]

interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: answers differ by tool; the tests match what matters
  readonly [field: string]: any
}

async function open(t: Test, options: Partial<McpToolsOptions> = {}) {
  const { db } = await testDatabase(t)
  const telemetry = createTelemetry({ registry: SAMPLE_SPEC, connection: db })
  await telemetry.syncIndexes()
  t.teardown(() => telemetry.close())
  const now = Date.now()
  for (const tenantId of ['acme', 'globex']) {
    const shared = { tenantId, subjects: [{ type: 'user', id: 'u1' }], traceId: 'trace-1' }
    await telemetry.emit('account.signed_up', {
      ...shared,
      occurredAt: now - 9000,
      attrs: { plan: 'pro', source: 'ads' }
    })
    await telemetry.emit('account.activated', { ...shared, occurredAt: now - 8000 })
    await telemetry.emit('page.viewed', {
      ...shared,
      occurredAt: now - 7000,
      attrs: { source: 'a' },
      metrics: { load_ms: 5 }
    })
    await telemetry.emit('order.placed', {
      ...shared,
      occurredAt: now - 6000,
      metrics: { amount_usd: 5 },
      data: { card: '4111' }
    })
    await telemetry.emit('app.error', {
      ...shared,
      occurredAt: now - 5000,
      error: { type: 'TypeError', message: 'x' }
    })
  }
  await telemetry.emit('nobody.knows', { tenantId: 'acme', attrs: { secret: 's' } })
  await telemetry.flush()
  const tools = createMcpTools({ telemetry, ...options })
  // Clients hold each answer to the output schema of its tool, so every call here does.
  const call = async (name: string, args: unknown = {}, viewer = ACME): Promise<Answer> => {
    const { handler, outputSchema } = tools.find((tool) => tool.name === name) as McpTool
    const answer = await handler(args, viewer)
    if (outputSchema !== undefined)
      t.same([...Compile(outputSchema as TSchema).Errors(answer)], [], name)
    return answer
  }
  return { db, telemetry, tools, call }
}

test('the tools are read-only, with closed schemas and a scope', async (t) => {
  const { tools } = await open(t)
  t.same(tools.map(({ name }) => name).sort(), NAMES)
  for (const tool of tools) {
    t.match(tool, {
      outputSchema: { type: 'object' },
      title: String,
      description: String,
      annotations: { readOnlyHint: true },
      scopes: ['telemetry:read']
    })
    t.match(tool.inputSchema, { type: 'object', additionalProperties: false })
    t.same(JSON.parse(JSON.stringify(tool.inputSchema)), tool.inputSchema)
    for (const [name, argument] of Object.entries(tool.inputSchema['properties'] as object))
      t.match(argument, { description: String }, `${tool.name}.${name}`)
  }
})

test('every tool answers for the tenant of the viewer alone', async (t) => {
  const { call } = await open(t)
  const calls: [string, object][] = [
    ['search_events', {}],
    ['list_errors', {}],
    ['inspect_trace', { traceId: 'trace-1' }],
    ['user_journey', { subject: 'user:u1' }],
    ['event_trends', { interval: 'hour' }],
    ['metric_distribution', { measure: 'load_ms' }],
    ['rollup_breakdown', { as: 'signed_up' }],
    ['active_users', { as: 'daily_active' }],
    ['funnel_analysis', { stages: ['signed_up', 'activated'] }],
    ['group_records', { by: 'subject' }],
    ['group_records', { by: 'subject', alsoBy: 'name' }],
    ['slowest_groups', { by: 'service' }],
    ['list_issues', {}],
    ['usage_totals', { by: 'meter' }],
    ['event_funnel', { steps: ['account.signed_up', 'order.placed'], by: 'attr:plan' }],
    ['event_retention', { first: 'account.signed_up', again: 'page.viewed' }],
    ['list_metrics', {}],
    ['metric_over_time', { metric: 'orders' }],
    ['list_alerts', {}],
    ['list_tenants', {}],
    ['telemetry_health', {}],
    ['describe_telemetry', {}],
    ['list_reports', {}],
    ['run_report', { name: 'page.viewed' }]
  ]
  for (const [name, args] of calls) {
    t.notMatch(JSON.stringify(await call(name, args)), 'globex', name)
  }
  t.equal((await call('search_events')).items.length, 5)
  t.match(await call('list_errors'), { items: [{ error: { type: 'TypeError' } }] })
  t.equal((await call('inspect_trace', { traceId: 'trace-1' })).items.length, 5)
  t.equal((await call('user_journey', { subject: 'user:u1' })).milestones.length, 3)
  t.match(await call('event_trends', { name: 'page.viewed', measure: 'sum:load_ms' }), {
    buckets: [{ value: 5 }]
  })
  t.match(await call('metric_distribution', { measure: 'load_ms' }), { n: 1, p50: 5 })
  t.match(await call('rollup_breakdown', { as: 'signed_up', on: 'firstAt', from: '2020-01-01' }), {
    rows: [{ count: 1 }]
  })
  t.match(
    await call('active_users', { as: 'daily_active', subjectType: 'user', interval: 'month' }),
    { distinct: 1 }
  )
  t.match(await call('funnel_analysis', { stages: ['signed_up', 'activated'], interval: 'week' }), {
    first: 1,
    slices: [{}]
  })
  t.match(await call('list_tenants'), {
    tenants: [
      {
        tenantId: 'acme',
        events: 5,
        series: 5,
        families: [
          'activated',
          'daily_active',
          'errors_daily',
          'first_order',
          'issues',
          'pages_by_source',
          'signed_up',
          'signups_by_plan'
        ]
      }
    ],
    truncated: false
  })
})

test('a viewer of all tenants may narrow to one; no other viewer may name one', async (t) => {
  const { call } = await open(t)
  t.equal((await call('search_events', {}, PLATFORM)).items.length, 10)
  t.equal((await call('search_events', { tenant: 'globex' }, PLATFORM)).items.length, 5)
  t.equal((await call('search_events', { tenant: 'acme' })).items.length, 5)
  await t.rejects(call('search_events', { tenant: 'globex' }), {
    message: 'tenant is for viewers of all tenants'
  })
  t.equal((await call('list_tenants', {}, PLATFORM)).tenants.length, 2)
  t.match(await call('list_tenants', { limit: 1 }, PLATFORM), { truncated: true })
  await t.rejects(call('search_events', {}, { tenantId: '', role: 'x' }), { message: 'no viewer' })
})

test('data is redacted unless the host says otherwise; refused writes show their reason alone', async (t) => {
  const order = { name: 'order.placed' }
  const { call } = await open(t)
  t.match(await call('search_events', order), { items: [{ data: '[redacted]' }] })
  t.match(await call('run_report', { name: 'order.placed' }), { report: { page: 'events' } })
  const health = await call('telemetry_health')
  t.match(health, {
    quarantine: [{ name: 'nobody.knows', reason: 'unregistered event' }],
    indexBudget: 24,
    counters: { rejected: 1 }
  })
  t.notMatch(JSON.stringify(health), 'secret')
  const shown = await open(t, { redact: false })
  t.match(await shown.call('search_events', order), { items: [{ data: { card: '4111' } }] })
  const own = await open(t, { redact: ({ _id }) => ({ _id }) })
  t.same(Object.keys((await own.call('search_events', order)).items[0]), ['_id'])
})

test('filters, pages and labels of records', async (t) => {
  const asked: (readonly string[])[] = []
  const { call } = await open(t, {
    async describe(refs) {
      asked.push(refs)
      return { 'user:u1': { label: 'Ann' } }
    }
  })
  const first = await call('search_events', { limit: 2 })
  t.match(first, { items: [{}, {}], subjects: { 'user:u1': { label: 'Ann' } } })
  t.same(asked, [['user:u1']])
  const second = await call('search_events', { limit: 10, cursor: first['nextCursor'] })
  t.equal(second.items.length, 3)
  t.match(await call('search_events', { attrs: { source: 'ads' }, metrics: [] }), {
    items: [{ name: 'account.signed_up' }]
  })
  t.match(
    await call('search_events', {
      metrics: [{ key: 'load_ms', op: 'gte', value: 5 }],
      excludeActorTypes: ['bot']
    }),
    { items: [{ name: 'page.viewed' }] }
  )
})

test('arguments that are wrong are refused with what is wrong', async (t) => {
  const { call } = await open(t)
  const cases: [string, unknown, RegExp][] = [
    ['search_events', { scope: '*' }, /invalid arguments/],
    ['search_events', { limit: 0 }, /limit/],
    ['search_events', { from: 'yesterday' }, /invalid time range/],
    ['search_events', { cursor: 'x' }, /cursor/],
    ['search_events', 'text', /invalid arguments/],
    ['search_events', null, /invalid arguments/],
    ['inspect_trace', {}, /traceId/],
    ['rollup_breakdown', { as: 'x', sort: 'name' }, /sort/],
    ['active_users', { as: 'none' }, /no rollup family "none"/],
    ['funnel_analysis', { stages: [] }, /stages/],
    ['run_report', { name: 'none' }, /no report "none"/]
  ]
  for (const [name, args, message] of cases)
    await t.rejects(call(name, args), { status: 400, message }, name)
})

test('reports are saved over configured over derived ones, and each can be run', async (t) => {
  const { call, db } = await open(t, {
    reports: [
      {
        name: 'page.viewed',
        page: 'events',
        query: { range: '24h', display: 'series', filters: { name: 'page.viewed' } }
      },
      { name: 'Broken', page: 'events', query: { range: 'soon' } }
    ]
  })
  const view = (_id: string, more: object) => ({
    _id,
    tenantId: 'acme',
    ownerRef: null,
    shared: true,
    createdAt: new Date(),
    page: 'events',
    name: _id,
    query: '{}',
    ...more
  })
  await db.collection<{ _id: string }>('telemetry_views').insertMany([
    view('1', {
      name: 'Ads',
      query: JSON.stringify({ range: '7d', filters: { attrs: 'source:ads' } })
    }),
    view('2', { name: 'Mine', shared: false, ownerRef: 'user:v' }),
    view('3', { name: 'Theirs', shared: false, ownerRef: 'user:w' }),
    view('4', { name: 'Globex', tenantId: 'globex' }),
    view('5', { name: 'Torn', query: '{' })
  ])
  const { reports } = await call('list_reports')
  const named = (name: string) => reports.find((one: Answer) => one['name'] === name)
  t.match(named('Ads'), { origin: 'saved', shared: true })
  t.match(named('Mine'), { origin: 'saved', shared: false })
  t.match(named('page.viewed'), { origin: 'configured', display: 'series' })
  t.match(named('app.error'), { origin: 'derived', page: 'errors' })
  t.match(named('rollup: signed_up'), { origin: 'derived', display: 'breakdown' })
  for (const name of ['Theirs', 'Globex', 'Torn']) t.equal(named(name), undefined, name)
  t.match(await call('run_report', { name: 'Ads' }), {
    result: { items: [{ name: 'account.signed_up' }] }
  })
  t.match(await call('run_report', { name: 'page.viewed' }), {
    result: { buckets: [{ value: 1 }] }
  })
  t.match(await call('run_report', { name: 'rollup: signed_up' }), {
    result: { rows: [{ as: 'signed_up' }] }
  })
  t.match(await call('run_report', { name: 'app.error' }), {
    result: { items: [{ kind: 'error' }] }
  })
  await t.rejects(call('run_report', { name: 'Broken' }), { message: /range soon/ })
})

test('a report reads the state of its page, whatever is in it', async (t) => {
  const read = (page: string, query: object) =>
    readReport({ name: 'x', page, query: query as Record<string, unknown> }, new Date())
  const { filters } = read('errors', {
    filters: { attrs: { a: 1 }, service: 's', junk: 1, severity: 5 }
  })
  t.same(filters, { kind: 'error', service: 's', attrs: new Map([['a', '1']]) })
  const text = read('events', { filters: { attrs: 'a:x\\,y:z,bad,b:2' } })
  t.same(
    text.filters.attrs,
    new Map([
      ['a', 'x,y:z'],
      ['b', '2']
    ])
  )
  t.same(read('events', { filters: 'none' }).filters, {})
})

test('a report is run with everything that its page filters by, in the times that it fixes', async (t) => {
  const query = {
    range: '7d',
    filters: {
      metrics: 'load_ms>5,load_ms<9',
      exclude: 'service:web,attrs.path:/a\\,b',
      excludeActors: 'bot,test',
      meter: 'm',
      billedTo: 'user:1'
    },
    state: { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' }
  }
  const { filters, range } = readReport({ name: 'x', page: 'events', query }, new Date())
  t.same(filters, {
    meter: 'm',
    billedTo: 'user:1',
    metrics: [
      { key: 'load_ms', op: 'gte', value: 5 },
      { key: 'load_ms', op: 'lte', value: 9 }
    ],
    exclude: [
      { field: 'service', value: 'web' },
      { field: 'attrs.path', value: '/a,b' }
    ],
    excludeActors: ['bot', 'test']
  })
  t.same(range, { from: new Date('2026-11-01'), to: new Date('2026-11-02') })
  const odd = { ...query, filters: { metrics: 'load_ms is large' } }
  t.throws(() => readReport({ name: 'x', page: 'events', query: odd }, new Date()), {
    message: /filter metrics/
  })
})

test('the list of tenants is read from an index', async (t) => {
  const { db } = await open(t)
  for (const scope of ['acme', '*']) {
    const plan = await db
      .collection('telemetry_rollups')
      .aggregate(tenantsPipeline(scope, new Date(), 10))
      .explain('queryPlanner')
    t.notMatch(JSON.stringify(plan), '"COLLSCAN"', scope)
  }
})

test('records are short unless they are asked for whole', async (t) => {
  const { call, telemetry } = await open(t)
  const frames = [
    { filename: 'node_modules/x.js', fn: 'a', lineno: 1, inApp: false, context: ['l'] },
    { filename: 'app.js', fn: 'b', lineno: 2, inApp: true, context: ['l'] }
  ]
  await telemetry.emit('app.error', {
    tenantId: 'acme',
    error: { type: 'RangeError', message: 'y'.repeat(900), frames }
  })
  await telemetry.flush()
  const [short] = (await call('list_errors', { limit: 1 })).items
  t.match(short.error, { type: 'RangeError', at: { filename: 'app.js', fn: 'b', lineno: 2 } })
  t.ok(JSON.stringify(short).length < 900, JSON.stringify(short))
  t.notOk('frames' in short.error)
  t.notOk('receivedAt' in short)
  const [whole] = (await call('list_errors', { limit: 1, whole: true })).items
  t.equal(whole.error.frames.length, 2)
  t.equal(whole.error.message.length, 900)
})
