// What senders of OpenTelemetry tell of errors, people and places.
import { test } from 'tap'
import type { Drafts } from './draft.ts'
import type { Signal } from './messages.ts'
import { draftRequest } from './read-request.ts'
import { severityOf } from './severity.ts'
import { environmentOf, SUBJECT_ATTRIBUTES, subjectsOf } from './source.ts'

const TRACE = 'aabbccddeeff00112233445566778899'
const SPAN = '0011223344556677'
const attribute = (key: string, text: string) => ({ key, value: { stringValue: text } })
const THROWN = [
  attribute('exception.type', 'TypeError'),
  attribute('exception.message', 'gone'),
  attribute('exception.stacktrace', 'TypeError: gone\n    at pay (/app/cart.js:10:5)')
]

function draftsOf(request: object, signal: Signal): Drafts {
  const made = draftRequest(request as Record<string, unknown>, signal)
  if (typeof made === 'string') throw new Error(made)
  return made
}
const ofLogs = (...logRecords: object[]) =>
  draftsOf({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }, 'logs').drafts
const ofSpans = (...spans: object[]) =>
  draftsOf({ resourceSpans: [{ scopeSpans: [{ spans }] }] }, 'traces').drafts

const log = (more: object = {}) => ({
  timeUnixNano: '1780000000000000000',
  severityNumber: 17,
  body: { stringValue: 'failed' },
  attributes: THROWN,
  ...more
})
const span = (more: object = {}) => ({
  traceId: TRACE,
  spanId: SPAN,
  name: 'GET',
  kind: 2,
  status: { code: 2 },
  attributes: [
    attribute('http.route', '/cart'),
    attribute('user.id', 'u1'),
    attribute('db.system', 'x')
  ],
  events: [{ name: 'exception', timeUnixNano: '1780000000000000000', attributes: THROWN }],
  ...more
})

test('an exception on a log record is an error beside the log', async (t) => {
  const [event, error] = ofLogs(log())
  t.match(event, { name: 'otlp.log', content: { severity: 'error' } })
  t.match(error, {
    name: 'otlp.exception',
    content: { error: { type: 'TypeError', message: 'gone', frames: [{ fn: 'pay' }] } }
  })
})

test('an exception on a log record of a warning stays with the log', async (t) => {
  t.equal(ofLogs(log({ severityNumber: 13 })).length, 1)
})

test('an exception that a span and a log record tell of is one record', async (t) => {
  const place = { traceId: TRACE, spanId: SPAN }
  const [, ofLog] = ofLogs(log(place))
  const [, ofSpan] = ofSpans(span())
  t.equal(ofLog?.id, ofSpan?.id)
})

test('equal exceptions of one span are different records, and the same when they are sent again', async (t) => {
  const [event] = span().events
  const ids = () => ofSpans(span({ events: [event, event] })).map(({ id }) => id)
  t.equal(new Set(ids()).size, 3)
  t.same(ids(), ids())
  t.ok(ids().every((id) => id.length <= 64))
})

test('an exception takes the request and the person over from its span', async (t) => {
  const [, error] = ofSpans(span())
  t.equal(error?.attributes.get('http.route'), '/cart')
  t.equal(error?.attributes.get('user.id'), 'u1')
  t.equal(error?.attributes.has('db.system'), false)
})

test('an exception is unhandled when a request fails by it, or when it escaped', async (t) => {
  const handled = (more: object, escaped?: string) => {
    const attributes = [...THROWN, ...(escaped ? [attribute('exception.escaped', escaped)] : [])]
    const [, error] = ofSpans(span({ events: [{ name: 'exception', attributes }], ...more }))
    return (error?.content['error'] as { handled: boolean } | undefined)?.handled
  }
  t.equal(handled({}), false)
  t.equal(handled({}, 'False'), false)
  t.equal(handled({ kind: 1 }), true)
  t.equal(handled({ kind: 1 }, 'True'), false)
  t.equal(handled({ kind: 'SPAN_KIND_SERVER', status: { code: 'STATUS_CODE_ERROR' } }), false)
})

test('the text of a severity counts where its number is not set', async (t) => {
  const read: readonly (readonly [unknown, string, string])[] = [
    [0, 'ERROR', 'error'],
    [undefined, 'Warning', 'warn'],
    [undefined, 'CRITICAL', 'fatal'],
    [undefined, 'error2', 'error'],
    ['SEVERITY_NUMBER_ERROR', '', 'error'],
    ['SEVERITY_NUMBER_DEBUG4', '', 'debug'],
    [9, 'ERROR', 'info'],
    [undefined, 'constructor', 'info']
  ]
  for (const [number, text, severity] of read) t.equal(severityOf(number, text), severity, text)
})

test('the environment of the resource is one of the store', async (t) => {
  const of = (name: string, key = 'deployment.environment.name') =>
    environmentOf(new Map([[key, name]]))
  t.equal(of('Production'), 'prod')
  t.equal(of('staging', 'deployment.environment'), 'staging')
  t.equal(of('local'), 'dev')
  t.equal(of('mars'), undefined)
  t.equal(of('toString'), undefined)
})

test('attributes name the subjects of a record', async (t) => {
  const attributes = new Map([
    ['enduser.id', 'old'],
    ['user.id', 'u1'],
    ['session.id', 's1'],
    ['customer.id', 'c1']
  ])
  const named = { 'customer.id': 'customer', ...SUBJECT_ATTRIBUTES }
  t.same(subjectsOf(attributes, named).refs, ['customer:c1', 'user:u1', 'session:s1'])
  t.same(subjectsOf(new Map([['user.id', '']]), named).refs, [])
})

test('a body in which nothing is known is refused by the name of its field', async (t) => {
  const cases: readonly (readonly [object, string | RegExp])[] = [
    [{ resource_spans: [] }, /^resource_spans is unknown, expected resourceSpans$/],
    [
      { resourceSpans: [{ resource: {}, instrumentationLibrarySpans: [] }] },
      /^instrumentationLibrarySpans is unknown, expected scopeSpans$/
    ],
    [{ resourceSpans: {} }, /^resourceSpans must be an array$/]
  ]
  for (const [request, expected] of cases)
    t.match(draftRequest(request as Record<string, unknown>, 'traces'), expected)
  t.same(draftRequest({}, 'traces'), { drafts: [], refused: [], unknown: undefined })
})

test('what is unknown beside known items is a warning', async (t) => {
  const known = { scopeSpans: [{ spans: [span()] }] }
  const made = draftsOf({ resourceSpans: [known, { spans_of_mine: [] }] }, 'traces')
  t.equal(made.drafts.length, 2)
  t.same(made.refused, [])
  t.match(made.unknown, /spans_of_mine is unknown/)
})

test('bytes are base64, also of a Buffer that was written as JSON', async (t) => {
  const bytes = (bytesValue: unknown) => ({ key: 'b', value: { bytesValue } })
  const [first, second, third] = ofLogs(
    log({ attributes: [bytes('AQI=')] }),
    log({ attributes: [bytes({ type: 'Buffer', data: [1, 2] })] }),
    log({ attributes: [bytes({ a: 1 })] })
  )
  t.equal(first?.attributes.get('b'), 'AQI=')
  t.equal(second?.attributes.get('b'), 'AQI=')
  t.equal(third?.attributes.has('b'), false)
})

test('an exception that a log record words otherwise than its span is one error', async (t) => {
  const stack =
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 7, in total\nKeyError: \'ada\''
  const thrown = (message: string, at = stack) => [
    attribute('exception.type', 'KeyError'),
    attribute('exception.message', message),
    attribute('exception.stacktrace', at)
  ]
  const event = (message: string, at = stack) => ({
    name: 'exception',
    timeUnixNano: '1780000000000000000',
    attributes: thrown(message, at)
  })
  const [, ofSpan] = ofSpans(span({ events: [event("'ada'")] }))
  const [, ofLog] = ofLogs(log({ traceId: TRACE, spanId: SPAN, attributes: thrown('ada') }))
  t.equal(ofSpan?.name, 'otlp.exception')
  t.equal(ofSpan?.id, ofLog?.id)
  const other = stack.replace('line 7', 'line 9')
  const two = ofSpans(span({ events: [event("'ada'"), event("'ada'", other)] }))
  t.equal(new Set(two.map(({ id }) => id)).size, 3)
  const again = ofSpans(span({ events: [event("'ada'"), event("'bob'")] }))
  t.equal(new Set(again.map(({ id }) => id)).size, 3, 'thrown twice at one place')
})
