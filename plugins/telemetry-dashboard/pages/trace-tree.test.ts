// A trace as a tree: order, depth, what is missing, and the critical path.
import fc from 'fast-check'
import { test } from 'tap'
import type { RecordRow } from './records/record.ts'
import { spanTitle } from './records/record.ts'
import { viewTrace } from './trace/tree.ts'
import { barHeight } from './traces/histogram.ts'

const BEGAN = Date.parse('2025-06-15T12:00:00.000Z')

const row = (id: string, start: number, ms: number, more: Partial<RecordRow> = {}): RecordRow => ({
  _id: id,
  tenantId: 'acme',
  occurredAt: new Date(BEGAN + start).toISOString(),
  receivedAt: new Date(BEGAN + start).toISOString(),
  kind: 'span',
  name: 'http.request',
  severity: 'info',
  env: 'prod',
  service: 'web',
  release: '1',
  origin: 'server',
  subjects: [],
  attrs: { 'span.name': id },
  metrics: {},
  sampleRate: 1,
  spanId: id,
  durationMs: ms,
  ...more
})
const child = (
  id: string,
  parentId: string,
  start: number,
  ms: number,
  more: Partial<RecordRow> = {}
) => row(id, start, ms, { parentId, ...more })

const tree = (rows: RecordRow[]) =>
  viewTrace(rows)?.items.map(({ row: { _id }, depth }) => `${'-'.repeat(depth)}${_id}`)
const critical = (rows: RecordRow[]) =>
  viewTrace(rows)
    ?.items.filter(({ isCritical }) => isCritical)
    .map(({ row: { _id } }) => _id)

test('without records there is no trace', async (t) => {
  t.equal(viewTrace([]), undefined)
})

test('children stand below their parents by start, in whatever order they came', async (t) => {
  const rows = [
    child('c', 'b', 30, 5),
    child('b', 'a', 20, 40),
    row('a', 0, 100),
    child('d', 'a', 10, 5)
  ]
  t.same(tree(rows), ['a', '-d', '-b', '--c'])
})

test('a trace begins with its first record and ends with its last end', async (t) => {
  const view = viewTrace([row('a', 5, 100), child('late', 'a', 90, 60, { service: 'jobs' })])
  t.match(view, {
    from: BEGAN + 5,
    duration: 145,
    spans: 2,
    errors: 0,
    failed: 0,
    services: ['jobs', 'web'],
    title: 'a'
  })
  t.match(view?.items[1], { start: 85, duration: 60 })
})

test('a span whose parent is missing is a root', async (t) => {
  t.same(tree([row('a', 0, 10), child('x', 'gone', 5, 1), child('y', 'x', 6, 1)]), ['a', 'x', '-y'])
})

test('spans that name each other as parents are shown once, and it ends', async (t) => {
  const view = viewTrace([child('a', 'b', 0, 10), child('b', 'a', 1, 5), child('s', 's', 2, 1)])
  t.equal(view?.items.length, 3)
})

test('the same span id in two tenants is two spans', async (t) => {
  const rows = [
    row('a', 0, 10),
    row('a2', 0, 10, { tenantId: 'globex', spanId: 'a' }),
    child('c', 'a', 1, 1, { tenantId: 'globex' })
  ]
  t.same(tree(rows), ['a', 'a2', '-c'])
})

test('an error counts once, however many spans around it failed', async (t) => {
  const bad = { severity: 'error' } as const
  const view = viewTrace([
    row('a', 0, 50, bad),
    child('b', 'a', 10, 30, bad),
    child('e', 'b', 40, 0, { kind: 'error' })
  ])
  t.match(view, { errors: 1, failed: 2 })
})

test('errors and logs stand below the span they were recorded in', async (t) => {
  const rows = [
    row('a', 0, 10),
    { ...row('log', 3, 0), kind: 'event' as const, spanId: 'a' },
    { ...row('fault', 2, 0), kind: 'error' as const, spanId: 'a' },
    { ...row('stray', 4, 0), kind: 'event' as const, spanId: 'gone' }
  ]
  t.same(tree(rows), ['a', '-fault', '-log', 'stray'])
  const view = viewTrace(rows)
  t.match(view, { spans: 1, errors: 1 })
  t.match(view?.items[1], { isSpan: false, isError: true, isCritical: false })
})

test('a record of a trace without spans is shown by itself', async (t) => {
  const log = { ...row('log', 0, 0), kind: 'event' as const, attrs: {} }
  t.match(viewTrace([log]), { title: 'http.request', spans: 0, items: [{ isCritical: false }] })
})

test('the critical path goes backwards through the span that ended last before', async (t) => {
  const rows = [
    row('root', 0, 340),
    child('read', 'root', 12, 60),
    child('meanwhile', 'root', 20, 90),
    child('charge', 'root', 80, 210),
    child('call', 'charge', 95, 160),
    child('quick', 'charge', 96, 10),
    child('render', 'root', 292, 40)
  ]
  t.same(critical(rows), ['root', 'read', 'charge', 'call', 'render'])
})

test('a child that outlives its parent delays no other span, but for rounding', async (t) => {
  t.same(critical([row('a', 0, 10), child('later', 'a', 5, 50)]), ['a'])
  t.same(critical([row('a', 0, 10.2), child('rounded', 'a', 5, 6)]), ['a', 'rounded'])
})

test('however spans hang together, each is shown once', async (t) => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f']
  const anySpan = fc.record({
    id: fc.constantFrom(...ids),
    parentId: fc.constantFrom(...ids, 'gone'),
    start: fc.integer({ min: 0, max: 100 }),
    ms: fc.integer({ min: 0, max: 100 })
  })
  fc.assert(
    fc.property(fc.array(anySpan, { maxLength: 12 }), (spans) => {
      const rows = spans.map(({ id, parentId, start, ms }, at) =>
        row(`${id}${at}`, start, ms, { spanId: id, parentId })
      )
      const shown = viewTrace(rows)?.items.map(({ row: { _id } }) => _id) ?? []
      return shown.length === rows.length && new Set(shown).size === rows.length
    })
  )
  t.pass('for a hundred traces')
})

test('a span is called by its own name, its route, or its event', async (t) => {
  t.equal(spanTitle(row('a', 0, 1)), 'a')
  t.equal(spanTitle(row('a', 0, 1, { attrs: { method: 'GET', route: '/x' } })), 'GET /x')
  t.equal(spanTitle(row('a', 0, 1, { attrs: { route: '/x' } })), '/x')
  t.equal(spanTitle(row('a', 0, 1, { attrs: {} })), 'http.request')
})

test('a bar is as high as its share, and one span is still seen', async (t) => {
  t.same([barHeight(0, 100), barHeight(1, 1000), barHeight(50, 100)], [0, 2, 50])
})

test('a span whose parent never arrived is marked, a root and a ring are not', async (t) => {
  const view = viewTrace([
    row('root', 0, 10),
    child('known', 'root', 1, 5),
    child('lost', 'gone', 2, 5),
    child('ring', 'ring', 3, 1)
  ])
  t.same(
    view?.items.filter(({ isOrphan }) => isOrphan).map(({ row: { _id } }) => _id),
    ['lost']
  )
})
