// OTLP requests in both encodings, as drafts of records.

import fc from 'fast-check'
import { test } from 'tap'
import type { OtlpDraft } from '../otlp/draft.ts'
import type { Signal } from '../otlp/messages.ts'
import { REQUESTS } from '../otlp/messages.ts'
import { ProtobufFault, readProtobuf } from '../otlp/read-protobuf.ts'
import { draftRequest, readRequest } from '../otlp/read-request.ts'
import { severityOf } from '../otlp/severity.ts'
import { bytes, double, fixed64, hex, int, nested, textAttribute, varint } from './protobuf.ts'

const TRACE = 'aabbccddeeff00112233445566778899'
const SPAN = '0011223344556677'
const START = 1_780_000_000_000_000_000n

const attribute = (key: string, value: object) => ({ key, value })
const jsonSpan = {
  traceId: TRACE.toUpperCase(),
  spanId: SPAN,
  parentSpanId: '',
  name: 'GET /cart',
  kind: 2,
  startTimeUnixNano: String(START),
  endTimeUnixNano: String(START + 1_500_000n),
  attributes: [
    attribute('http.status', { intValue: '500' }),
    attribute('cached', { boolValue: false }),
    attribute('ratio', { doubleValue: 0.5 }),
    attribute('tags', { arrayValue: { values: [{ stringValue: 'a' }, { intValue: 2 }] } }),
    attribute('map', { kvlistValue: { values: [attribute('k', { stringValue: 'v' })] } }),
    attribute('service.name', { stringValue: 'of the span' })
  ],
  status: { code: 2, message: 'broken' },
  events: [
    {
      timeUnixNano: String(START + 1_000_000n),
      name: 'exception',
      attributes: [
        attribute('exception.type', { stringValue: 'Boom' }),
        attribute('exception.message', { stringValue: 'gone' }),
        attribute('exception.stacktrace', {
          stringValue: 'Boom: gone\n    at pay (file:///app/cart.js:10:5)\n    at x'
        })
      ]
    },
    { timeUnixNano: String(START), name: 'retry', attributes: [] }
  ]
}
const traces = (...spans: unknown[]) => ({
  resourceSpans: [
    {
      resource: {
        attributes: [
          attribute('service.name', { stringValue: 'checkout' }),
          attribute('host.name', { stringValue: 'h1' })
        ]
      },
      scopeSpans: [{ scope: { name: 'lib', version: '1' }, spans }]
    }
  ]
})
const drafted = (request: object, signal: Signal = 'traces') => {
  const made = draftRequest(request as Record<string, unknown>, signal)
  if (typeof made === 'string') throw new Error(made)
  return made
}
const attrsOf = (draft: OtlpDraft | undefined) => Object.fromEntries(draft?.attributes ?? [])

test('a span becomes a record, and the exception of a failed one an error', async (t) => {
  const { drafts, refused } = drafted(traces(jsonSpan))
  t.same(refused, [])
  const [span, exception] = drafts
  t.match(span, {
    name: 'otlp.span',
    id: TRACE + SPAN,
    occurredAt: Number(START / 1_000_000n),
    content: {
      traceId: TRACE,
      spanId: SPAN,
      parentId: undefined,
      durationMs: 1.5,
      severity: 'error'
    }
  })
  t.match(attrsOf(span), {
    'span.name': 'GET /cart',
    'span.kind': 'server',
    'http.status': '500',
    cached: 'false',
    ratio: '0.5',
    tags: '["a",2]',
    map: '{"k":"v"}',
    'service.name': 'of the span',
    'host.name': 'h1',
    'otel.scope.name': 'lib',
    'otel.status_description': 'broken'
  })
  t.match(JSON.parse(attrsOf(span)['span.events'] ?? ''), [{ name: 'retry' }])
  t.match(exception, {
    name: 'otlp.exception',
    id: /^[0-9a-f]{48}-x[0-9a-f]{10}$/,
    content: {
      traceId: TRACE,
      error: {
        type: 'Boom',
        message: 'gone',
        frames: [{ fn: 'pay', filename: '/app/cart.js', lineno: 10 }]
      },
      body: /Boom: gone/
    }
  })
})

test('the exception of a span that did not fail stays an event of the span', async (t) => {
  const { drafts } = drafted(traces({ ...jsonSpan, status: { code: 1 } }))
  t.equal(drafts.length, 1)
  const events = JSON.parse(drafts[0]?.attributes.get('span.events') ?? '[]')
  t.match(events[0], { name: 'exception', attributes: { 'exception.type': 'Boom' } })
})

test('lists that are cut stay JSON, and what was cut is marked', async (t) => {
  const event = (name: string) => ({ name, timeUnixNano: '1', attributes: [] })
  const many = (name: string) => Array.from({ length: 150 }, () => event(name))
  const list = {
    arrayValue: { values: Array.from({ length: 900 }, () => ({ stringValue: 'abcdef' })) }
  }
  const span = { ...jsonSpan, attributes: [attribute('tags', list)] }
  const [open] = drafted(
    traces({ ...span, status: {}, events: many('retry after a pause') })
  ).drafts
  for (const key of ['span.events', 'tags']) {
    const text = open?.attributes.get(key) ?? ''
    t.ok(text.length <= 4096)
    t.equal(JSON.parse(text).at(-1), '…')
  }
  const failed = drafted(traces({ ...span, status: { code: 2 }, events: many('exception') })).drafts
  t.equal(failed.length, 101)
  t.equal(failed[0]?.attributes.get('span.dropped_exceptions'), '50')
})

test('a start time keeps its nanoseconds', async (t) => {
  const [span] = drafted(traces({ ...jsonSpan, startTimeUnixNano: '1700000000123456789' })).drafts
  t.match(span, { occurredAt: 1_700_000_000_123, nanos: 456_789 })
})

test('a span without valid ids is rejected and its neighbours are not', async (t) => {
  for (const bad of [
    { traceId: '' },
    { traceId: '0'.repeat(32) },
    { spanId: 'xyz' },
    { traceId: 7 }
  ]) {
    const { drafts, refused } = drafted(
      traces({ ...jsonSpan, ...bad }, { ...jsonSpan, status: {} })
    )
    t.equal(drafts.length, 1)
    t.match(refused, [{ reason: /no valid/ }])
    t.equal(refused.length, 1)
  }
})

test('an id that is made of content is the same when the request is sent again', async (t) => {
  const log = { timeUnixNano: String(START), severityNumber: 9, body: { stringValue: 'x' } }
  const request = {
    resourceLogs: [
      { scopeLogs: [{ logRecords: [log, log, { ...log, body: { stringValue: 'y' } }] }] }
    ]
  }
  const ids = drafted(request, 'logs').drafts.map((draft) => draft.id)
  t.equal(new Set(ids).size, 3)
  t.same(
    drafted(request, 'logs').drafts.map((draft) => draft.id),
    ids
  )
  t.ok(ids.every((id) => id.length >= 16 && id.length <= 64))
})

test('severity numbers map to levels', async (t) => {
  const levels = [0, 1, 8, 9, 12, 13, 16, 17, 20, 21, 24, 99, undefined, 'x'].map((number) =>
    severityOf(number)
  )
  t.same(levels, [
    'info',
    'debug',
    'debug',
    'info',
    'info',
    'warn',
    'warn',
    'error',
    'error',
    'fatal',
    'fatal',
    'fatal',
    'info',
    'info'
  ])
})

test('a structured log body is kept as JSON text', async (t) => {
  const log = {
    observedTimeUnixNano: String(START),
    body: { kvlistValue: { values: [attribute('a', { intValue: 1 })] } }
  }
  const [draft] = drafted({ resourceLogs: [{ scopeLogs: [{ logRecords: [log] }] }] }, 'logs').drafts
  t.match(draft, {
    occurredAt: Number(START / 1_000_000n),
    content: { body: '{"a":1}', severity: 'info' }
  })
})

test('metric points become records with their numbers, and those without are rejected', async (t) => {
  const point = (more: object) => ({
    startTimeUnixNano: String(START - 5_000_000n),
    timeUnixNano: String(START),
    attributes: [attribute('r', { stringValue: 'x' })],
    ...more
  })
  const metrics = [
    {
      name: 'jobs',
      unit: '1',
      sum: {
        aggregationTemporality: 2,
        isMonotonic: true,
        dataPoints: [point({ asInt: '3' }), point({})]
      }
    },
    { name: 'load', gauge: { dataPoints: [point({ asDouble: 0.5 })] } },
    {
      name: 'took',
      histogram: {
        dataPoints: [point({ count: '4', sum: 10, bucketCounts: ['1', '3'], explicitBounds: [5] })]
      }
    },
    {
      name: 'sum',
      summary: {
        dataPoints: [point({ count: '1', sum: 2, quantileValues: [{ quantile: 0.5, value: 2 }] })]
      }
    }
  ]
  const { drafts, refused } = drafted(
    { resourceMetrics: [{ scopeMetrics: [{ metrics }] }] },
    'metrics'
  )
  t.equal(refused.length, 1)
  t.same(
    drafts.map((draft) => draft.content['metrics']),
    [{ value: 3 }, { value: 0.5 }, { count: 4, sum: 10 }, { count: 1, sum: 2, 'q0.5': 2 }]
  )
  t.match(attrsOf(drafts[0]), {
    'metric.name': 'jobs',
    'metric.type': 'sum',
    'metric.temporality': 'cumulative',
    'metric.monotonic': 'true',
    r: 'x'
  })
  t.match(attrsOf(drafts[2]), { 'metric.bounds': '[5]', 'metric.bucket_counts': '[1,3]' })
  t.equal(attrsOf(drafts[0])['metric.start'], String((START - 5_000_000n) / 1_000_000n))
})

test('points keep what rates and percentiles need: start, buckets, exemplars', async (t) => {
  const trace = 'ab'.repeat(16)
  const exemplars = [
    { timeUnixNano: String(START), asDouble: 0.5, traceId: trace, spanId: 'cd'.repeat(8) },
    { timeUnixNano: String(START), asInt: '7' }
  ]
  const metrics = [
    {
      name: 'took',
      exponentialHistogram: {
        aggregationTemporality: 'AGGREGATION_TEMPORALITY_DELTA',
        dataPoints: [
          {
            timeUnixNano: String(START),
            count: '4',
            sum: 9,
            scale: 3,
            zeroCount: '1',
            positive: { offset: -2, bucketCounts: ['1', '2'] },
            negative: { bucketCounts: [] },
            exemplars
          }
        ]
      }
    }
  ]
  const { drafts } = drafted({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] }, 'metrics')
  t.match(attrsOf(drafts[0]), {
    'metric.temporality': 'delta',
    'metric.scale': '3',
    'metric.zero_count': '1',
    'metric.positive': '[-2,1,2]',
    'metric.exemplars': JSON.stringify([[0.5, trace, 'cd'.repeat(8), Number(START / 1_000_000n)]])
  })
  t.notOk('metric.negative' in attrsOf(drafts[0]))
})

test('both encodings of a request make the same drafts', async (t) => {
  const span = nested(
    2,
    hex(1, TRACE),
    hex(2, SPAN),
    bytes(5, 'GET /cart'),
    int(6, 3),
    fixed64(7, START),
    fixed64(8, START + 2_000_000n),
    textAttribute(9, 'a.b', 'c'),
    nested(9, bytes(1, 'n'), nested(2, int(3, -5n))),
    nested(9, bytes(1, 'd'), nested(2, double(4, 0.25))),
    nested(9, bytes(1, 'l'), nested(2, nested(5, nested(1, bytes(1, 'x')), nested(1, int(2, 1))))),
    nested(15, bytes(2, 'oops'), int(3, 1)),
    // a field of the future
    nested(99, bytes(1, 'unknown')),
    int(98, 7)
  )
  const body = nested(
    1,
    nested(1, textAttribute(1, 'service.name', 'checkout')),
    nested(2, nested(1, bytes(1, 'lib')), span)
  )
  const reading = readRequest(body, 'traces', 'protobuf')
  if (!reading.ok) throw new Error(reading.problem)
  const json = {
    resourceSpans: [
      {
        resource: { attributes: [attribute('service.name', { stringValue: 'checkout' })] },
        scopeSpans: [
          {
            scope: { name: 'lib' },
            spans: [
              {
                traceId: TRACE,
                spanId: SPAN,
                name: 'GET /cart',
                kind: 3,
                startTimeUnixNano: String(START),
                endTimeUnixNano: String(START + 2_000_000n),
                attributes: [
                  attribute('a.b', { stringValue: 'c' }),
                  attribute('n', { intValue: '-5' }),
                  attribute('d', { doubleValue: 0.25 }),
                  attribute('l', {
                    arrayValue: { values: [{ stringValue: 'x' }, { boolValue: true }] }
                  })
                ],
                status: { code: 1, message: 'oops' }
              }
            ]
          }
        ]
      }
    ]
  }
  t.same(drafted(reading.request).drafts, drafted(json).drafts)
})

test('protobuf metrics: packed lists, signed and large numbers, and fields of the future', async (t) => {
  const packed = (field: number, ...values: bigint[]) =>
    bytes(field, Buffer.concat(values.map((value) => fixed64(1, value).subarray(1))))
  const doubles = (field: number, ...values: number[]) =>
    bytes(field, Buffer.concat(values.map((value) => double(1, value).subarray(1))))
  const future = Buffer.concat([Buffer.from([0xfd, 0x07]), Buffer.alloc(4)])
  const histogram = nested(
    9,
    nested(
      1,
      fixed64(3, START),
      fixed64(4, 4n),
      double(5, 10),
      packed(6, 1n, 3n),
      doubles(7, 5),
      future
    )
  )
  const exponential = nested(
    10,
    nested(
      1,
      fixed64(3, START),
      fixed64(4, 2n),
      double(5, 3),
      int(6, 5),
      fixed64(7, 1n),
      nested(8, int(1, 3), bytes(2, Buffer.concat([varint(1), varint(300)]))),
      nested(11, fixed64(2, START), double(3, 1.5), hex(4, SPAN), hex(5, TRACE)),
      double(12, 1),
      double(13, 2)
    )
  )
  const sum = nested(7, nested(1, fixed64(3, START), fixed64(6, -7n)), int(2, 2), int(3, 1))
  const big = nested(
    5,
    nested(
      1,
      fixed64(3, START),
      fixed64(6, 2n ** 62n),
      nested(7, bytes(1, 'n'), nested(2, int(3, 2n ** 60n))),
      nested(7, bytes(1, 'b'), nested(2, bytes(7, Buffer.from([1, 2]))))
    )
  )
  const metric = (name: string, data: Buffer) => nested(2, bytes(1, name), data)
  const body = nested(
    1,
    nested(2, metric('h', histogram), metric('e', exponential), metric('s', sum), metric('g', big))
  )
  const reading = readRequest(body, 'metrics', 'protobuf')
  if (!reading.ok) throw new Error(reading.problem)
  const { drafts } = drafted(reading.request, 'metrics')
  t.same(
    drafts.map((draft) => draft.content['metrics']),
    [{ count: 4, sum: 10 }, { count: 2, sum: 3, min: 1, max: 2 }, { value: -7 }, { value: 2 ** 62 }]
  )
  t.match(attrsOf(drafts[0]), { 'metric.bounds': '[5]', 'metric.bucket_counts': '[1,3]' })
  t.match(attrsOf(drafts[1]), {
    'metric.scale': '-3',
    'metric.positive': '[-2,1,300]',
    'metric.exemplars': JSON.stringify([[1.5, TRACE, SPAN, Number(START / 1_000_000n)]])
  })
  t.match(attrsOf(drafts[3]), { n: String(2n ** 60n), b: 'AQI=' })
})

test('malformed requests are named, empty ones are not', async (t) => {
  t.match(readRequest(Buffer.from('{'), 'traces', 'json'), { ok: false })
  t.match(readRequest(Buffer.from('[]'), 'traces', 'json'), { ok: false })
  t.match(readRequest(Buffer.from([0x0a, 0xff, 0xff]), 'traces', 'protobuf'), { ok: false })
  t.match(readRequest(Buffer.alloc(0), 'traces', 'protobuf'), { ok: true })
  t.equal(draftRequest({ resourceSpans: 7 }, 'traces'), 'resourceSpans must be an array')
  t.equal(
    draftRequest({ resourceSpans: [{ scopeSpans: {} }] }, 'traces'),
    'scopeSpans must be an array'
  )
  t.equal(
    draftRequest({ resourceSpans: [{ scopeSpans: [{ spans: 'x' }] }] }, 'traces'),
    'spans must be an array'
  )
  t.same(draftRequest({}, 'traces'), { drafts: [], refused: [], unknown: undefined })
})

test('hostile protobuf ends in a fault, never in a crash or a hang', async (t) => {
  let deep = bytes(1, 'x')
  for (let depth = 0; depth < 100; depth++) deep = nested(5, nested(1, deep))
  const bombs = [
    nested(1, nested(2, nested(2, nested(9, bytes(1, 'k'), nested(2, deep))))),
    Buffer.from([0x0b]),
    Buffer.concat([Buffer.from([0x0a]), varint(2n ** 63n)]),
    Buffer.from([0x0a, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80]),
    Buffer.from([0x00, 0x01]),
    nested(1, nested(2, nested(2, int(1, 5))))
  ]
  for (const bomb of bombs) t.throws(() => readProtobuf(bomb, REQUESTS.traces), ProtobufFault)
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 300 }),
      fc.constantFrom('traces', 'logs', 'metrics'),
      (noise, signal) => {
        const reading = readRequest(Buffer.from(noise), signal, 'protobuf')
        if (reading.ok) draftRequest(reading.request, signal)
      }
    )
  )
})

test('any JSON at all becomes drafts or a rejection', async () => {
  const anything = fc.jsonValue({ maxDepth: 4 })
  fc.assert(
    fc.property(anything, anything, anything, (span, resource, scope) => {
      draftRequest(
        {
          resourceSpans: [
            {
              resource,
              scopeSpans: [
                { scope, spans: [span, { ...jsonSpan, attributes: span, events: resource }] }
              ]
            }
          ]
        },
        'traces'
      )
      draftRequest(
        { resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords: [span] }] }] },
        'logs'
      )
      draftRequest(
        {
          resourceMetrics: [
            {
              resource,
              scopeMetrics: [{ scope, metrics: [span, { sum: { dataPoints: [resource] } }] }]
            }
          ]
        },
        'metrics'
      )
    })
  )
})
