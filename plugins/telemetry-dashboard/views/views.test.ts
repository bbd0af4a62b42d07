// Views: what the registry gives, which one answers to a name, and what may be saved.
import { test } from 'tap'
import { deriveViews } from './derive-views.ts'
import { mergeViews } from './merge-views.ts'
import { MAX_QUERY_DEPTH, readViewRequest } from './read-view.ts'
import type { ConfiguredView, SavedView } from './view.ts'

const registry = {
  'page.viewed': { kind: 'event', rollups: [{ as: 'daily_active' }, { as: 'pages' }] },
  'app.error': { kind: 'error', rollups: [{ as: 'issues' }] },
  'http.request': { kind: 'span', rollups: [] },
  'ticket.status': { kind: 'state', rollups: [] },
  'llm.tokens': { kind: 'usage', rollups: [] },
  'page.left': { kind: 'event', rollups: [{ as: 'pages' }] }
}

const saved = (name: string, more: Partial<SavedView> = {}): SavedView => ({
  name,
  page: 'events',
  query: {},
  origin: 'saved',
  id: `id of ${name}`,
  ownerRef: 'user:me',
  tenantId: 'acme',
  shared: false,
  ...more
})
const configured = (name: string): ConfiguredView => ({
  name,
  page: 'usage',
  query: {},
  origin: 'configured'
})

test('each event name gets a page by its kind', async (t) => {
  const pages = Object.fromEntries(deriveViews(registry).map(({ name, page }) => [name, page]))
  t.match(pages, {
    'page.viewed': 'events',
    'app.error': 'errors',
    'http.request': 'traces',
    'ticket.status': 'journeys',
    'llm.tokens': 'usage'
  })
})

test('a derived view is filtered to its name; events are shown as series', async (t) => {
  const [event, error] = deriveViews(registry)
  t.same(event?.query, { range: '7d', filters: { name: 'page.viewed' }, display: 'series' })
  t.same(error?.query, { range: '7d', filters: { name: 'app.error' }, display: 'table' })
})

test('the derived view of a span lists all spans: few of a name are roots', async (t) => {
  const span = deriveViews(registry).find(({ page }) => page === 'traces')
  t.match(span?.query, { filters: { name: 'http.request' }, state: { spans: 'all' } })
})

test('a rollup family gets one preset, however many events feed it', async (t) => {
  const presets = deriveViews(registry).filter(({ name }) => name === 'rollup: pages')
  t.same(presets, [
    {
      name: 'rollup: pages',
      page: 'journeys',
      origin: 'derived',
      query: { range: '30d', filters: { rollup: 'pages' }, display: 'breakdown' }
    }
  ])
})

test('saved wins over configured and configured over derived', async (t) => {
  const views = mergeViews(
    {
      derived: deriveViews(registry),
      configured: [configured('page.viewed'), configured('both')],
      saved: [saved('both')]
    },
    'user:me'
  )
  const named = (name: string) => views.filter((view) => view.name === name)
  t.match(named('page.viewed'), [{ origin: 'configured' }])
  t.equal(named('page.viewed').length, 1)
  t.match(named('both'), [{ origin: 'saved' }])
  t.equal(named('both').length, 1)
  t.match(named('app.error'), [{ origin: 'derived' }])
})

test('of two saved views with one name the own one wins, and then the later', async (t) => {
  const mine = saved('x', { id: '1' })
  const theirs = saved('x', { id: '2', ownerRef: 'user:you', shared: true })
  const later = saved('x', { id: '3', ownerRef: 'user:you', shared: true })
  const winner = (views: SavedView[], viewerRef?: string) =>
    mergeViews({ derived: [], configured: [], saved: views }, viewerRef).map(
      (view) => view.origin === 'saved' && view.id
    )
  t.same(winner([mine, theirs, later], 'user:me'), ['1'])
  t.same(winner([theirs, mine, later], 'user:me'), ['1'])
  t.same(winner([theirs, later], 'user:me'), ['3'])
  t.same(winner([mine, theirs, later]), ['3'])
})

test('saved views keep their order, oldest first', async (t) => {
  const views = mergeViews(
    { derived: [], configured: [], saved: ['b', 'a', 'c'].map((n) => saved(n)) },
    'user:me'
  )
  t.same(
    views.map((view) => view.name),
    ['b', 'a', 'c']
  )
})

const spec = { name: 'mine', page: 'events', query: { range: '24h' } }

test('a view is private unless it is shared', async (t) => {
  t.same(readViewRequest({ spec }, 'user:me'), { spec, shared: false })
  t.same(readViewRequest({ spec, shared: true }, undefined), { spec, shared: true })
})

test('a private view needs a viewer identity', async (t) => {
  t.same(readViewRequest({ spec, shared: false }, undefined), {
    ok: false,
    code: 'validation_failed',
    message: 'private views need a viewer identity'
  })
})

test('a body without a whole view spec is refused', async (t) => {
  const bodies = [
    undefined,
    null,
    'text',
    [],
    {},
    { spec: null },
    { spec: [] },
    { spec: { page: 'events', query: {} } },
    { spec: { name: '  ', page: 'events', query: {} } },
    { spec: { name: 5, page: 'events', query: {} } },
    { spec: { name: 'x', query: {} } },
    { spec: { name: 'x', page: 7, query: {} } },
    { spec: { name: 'x', page: 'events' } },
    { spec: { name: 'x', page: 'events', query: 'q' } },
    { spec: { name: 'x', page: 'events', query: null } },
    { spec: { name: 'x', page: 'events', query: [] } }
  ]
  for (const body of bodies) {
    t.match(
      readViewRequest(body, 'user:me'),
      { ok: false, message: 'view spec required' },
      JSON.stringify(body)
    )
  }
})

test('a page that is none of the seven is refused by name', async (t) => {
  t.match(readViewRequest({ spec: { ...spec, page: 'settings' } }, 'user:me'), {
    ok: false,
    fields: [{ path: 'spec.page', message: /^must be one of "errors", "traces", / }]
  })
})

test('a name that is too long, a query that is too deep and a bad shared are refused', async (t) => {
  let query: object = {}
  for (let level = 0; level < MAX_QUERY_DEPTH; level++) query = { query }
  const bad = [
    [{ spec: { ...spec, name: 'x'.repeat(201) } }, { fields: [{ path: 'spec.name' }] }],
    [{ spec: { ...spec, query } }, { message: /^query / }],
    [{ spec, shared: 'yes' }, { message: /^shared / }]
  ] as const
  for (const [body, fault] of bad) {
    t.match(readViewRequest(body, 'user:me'), { ok: false, ...fault })
  }
})
