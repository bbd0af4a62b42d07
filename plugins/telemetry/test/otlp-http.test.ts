// OTLP over HTTP on a real database: answers as the specification says, rows once however often they are exported.

import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { testDatabase } from '@keelson/sdk/testing'
import Fastify from 'fastify'
import { test } from 'tap'
import { createIngest } from '../create-ingest.ts'
import { createQueries } from '../create-queries.ts'
import { createTelemetry } from '../create-telemetry.ts'
import type { CreateKeyOptions } from '../schemas/system.ts'
import { bytes, fixed64, hex, int, nested, textAttribute } from './protobuf.ts'
import { differences } from './recount.ts'
import { stillClock } from './wire.ts'

const JSON_TYPE = 'application/json'
const PROTOBUF = 'application/x-protobuf'

async function open(t: Parameters<typeof testDatabase>[0]) {
  const { db, commands } = await testDatabase(t)
  const telemetry = createTelemetry({
    registry: {},
    connection: db,
    gatherMs: 0,
    clock: stillClock()
  })
  await telemetry.syncIndexes()
  const app = Fastify()
  await app.register(createIngest({ telemetry, otlpBodyLimit: 65_536 }), { prefix: '/ingest' })
  t.teardown(() => app.close())
  const mint = async (more: Partial<CreateKeyOptions> = {}) =>
    (
      await telemetry.createKey({
        kind: 'secret',
        tenantMode: 'fixed',
        tenantId: 'acme',
        service: 'fallback',
        env: 'dev',
        maxPerMinute: 1_000_000,
        ...more
      })
    ).key
  const post = async (
    key: string | undefined,
    signal: string,
    body: string | Buffer,
    headers: Record<string, string> = {}
  ) => {
    const reply = await app.inject({
      method: 'POST',
      url: signal === 'batch' ? '/ingest' : `/ingest/v1/${signal}`,
      headers: {
        'content-type': JSON_TYPE,
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...headers
      },
      payload: body
    })
    return {
      status: reply.statusCode,
      type: String(reply.headers['content-type'] ?? ''),
      body: reply.rawPayload,
      headers: reply.headers
    }
  }
  return { db, telemetry, queries: createQueries({ telemetry, cacheMs: 0 }), mint, post, commands }
}

const now = BigInt(Date.now() - 60_000) * 1_000_000n
const spanOf = (traceId: string, spanId: string, failed = false) => ({
  traceId,
  spanId,
  name: 'op',
  kind: 2,
  startTimeUnixNano: String(now),
  endTimeUnixNano: String(now + 2_500_000n),
  attributes: [{ key: 'db.system', value: { stringValue: 'mongodb' } }],
  ...(failed && {
    status: { code: 2 },
    events: [
      {
        timeUnixNano: String(now),
        name: 'exception',
        attributes: [
          { key: 'exception.type', value: { stringValue: 'Boom' } },
          { key: 'exception.message', value: { stringValue: 'gone' } }
        ]
      }
    ]
  })
})
const service = {
  attributes: [
    { key: 'service.name', value: { stringValue: 'checkout' } },
    { key: 'service.version', value: { stringValue: '4.5' } }
  ]
}
const request = (...spans: object[]) =>
  JSON.stringify({
    resourceSpans: [{ resource: service, scopeSpans: [{ scope: { name: 's' }, spans }] }]
  })
const id = (length: number) => randomBytes(length).toString('hex')

test('a span exported three times is one row and its exception one error', async (t) => {
  const { db, queries, mint, post } = await open(t)
  const key = await mint()
  const [traceId, spanId] = [id(16), id(8)]
  for (let n = 0; n < 3; n++) {
    const answer = await post(key, 'traces', request(spanOf(traceId, spanId, true)))
    t.same([answer.status, answer.type, String(answer.body)], [200, JSON_TYPE, '{}'])
  }
  const { items } = await queries.trace('acme', traceId)
  t.same(items.map((item) => item.name).sort(), ['otlp.exception', 'otlp.span'])
  t.match(
    items.find((item) => item.kind === 'span'),
    {
      service: 'checkout',
      release: '4.5',
      severity: 'error',
      durationMs: 2.5,
      attrs: { 'db.system': 'mongodb', 'span.name': 'op', 'span.kind': 'server' }
    }
  )
  t.match(
    items.find((item) => item.kind === 'error'),
    { error: { type: 'Boom', message: 'gone' }, spanId }
  )
  const { items: found } = await queries.records('acme', {
    from: new Date(0),
    to: new Date(),
    filters: { attrs: new Map([['db.system', 'mongodb']]) }
  })
  t.equal(found.length, 1)
  const { rows } = await queries.rollups('acme', { as: 'otlp_issues' })
  t.match(rows, [{ count: 1, firstCapture: { 'field:error.type': 'Boom' } }])
  t.same(
    await differences(db, {
      'otlp.exception': {
        rollups: [
          {
            as: 'otlp_issues',
            by: ['field:error.fingerprint'],
            capture: ['field:error.type', 'field:error.message']
          },
          { as: 'otlp_errors_daily', by: ['field:error.type'], bucket: 'day' }
        ]
      }
    }),
    []
  )
})

test('protobuf is answered in protobuf, gzip or not', async (t) => {
  const { queries, mint, post } = await open(t)
  const key = await mint()
  const traceId = id(16)
  const body = (spanId: string) =>
    nested(
      1,
      nested(1, textAttribute(1, 'service.name', 'pb')),
      nested(
        2,
        nested(
          2,
          hex(1, traceId),
          hex(2, spanId),
          bytes(5, 'op'),
          int(6, 1),
          fixed64(7, now),
          fixed64(8, now)
        )
      )
    )
  const plain = await post(key, 'traces', body(id(8)), { 'content-type': PROTOBUF })
  t.same([plain.status, plain.type, plain.body.length], [200, PROTOBUF, 0])
  const zipped = await post(key, 'traces', gzipSync(body(id(8))), {
    'content-type': PROTOBUF,
    'content-encoding': 'gzip'
  })
  t.equal(zipped.status, 200)
  t.same(
    (await queries.trace('acme', traceId)).items.map((item) => [item.service, item.durationMs]),
    [
      ['pb', 0],
      ['pb', 0]
    ]
  )
})

test('what is rejected is counted in partialSuccess, the rest is written', async (t) => {
  const { telemetry, mint, post } = await open(t)
  const key = await mint()
  const mixed = request(spanOf(id(16), id(8)), spanOf('xyz', id(8)))
  const json = await post(key, 'traces', mixed)
  t.match(JSON.parse(String(json.body)), {
    partialSuccess: { rejectedSpans: '1', errorMessage: /traceId/ }
  })
  const protobuf = nested(1, nested(2, nested(2, hex(1, 'aa'), hex(2, id(8)))))
  const answer = await post(key, 'traces', protobuf, { 'content-type': PROTOBUF })
  t.equal(answer.body[0], 0x0a)
  t.match(answer.body.toString(), /traceId/)
  const narrow = await post(
    await mint({ allowedKinds: ['event'] }),
    'traces',
    request(spanOf(id(16), id(8)))
  )
  t.match(JSON.parse(String(narrow.body)), {
    partialSuccess: { rejectedSpans: '1', errorMessage: /kind span not allowed/ }
  })
  t.equal((await telemetry.scoped('acme').find()).length, 1)
  const refused = await telemetry.quarantine('acme')
  t.same(refused.map(({ reason }) => reason).sort(), [
    'a span has no valid traceId',
    'a span has no valid traceId',
    'kind span not allowed for this key'
  ])
})

test('items that no record can be made of are among the refused writes of their key, by reason', async (t) => {
  const { db, telemetry, mint, post } = await open(t)
  const metric = { name: 'jobs', gauge: { dataPoints: [{ timeUnixNano: String(now) }] } }
  const list = (resource: string, scope: string, items: object) =>
    JSON.stringify({ [resource]: [{ resource: service, [scope]: [items] }] })
  const bad = spanOf(id(16), 'xyz')
  const spans = { spans: [spanOf(id(16), id(8)), spanOf('xyz', id(8)), bad] }
  const cases = [
    ['traces', list('resourceSpans', 'scopeSpans', spans)],
    ['traces', list('resourceSpans', 'scopeSpans', { spans: [bad] })],
    ['metrics', list('resourceMetrics', 'scopeMetrics', { metrics: [metric] })],
    ['logs', list('resourceLogs', 'scopeLogs', { logRecords: [{ body: {} }], log_records: [] })],
    [
      'logs',
      JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [{}] }] }, { logs: [] }] })
    ]
  ] as const
  const key = await mint()
  for (const [signal, body] of cases) t.equal((await post(key, signal, body)).status, 200)
  const refused = await telemetry.quarantine('acme')
  t.same(refused.map(({ name, reason }) => `${name}: ${reason}`).sort(), [
    'otlp.log: logs is unknown, expected scopeLogs',
    'otlp.metric: a data point holds no number',
    'otlp.span: a span has no valid spanId',
    'otlp.span: a span has no valid spanId',
    'otlp.span: a span has no valid traceId'
  ])
  const point = refused.find(({ name }) => name === 'otlp.metric')
  t.match(point?.raw, { attrs: { 'metric.name': 'jobs', 'service.name': 'checkout' } })
  t.equal(telemetry.counters.rejected, 5)
  const [, keyId] = /_(tk_[0-9a-f]+)_/.exec(key) ?? []
  t.same(await db.collection('telemetry_rejects').distinct('keyId'), [keyId])
})

test('an export of which nothing becomes a record has a tenant all the same', async (t) => {
  const { telemetry, post } = await open(t)
  const { key } = await telemetry.createKey({
    kind: 'secret',
    tenantMode: 'claimed',
    service: 's',
    env: 'dev'
  })
  const body = request(spanOf('xyz', id(8)))
  const answer = await post(key, 'traces', body, { 'x-tenant-id': 'globex' })
  t.match(JSON.parse(String(answer.body)), { partialSuccess: { rejectedSpans: '1' } })
  t.match(await telemetry.quarantine('globex'), [{ reason: /traceId/ }])
})

test('logs are events with severity, body and trace, once', async (t) => {
  const { queries, mint, post } = await open(t)
  const key = await mint()
  const traceId = id(16)
  const log = (severityNumber: number, body: object) => ({
    timeUnixNano: String(now + BigInt(severityNumber) * 1_000_000n),
    severityNumber,
    body,
    traceId,
    spanId: id(8)
  })
  const body = JSON.stringify({
    resourceLogs: [
      {
        resource: service,
        scopeLogs: [
          {
            logRecords: [
              log(9, { stringValue: 'hello' }),
              log(17, { kvlistValue: { values: [{ key: 'a', value: { intValue: '1' } }] } })
            ]
          }
        ]
      }
    ]
  })
  for (let n = 0; n < 2; n++) t.equal((await post(key, 'logs', body)).status, 200)
  const { items } = await queries.trace('acme', traceId)
  t.same(
    items.map(({ kind, name, severity, body: text }) => [kind, name, severity, text]),
    [
      ['event', 'otlp.log', 'info', 'hello'],
      ['event', 'otlp.log', 'error', '{"a":1}']
    ]
  )
})

test('metrics are stored as events with their numbers', async (t) => {
  const { queries, mint, post } = await open(t)
  const body = JSON.stringify({
    resourceMetrics: [
      {
        scopeMetrics: [
          {
            metrics: [
              { name: 'jobs', sum: { dataPoints: [{ asInt: '3', timeUnixNano: String(now) }] } }
            ]
          }
        ]
      }
    ]
  })
  t.equal((await post(await mint(), 'metrics', body)).status, 200)
  const { items } = await queries.records('acme', {
    from: new Date(0),
    to: new Date(),
    filters: { name: 'otlp.metric' }
  })
  t.match(items, [{ attrs: { 'metric.name': 'jobs' }, metrics: { value: 3 }, service: 'fallback' }])
})

test('only secret keys may export, and 401 comes in the encoding of the request', async (t) => {
  const { mint, post } = await open(t)
  const open_ = await mint({ kind: 'publishable' })
  for (const key of [
    undefined,
    open_,
    'nonsense',
    `sk_live_tk_${'0'.repeat(24)}_${'0'.repeat(48)}`
  ]) {
    const json = await post(key, 'traces', '{')
    t.same([json.status, json.type, JSON.parse(String(json.body)).code], [401, JSON_TYPE, 16])
    const protobuf = await post(key, 'traces', '', { 'content-type': PROTOBUF })
    t.same([protobuf.status, protobuf.type], [401, PROTOBUF])
  }
})

test('malformed, oversized and foreign bodies have their own answers; an empty one is fine', async (t) => {
  const { telemetry, mint, post } = await open(t)
  const key = await mint()
  for (const body of [
    '{"resourceSpans":[',
    '[]',
    '',
    '{"resourceSpans":7}',
    '{"resourceSpans":[{"scopeSpans":{}}]}'
  ]) {
    const answer = await post(key, 'traces', body)
    t.same(
      [answer.status, answer.type, typeof JSON.parse(String(answer.body)).message],
      [400, JSON_TYPE, 'string'],
      body
    )
  }
  const broken = await post(key, 'traces', Buffer.from([0x0a, 0xff, 0xff]), {
    'content-type': PROTOBUF
  })
  t.same([broken.status, broken.type, broken.body[0]], [400, PROTOBUF, 0x08])
  t.equal((await post(key, 'traces', 'x'.repeat(70_000))).status, 413)
  t.equal(
    (await post(key, 'traces', gzipSync(Buffer.alloc(5_000_000)), { 'content-encoding': 'gzip' }))
      .status,
    413
  )
  t.equal((await post(key, 'traces', '<a/>', { 'content-type': 'application/xml' })).status, 415)
  t.equal((await post(key, 'traces', '{}', { 'content-encoding': 'zstd' })).status, 415)
  for (const signal of ['traces', 'logs', 'metrics']) {
    t.equal((await post(key, signal, '{}')).status, 200)
    t.equal((await post(key, signal, '', { 'content-type': PROTOBUF })).status, 200)
  }
  const refused = await telemetry.quarantine('acme')
  t.equal(refused.length, 10, 'each is among the refused writes')
  t.ok(refused.every(({ name }) => name === 'otlp.span'))
  t.ok(refused.some(({ reason }) => reason === 'the body is too large'))
})

test('over its rate an exporter hears 429 with Retry-After', async (t) => {
  const { mint, post, telemetry } = await open(t)
  const key = await mint({ maxPerMinute: 2 })
  const send = (spans: number) =>
    post(key, 'traces', request(...Array.from({ length: spans }, () => spanOf(id(16), id(8)))))
  t.equal((await send(1)).status, 200)
  const answer = await send(2)
  t.equal(answer.status, 429)
  t.ok(Number(answer.headers['retry-after']) >= 1)
  t.equal((await telemetry.scoped('acme').find()).length, 1)
})

test('a claimed key names its tenant in a header', async (t) => {
  const { db, mint, post, telemetry } = await open(t)
  const { key } = await telemetry.createKey({
    kind: 'secret',
    tenantMode: 'claimed',
    service: 's',
    env: 'dev'
  })
  const body = request(spanOf(id(16), id(8)))
  t.equal((await post(key, 'traces', body, { 'x-tenant-id': 'globex' })).status, 200)
  t.equal((await telemetry.scoped('globex').find()).length, 1)
  t.equal((await post(key, 'traces', body)).status, 400)
  t.equal((await post(key, 'traces', body, { 'x-tenant-id': '*' })).status, 400)
  for (const blank of ['', ' ', '   ', '\t', '\u00a0']) {
    const answer = await post(key, 'traces', body, { 'x-tenant-id': blank })
    t.match([answer.status, String(answer.body)], [400, /tenant_required/], JSON.stringify(blank))
  }
  const tenants = await db.collection('telemetry').distinct('tenantId')
  t.same(tenants, ['globex'], 'nothing is kept under a blank name')
  t.equal((await post(await mint(), 'traces', body, { 'x-tenant-id': 'globex' })).status, 200)
  t.equal((await telemetry.scoped('acme').find()).length, 1)
})

test('a record of a page cannot take the place of a span', async (t) => {
  const { queries, telemetry, mint, post } = await open(t)
  telemetry.extendRegistry({ 'page.seen': { kind: 'event', origin: 'any' } })
  const [traceId, spanId] = [id(16), id(8)]
  const page = await mint({ kind: 'publishable' })
  const record = { _id: traceId + spanId, name: 'page.seen' }
  await post(page, 'batch', JSON.stringify({ records: [record] }))
  const key = await mint()
  await post(key, 'traces', request(spanOf(traceId, spanId)))
  const { items } = await queries.trace('acme', traceId)
  t.match(items, [{ name: 'otlp.span', _id: traceId + spanId }])
})

test('a trace is found by its id in either case, and in the order of nanoseconds', async (t) => {
  const { queries, mint, post } = await open(t)
  const traceId = `${id(15)}ab`
  const later = { ...spanOf(traceId, id(8)), name: 'later', startTimeUnixNano: String(now + 900n) }
  const first = { ...spanOf(traceId, id(8)), name: 'first', startTimeUnixNano: String(now + 100n) }
  await post(await mint(), 'traces', request(later, first))
  const { items } = await queries.trace('acme', traceId.toUpperCase())
  t.same(
    items.map(({ attrs, nanos }) => [attrs['span.name'], nanos]),
    [
      ['first', 100],
      ['later', 900]
    ]
  )
})

test('a whole number that would lose digits is refused, and told as a partial success', async (t) => {
  const { queries, mint, post } = await open(t)
  const point = (asInt: string) => ({ timeUnixNano: String(now), asInt })
  const dataPoints = [point('9007199254740993'), point('8999999999999999')]
  const metrics = [{ name: 'bytes', gauge: { dataPoints } }]
  const body = { resourceMetrics: [{ resource: service, scopeMetrics: [{ metrics }] }] }
  const answer = await post(await mint(), 'metrics', JSON.stringify(body))
  t.match(JSON.parse(String(answer.body)), {
    partialSuccess: { rejectedDataPoints: '1', errorMessage: /metric value must be a number/ }
  })
  const { items } = await queries.records('acme', { from: new Date(0), to: new Date() })
  t.same(
    items.map(({ metrics }) => metrics['value']),
    [8_999_999_999_999_999]
  )
})

test('an export that can never fit its key is taken in part, and says so', async (t) => {
  const { mint, post } = await open(t)
  const key = await mint({ maxPerMinute: 3 })
  const spans = Array.from({ length: 5 }, () => spanOf(id(16), id(8)))
  const answer = await post(key, 'traces', request(...spans))
  t.equal(answer.status, 200)
  t.match(JSON.parse(String(answer.body)), {
    partialSuccess: { rejectedSpans: '2', errorMessage: /may write 3 records a minute/ }
  })
  t.equal((await post(key, 'traces', request(...spans.slice(3)))).status, 429)
})
