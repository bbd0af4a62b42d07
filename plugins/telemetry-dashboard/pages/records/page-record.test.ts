// A record told for people, and the requests and reasons of the pages.
import { test } from 'tap'
import { frameText, sectionsOf } from './facts.ts'
import { figureOf, figureUnit, type RecordRow, spanTitle, summaryOf } from './record.ts'

const row = (more: Partial<RecordRow> = {}): RecordRow => ({
  _id: 'id-1',
  tenantId: 'acme',
  occurredAt: '2025-06-15T12:00:00.000Z',
  receivedAt: '2025-06-15T12:00:01.000Z',
  kind: 'event',
  name: 'page.viewed',
  severity: 'info',
  env: 'prod',
  service: 'web',
  release: '1',
  origin: 'server',
  subjects: [],
  attrs: {},
  metrics: {},
  sampleRate: 1,
  ...more
})

test('attributes are summed up as pairs that filter', async (t) => {
  t.same(summaryOf(row({ attrs: { plan: 'pro' } })), [
    { text: 'plan=pro', filter: { field: 'attrs.plan', value: 'pro' } }
  ])
})

test('errors, states, usage and bodies say themselves first', async (t) => {
  const text = (more: Partial<RecordRow>) => summaryOf(row(more)).map((part) => part.text)
  t.same(text({ error: { type: 'TypeError', message: 'x' }, attrs: { code: 'E1' } }), [
    'TypeError: x',
    'code=E1'
  ])
  t.same(text({ state: { key: 'ticket', from: 'open', to: 'solved' } }), ['ticket open → solved'])
  t.same(text({ state: { key: 'ticket', to: 'open' } }), ['ticket → open'])
  t.same(text({ usage: { meter: 'tokens', quantity: 100, unit: 'token' } }), ['100 token'])
  t.same(text({ body: 'x'.repeat(500) })[0]?.length, 160)
})

test('a record from before a field was known is summed up all the same', async (t) => {
  const { attrs: _attrs, metrics: _metrics, subjects: _subjects, ...bare } = row()
  t.same(summaryOf(bare as RecordRow), [])
  t.equal(figureOf(bare as RecordRow, undefined), undefined)
  t.ok(sectionsOf(bare as RecordRow).length > 0)
})

test('the figure is the metric asked for, else the duration, else the first metric', async (t) => {
  const span = row({ durationMs: 96, metrics: { load_ms: 212, x: 1 } })
  t.same(figureOf(span, 'load_ms'), { key: 'load_ms', value: 212 })
  t.same(figureOf(span, undefined), { key: 'durationMs', value: 96 })
  t.same(figureOf(row({ metrics: { x: 1 } }), undefined), { key: 'x', value: 1 })
  t.equal(figureOf(row({ metrics: { x: 1 } }), 'load_ms'), undefined)
  t.equal(figureOf(row({ metrics: { x: 1 } }), 'durationMs'), undefined)
})

test('the ending of a name says its unit', async (t) => {
  t.same(['durationMs', 'load_ms', 'cost_usd', 'size_bytes', 'tokens'].map(figureUnit), [
    'duration',
    'duration',
    'money',
    'bytes',
    'number'
  ])
})

test('sections hold what the record holds, and empty ones are left out', async (t) => {
  const headings = (more: Partial<RecordRow>) => sectionsOf(row(more)).map(({ heading }) => heading)
  t.same(headings({}), ['record.origin'])
  t.same(
    headings({
      subjects: [{ type: 'user', id: 'u-1' }],
      attrs: { plan: 'pro' },
      metrics: { load_ms: 2 },
      traceId: 'ab',
      error: { type: 'E', message: 'm', fingerprint: 'fp' },
      state: { key: 'k', to: 'b' },
      usage: { meter: 'tokens', quantity: 1, unit: 'token' }
    }),
    [
      'record.subjects',
      'record.error',
      'record.state',
      'record.usage',
      'record.attrs',
      'record.metrics',
      'record.trace',
      'record.origin'
    ]
  )
})

test('every subject filters by its ref, and an actor is taken out by its type', async (t) => {
  const [section] = sectionsOf(
    row({ subjects: [{ type: 'user', id: 'u:1', role: 'buyer' }], actor: 'admin:ann' })
  )
  t.same(section?.facts, [
    {
      label: 'user',
      isName: true,
      text: 'u:1 (buyer)',
      filter: { field: 'subject', value: 'user:u:1' }
    },
    {
      label: 'fact.actor',
      text: 'admin:ann',
      filter: { field: 'actor', value: 'admin', not: true }
    }
  ])
})

test('a sampled record says its rate', async (t) => {
  const [origin] = sectionsOf(row({ sampleRate: 0.25 }))
  t.match(origin?.facts.at(-1), { label: 'fact.sampleRate', text: '0.25' })
})

test('a frame is a function and a place, as far as they are known', async (t) => {
  t.equal(frameText({ fn: 'pay', filename: 'cart.js', lineno: 3, colno: 9 }), 'pay (cart.js:3:9)')
  t.equal(frameText({}), '? (?)')
})

test('a span that is named by its method alone has its path beside it', async (t) => {
  const title = (attrs: Record<string, string>) => spanTitle(row({ name: 'otlp.span', attrs }))
  t.equal(title({ 'span.name': 'GET', 'url.path': '/cart/7' }), 'GET /cart/7')
  t.equal(title({ 'span.name': 'POST', 'http.target': '/old?x=1' }), 'POST /old?x=1')
  t.equal(title({ 'span.name': 'GET', 'http.route': '/a/:id', 'url.path': '/a/7' }), 'GET /a/:id')
  t.equal(title({ 'span.name': 'GET /a/:id', 'url.path': '/a/7' }), 'GET /a/:id')
  t.equal(title({ 'span.name': 'SELECT' }), 'SELECT')
  t.equal(title({}), 'otlp.span')
})
